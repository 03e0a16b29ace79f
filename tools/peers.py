#!/usr/bin/env python3
"""Has a peer do one piece of the work that Denizen's benches measure, in a process of its own, and prints what it took as JSON.

    tools/peers.py PEER WORK [--model ADDRESS]

Peers: pipecat, livekit, mem0. Works: version, ready, turn, context, recall, frame. `tools/peers-table.py` runs all of them and
sets them beside Denizen's figures. Nothing leaves this machine: models are on loopback, telemetry is off.
"""

import argparse
import asyncio
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time
import warnings
import zlib

os.environ.update(MEM0_TELEMETRY="False", ANONYMIZED_TELEMETRY="False", DO_NOT_TRACK="1", OTEL_SDK_DISABLED="true")

DISTRIBUTIONS = {"pipecat": "pipecat-ai", "livekit": "livekit-agents", "mem0": "mem0ai"}
INSTRUCTIONS = "You are Denizen, one of several people in a room. Answer briefly."
SAID_BEFORE = 10  # turns in a conversation before those that are measured
WARMING = 5
TURNS = 100
LONG = 1_000  # turns of a long context
KEPT = 6_000  # turns that something is to be found among
SEARCHES = 100
FRAMES = 120
ROUNDS = 7
DIMENSIONS = 256
INSIDE = "inside"  # the model answers within the process, without a connection
ANSWER = "That depends on the day, but I would go in the morning. The light is better then, and there are fewer people."
FRAME = (1280, 720)


def said(number):
    return f"this is message {number} about the release and the flaky test"


def asked(number):
    return f"Denizen, where did we leave box number {number}?"


def conversation(turns):
    roles = ("user", "assistant")
    return [{"role": roles[number % 2], "content": said(number)} for number in range(turns)]


def resident_mb():
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return None


