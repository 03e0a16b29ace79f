"""What goes wrong, and discord.py goes on."""

import asyncio

import discord

from clients import Bot, alice, bot, control, heard, room, says


async def resumes(kind, **more):
    """After a fault, what was said meanwhile is heard, once, and in the same session."""
    before, heard_twice = dict(bot.counts), []
    listener = lambda message: heard_twice.append(message.content)  # noqa: E731
    bot.on_message = wrap(listener)
    control("fault", kind=kind, user="denizen", **more)
    control("post", **{"as": "bob", "channel": "general", "content": f"said during {kind}"})
    for _ in range(300):
        if bot.counts["resumed"] > before["resumed"] and heard_twice:
            break
        await asyncio.sleep(0.1)
    await asyncio.sleep(0.5)
    del bot.on_message
    assert heard_twice == [f"said during {kind}"], heard_twice
    assert bot.counts["resumed"] == before["resumed"] + 1 and bot.counts["ready"] == before["ready"], bot.counts


def wrap(listener):
    async def on_message(message):
        listener(message)

    return on_message


async def invalid_session():
    before = bot.counts["ready"]
    control("gateway", identify_spacing=0)
    control("fault", kind="invalid_session", user="denizen")
    for _ in range(200):
        if bot.counts["ready"] > before:
            break
        await asyncio.sleep(0.1)
    assert bot.counts["ready"] == before + 1
    await says(alice, "after a new session")


async def malformed():
    for which in ("unknown_event", "unknown_op"):
        control("fault", kind="malformed", which=which, user="denizen")
    await says(alice, "after what nobody knows")


async def buckets():
    """Ten messages at once: the client is told of the limit and keeps to it, and all arrive in order."""
    control("limits", rules=[{"route": "POST /channels/*/messages", "limit": 3, "window_ms": 500}])
    since = control("requests")[-1]["number"]
    await asyncio.gather(*(room(bot).send(f"burst {number}") for number in range(10)))
    sent = control("requests", since=since, method="POST", path="/messages")
    told = [request["status"] for request in sent if request["account"] == "denizen"]
    assert told.count(200) == 10 and len(told) <= 16, told


async def too_many():
    control("fault", kind="rate_limit", route="POST /channels/*/messages", times=2, retry_after=0.2, scope="shared")
    await says(bot, "after two refusals")


async def broken_server():
    control("fault", kind="status", status=502, route="POST /channels/*/messages", times=1)
    await says(bot, "after a bad gateway")


async def content_hidden():
    intents = discord.Intents.default()
    client = Bot(intents)
    task = asyncio.create_task(client.start("bot:blind"))
    for _ in range(100):
        if client.is_ready():
            break
        await asyncio.sleep(0.1)
    waiting = asyncio.create_task(heard(client, "message"))
    await asyncio.sleep(0)
    control("post", **{"as": "bob", "channel": "general", "content": "a secret"})
    assert (await waiting).content == ""
    waiting = asyncio.create_task(heard(client, "message"))
    await asyncio.sleep(0)
    control("post", **{"as": "bob", "channel": "general", "content": f"<@{client.user.id}> not for others"})
    assert "not for others" in (await waiting).content
    await client.close()
    task.cancel()
