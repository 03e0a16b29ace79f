"""The vendors' own clients, each having a short conversation with the double of its service."""

import asyncio
import base64
import json
import os
import queue
import subprocess
import time

from elevenlabs import ElevenLabs
from elevenlabs.conversational_ai.conversation import AudioInterface, ClientTools, Conversation
from elevenlabs.realtime import AudioFormat, CommitStrategy, RealtimeEvents
from elevenlabs.realtime.scribe import ScribeRealtime
from google import genai
from google.genai import types
from openai import AsyncOpenAI
from openai.types.realtime import RealtimeServerEvent
from pydantic import TypeAdapter

SECOND = b"\x10\x00" * 24_000
SERVER_EVENT = TypeAdapter(RealtimeServerEvent)


def expect(holds, what):
    if not holds:
        raise AssertionError(what)


async def openai(double):
    """Also what stands in for xAI, which names this client for its own service."""
    client = AsyncOpenAI(api_key="sk-test", base_url=f"http://{double.address}/v1", websocket_base_url=f"ws://{double.address}/v1")
    double.tell("hears Good morning.")
    seen, words, sound = [], "", b""
    async with client.realtime.connect(model="gpt-realtime-1.5") as connection:
        await connection.session.update(session={"type": "realtime", "audio": {"input": {"turn_detection": None}}})
        await connection.input_audio_buffer.append(audio=base64.b64encode(SECOND).decode())
        await connection.input_audio_buffer.commit()
        async for event in connection:
            seen.append(event.type)
            # Not only read, but right to the letter.
            SERVER_EVENT.validate_python(event.model_dump(by_alias=True, exclude_unset=True))
            if event.type == "conversation.item.input_audio_transcription.completed":
                words = event.transcript
                text = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "The kettle is on."}]}
                await connection.response.create(response={"conversation": "none", "input": [text]})
            if event.type == "response.output_audio.delta":
                sound += base64.b64decode(event.delta)
            if event.type == "response.done":
                expect(event.response.usage.output_token_details.audio_tokens > 0, "no usage")
                break
    expect(words == "Good morning.", words)
    expect(len(sound) > 40_000, f"{len(sound)} bytes of sound")
    expect("session.updated" in seen and "input_audio_buffer.committed" in seen, seen)
    return len(seen) + await openai_thinks(client, double)


TOOL = {"type": "function", "name": "look_up", "description": "Looks something up.", "parameters": {"type": "object", "properties": {}}}


async def openai_thinks(client, double):
    """It hears, calls a tool, answers, and is told how much of that was heard."""
    double.tell('calls look_up {"what": "tea"}')
    double.tell("answers Tea is a drink.")
    seen, said, item, cut = [], "", None, None
    async with client.realtime.connect(model="gpt-realtime-1.5") as connection:
        await connection.session.update(session={"type": "realtime", "instructions": "Be kind.", "tools": [TOOL], "audio": {"input": {"turn_detection": None}}})
        line = {"id": "who_1", "type": "message", "role": "user", "content": [{"type": "input_text", "text": "Ada says:"}]}
        await connection.conversation.item.create(item=line)
        await connection.input_audio_buffer.append(audio=base64.b64encode(SECOND).decode())
        await connection.input_audio_buffer.commit()
        await connection.response.create()
        async for event in connection:
            seen.append(event.type)
            SERVER_EVENT.validate_python(event.model_dump(by_alias=True, exclude_unset=True))
            if event.type == "response.function_call_arguments.done":
                expect((event.name, event.arguments) == ("look_up", '{"what":"tea"}'), event)
                output = {"type": "function_call_output", "call_id": event.call_id, "output": "Tea is a drink."}
                await connection.conversation.item.create(item=output)
            if event.type == "response.output_audio_transcript.delta":
                said, item = said + event.delta, event.item_id
            if event.type == "response.done" and not said:
                await connection.response.create()
            elif event.type == "response.done":
                await connection.conversation.item.truncate(item_id=item, content_index=0, audio_end_ms=300)
            if event.type == "conversation.item.truncated":
                cut = event.audio_end_ms
                break
            expect(event.type != "error", event)
    expect(said == "Tea is a drink.", said)
    expect(cut == 300, cut)
    return len(seen)


