"""discord.py against the double: cells of talk, and those of troubles.py."""

import asyncio
import io
import os
import sys

import discord

import rarer
from clients import alice, bot, control, heard, room, said, says, tasks
from double import Cells
from troubles import broken_server, buckets, content_hidden, invalid_session, malformed, resumes, too_many


async def login():
    for client, token in ((bot, "bot:denizen"), (alice, "user:alice")):
        tasks.append(asyncio.create_task(client.start(token)))
    for client in (bot, alice):
        for _ in range(200):
            if client.is_ready():
                break
            await asyncio.sleep(0.1)
    assert bot.user.name == "denizen" and bot.user.bot and len(bot.guilds) == int(os.environ["GUILDS"])
    assert alice.user.name == "alice" and not alice.user.bot
    assert {member.name for member in bot.guilds[0].members} >= {"alice", "denizen", "owner"}
    assert all(payload["compressed"] for payload in control("payloads")), "the connections are compressed"
    info = await bot.application_info()
    assert info.id == bot.user.id


async def bad_token():
    client = discord.Client(intents=discord.Intents.none())
    try:
        await client.start("nonsense")
    except discord.LoginFailure:
        return
    finally:
        await client.close()
    raise AssertionError("a bad token was taken")


async def chat():
    _, got = await says(alice, "hello, denizen")
    assert got.author.name == "alice" and not got.author.bot and got.guild.name == "Guild 1"
    _, got = await says(bot, "hello, alice")
    assert got.author.bot


async def mention():
    _, got = await says(alice, f"<@{bot.user.id}> are you there?")
    assert bot.user in got.mentions and not got.mention_everyone


async def reply():
    _, got = await says(alice, "a question")
    waiting = asyncio.create_task(heard(alice, "message", said("an answer")))
    await asyncio.sleep(0)
    await got.reply("an answer")
    answer = await waiting
    assert answer.reference.message_id == got.id and answer.reference.resolved.content == "a question"
    assert alice.user in answer.mentions and answer.type is discord.MessageType.reply


async def edit():
    mine, got = await says(bot, "a first thought")
    waiting = asyncio.create_task(heard(alice, "message_edit", lambda _, after: after.id == got.id))
    await asyncio.sleep(0)
    changed = await mine.edit(content="a second thought")
    before, after = await waiting
    assert (before.content, after.content) == ("a first thought", "a second thought") and after.edited_at
    assert changed.content == "a second thought"


async def delete():
    mine, got = await says(bot, "soon gone")
    waiting = asyncio.create_task(heard(alice, "message_delete", lambda message: message.id == got.id))
    await asyncio.sleep(0)
    await mine.delete()
    await waiting
    try:
        await room(bot).fetch_message(mine.id)
    except discord.NotFound as error:
        assert error.code == 10008
        return
    raise AssertionError("it is still there")


async def reactions():
    _, got = await says(alice, "react to this")
    waiting = asyncio.create_task(heard(alice, "reaction_add"))
    await asyncio.sleep(0)
    await got.add_reaction("👍")
    reaction, user = await waiting
    assert str(reaction.emoji) == "👍" and user == bot.user
    assert [user.name async for user in reaction.users()] == ["denizen"]
    emoji = control("emoji", name="wave")
    await asyncio.sleep(0.3)
    await got.add_reaction(bot.get_emoji(int(emoji["id"])))
    fetched = await room(bot).fetch_message(got.id)
    assert len(fetched.reactions) == 2 and all(reaction.me for reaction in fetched.reactions)
    waiting = asyncio.create_task(heard(alice, "reaction_remove"))
    await asyncio.sleep(0)
    await got.remove_reaction("👍", bot.user)
    await waiting


async def history():
    for number in range(3):
        control("post", **{"as": "bob", "channel": "general", "content": f"line {number}"})
    got = [message.content async for message in room(bot).history(limit=3)]
    assert got == ["line 2", "line 1", "line 0"], got
    first = [message async for message in room(bot).history(limit=3)][-1]
    after = [message.content async for message in room(bot).history(after=first, limit=10)]
    assert after == ["line 1", "line 2"], after


