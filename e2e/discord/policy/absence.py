"""A server on Discord with a Denizen of its own, which goes away and comes back; what was said meanwhile has its true age."""

import asyncio
import time

from denizen import TOKEN, Denizen
from places import House, Server

HOURS = 3_600_000
SEND_MESSAGES = 1 << 11
# Of a message that old nobody is told as of one that was just said.
FRESH = 16.0


class Absent(Server):
    kind = "away"

    def __init__(self, people, control, base):
        super().__init__(None, people, control)
        self.base, self.denizen, self.spoken = base, None, {}

    async def begin(self, number, scenario, settings):
        bot = f"denizen-{number}"
        self.ids = {**self.people.ids, "denizen": (await self.tell("user", name=bot, bot=True, shown="Denizen"))["id"]}
        rooms = [{"name": room} for room in sorted(scenario.rooms - {"lobby"})]
        members = [bot, *(who.removeprefix("bot ") for who in scenario.people)]
        made = await self.tell("guild", name=f"Away {number}", owner="owner", members=members, channels=rooms)
        await self.tell("member", guild=made["id"], user=bot, ago=24 * HOURS)
        self.guild, self.community = made["id"], f"discord-{made['id']}"
        self.channels = {"lobby" if name == "general" else name: channel for name, channel in made["channels"].items()}
        self.direct = {deed["room"] for _, deed in scenario.deeds if deed.get("kind") == "conversation"}
        if self.direct:
            self.community = "discord-direct"
        self.denizen = Denizen(self.control.address, DENIZEN_DISCORD_TOKEN=f"bot:{bot}")
        self.denizen.configure({**self.base, **{key: self.named(key, value) for key, value in settings.items()}})
        await self.comes()
        return None

    async def tell(self, verb, **wish):
        return await asyncio.to_thread(self.control, verb, **wish)

    async def comes(self):
        self.house = House(await self.denizen.start(), TOKEN)
        for _ in range(300):
            try:
                await self.house.call("GET", f"/api/communities/discord-{self.guild}/settings")
                return
            except RuntimeError:
                await asyncio.sleep(0.2)
        raise RuntimeError("it does not come into the server")

    async def goes(self):
        if self.house:
            await self.house.close()
            self.house = None
            await self.denizen.end()

    async def act(self, deed):
        match deed["do"]:
            case "missed":
                await self.goes()
                # On Discord nothing is read that is older than what was read.
                since = time.monotonic() - self.spoken[deed["room"]] if deed["room"] in self.spoken else deed["ago"]
                ago = max(FRESH, min(deed["ago"], since - 1))
                said = await self.tell("post", **{"as": deed["who"]}, channel=self.channels[deed["room"]], content=deed["text"], ago=round(ago * 1000))
                self.labelled(deed["who"], said["id"], deed["room"])
            case "goes":
                await self.goes()
            case "returns":
                await self.goes()
                await self.comes()
            case "becomes":
                await self.become(deed)
            case "says" if deed["room"] in self.direct:
                said = await self.tell("post", **{"as": deed["who"]}, to=self.ids["denizen"], content=deed["text"])
                self.channels[deed["room"]] = said["channel_id"]
                self.labelled(deed["who"], said["id"], deed["room"])
            case _:
                self.spoken[deed["room"]] = time.monotonic()
                await super().act(deed)

    async def become(self, deed):
        room = deed["room"]
        if deed["kind"] == "read-only":
            deny = [{"id": self.ids["denizen"], "type": 1, "allow": "0", "deny": str(SEND_MESSAGES)}]
            await self.tell("channel", channel=self.channels[room], permission_overwrites=deny)
        elif deed["of"]:
            made = await self.tell("thread", **{"as": "owner"}, channel=self.channels[deed["of"]], name=room)
            self.channels[room] = made["id"]
        # It is known before anything is said there.
        await asyncio.sleep(0.5)

    async def finish(self):
        if self.house is None:
            await self.comes()
            await asyncio.sleep(8)

    async def journal(self):
        try:
            return await self.house.journal(self.community)
        except RuntimeError:
            # Direct messages have a community once there is one.
            return []

    def is_told(self, wanted):
        """What is older than six hours is not asked for on Discord, and so has no line."""
        return ("reason", "missed_too_long_ago") not in wanted["fields"]

    async def close(self):
        await self.goes()
