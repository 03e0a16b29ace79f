"""Where a scenario is played: the local room through its HTTP API, or a server on Discord with people of discord.py and discord.js."""

import asyncio
import json

import aiohttp

# The character that keeps a mention from ringing a bell; pages write a dot.
UNSEEN = "\u200b"


class House:
    """The process under test, by its HTTP API."""

    def __init__(self, url, token):
        self.url, self.headers = url, {"authorization": f"Bearer {token}"}
        self.session = None

    async def call(self, method, path, body=None, **headers):
        self.session = self.session or aiohttp.ClientSession()
        for _ in range(60):
            async with self.session.request(method, self.url + path, json=body, headers={**self.headers, **headers}) as answer:
                text = await answer.text()
                if answer.status == 429:
                    await asyncio.sleep(float(answer.headers.get("retry-after", "1")))
                    continue
                if answer.status >= 400:
                    raise RuntimeError(f"{method} {path}: {answer.status} {text[:300]}")
                return json.loads(text) if text else None
        raise RuntimeError(f"{method} {path}: refused as too fast for too long")

    async def settings(self, community, changes):
        for _ in range(20):
            version = (await self.call("GET", f"/api/communities/{community}/settings"))["version"]
            try:
                await self.call("PUT", f"/api/communities/{community}/settings", {"changes": changes}, **{"if-match": f'"{version}"'})
                return
            except RuntimeError as stale:
                if "stale_settings" not in str(stale):
                    raise
        raise RuntimeError("settings stay stale")

    async def journal(self, community):
        lines, after = [], 0
        while True:
            page = await self.call("GET", f"/api/communities/{community}/journal?after={after}&limit=1000")
            if not page["entries"]:
                return lines
            lines += page["entries"]
            after = page["next"]

    async def close(self):
        if self.session:
            await self.session.close()


class Place:
    """A community in which one scenario is played; messages are known by labels such as alice-1."""

    def __init__(self, house):
        self.house, self.labels, self.counts, self.last = house, {}, {}, {}

    def labelled(self, who, message, room):
        self.counts[who] = self.counts.get(who, 0) + 1
        self.labels[message] = f"{who}-{self.counts[who]}"
        self.last[(room, who)] = message

    def named(self, key, value):
        """Settings name people and rooms by their ids."""
        return [self.id_of(key, one) for one in value] if key.endswith(("UserIds", "ChannelIds")) else value

    def names(self):
        """People and rooms by the ids that the journal has."""
        return {}

    async def journal(self):
        return await self.house.journal(self.community)

    async def finish(self):
        """All that people do is done."""

    def is_told(self, _):
        """Whether a line of a page can be there."""
        return True

    async def set(self, key, value):
        await self.house.settings(self.community, {key: self.named(key, value)})


class LocalRoom(Place):
    name, kind = "local", "local"

    async def begin(self, number, scenario, settings):
        self.community = f"scenario-{number}"
        if scenario.rooms != {"lobby"}:
            return "there is one local room"
        if any(who.startswith("bot ") for who in scenario.people):
            return "everybody in the local room is a person"
        if scenario.is_away:
            return "nothing is said in the local room while Denizen is away"
        settings = {key: self.named(key, value) for key, value in settings.items()}
        await self.house.call("POST", "/api/communities", {"id": self.community, "settings": settings})
        return None

    def names(self):
        return {"lounge": "lobby", **{f"{self.community}:{who}": who for who in self.counts}}

    def id_of(self, key, name):
        return "lounge" if key.endswith("ChannelIds") else f"{self.community}:{name}"

    async def act(self, deed):
        who, room = deed["who"], deed["room"]
        path = f"/api/communities/{self.community}/rooms/lounge/messages"
        match deed["do"]:
            case "says" | "mentions" | "replies":
                text = ("@Denizen " if deed["do"] == "mentions" else "") + deed["text"]
                body = {"author": who.capitalize(), "text": text}
                if whom := deed.get("whom"):
                    body["replyTo"] = await self.newest(whom, room)
                answer = await self.house.call("POST", path, body)
                self.labelled(who, answer["message"]["id"], room)
            case "edits":
                await self.house.call("PATCH", f"{path}/{self.last[(room, who)]}", {"author": who.capitalize(), "text": deed["text"]})
            case "deletes":
                await self.house.call("DELETE", f"{path}/{self.last[(room, who)]}?author={who.capitalize()}")
            case "starts":
                await self.house.call("POST", path.removesuffix("messages") + "typing", {"author": who.capitalize(), "typing": True})

    async def newest(self, whom, room):
        if whom != "denizen":
            return self.last[(room, whom)]
        said = await self.all()
        return [message["id"] for message in said if message["author"]["kind"] == "denizen"][-1]

    async def all(self):
        page = await self.house.call("GET", f"/api/communities/{self.community}/rooms/lounge/messages?after=0&limit=200")
        return page["messages"]

    async def said(self, _):
        """What Denizen wrote, each with whom it was threaded to."""
        names = {}
        lines = []
        for message in await self.all():
            names[message["id"]] = message["author"]["name"]
            if message["author"]["kind"] == "denizen":
                to = names.get(message.get("replyTo"))
                lines.append(shown(to, message["text"]))
        return lines


