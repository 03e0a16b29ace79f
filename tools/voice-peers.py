#!/usr/bin/env python3
"""Measures what pipecat takes for the same work as `denizen-bench voice`: listening to people, and falling silent.

    python3 tools/voice-peers.py [crates/audio/fixtures]

Needs pipecat-ai with silero (pip install "pipecat-ai[silero]"); `make bench-peers` makes an environment with it. The speech
is that of the tests: sentences of four voices, one after the other with pauses, 16,000 samples a second as its detector
takes them; decoding, which pipecat leaves to its transports, is not in the figures. Times are those of the processor.
"""

import asyncio
import pathlib
import statistics
import sys
import time
import warnings
import wave

RATE = 16_000
FRAME = RATE // 50  # 20 ms
PAUSE = RATE * 9 // 10
SECONDS = 20
QUEUED = 200
ROUNDS = 5


def recording(folder):
    """Twenty seconds of one person's microphone: a sentence, a pause, the next."""
    sound = b""
    names = ["ann", "bob", "cleo", "dan"]
    while len(sound) < 2 * RATE * SECONDS:
        for name in names:
            with wave.open(str(folder / f"{name}.wav")) as file:
                assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (RATE, 1, 2)
                sound += file.readframes(file.getnframes()) + bytes(2 * PAUSE)
    return sound[: 2 * RATE * SECONDS]


async def listening(sound, speakers):
    """Milliseconds of CPU for a second of sound of so many speakers, and the times of a frame of all of them."""
    from pipecat.audio.vad.silero import SileroVADAnalyzer

    analyzers = [SileroVADAnalyzer(sample_rate=RATE) for _ in range(speakers)]
    for analyzer in analyzers:
        analyzer.set_sample_rate(RATE)
    frames = []
    for at in range(0, len(sound), 2 * FRAME):
        began = time.process_time()
        for number, analyzer in enumerate(analyzers):
            place = (at + number * 2 * RATE) % len(sound)
            await analyzer.analyze_audio(sound[place : place + 2 * FRAME])
        frames.append((time.process_time() - began) * 1e3)
    return sum(frames) / SECONDS, sorted(frames)


async def silence():
    """Milliseconds of sound that still goes out after an interruption, with frames queued."""
    from pipecat.frames.frames import EndFrame, InterruptionFrame, OutputAudioRawFrame
    from pipecat.pipeline.pipeline import Pipeline
    from pipecat.pipeline.runner import PipelineRunner
    from pipecat.pipeline.task import PipelineTask
    from pipecat.transports.base_output import BaseOutputTransport
    from pipecat.transports.base_transport import TransportParams

    class Loudspeaker(BaseOutputTransport):
        """Plays in real time, as a device does."""

        def __init__(self):
            super().__init__(TransportParams(audio_out_enabled=True, audio_out_sample_rate=RATE, audio_out_10ms_chunks=2))
            self.written = []

        async def start(self, frame):
            await super().start(frame)
            await self.set_transport_ready(frame)

        async def write_audio_frame(self, frame):
            await asyncio.sleep(len(frame.audio) / (2 * RATE))
            self.written.append(time.monotonic())
            return True

    loudspeaker = Loudspeaker()
    task = PipelineTask(Pipeline([loudspeaker]))
    running = asyncio.create_task(PipelineRunner(handle_sigint=False).run(task))
    tone = b"\x00\x10" * FRAME
    for _ in range(QUEUED):
        await task.queue_frame(OutputAudioRawFrame(audio=tone, sample_rate=RATE, num_channels=1))
    while len(loudspeaker.written) < 10:
        await asyncio.sleep(0.005)
    stopped = time.monotonic()
    await task.queue_frame(InterruptionFrame())
    await asyncio.sleep(0.6)
    after = [at for at in loudspeaker.written if at > stopped]
    await task.queue_frame(EndFrame())
    await task.cancel()
    await asyncio.gather(running, return_exceptions=True)
    return len(after), (max(after) - stopped) * 1e3 if after else 0.0


async def main():
    try:
        import pipecat
        from loguru import logger
    except ImportError:
        sys.exit('pipecat is not installed: pip install "pipecat-ai[silero]"')
    logger.remove()
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "crates/audio/fixtures")
    sound = recording(folder)
    version = getattr(pipecat, "__version__", "")
    print(f"pipecat {version or callable_version()} with silero, {SECONDS} s of sound, the best of {ROUNDS} rounds")
    for speakers in (1, 4, 8):
        best = None
        for _ in range(ROUNDS):
            took = await listening(sound, speakers)
            if best is None or took[0] < best[0]:
                best = took
        took, frames = best
        p50, p95 = frames[len(frames) // 2], frames[len(frames) * 95 // 100]
        print(
            f"  {speakers} speakers: {took:.1f} ms a second, {took / 1e3:.4f} of a core, "
            f"{took / speakers:.1f} ms a speaker; a frame p50 {p50:.2f} ms p95 {p95:.2f} ms"
        )
    rounds = [await silence() for _ in range(ROUNDS)]
    print(
        f"  falling silent with {QUEUED} frames queued: p50 {statistics.median(took for _, took in rounds):.1f} ms, "
        f"at most {max(took for _, took in rounds):.1f} ms and {max(frames for frames, _ in rounds)} frames"
    )


def callable_version():
    from importlib.metadata import version

    return version("pipecat-ai")


warnings.simplefilter("ignore", DeprecationWarning)
asyncio.run(main())