def openai_node(double):
    """The same by the client for Node.js, which is written apart from the one for Python."""
    double.tell('calls look_up {"what": "tea"}')
    double.tell("answers Tea is a drink.")
    told = subprocess.run(["node", "official.mjs", double.address], cwd=os.environ["NODE_CLIENTS"], capture_output=True, text=True, timeout=60)
    expect(told.returncode == 0, told.stderr[:300])
    return int(told.stdout)


def node_version():
    with open(os.path.join(os.environ["NODE_CLIENTS"], "node_modules", "openai", "package.json"), encoding="utf-8") as package:
        return json.load(package)["version"]


async def gemini(double):
    options = types.HttpOptions(base_url=f"http://{double.address}", api_version="v1beta")
    client = genai.Client(api_key="test", http_options=options)
    # It speaks TLS whatever address it is given; the double has none.
    client._api_client._websocket_base_url = lambda *_: f"ws://{double.address}"
    client._api_client._websocket_ssl_ctx = {}
    double.tell("hears Good morning.")
    double.tell("go away")
    config = types.LiveConnectConfig(
        response_modalities=["AUDIO"],
        input_audio_transcription=types.AudioTranscriptionConfig(),
        output_audio_transcription=types.AudioTranscriptionConfig(),
        session_resumption=types.SessionResumptionConfig(),
        realtime_input_config=types.RealtimeInputConfig(
            automatic_activity_detection=types.AutomaticActivityDetection(disabled=True)
        ),
    )
    heard, said, sound, handle, leaves, frames = "", "", b"", None, None, 0
    async with client.aio.live.connect(model="gemini-3.8-live", config=config) as session:
        await session.send_realtime_input(activity_start=types.ActivityStart())
        await session.send_realtime_input(audio=types.Blob(data=SECOND, mime_type="audio/pcm;rate=16000"))
        await session.send_realtime_input(activity_end=types.ActivityEnd())
        for text in [None, "The kettle is on."]:
            if text:
                await session.send_client_content(turns={"role": "user", "parts": [{"text": text}]}, turn_complete=True)
            async for message in session.receive():
                frames += 1
                content = message.server_content
                if message.session_resumption_update:
                    handle = message.session_resumption_update.new_handle
                if message.go_away:
                    leaves = message.go_away.time_left
                if content and content.input_transcription:
                    heard += content.input_transcription.text or ""
                if text and content and content.output_transcription:
                    said += content.output_transcription.text or ""
                if text and message.data:
                    sound += message.data
    expect(heard == "Good morning.", heard)
    expect(said.strip() == "The kettle is on.", said)
    expect(len(sound) > 40_000, f"{len(sound)} bytes of sound")
    expect(handle and leaves == "5s", f"{handle}, {leaves}")
    return frames + await gemini_thinks(client, double)


async def gemini_thinks(client, double):
    """It is told what was before, hears, calls a tool and answers."""
    double.tell('calls look_up {"what": "tea"}')
    double.tell("answers Tea is a drink.")
    declared = types.FunctionDeclaration(name="look_up", description="Looks something up.", parameters_json_schema={"type": "object", "properties": {}}, behavior=types.Behavior.BLOCKING)
    config = types.LiveConnectConfig(
        response_modalities=["AUDIO"],
        system_instruction="Be kind.",
        tools=[types.Tool(function_declarations=[declared])],
        output_audio_transcription=types.AudioTranscriptionConfig(),
        realtime_input_config=types.RealtimeInputConfig(
            automatic_activity_detection=types.AutomaticActivityDetection(disabled=True)
        ),
    )
    said, calls, frames = "", [], 0
    async with client.aio.live.connect(model="gemini-3.8-live", config=config) as session:
        await session.send_realtime_input(activity_start=types.ActivityStart())
        await session.send_realtime_input(text="Ada says:")
        await session.send_realtime_input(audio=types.Blob(data=SECOND, mime_type="audio/pcm;rate=16000"))
        await session.send_realtime_input(activity_end=types.ActivityEnd())
        async for message in session.receive():
            frames += 1
            for call in (message.tool_call.function_calls if message.tool_call else []):
                calls.append((call.name, call.args))
                response = types.FunctionResponse(id=call.id, name=call.name, response={"output": "Tea is a drink."})
                await session.send_tool_response(function_responses=[response])
            content = message.server_content
            if content and content.output_transcription:
                said += content.output_transcription.text or ""
    expect(calls == [("look_up", {"what": "tea"})], calls)
    expect(said.strip() == "Tea is a drink.", said)
    return frames


