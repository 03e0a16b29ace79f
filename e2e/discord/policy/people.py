"""People on Discord: most of them discord.py, one of them discord.js."""

import asyncio
import json
import os
import pathlib

import discord
import yarl

HERE = pathlib.Path(__file__).parent
SCRIPTED = "carol"


class Python:
    """Somebody whose client is discord.py."""

    def __init__(self, token):
        self.client = discord.Client(intents=discord.Intents.all(), chunk_guilds_at_startup=False, max_messages=20_000)
        self.task = asyncio.create_task(self.client.start(token))

    async def ready(self):
        while not self.client.is_ready():
            if self.task.done():
                self.task.result()
            await asyncio.sleep(0.1)

    async def channel(self, channel):
        for _ in range(100):
            if found := self.client.get_channel(int(channel)):
                return found
            await asyncio.sleep(0.1)
        raise RuntimeError(f"{self.client.user} does not see channel {channel}")

    async def do(self, what, channel, text="", reply=None, message=None):
        place = await self.channel(channel)
        match what:
            case "say":
                to = place.get_partial_message(int(reply)) if reply else None
                return str((await place.send(text, reference=to)).id)
            case "edit":
                await place.get_partial_message(int(message)).edit(content=text)
            case "delete":
                await place.get_partial_message(int(message)).delete()
            case "type":
                await place.typing()

    async def close(self):
        await self.client.close()
        self.task.cancel()


class Script:
    """Somebody whose client is discord.js."""

    def __init__(self, address, token):
        self.address, self.token, self.lock = address, token, asyncio.Lock()

    async def ready(self):
        pipe = asyncio.subprocess.PIPE
        command = ["node", "--no-warnings", str(HERE / "person.mjs"), self.address, f"Bot {self.token}"]
        self.process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
        await self.told()

    async def told(self):
        line = await asyncio.wait_for(self.process.stdout.readline(), 30)
        told = json.loads(line or b'{"wrong": "discord.js is gone"}')
        if told.get("wrong"):
            raise RuntimeError(told["wrong"])
        return told.get("id")

    async def do(self, what, channel, **more):
        async with self.lock:
            self.process.stdin.write((json.dumps({"do": what, "channel": channel, **more}) + "\n").encode())
            await self.process.stdin.drain()
            return await self.told()

    async def close(self):
        self.process.stdin.close()
        await self.process.wait()


class People:
    def __init__(self, address, control):
        discord.http.Route.BASE = f"http://{address}/api/v10"
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://{address}/")
        self.address, self.control = address, control
        self.ids = {"denizen": control("user", name="denizen", bot=True, shown="Denizen")["id"]}
        self.clients = {}

    async def come(self, names):
        for name in names:
            bot, who = name.startswith("bot "), name.removeprefix("bot ")
            self.ids[who] = self.control("user", name=who, bot=bot, shown=who.capitalize())["id"]
            token = ("bot:" if bot else "user:") + who
            self.clients[who] = Script(self.address, token) if who == SCRIPTED else Python(token)
        await asyncio.wait_for(asyncio.gather(*(client.ready() for client in self.clients.values())), 60)

    async def do(self, who, what, channel, **more):
        return await self.clients[who].do(what, channel, **more)

    async def close(self):
        await asyncio.gather(*(client.close() for client in self.clients.values()))