class Turns:
    """Processor and clock of turns, one after the other."""

    def __init__(self):
        self.times = []

    async def measure(self, turn):
        for number in range(WARMING):
            await turn(number)
        began = os.times()
        for number in range(TURNS):
            at = time.perf_counter()
            await turn(WARMING + number)
            self.times.append((time.perf_counter() - at) * 1e3)
        ended = os.times()
        return {
            "user_ms": (ended.user - began.user) * 1e3 / TURNS,
            "system_ms": (ended.system - began.system) * 1e3 / TURNS,
            "p50_ms": statistics.median(self.times),
            "p95_ms": sorted(self.times)[len(self.times) * 95 // 100],
            "resident_mb": resident_mb(),
        }


def best(work):
    """Milliseconds of CPU of the best of some rounds."""
    times = []
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        times.append((time.process_time() - began) * 1e3)
    return min(times)


# pipecat


class Pipecat:
    """A pipeline of text: the person's context aggregator, OpenAI's service at an address of ours, the assistant's aggregator."""

    def __init__(self, model):
        from loguru import logger
        from pipecat.frames.frames import LLMMessagesAppendFrame
        from pipecat.pipeline.pipeline import Pipeline
        from pipecat.pipeline.worker import PipelineWorker
        from pipecat.processors.aggregators.llm_context import LLMContext
        from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair
        from pipecat.services.openai.llm import OpenAILLMService
        from pipecat.workers.runner import WorkerRunner

        logger.remove()
        self.append = LLMMessagesAppendFrame
        pair = LLMContextAggregatorPair(LLMContext(conversation(SAID_BEFORE)))
        settings = OpenAILLMService.Settings(model="bench", system_instruction=INSTRUCTIONS)
        service = OpenAILLMService(api_key="none", base_url=model, settings=settings)
        if model == INSIDE:
            service.get_chat_completions = self.answer_inside
        self.answered, self.started = asyncio.Event(), asyncio.Event()
        self.worker = PipelineWorker(Pipeline([pair.user(), service, pair.assistant()]), cancel_on_idle_timeout=False)
        self.runner = WorkerRunner(handle_sigint=False)

        # The answer stands in the context then.
        @pair.assistant().event_handler("on_assistant_turn_stopped")
        async def on_answered(*_):
            self.answered.set()

        @self.worker.event_handler("on_pipeline_started")
        async def on_started(*_):
            self.started.set()

    @staticmethod
    async def answer_inside(_context):
        from openai.types.chat import ChatCompletionChunk

        async def chunks():
            for delta, finish in (({"role": "assistant", "content": ANSWER}, None), ({}, "stop")):
                choice = {"index": 0, "delta": delta, "finish_reason": finish}
                yield ChatCompletionChunk.model_validate(
                    {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "bench", "choices": [choice]}
                )

        return chunks()

    async def begin(self):
        await self.runner.add_workers(self.worker)
        self.running = asyncio.create_task(self.runner.run())
        await self.started.wait()

    async def turn(self, number):
        self.answered.clear()
        question = {"role": "user", "content": asked(number)}
        await self.worker.queue_frame(self.append([question], run_llm=True))
        await self.answered.wait()

    async def end(self):
        await self.worker.cancel()
        await asyncio.gather(self.running, return_exceptions=True)

    @staticmethod
    def context_bytes():
        from pipecat.adapters.llm.services.open_ai_adapter import OpenAILLMAdapter
        from pipecat.processors.aggregators.llm_context import LLMContext

        context, adapter = LLMContext(conversation(LONG)), OpenAILLMAdapter()

        async def params_of():
            return await adapter.get_llm_invocation_params(
                context, system_instruction=INSTRUCTIONS, convert_developer_to_user=False
            )

        def bytes_of():
            params = asyncio.run(params_of())
            return json.dumps({"model": "bench", "stream": True, "messages": params["messages"]}).encode()

        return bytes_of

    @staticmethod
    def frame_for_model(picture):
        """Its way of giving a frame to a model: a JPEG in base64, as a message."""
        import base64
        import io

        from PIL import Image

        def encoded():
            buffer = io.BytesIO()
            Image.frombytes("RGB", FRAME, picture).save(buffer, format="JPEG")
            return base64.b64encode(buffer.getvalue())

        return encoded


# livekit


class Livekit:
    """A session of text without a room, with the OpenAI plugin at an address of ours."""

    def __init__(self, model):
        import logging

        logging.disable(logging.WARNING)
        from livekit.agents import Agent, AgentSession
        from livekit.agents.llm import ChatContext
        from livekit.plugins import openai

        context = ChatContext()
        for message in conversation(SAID_BEFORE):
            context.add_message(role=message["role"], content=message["content"])
        service = self.inside() if model == INSIDE else openai.LLM(model="bench", base_url=model, api_key="none")
        self.session = AgentSession(llm=service)
        self.agent = Agent(instructions=INSTRUCTIONS, chat_ctx=context)

    @staticmethod
    def inside():
        from livekit.agents import llm

        class Answer(llm.LLMStream):
            async def _run(self):
                delta = llm.ChoiceDelta(role="assistant", content=ANSWER)
                self._event_ch.send_nowait(llm.ChatChunk(id="1", delta=delta))

        class Inside(llm.LLM):
            def chat(self, *, chat_ctx, tools=None, conn_options=None, **_):
                return Answer(self, chat_ctx=chat_ctx, tools=tools or [], conn_options=conn_options)

        return Inside()

    async def begin(self):
        await self.session.start(agent=self.agent)

    async def turn(self, number):
        result = await self.session.run(user_input=asked(number))
        assert result.events, "no answer came"

    async def end(self):
        await self.session.aclose()

    @staticmethod
    def context_bytes():
        from livekit.agents.llm import ChatContext

        context = ChatContext()
        context.add_message(role="system", content=INSTRUCTIONS)
        for message in conversation(LONG):
            context.add_message(role=message["role"], content=message["content"])

        def bytes_of():
            messages, _ = context.to_provider_format("openai")
            return json.dumps({"model": "bench", "stream": True, "messages": messages}).encode()

        return bytes_of

    @staticmethod
    def frame_for_model(picture):
        """Its way of giving a frame to a model: a JPEG of the size that its own example names."""
        from livekit import rtc
        from livekit.agents.utils.images import EncodeOptions, ResizeOptions, encode

        pixels = FRAME[0] * FRAME[1]
        opaque = b"".join(picture[3 * at : 3 * at + 3] + b"\xff" for at in range(pixels))
        frame = rtc.VideoFrame(*FRAME, rtc.VideoBufferType.RGBA, opaque)
        options = EncodeOptions(
            format="JPEG", resize_options=ResizeOptions(width=1024, height=1024, strategy="scale_aspect_fit")
        )
        return lambda: encode(frame, options)


# mem0


class HashedWords:
    """Vectors that cost next to nothing, so that what is measured is the memory: each word counts at a place of its own."""

    def __init__(self, *_):
        self.config = None

    def embed(self, text, memory_action=None):
        vector = [0.0] * DIMENSIONS
        for word in text.lower().split():
            vector[zlib.crc32(word.encode()) % DIMENSIONS] += 1.0
        return vector

    def embed_batch(self, texts, memory_action="add"):
        return [self.embed(text) for text in texts]


class Mem0:
    """A memory with its vectors in Qdrant's local form, in a folder, and its history in SQLite, as it comes."""

    def __init__(self, model):
        from mem0 import Memory

        self.folder = tempfile.TemporaryDirectory()
        local = {"api_key": "none", "openai_base_url": model or "http://127.0.0.1:9/v1"}
        where = {"collection_name": "bench", "path": f"{self.folder.name}/vectors", "on_disk": True}
        self.memory = Memory.from_config({
            "llm": {"provider": "openai", "config": {**local, "model": "bench"}},
            "embedder": {"provider": "openai", "config": {**local, "model": "bench", "embedding_dims": DIMENSIONS}},
            "vector_store": {"provider": "qdrant", "config": {**where, "embedding_model_dims": DIMENSIONS}},
            "history_db_path": f"{self.folder.name}/history.db",
        })
        self.memory.embedding_model = HashedWords()

    async def begin(self):
        pass

    async def end(self):
        self.memory.close()

    def recall(self):
        for number in range(KEPT):
            # As it was said: no model is asked what is worth keeping.
            self.memory.add(self.turn_of(number), user_id="room", infer=False)
        wall, began = [], time.process_time()
        found = 0
        for number in range(SEARCHES):
            wanted = number * (KEPT // SEARCHES)
            at = time.perf_counter()
            results = self.memory.search(self.turn_of(wanted), filters={"user_id": "room"}, top_k=10)
            wall.append((time.perf_counter() - at) * 1e3)
            found += any(result["memory"] == self.turn_of(wanted) for result in results["results"])
        return {
            "cpu_ms": (time.process_time() - began) * 1e3 / SEARCHES,
            "p50_ms": statistics.median(wall),
            "found": found,
            "searches": SEARCHES,
            "resident_mb": resident_mb(),
        }

    @staticmethod
    def turn_of(number):
        return f"we left box number {number} with person{number % 300} near shelf {number * 7919 % 6007}"


PEERS = {"pipecat": Pipecat, "livekit": Livekit, "mem0": Mem0}


def version(peer):
    from importlib.metadata import version

    return {"version": f"{DISTRIBUTIONS[peer]} {version(DISTRIBUTIONS[peer])}"}


async def ready(peer, model, began):
    """From the start of the process until it could be asked something, and what it holds then."""
    party = PEERS[peer](model)
    await party.begin()
    took = (time.time() - began) * 1e3
    held = resident_mb()
    await party.end()
    return {"ready_ms": took, "resident_mb": held}


async def turn(peer, model):
    party = PEERS[peer](model)
    await party.begin()
    measured = await Turns().measure(party.turn)
    await party.end()
    return measured


def context(peer):
    work = PEERS[peer].context_bytes()
    return {"cpu_ms": best(work), "bytes": len(work())}


def frame(peer):
    picture = bytes(range(256)) * (FRAME[0] * FRAME[1] * 3 // 256)
    work = PEERS[peer].frame_for_model(picture)
    return {"cpu_ms": best(lambda: [work() for _ in range(FRAMES)]) / FRAMES}


def main():
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peer", choices=PEERS)
    parser.add_argument("work", choices=["version", "ready", "turn", "context", "recall", "frame"])
    parser.add_argument("--model", help="a model that answers at once, in the shape of OpenAI's chat completions; `inside` for one without a connection")
    parser.add_argument("--began", type=float, default=time.time(), help="when this process was started")
    given = parser.parse_args()
    try:
        match given.work:
            case "version":
                told = version(given.peer)
            case "ready":
                told = asyncio.run(ready(given.peer, given.model or "http://127.0.0.1:9/v1", given.began))
            case "turn":
                told = asyncio.run(turn(given.peer, given.model))
            case "context":
                told = context(given.peer)
            case "recall":
                told = Mem0(given.model).recall()
            case "frame":
                told = frame(given.peer)
    except ImportError as missing:
        sys.exit(f"{given.peer} is not installed ({missing}): run `make bench-peers`, which installs it")
    print(json.dumps(told), flush=True)
    # Their threads and sessions are none of ours to wait for.
    os._exit(0)


if __name__ == "__main__":
    main()