async def elevenlabs(double):
    double.tell("hears Good morning.")
    scribe = ScribeRealtime("test", base_url=f"ws://{double.address}")
    connection = await scribe.connect({
        "model_id": "scribe_v2_realtime", "audio_format": AudioFormat.PCM_16000, "sample_rate": 16_000,
        "commit_strategy": CommitStrategy.MANUAL,
    })
    words, wrong = asyncio.Queue(), []
    connection.on(RealtimeEvents.COMMITTED_TRANSCRIPT, lambda data: words.put_nowait(data["text"]))
    connection.on(RealtimeEvents.ERROR, wrong.append)
    await connection.send({"audio_base_64": base64.b64encode(SECOND).decode()})
    await connection.commit()
    heard = await asyncio.wait_for(words.get(), 10)
    expect(heard == "Good morning.", heard)
    expect(not wrong, wrong)
    await connection.close()

    def speak():
        client = ElevenLabs(api_key="test", base_url=f"http://{double.address}")
        client.text_to_speech._ws_base_url = f"ws://{double.address}"
        return b"".join(client.text_to_speech.convert_realtime("voice", text=iter(["The kettle is on."]), model_id="eleven_flash_v2_5"))

    sound = await asyncio.to_thread(speak)
    expect(len(sound) > 40_000, f"{len(sound)} bytes of sound")
    return 2 + await asyncio.to_thread(elevenlabs_thinks, double)


class Speaker(AudioInterface):
    """What the vendor's client has for a microphone and a loudspeaker."""

    def __init__(self):
        self.sound, self.microphone = b"", None

    def start(self, input_callback):
        self.microphone = input_callback

    def stop(self):
        pass

    def output(self, audio):
        self.sound += audio

    def interrupt(self):
        pass


def elevenlabs_thinks(double):
    """An agent is told something, calls a tool, and answers what it was written and what it heard."""
    double.tell('calls look_up {"what": "tea"}')
    double.tell("answers Tea is a drink.")
    double.tell("hears And coffee?")
    double.tell("answers So is coffee.")
    said, heard, called, speaker = queue.Queue(), queue.Queue(), [], Speaker()
    tools = ClientTools()
    tools.register("look_up", lambda parameters: called.append(parameters["what"]) or "Tea is a drink.")
    conversation = Conversation(
        ElevenLabs(api_key="test", base_url=f"http://{double.address}"), "agent_1", requires_auth=False, audio_interface=speaker,
        client_tools=tools, callback_agent_response=said.put, callback_user_transcript=heard.put,
    )
    conversation.start_session()
    try:
        deadline = time.monotonic() + 10
        while conversation._conversation_id is None and time.monotonic() < deadline:
            time.sleep(0.02)
        conversation.send_contextual_update("Ada is here.")
        conversation.send_user_message("Ada: What is tea?")
        expect(said.get(timeout=10) == "Tea is a drink.", "it says something else")
        expect(called == ["tea"], called)
        speaker.microphone(SECOND * 2)
        expect(heard.get(timeout=10) == "And coffee?", "it heard something else")
        expect(said.get(timeout=10) == "So is coffee.", "it says something else")
        deadline = time.monotonic() + 10
        while len(speaker.sound) < 20_000 and time.monotonic() < deadline:
            time.sleep(0.02)
        expect(len(speaker.sound) >= 20_000, f"{len(speaker.sound)} bytes of sound")
    finally:
        conversation.end_session()
    return 7
