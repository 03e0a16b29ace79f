"""A storm over the whole program: people ask while it is killed, its connections end in every way there is, and requests fail.
`storm.py [questions]`. Every question is answered exactly once."""

import asyncio
import random
import re
import sys

sys.path.append(str(__import__("pathlib").Path(__file__).parent / "policy"))

from denizen import Denizen  # noqa: E402
from double import Control, Double  # noqa: E402
from storm_model import EchoModel  # noqa: E402

QUESTIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 150
CHANNELS = 10
PATIENCE = 300
SEND = "POST /channels/*/messages"
MALFORMED = ["not_json", "binary", "no_op", "unknown_op", "no_sequence", "unknown_event", "null_data", "list_data", "text_data", "wrong_types",
             "missing_author", "lone_surrogate", "huge", "deep"]
FAULTS = [
    {"kind": "reconnect"}, {"kind": "invalid_session"}, {"kind": "invalid_session", "resumable": True}, {"kind": "zombie"}, {"kind": "drop"}, {"kind": "hush"},
    {"kind": "close", "code": 4000}, {"kind": "close", "code": 4009}, {"kind": "close", "code": 1001}, {"kind": "malformed"}, {"kind": "malformed"},
    {"kind": "status", "status": 500, "route": SEND}, {"kind": "status", "status": 502, "route": SEND, "carried_out": True}, {"kind": "cut", "route": SEND},
    {"kind": "rate_limit", "route": SEND, "retry_after": 0.5, "scope": "shared"}, {"kind": "rate_limit", "retry_after": 1, "scope": "global"},
    {"kind": "slow", "ms": 3000, "route": SEND}, {"kind": "status", "status": 503, "route": "GET /channels/*/messages"}, {"kind": "down", "ms": 3000},
]


class Storm:
    def __init__(self, control, denizen, channels, bot, dice):
        self.control, self.denizen, self.channels, self.bot, self.dice = control, denizen, channels, bot, dice
        self.asked, self.happened, self.lives, self.over = {}, {}, 1, False

    async def ask(self):
        """Somebody asks; at most two wait in a channel, as many as are answered after an absence."""
        for number in range(QUESTIONS):
            await asyncio.sleep(self.dice.uniform(0.1, 1.2))
            while not (free := [channel for channel in self.channels if self.waiting(channel) < 2]):
                await asyncio.sleep(0.2)
            channel = self.dice.choice(free)
            content = f"<@{self.bot}> question {number}?"
            said = self.control("post", **{"as": self.dice.choice(["alice", "bob", "carol"]), "channel": channel, "content": content})
            self.asked[number] = (channel, said["id"])

    def answers(self, channel):
        own = [message for message in self.control("messages", channel=channel) if message["author"]["id"] == self.bot]
        return [int(number) for message in own for number in re.findall(r"Answer (\d+)\.", message["content"])]

    def waiting(self, channel):
        answered = set(self.answers(channel))
        return sum(1 for number, (place, _) in self.asked.items() if place == channel and number not in answered)

    async def blow(self):
        while not self.over:
            await asyncio.sleep(self.dice.uniform(0.5, 3))
            if self.dice.random() < 0.2:
                await self.kill()
                continue
            fault = dict(self.dice.choice(FAULTS))
            if fault["kind"] == "malformed":
                fault["which"] = self.dice.choice(MALFORMED)
            self.count(fault["kind"])
            self.control("fault", **fault)

    async def kill(self):
        self.count("kill -9")
        await self.denizen.kill()
        await asyncio.sleep(self.dice.uniform(0, 2))
        await self.denizen.start()
        self.lives += 1

    def count(self, kind):
        self.happened[kind] = self.happened.get(kind, 0) + 1

    async def settle(self):
        """The storm is over, and everything is answered."""
        self.control("mend")
        for _ in range(PATIENCE * 2):
            if not any(self.waiting(channel) for channel in self.channels):
                break
            await asyncio.sleep(0.5)
        await asyncio.sleep(10)

    def judged(self):
        lost, twice, elsewhere = [], [], []
        for channel in self.channels:
            said = self.answers(channel)
            twice += sorted({number for number in said if said.count(number) > 1})
            elsewhere += [number for number in said if self.asked.get(number, (None,))[0] != channel]
            lost += [number for number, (place, _) in self.asked.items() if place == channel and number not in said]
        return lost, twice, elsewhere


async def main():
    seed = random.randrange(10**6)
    double = Double("--guilds", "1", "--heartbeat", "3000")
    control = Control(double.address)
    control("gateway", identify_spacing=0)
    bot = control("user", name="denizen", bot=True)["id"]
    made = control("guild", name="Storm", owner="owner", open=True, channels=[{"name": f"room-{number}"} for number in range(CHANNELS)])
    channels = [channel for name, channel in made["channels"].items() if name != "general"]
    model = EchoModel()
    denizen = Denizen(double.address)
    denizen.configure({
        "llm.provider": "compatible", "llm.compatibleBaseUrl": await model.start(), "llm.model": "echo", "memory.enabled": False,
        "activity.replyCoalesceWindowSeconds": 0, "activity.minSecondsBetweenMessages": 0, "activity.maxMessagesPerHour": 1000,
        "permissions.allowInitiativeReplies": False, "addressing.followupEnabled": False})
    storm = Storm(control, denizen, channels, bot, random.Random(seed))
    try:
        await denizen.start()
        blowing = asyncio.create_task(storm.blow())
        await storm.ask()
        storm.over = True
        await blowing
        await storm.settle()
        lost, twice, elsewhere = storm.judged()
        print(f"the storm (seed {seed}): {len(storm.asked)} questions in {CHANNELS} channels, {storm.lives} lives, {sum(storm.happened.values())} faults: {storm.happened}")
        for what, found in (("lost", lost), ("answered twice", twice), ("answered in another channel", elsewhere)):
            print(f"  {what}: {len(found)} {found[:20] or ''}")
        if lost or twice or elsewhere:
            (denizen.path / "log").rename("/tmp/storm.log")
        failed = bool(lost) + bool(twice) + bool(elsewhere)
        print(f"{3 - failed} passed, {failed} failed")
    finally:
        await denizen.kill()
        double.stop()
    sys.exit(1 if failed else 0)


asyncio.run(main())
