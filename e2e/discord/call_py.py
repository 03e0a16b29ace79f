"""discord.py in a call: `call_py.py ADDRESS TOKEN GUILD CHANNEL`, then `play N`, `speak` (the packets in the file SPEECH), `report` and
`leave` on standard input.

It has no receiver of its own, so packets are taken from its socket and opened with its keys, by the libraries it uses."""

import asyncio
import base64
import json
import logging
import os
import pathlib
import sys

import davey
import discord
import yarl
from discord.voice_state import VoiceConnectionState
from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_decrypt

address, token, guild_id, channel_id = sys.argv[1:5]
discord.http.Route.BASE = f"http://{address}/api/v10"
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://{address}/")
logging.disable(logging.CRITICAL)
SILENCE = b"\xf8\xff\xfe"

# Voice servers are spoken to with TLS; the one of the tests has none.
secure = discord.http.HTTPClient.ws_connect
discord.http.HTTPClient.ws_connect = lambda self, url, **more: secure(self, url.replace("wss://127.", "ws://127."), **more)


class Frames(discord.AudioSource):
    def __init__(self, frames):
        self.frames = iter(frames)

    def read(self):
        return next(self.frames, b"")

    def is_opus(self):
        return True


class Call(discord.VoiceClient):
    def __init__(self, *arguments):
        self.users, self.heard, self.unopened, self.undecryptable, self.early, self.here = {}, {}, 0, 0, 0, set()
        self.nameless = []
        super().__init__(*arguments)

    def create_connection_state(self):
        state = VoiceConnectionState(self, hook=self.hook)
        state.add_socket_listener(self.packet)
        return state

    async def hook(self, _, message):
        data = message["d"]
        if message["op"] == 5:
            self.users[data["ssrc"]] = int(data["user_id"])
            waiting, self.nameless = self.nameless, []
            for ssrc, sound in waiting:
                self.frame(ssrc, sound)
        elif message["op"] == 11:
            self.here |= set(data["user_ids"])
        elif message["op"] == 13:
            self.here.discard(data["user_id"])

    def packet(self, data):
        if len(data) < 20 or data[1] != 0x78:
            return
        try:
            key = bytes(self._connection.secret_key)
            sound = crypto_aead_xchacha20poly1305_ietf_decrypt(data[12:-4], data[:12], data[-4:] + bytes(20), key)
        except Exception:
            self.unopened += 1
            return
        self.frame(int.from_bytes(data[8:12], "big"), sound)

    def frame(self, ssrc, sound):
        if sound == SILENCE:
            return
        if (user := self.users.get(ssrc)) is None:
            # Whose it is comes over another connection, and may be late.
            self.nameless.append((ssrc, sound))
            return
        session = self._connection.dave_session
        if not session or not session.ready:
            self.early += 1
            return
        try:
            session.decrypt(user, davey.MediaType.audio, sound)
            self.heard[user] = self.heard.get(user, 0) + 1
        except Exception:
            self.undecryptable += 1

    def report(self):
        return {"code": self.voice_privacy_code, "heard": self.heard, "here": len(self.here), "unopened": self.unopened,
                "undecryptable": self.undecryptable, "before_keys": self.early, "mode": self.mode, "live": self.is_connected()}


async def silent(call):
    """A player that has sent its last frame is still one for a moment."""
    while call.is_playing():
        await asyncio.sleep(0.02)


async def main():
    client = discord.Client(intents=discord.Intents.all())
    running = asyncio.create_task(client.start(token))
    await asyncio.wait_for(client.wait_until_ready() if client.is_ready() else ready(client), 30)
    channel = client.get_guild(int(guild_id)).get_channel(int(channel_id))
    call = await channel.connect(cls=Call, timeout=30)
    loop = asyncio.get_running_loop()
    while True:
        line = await loop.run_in_executor(None, sys.stdin.readline)
        wish, _, count = line.strip().partition(" ")
        if wish == "play":
            await silent(call)
            call.play(Frames(bytes([0xFC, number % 256, 2]) * 30 for number in range(int(count))))
            print(json.dumps({"played": True}), flush=True)
        elif wish == "speak":
            await silent(call)
            call.play(Frames(map(base64.b64decode, pathlib.Path(os.environ["SPEECH"]).read_text().splitlines())))
            print(json.dumps({"played": True}), flush=True)
        elif wish == "report":
            print(json.dumps(call.report()), flush=True)
        else:
            break
    await call.disconnect()
    await client.close()
    running.cancel()


async def ready(client):
    while not client.is_ready():
        await asyncio.sleep(0.1)


asyncio.run(main())