class Server(Place):
    name, kind = "Discord", "discord"

    def __init__(self, house, people, control):
        super().__init__(house)
        self.people, self.control, self.ids = people, control, people.ids

    async def begin(self, number, scenario, settings):
        rooms = [{"name": room} for room in sorted(scenario.rooms - {"lobby"})]
        # Nobody else is there: a Denizen that is away from a server of its own would answer here, too.
        members = ["denizen", *(who.removeprefix("bot ") for who in scenario.people)]
        made = await asyncio.to_thread(self.control, "guild", name=f"Server {number}", owner="owner", members=members, channels=rooms)
        self.guild, self.community = made["id"], f"discord-{made['id']}"
        self.channels = {"lobby" if name == "general" else name: channel for name, channel in made["channels"].items()}
        for _ in range(300):
            try:
                await self.house.call("GET", f"/api/communities/{self.community}/settings")
                break
            except RuntimeError:
                await asyncio.sleep(0.2)
        await self.house.settings(self.community, {key: self.named(key, value) for key, value in settings.items()})
        return None

    def names(self):
        rooms = {channel: name for name, channel in self.channels.items()}
        return rooms | {f"discord:{user}": who for who, user in self.ids.items()}

    def id_of(self, key, name):
        return self.channels[name] if key.endswith("ChannelIds") else f"discord:{self.ids[name]}"

    async def act(self, deed):
        who, room = deed["who"], deed["room"]
        channel = self.channels[room]
        match deed["do"]:
            case "says" | "mentions" | "replies":
                text = (f"<@{self.ids['denizen']}> " if deed["do"] == "mentions" else "") + deed["text"]
                reply = await self.newest(deed["whom"], room) if "whom" in deed else None
                sent = await self.people.do(who, "say", channel, text=text, reply=reply)
                self.labelled(who, sent, room)
            case "edits":
                await self.people.do(who, "edit", channel, message=self.last[(room, who)], text=deed["text"])
            case "deletes":
                await self.people.do(who, "delete", channel, message=self.last[(room, who)])
            case "starts":
                await self.people.do(who, "type", channel)

    async def newest(self, whom, room):
        if whom != "denizen":
            return self.last[(room, whom)]
        own = self.ids["denizen"]
        said = await asyncio.to_thread(self.control, "messages", channel=self.channels[room])
        return [message["id"] for message in said if message["author"]["id"] == own][-1]

    async def said(self, room):
        messages = await asyncio.to_thread(self.control, "messages", channel=self.channels[room])
        authors = {message["id"]: message["author"] for message in messages}
        lines = []
        for message in messages:
            if message["author"]["id"] != self.ids["denizen"]:
                continue
            to = authors.get((message.get("message_reference") or {}).get("message_id"))
            text = message["content"]
            for name, user in self.ids.items():
                text = text.replace(f"<@{user}>", f"@{name.capitalize()}")
            lines.append(shown(to and (to.get("global_name") or to["username"]), text))
        return lines


def shown(to, text):
    text = text.replace(UNSEEN, "·").replace("\n", "⏎")
    return f"Denizen (to {to}): {text}" if to else f"Denizen: {text}"
