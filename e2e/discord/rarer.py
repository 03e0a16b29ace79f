"""What is seen less often: polls, stickers, forwarded messages, webhooks, forms, outages, shards."""

import asyncio
import datetime

import discord

from clients import Bot, alice, bot, control, heard, room, said, says


async def polls():
    poll = discord.Poll(question="Tea?", duration=datetime.timedelta(hours=1))
    poll.add_answer(text="yes").add_answer(text="no")
    waiting = asyncio.create_task(heard(bot, "message", lambda message: message.poll is not None))
    await asyncio.sleep(0)
    mine = await room(alice).send(poll=poll)
    got = await waiting
    assert got.poll.question == "Tea?" and [answer.text for answer in got.poll.answers] == ["yes", "no"]
    waiting = asyncio.create_task(heard(bot, "raw_poll_vote_add"))
    await asyncio.sleep(0)
    control("vote", **{"as": "bob", "channel": "general", "message": str(mine.id), "answer": 2})
    assert (await waiting).answer_id == 2
    ended = await mine.end_poll()
    assert ended.poll.is_finalised()


async def stickers():
    made = control("sticker", name="wave")
    control("post", **{"as": "bob", "channel": "general", "content": "with a sticker", "sticker_ids": [made["id"]]})
    got = [message async for message in room(bot).history(limit=1)][0]
    assert [sticker.name for sticker in got.stickers] == ["wave"]


async def forwards():
    mine, _ = await says(alice, "to be handed on")
    waiting = asyncio.create_task(heard(bot, "message", lambda message: message.message_snapshots))
    await asyncio.sleep(0)
    await mine.forward(room(alice))
    got = await waiting
    assert got.message_snapshots[0].content == "to be handed on" and got.content == ""
    assert got.reference.type is discord.MessageReferenceType.forward


async def webhooks():
    waiting = asyncio.create_task(heard(bot, "message", said("built")))
    await asyncio.sleep(0)
    control("post", **{"as": "bob", "channel": "general", "content": "built", "webhook": "Builds"})
    got = await waiting
    assert got.webhook_id and got.author.name == "Builds" and got.author.bot


async def system_messages():
    waiting = asyncio.create_task(heard(bot, "message", lambda message: message.type is discord.MessageType.new_member))
    await asyncio.sleep(0)
    control("post", **{"as": "bob", "channel": "general", "type": 7})
    assert "bob" in (await waiting).system_content


async def many_deleted():
    ids = [control("post", **{"as": "bob", "channel": "general", "content": f"spam {n}"})["id"] for n in range(3)]
    waiting = asyncio.create_task(heard(bot, "raw_bulk_message_delete"))
    await asyncio.sleep(0)
    control("delete", channel="general", messages=ids)
    assert {str(gone) for gone in (await waiting).message_ids} == set(ids)


async def forms():
    class Form(discord.ui.Modal, title="A form"):
        word = discord.ui.TextInput(label="A word", custom_id="word")

        async def on_submit(self, interaction):
            await interaction.response.send_message(f"got {self.word.value}")

    @bot.tree.command(description="Shows a form")
    async def form(interaction: discord.Interaction):
        await interaction.response.send_modal(Form(custom_id="the-form"))

    await bot.tree.sync()
    used = {"as": "alice", "application": "denizen", "channel": "general"}
    token = control("use", command="form", **used)["token"]
    for _ in range(100):
        shown = control("answer", token=token)["shown"]
        if shown:
            break
        await asyncio.sleep(0.05)
    assert shown["title"] == "A form" and shown["custom_id"] == "the-form"
    waiting = asyncio.create_task(heard(alice, "message", said("got milk")))
    await asyncio.sleep(0)
    control("submit", custom_id="the-form", fields={"word": "milk"}, **used)
    await waiting


async def suggestions():
    @bot.tree.command(description="Suggests")
    async def pick(interaction: discord.Interaction, what: str):
        await interaction.response.send_message(what)

    @pick.autocomplete("what")
    async def what(interaction, current):
        return [discord.app_commands.Choice(name=f"{current}berry", value="1")]

    await bot.tree.sync()
    options = [{"name": "what", "type": 3, "value": "blue", "focused": True}]
    token = control("use", **{"as": "alice", "application": "denizen", "channel": "general", "command": "pick",
        "options": options, "autocomplete": True})["token"]  # fmt: skip
    for _ in range(100):
        shown = control("answer", token=token)["shown"]
        if shown:
            break
        await asyncio.sleep(0.05)
    assert shown["choices"][0]["name"] == "blueberry", shown


async def comings_and_goings():
    """The bot comes into a guild, is put out of it, and sees another out of reach for a while."""
    joining = asyncio.create_task(heard(bot, "guild_join"))
    await asyncio.sleep(0)
    made = control("guild", name="Elsewhere", members=["denizen", "alice"], channels=[{"name": "attic"}])
    guild = await joining
    assert guild.name == "Elsewhere" and [channel.name for channel in guild.text_channels] == ["general", "attic"]
    gone = asyncio.create_task(heard(bot, "guild_unavailable"))
    await asyncio.sleep(0)
    control("outage", guild=made["id"])
    await gone
    back = asyncio.create_task(heard(bot, "guild_available"))
    await asyncio.sleep(0)
    control("outage", guild=made["id"], over=True)
    await back
    leaving = asyncio.create_task(heard(bot, "guild_remove"))
    await asyncio.sleep(0)
    control("member", guild=made["id"], user="denizen", out=True)
    assert (await leaving).name == "Elsewhere"
    missing = asyncio.create_task(heard(bot, "member_remove"))
    await asyncio.sleep(0)
    control("user", name="passer-by")
    control("member", user="passer-by", out=True)
    assert (await missing).name == "passer-by"


async def shards():
    """Two shards together see every guild once, and each hears its own."""
    control("gateway", shards=2, identify_spacing=0)

    class Sharded(Bot, discord.AutoShardedClient):
        pass

    client = Sharded(discord.Intents.all())
    task = asyncio.create_task(client.start("bot:sharded"))
    for _ in range(300):
        if client.is_ready():
            break
        await asyncio.sleep(0.1)
    assert client.shard_count == 2 and len(client.guilds) == len(set(client.guilds)) >= 3
    assert {guild.shard_id for guild in client.guilds} == {0, 1}
    for guild in client.guilds[:3]:
        waiting = asyncio.create_task(heard(client, "message", said(f"in {guild.name}")))
        await asyncio.sleep(0)
        control("post", **{"as": "bob", "guild": str(guild.id), "channel": "general", "content": f"in {guild.name}"})
        assert (await waiting).guild == guild
    await client.close()
    task.cancel()
    control("gateway", shards=1)


async def a_thousand_guilds():
    guild = sorted(bot.guilds, key=lambda guild: guild.id)[-1]
    waiting = asyncio.create_task(heard(bot, "message", said("far away")))
    await asyncio.sleep(0)
    control("post", **{"as": "bob", "guild": str(guild.id), "channel": "general", "content": "far away"})
    assert (await waiting).guild == guild
