"""discord.py as a bot and as a person, pointed at the double."""

import asyncio
import logging
import sys

import discord
import yarl
from discord import app_commands

from double import Control

address = sys.argv[1]
discord.http.Route.BASE = f"http://{address}/api/v10"
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://{address}/")
logging.disable(logging.CRITICAL)
control = Control(address)


class Bot(discord.Client):
    def __init__(self, intents):
        super().__init__(intents=intents, heartbeat_timeout=6)
        self.tree = app_commands.CommandTree(self)
        self.counts = {"resumed": 0, "ready": 0}

    async def on_ready(self):
        self.counts["ready"] += 1

    async def on_resumed(self):
        self.counts["resumed"] += 1


bot, alice = Bot(discord.Intents.all()), Bot(discord.Intents.all())
tasks = []


def room(client):
    return discord.utils.get(client.guilds[0].text_channels, name="general")


async def heard(client, event, check=lambda *_: True, seconds=20):
    return await client.wait_for(event, check=check, timeout=seconds)


def said(text):
    return lambda message: message.content == text


async def says(client, text, **more):
    """Somebody says something, and the other client hears it."""
    other = bot if client is alice else alice
    waiting = asyncio.create_task(heard(other, "message", said(text)))
    await asyncio.sleep(0)
    sent = await room(client).send(text, **more)
    return sent, await waiting