async def pins():
    mine, _ = await says(alice, "to be pinned")
    control("member", user="alice", roles=[control("role", name="keeper", permissions=str(1 << 13))["id"]])
    await mine.pin()
    got = [message.content async for message in room(bot).pins()]
    assert "to be pinned" in got, got
    await mine.unpin()


async def typing():
    waiting = asyncio.create_task(heard(bot, "typing"))
    await asyncio.sleep(0)
    async with room(alice).typing():
        channel, user, _ = await waiting
    assert user.name == "alice" and channel.name == "general"


async def threads():
    mine, _ = await says(alice, "worth a thread")
    waiting = asyncio.create_task(heard(bot, "thread_create"))
    await asyncio.sleep(0)
    thread = await mine.create_thread(name="a thread")
    assert (await waiting).id == mine.id == thread.id
    waiting = asyncio.create_task(heard(bot, "message", said("in the thread")))
    await asyncio.sleep(0)
    await thread.send("in the thread")
    got = await waiting
    assert got.channel.parent.name == "general"
    await got.channel.join()
    await got.channel.send("me, too")
    assert bot.user.id in {member.id for member in await thread.fetch_members()}
    waiting = asyncio.create_task(heard(bot, "thread_update"))
    await asyncio.sleep(0)
    await thread.edit(archived=True)
    assert (await waiting)[1].archived


async def forums():
    control("channel", name="ideas", type=15, available_tags=[{"name": "good"}])
    await asyncio.sleep(0.3)
    forum = discord.utils.get(alice.guilds[0].forums, name="ideas")
    waiting = asyncio.create_task(heard(bot, "message", said("the first idea")))
    await asyncio.sleep(0)
    post = await forum.create_thread(name="an idea", content="the first idea", applied_tags=[forum.available_tags[0]])
    got = await waiting
    assert got.id == got.channel.id == post.thread.id and got.channel.parent.name == "ideas"


async def directs():
    waiting = asyncio.create_task(heard(bot, "message", said("psst")))
    await asyncio.sleep(0)
    control("post", **{"as": "bob", "to": "denizen", "content": "psst"})
    got = await waiting
    assert isinstance(got.channel, discord.DMChannel) and got.guild is None
    await got.channel.send("yes?")
    control("user", name="hermit", dms_closed=True)
    hermit = await bot.fetch_user(int(control("user", name="hermit")["id"]))
    try:
        await hermit.send("hello?")
    except discord.Forbidden as error:
        assert error.code == 50007
        return
    raise AssertionError("somebody who hears nobody was written to")


async def attachments():
    data = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + (3).to_bytes(4) + (2).to_bytes(4) + b"rest"
    file = discord.File(io.BytesIO(data), "dot.png", description="a dot")
    _, got = await says(bot, "a picture", file=file)
    [attachment] = got.attachments
    assert attachment.filename == "dot.png" and (attachment.width, attachment.height) == (3, 2)
    assert attachment.description == "a dot" and await attachment.read() == data


async def permissions():
    made = control("channel", name="closed", permission_overwrites=[
        {"id": str(bot.guilds[0].id), "type": 0, "allow": "0", "deny": str(1 << 11)}])
    hidden = control("channel", name="hidden", permission_overwrites=[
        {"id": str(bot.guilds[0].id), "type": 0, "allow": "0", "deny": str(1 << 10)}])
    for channel, code in ((made, 50013), (hidden, 50001)):
        try:
            await bot.http.send_message(int(channel["id"]), params=discord.http.handle_message_parameters("no"))
        except discord.Forbidden as error:
            assert error.code == code, error
        else:
            raise AssertionError(f"{channel['name']} was written to")
    await asyncio.sleep(0.2)
    assert not bot.get_channel(int(made["id"])).permissions_for(bot.guilds[0].me).send_messages


async def roles():
    waiting = asyncio.create_task(heard(bot, "guild_role_create"))
    await asyncio.sleep(0)
    role = control("role", name="regulars", color=255)
    assert (await waiting).name == "regulars"
    waiting = asyncio.create_task(heard(bot, "member_update"))
    await asyncio.sleep(0)
    control("member", user="bob", roles=[role["id"]], nick="Bobby")
    _, after = await waiting
    assert after.nick == "Bobby" and [role.name for role in after.roles] == ["@everyone", "regulars"]
    found = await bot.guilds[0].query_members("Bob")
    assert [member.name for member in found] == ["bob"]


