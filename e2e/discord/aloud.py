"""The whole program in a call, with discord.py and @discordjs/voice: they play recorded speech, and hear it answer. `aloud.py`.
What is understood is given (ears that understand one sentence in everything); that speech is heard, and by whom, is not."""

import asyncio
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.append(str(HERE / "policy"))

from aiohttp import web  # noqa: E402
from denizen import TOKEN, Denizen  # noqa: E402
from double import Control, Double  # noqa: E402
from model import ScriptedModel  # noqa: E402
from places import House  # noqa: E402
from talkers import Talker, opus_frames  # noqa: E402

SPEECH = HERE.parents[1] / "crates/audio/fixtures/ann.wav"
QUESTION = "Denizen, what is the capital of France?"
SHORT = "Paris is the capital of France."
LONG = "Once upon a time there was a kettle. It stood on a shelf in a small kitchen near the sea. Every morning it sang a little song. " * 3


class Ears:
    """Understands the same sentence in everything, in the words of a transcription service."""

    async def start(self):
        app = web.Application(client_max_size=64 << 20)
        app.router.add_post("/v1/audio/transcriptions", self.hear)
        app.router.add_get("/v1/models", lambda _: web.json_response({"object": "list", "data": [{"id": "whisper-1", "object": "model"}]}))
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.heard = 0
        return f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}/v1"

    async def hear(self, request):
        form = await request.post()
        self.heard += 1
        if form.get("response_format") == "text":
            return web.Response(text=QUESTION)
        return web.json_response({"text": QUESTION, "language": "english", "duration": 1.5, "segments": [], "words": []})


class Aloud:
    def __init__(self, control, denizen, model, bot, place):
        self.control, self.denizen, self.model, self.bot, self.place = control, denizen, model, bot, place
        self.people = {}

    async def come(self, name, kind):
        self.people[name] = await Talker.come(kind, self.control.address, name, self.place)

    async def until(self, holds, what, seconds=40):
        for _ in range(seconds * 5):
            if found := await holds():
                return found
            await asyncio.sleep(0.2)
        raise AssertionError(f"{what} did not come about; {self.control('calls')}")

    async def heard(self, name):
        """Frames that somebody has heard of Denizen."""
        return (await self.people[name].ask("report"))["heard"].get(self.bot, 0)

    async def together(self):
        """Denizen and everybody who is there have the keys of one call."""
        async def one():
            groups = [group for group in self.control("calls")["groups"] if group["channel"] == self.place[1]]
            return groups and set(groups[0]["members"]) == {"denizen", *self.people}
        await self.until(one, "one call with everybody")
        await asyncio.sleep(1.5)

    async def asked_to_come(self):
        options = [{"type": 1, "name": "join", "options": []}]
        self.control("use", **{"as": "python", "application": "denizen", "channel": self.place[1], "command": "denizen", "options": options})

    def answers_with(self, *words):
        self.model.scripts["aloud"] = {"model": [{"kind": "writes", "wait": 0.1, "words": [one]} for one in words], "classifier": [], "always": [], "begun": None}

    async def answered(self, asker):
        """Somebody asks aloud, and everybody hears the answer."""
        self.answers_with(SHORT)
        before = {name: await self.heard(name) for name in self.people}
        await self.people[asker].ask("speak")
        for name in self.people:
            async def more(name=name):
                return await self.heard(name) >= before[name] + 30
            await self.until(more, f"the answer to {asker}, heard by {name}")
        await self.quiet()

    async def quiet(self):
        """Nothing more is said."""
        last = None
        async def stands():
            nonlocal last
            now = [await self.heard(name) for name in self.people]
            last, before = now, last
            await asyncio.sleep(1)
            return now == before
        await self.until(stands, "silence")

    async def first(self):
        await self.come("python", "py")
        # Commands are offered once the bot is there.
        await asyncio.sleep(2)
        await self.asked_to_come()
        await self.together()
        await self.answered("python")

    async def second(self):
        await self.come("script", "js")
        await self.together()
        await self.answered("script")

    async def rekeyed(self):
        """Keys change while it speaks: everything is heard on."""
        self.answers_with(LONG)
        before = await self.heard("python")
        await self.people["python"].ask("speak")
        async def speaks():
            return await self.heard("python") >= before + 50
        await self.until(speaks, "its speech")
        self.control("fault", kind="voice_rekey")
        between = await self.heard("python")
        async def goes_on():
            return await self.heard("python") >= between + 150
        await self.until(goes_on, "its speech after the change of keys")
        await self.quiet()
        # Frames under way while keys change may be lost, none afterwards.
        lost = [(await person.ask("report"))["undecryptable"] for person in self.people.values()]
        await self.answered("script")
        assert lost == [(await person.ask("report"))["undecryptable"] for person in self.people.values()]

    async def barge_in(self):
        """It falls silent when it is spoken over."""
        self.answers_with(LONG, SHORT)
        before = await self.heard("script")
        await self.people["python"].ask("speak")
        async def speaks():
            return await self.heard("script") >= before + 50
        await self.until(speaks, "its speech")
        await self.people["script"].ask("speak")
        house = House(self.denizen.url, TOKEN)
        try:
            async def stopped():
                lines = await house.journal(f"discord-{self.place[0]}")
                return any("barge" in line["name"] or "interrupt" in line["name"] for line in lines)
            await self.until(stopped, "a line of the journal that it was spoken over")
        finally:
            await house.close()
        await self.quiet()

    async def leaves(self):
        for person in self.people.values():
            await person.leave()
        self.people = {}
        async def gone():
            return not any(group["members"] for group in self.control("calls")["groups"] if group["channel"] == self.place[1])
        await self.until(gone, "that it left with the last one")


async def main():
    double = Double("--guilds", "1", "--heartbeat", "10000")
    control = Control(double.address)
    control("gateway", identify_spacing=0)
    bot = control("user", name="denizen", bot=True)["id"]
    made = control("channel", name="lounge", type=2)
    opus_frames(SPEECH)
    model, ears = ScriptedModel(), Ears()
    denizen = Denizen(double.address, TRANSCRIPTION_API_KEY="a-key")
    denizen.configure({
        "llm.provider": "compatible", "llm.compatibleBaseUrl": await model.start(), "llm.model": "aloud", "memory.enabled": False,
        "voice.joinGreetingSeconds": 0, "voice.sttPipeline.transcriptionProvider": "compatible", "voice.sttPipeline.transcriptionUrl": await ears.start(),
        "voice.sttPipeline.ttsProvider": "builtin"})
    aloud = Aloud(control, denizen, model, bot, (made["guild_id"], made["id"]))
    cells = {
        "discord.py asks aloud": aloud.first, "@discordjs/voice asks aloud": aloud.second, "new keys while it speaks": aloud.rekeyed,
        "spoken over": aloud.barge_in, "it leaves with the last": aloud.leaves,
    }
    failed = 0
    print("the whole program in a call")
    try:
        await denizen.start()
        for name, cell in cells.items():
            try:
                await asyncio.wait_for(cell(), 150)
                print(f"✓ {name}", flush=True)
            except Exception as error:
                failed += 1
                print(f"✗ {name}: {type(error).__name__}: {error}"[:900], flush=True)
                if not aloud.people:
                    break
        if failed:
            print(denizen.log()[-3000:])
    finally:
        for person in aloud.people.values():
            person.process.kill()
        await denizen.end()
        double.stop()
    print(f"{len(cells) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


asyncio.run(main())
