"""Denizen on a server that others wrote and that speaks Discord's protocol: Spacebar. `independent.py http://ADDRESS/api/v9`; see
crates/discord_double/README.md for how one is started. Accounts, a server and a bot are made there by its own API."""

import asyncio
import json
import random
import sys
import urllib.error
import urllib.request

sys.path.append(str(__import__("pathlib").Path(__file__).parent / "policy"))

from denizen import TOKEN, Denizen  # noqa: E402
from double import OPEN  # noqa: E402
from model import ScriptedModel  # noqa: E402
from places import House  # noqa: E402

BASE, *WANTED = sys.argv[1].rstrip("/"), *sys.argv[2:]
PERMISSIONS = "3263552"
PICTURE = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360000002000005000001e221bc330000000049454e44ae426082")


def ask(method, path, token=None, body=None, form=None):
    headers = {"authorization": token} if token else {}
    data = None
    if form:
        data, kind = form
        headers["content-type"] = kind
    elif body is not None:
        data, headers["content-type"] = json.dumps(body).encode(), "application/json"
    request = urllib.request.Request(BASE + path, method=method, data=data, headers=headers)
    try:
        with OPEN.open(request) as answer:
            text = answer.read()
            return json.loads(text) if text else None
    except urllib.error.HTTPError as refused:
        raise RuntimeError(f"{method} {path}: {refused.code} {refused.read().decode()[:300]}") from None


class Stage:
    """Two people, a server with a channel, and a bot in it."""

    def __init__(self):
        number = random.randrange(10**9)
        person = lambda name: ask("POST", "/auth/register", body={  # noqa: E731
            "username": name, "password": "correct horse battery", "email": f"{name}{number}@example.org", "date_of_birth": "1990-01-01", "consent": True})["token"]
        self.people = {name: person(name) for name in ("alice", "bob")}
        alice = self.people["alice"]
        self.bot = ask("POST", "/applications", alice, {"name": "denizen"})["id"]
        self.token = ask("POST", f"/applications/{self.bot}/bot", alice, {})["token"]
        self.guild = ask("POST", "/guilds", alice, {"name": "Trial"})["id"]
        wish = {"authorize": True, "guild_id": self.guild, "permissions": PERMISSIONS}
        ask("POST", f"/oauth2/authorize?client_id={self.bot}&scope=bot&permissions={PERMISSIONS}", alice, wish)
        self.channel = next(one["id"] for one in ask("GET", f"/guilds/{self.guild}/channels", alice) if one["type"] == 0)
        code = ask("POST", f"/channels/{self.channel}/invites", alice, {})["code"]
        ask("POST", f"/invites/{code}", self.people["bob"], {})

    def say(self, who, text, channel=None, **more):
        return ask("POST", f"/channels/{channel or self.channel}/messages", self.people[who], {"content": text, **more})["id"]

    def said(self, channel=None, who="alice"):
        """What the bot has said, oldest first."""
        messages = ask("GET", f"/channels/{channel or self.channel}/messages?limit=100", self.people[who])
        return [message for message in reversed(messages) if message["author"]["id"] == self.bot]


async def until(holds, what, seconds=30):
    for _ in range(seconds * 5):
        if found := await asyncio.to_thread(holds):
            return found
        await asyncio.sleep(0.2)
    raise AssertionError(f"{what} did not come about")


