"""People in a call, each a process of its own, and the recorded speech that they play."""

import asyncio
import base64
import ctypes.util
import json
import os
import pathlib
import sys
import tempfile
import wave

import discord

HERE = pathlib.Path(__file__).parent
FRAME = 960


def opus_frames(recording):
    """Speech as Opus packets of 20 ms, in a file that both clients play."""
    library = ctypes.util.find_library("opus")
    if not library:
        raise SystemExit("libopus is needed to play speech: apt-get install libopus0")
    discord.opus.load_opus(library)
    with wave.open(str(recording)) as sound:
        assert (sound.getframerate(), sound.getnchannels()) == (16_000, 1)
        samples = memoryview(sound.readframes(sound.getnframes())).cast("h")
    # 16 kHz mono as 48 kHz stereo: each sample three times, on both sides.
    wide = [sample for sample in samples for _ in range(6)]
    wide += [0] * (48_000 * 2)
    encoder = discord.opus.Encoder()
    packets = []
    for start in range(0, len(wide) - 2 * FRAME, 2 * FRAME):
        pcm = b"".join(sample.to_bytes(2, "little", signed=True) for sample in wide[start:start + 2 * FRAME])
        packets.append(base64.b64encode(encoder.encode(pcm, FRAME)).decode())
    file = tempfile.NamedTemporaryFile("w", suffix=".opus.txt", delete=False)
    file.write("\n".join(packets))
    file.close()
    os.environ["SPEECH"] = file.name


class Talker:
    @classmethod
    async def come(cls, kind, address, name, place):
        command = {"py": [sys.executable, str(HERE / "call_py.py")], "js": ["node", "--no-warnings", str(HERE / "call_js.mjs")]}[kind]
        token = ("Bot " if kind == "js" else "") + f"user:{name}"
        pipe = asyncio.subprocess.PIPE
        talker = cls()
        talker.process = await asyncio.create_subprocess_exec(*command, address, token, *place, stdin=pipe, stdout=pipe)
        await talker.ask("report")
        return talker

    async def ask(self, wish):
        self.process.stdin.write(f"{wish}\n".encode())
        await self.process.stdin.drain()
        line = await asyncio.wait_for(self.process.stdout.readline(), 40)
        if not line:
            raise AssertionError("somebody is gone from the call")
        return json.loads(line)

    async def leave(self):
        self.process.stdin.write(b"leave\n")
        await self.process.stdin.drain()
        await asyncio.wait_for(self.process.wait(), 20)