async def commands():
    @bot.tree.command(description="Says it again")
    async def echo(interaction: discord.Interaction, text: str):
        await interaction.response.send_message(text)

    @bot.tree.command(description="Takes its time")
    async def slow(interaction: discord.Interaction):
        await interaction.response.defer(ephemeral=True)
        await interaction.edit_original_response(content="at last")
        await interaction.followup.send("and more", ephemeral=True)

    assert {command.name for command in await bot.tree.sync()} == {"echo", "slow"}
    used = {"as": "alice", "application": "denizen", "channel": "general"}
    waiting = asyncio.create_task(heard(alice, "message", said("again")))
    await asyncio.sleep(0)
    control("use", command="echo", options={"text": "again"}, **used)
    answer = await waiting
    assert answer.author.name == "denizen" and answer.interaction_metadata.user.name == "alice"
    token = control("use", command="slow", **used)["token"]
    for _ in range(100):
        told = control("answer", token=token)
        if len(told["messages"]) == 2:
            break
        await asyncio.sleep(0.1)
    contents = [message["content"] for message in told["messages"]]
    assert contents == ["at last", "and more"], contents
    assert told["ephemeral"]


async def buttons():
    class View(discord.ui.View):
        @discord.ui.button(label="Press", custom_id="pressed")
        async def pressed(self, interaction, _):
            await interaction.response.edit_message(content="pressed", view=None)

    mine, _ = await says(bot, "a button", view=View())
    waiting = asyncio.create_task(heard(alice, "message_edit", lambda _, after: after.content == "pressed"))
    await asyncio.sleep(0)
    control("press", **{"as": "alice", "channel": "general", "message": str(mine.id), "custom_id": "pressed"})
    await waiting


async def voice_state():
    made = control("channel", name="lounge", type=2)
    await asyncio.sleep(0.3)
    waiting = asyncio.create_task(heard(bot, "voice_state_update"))
    await asyncio.sleep(0)
    control("voice", user="bob", channel=made["id"])
    member, _, after = await waiting
    assert member.name == "bob" and after.channel.name == "lounge"
    waiting = asyncio.create_task(heard(bot, "voice_state_update", lambda member, *_: member == bot.guilds[0].me))
    await asyncio.sleep(0)
    await bot.guilds[0].change_voice_state(channel=after.channel)
    assert (await waiting)[2].channel == after.channel
    await bot.guilds[0].change_voice_state(channel=None)


async def main():
    cells = Cells(sys.argv[2:])
    rows = {
        "login": login, "a bad token": bad_token, "chat": chat, "mentions": mention, "replies": reply, "edits": edit,
        "deletes": delete, "reactions": reactions, "history": history, "pins": pins, "typing": typing, "threads": threads,
        "forums": forums, "direct messages": directs, "attachments": attachments, "permissions": permissions,
        "roles and members": roles, "slash commands": commands, "buttons": buttons, "voice states": voice_state,
        "content intent": content_hidden, "polls": rarer.polls, "stickers": rarer.stickers, "forwards": rarer.forwards,
        "webhooks": rarer.webhooks, "system messages": rarer.system_messages, "bulk deletes": rarer.many_deleted,
        "forms": rarer.forms, "suggestions": rarer.suggestions, "comings and goings": rarer.comings_and_goings,
        "resume after a drop": lambda: resumes("drop"), "resume after a reconnect": lambda: resumes("reconnect"),
        "resume after a close": lambda: resumes("close", code=4000), "resume a zombie": lambda: resumes("zombie"),
        "invalid session": invalid_session, "unknown events": malformed, "rate limit buckets": buckets,
        "too many requests": too_many, "a bad gateway": broken_server, "shards": rarer.shards,
    }  # fmt: skip
    if os.environ["GUILDS"] == "1000":
        rows = {"login": login, "a thousand guilds": rarer.a_thousand_guilds}
    for name, cell in rows.items():
        await cells.run(name, cell)
    for client in (bot, alice):
        await client.close()


asyncio.run(main())