class Trial:
    def __init__(self, stage, model, denizen):
        self.stage, self.model, self.denizen, self.number = stage, model, denizen, 0

    async def answered(self, who, text, reply=True, channel=None, **more):
        """A question is answered, once, to whoever asked."""
        before = len(await asyncio.to_thread(self.stage.said, channel, who))
        asked = await asyncio.to_thread(lambda: self.stage.say(who, text, channel, **more))
        said = await until(lambda: self.stage.said(channel, who)[before:], f"an answer to {text!r}")
        assert len(said) == 1 and said[0]["content"] == "Okay.", said
        if reply:
            assert said[0]["message_reference"]["message_id"] == asked, said
        return asked, said[0]["id"]

    async def mention(self):
        await self.answered("alice", f"<@{self.stage.bot}> are you there?")

    async def name(self):
        await self.answered("bob", "Denizen, and for me?")

    async def reply(self):
        last = (await asyncio.to_thread(self.stage.said))[-1]["id"]
        await self.answered("bob", "why is that?", message_reference={"message_id": last, "channel_id": self.stage.channel, "guild_id": self.stage.guild})
        why = await self.journal("text_admission_decided")
        assert any(line["data"].get("rule") == "reply_to_denizen" for line in why), why[-3:]

    async def online(self, times):
        await until(lambda: self.denizen.log().count("on Discord") >= times, "it is on the server")

    async def journal(self, name):
        house = House(self.denizen.url, TOKEN)
        try:
            return [line for line in await house.journal(f"discord-{self.stage.guild}") if line["name"] == name]
        finally:
            await house.close()

    async def chatter(self):
        before = len(await asyncio.to_thread(self.stage.said))
        await asyncio.to_thread(self.stage.say, "bob", "nobody is meant by this")
        await asyncio.sleep(3)
        assert len(await asyncio.to_thread(self.stage.said)) == before

    async def direct(self):
        # Spacebar tells a bot nothing of a conversation that is begun while it is connected: it is begun, and the bot comes again.
        dm = await asyncio.to_thread(ask, "POST", "/users/@me/channels", self.stage.people["alice"], {"recipients": [self.stage.bot]})
        await asyncio.to_thread(self.stage.say, "alice", "hello", dm["id"])
        before = self.denizen.log().count("on Discord")
        await self.denizen.end()
        await self.denizen.start()
        await self.online(before + 1)
        await asyncio.sleep(2)
        await self.answered("alice", "what time is it in Tokyo?", reply=False, channel=dm["id"])

    async def edit(self):
        before = len(await asyncio.to_thread(self.stage.said))
        message = await asyncio.to_thread(self.stage.say, "alice", "is it open?")
        path = f"/channels/{self.stage.channel}/messages/{message}"
        await asyncio.to_thread(ask, "PATCH", path, self.stage.people["alice"], {"content": "Denizen, is it open?"})
        said = await until(lambda: self.stage.said()[before:], "an answer to what was edited")
        assert len(said) == 1, said

    async def react(self):
        last = (await asyncio.to_thread(self.stage.said))[-1]["id"]
        path = f"/channels/{self.stage.channel}/messages/{last}/reactions/%F0%9F%91%8D/@me"
        await asyncio.to_thread(ask, "PUT", path, self.stage.people["bob"])
        await self.answered("bob", "Denizen, did you see that?")

    async def picture(self):
        mark = "----denizen-trial"
        part = lambda name, kind, data: f'--{mark}\r\nContent-Disposition: form-data; name="{name}"{"; filename=one.png" if kind else ""}\r\n{f"Content-Type: {kind}" if kind else ""}'.rstrip().encode() + b"\r\n\r\n" + data + b"\r\n"  # noqa: E501, E731
        body = part("payload_json", "", json.dumps({"content": "Denizen, what is this?"}).encode()) + part("files[0]", "image/png", PICTURE) + f"--{mark}--\r\n".encode()
        before = len(await asyncio.to_thread(self.stage.said))
        form = (body, f"multipart/form-data; boundary={mark}")
        await asyncio.to_thread(ask, "POST", f"/channels/{self.stage.channel}/messages", self.stage.people["alice"], None, form)
        await until(lambda: self.stage.said()[before:], "an answer to a picture")
        assert "data:image" in json.dumps(self.model.asked["trial"][-1]), "the model did not see the picture"

    async def away(self):
        before = len(await asyncio.to_thread(self.stage.said))
        await self.denizen.end()
        await asyncio.to_thread(self.stage.say, "bob", "Denizen, are you back?")
        await self.denizen.start()
        await until(lambda: self.stage.said()[before:], "an answer to what was asked meanwhile", 60)
        await asyncio.sleep(3)
        assert len(await asyncio.to_thread(self.stage.said)) == before + 1

    async def killed(self):
        before = len(await asyncio.to_thread(self.stage.said))
        for number in range(4):
            await asyncio.to_thread(self.stage.say, "alice", f"Denizen, question {number}?")
            await asyncio.sleep(0.4 * number)
            await self.denizen.kill()
            await self.denizen.start()
            await until(lambda: len(self.stage.said()) >= before + number + 1, f"an answer to question {number}", 60)  # noqa: B023
        await asyncio.sleep(3)
        assert len(await asyncio.to_thread(self.stage.said)) == before + 4


async def main():
    stage = await asyncio.to_thread(Stage)
    model = ScriptedModel()
    base = await model.start()
    denizen = Denizen("", DENIZEN_DISCORD_TOKEN=stage.token, DENIZEN_DISCORD_API=BASE, DENIZEN_LOG="info,discord=debug,discord_rooms=debug")
    denizen.configure({
        "llm.provider": "compatible", "llm.compatibleBaseUrl": base, "llm.model": "trial", "memory.enabled": False,
        "activity.replyCoalesceWindowSeconds": 0, "activity.minSecondsBetweenMessages": 0, "permissions.allowInitiativeReplies": False, "addressing.followupEnabled": False})
    trial = Trial(stage, model, denizen)
    cells = {
        "a mention": trial.mention, "its name": trial.name, "a reply to it": trial.reply, "chatter is left alone": trial.chatter, "a direct message": trial.direct,
        "an edit that calls it": trial.edit, "a reaction": trial.react, "a picture": trial.picture, "asked while it was away": trial.away, "killed four times": trial.killed,
    }
    failed = 0
    try:
        await denizen.start()
        await trial.online(1)
        for name, cell in cells.items() if not WANTED else [(name, cells[name]) for name in WANTED]:
            try:
                await asyncio.wait_for(cell(), 240)
                print(f"✓ {name}", flush=True)
            except Exception as error:
                failed += 1
                print(f"✗ {name}: {type(error).__name__}: {error}"[:600], flush=True)
    finally:
        await denizen.end()
    for line in denizen.log().splitlines():
        if WANTED or " WARN " in line or " ERROR " in line:
            print("   ", line[:300])
    print(f"{len(WANTED or cells) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


asyncio.run(main())
