"""Plays the pages of `scenarios/` at a real clock, in the local room and on Discord, and compares what came of each:
`main.py [part of a title…]`. People on Discord are discord.py and discord.js; the program is the real one."""

import asyncio
import logging
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import judging  # noqa: E402
import pages  # noqa: E402
from absence import Absent  # noqa: E402
from denizen import TOKEN, Denizen  # noqa: E402
from double import Control, Double  # noqa: E402
from model import ScriptedModel  # noqa: E402
from people import People  # noqa: E402
from places import House, LocalRoom, Server  # noqa: E402

PAGES = ["addressing", "admission", "queue", "dispatch", "silence", "changes", "failures", "away", "bots", "reactions"]
# Whoever waits longer for a scenario waits for hours of others.
LONGEST, AWAY_LONGEST, DEEDS_MAX = 100.0, 160.0, 60
# What only a model without an adapter does.
UNLIKE = {"A model that spent its allowance on thinking is named, and not asked the same again":
          "adapters ask once more with more room, and tell it as a failure, which the next scenario has"}
# So many processes of their own at a time.
ALONE_MAX = 4
BASE = {"llm.provider": "compatible", "llm.profile": "full", "llm.structuredOutput": "on", "replyFollowupLlm.maxToolSteps": 0,
        "memory.enabled": False,
        # Adapters give up a model that sends nothing sooner than pages do, which know nothing of bytes.
        "llm.localFirstByteSeconds": 300,
        # Pages give an answer a minute; a model in the house, as this one is, would have longer.
        "llm.timeoutSeconds": 61}
STAGGER = float(os.environ.get("STAGGER", "1.0"))
logging.disable(logging.CRITICAL)


async def play(number, scenario, place, model):
    """Plays it, and tells what is wrong and what came of it; None where it cannot be played there."""
    name = f"{place.kind}-{number}"
    model.script(name, scenario)
    unlike = await place.begin(number, scenario, {**scenario.settings, "llm.model": name})
    if unlike:
        return None
    loop = asyncio.get_running_loop()
    began = loop.time()
    model.scripts[name]["begun"] = began
    for at, deed in scenario.deeds:
        await asyncio.sleep(max(0.0, began + at - loop.time()))
        await (place.set(deed["key"], deed["value"]) if deed["do"] == "set" else place.act(deed))
    await asyncio.sleep(max(0.0, began + scenario.end - loop.time()) + 8)
    await place.finish()
    quiet, journal = 0, []
    while quiet < 4:
        now = await place.journal()
        quiet = quiet + 1 if len(now) == len(journal) and not model.pending[name] else 0
        journal = now
        if loop.time() - began > scenario.end + 90:
            break
        await asyncio.sleep(2)
    said = [line for room in sorted(scenario.rooms) for line in await place.said(room)]
    wrong = judging.judged(scenario, place, journal, said, model.asked[name])
    return wrong, judging.outcome(place, journal, said)


async def guarded(number, scenario, place, model):
    try:
        return await play(number, scenario, place, model)
    except Exception as error:  # what goes wrong is a result, whatever it is
        return [f"{type(error).__name__}: {error}"[:400]], {"fates": {}, "said": [], "dice": False}


def chosen(scenarios, wanted):
    for scenario in scenarios:
        scenario.not_played = scenario.not_played or UNLIKE.get(scenario.title)
        if scenario.is_away:
            # Where nothing happens any more, nobody waits for minutes.
            scenario.end = min(scenario.end, scenario.deeds[-1][0] + 30)
        if not scenario.not_played and scenario.end > (AWAY_LONGEST if scenario.is_away else LONGEST):
            scenario.not_played = "it takes minutes"
        if not scenario.not_played and len(scenario.deeds) > DEEDS_MAX:
            scenario.not_played = "more is written than people write"
    return [one for one in scenarios if not one.not_played and (not wanted or any(part in one.title for part in wanted))]


async def main():
    scenarios = pages.read(HERE.parents[2] / "scenarios", PAGES)
    played = chosen(scenarios, sys.argv[1:])
    double = Double("--guilds", "1", "--heartbeat", "10000")
    control = Control(double.address)
    control("gateway", identify_spacing=0)
    control("limits", on=False)
    model = ScriptedModel()
    denizen = Denizen(double.address)
    base = await model.start()
    settings = {**BASE, "llm.compatibleBaseUrl": base}
    denizen.configure({**settings, "llm.model": "nobody"})
    people = People(double.address, control)
    house = None
    try:
        await people.come(sorted({who for scenario in played for who in scenario.people}))
        house = House(await denizen.start(), TOKEN)

        few = asyncio.Semaphore(ALONE_MAX)

        async def alone(number, scenario):
            async with few:
                place = Absent(people, control, settings)
                try:
                    return [None, await guarded(number, scenario, place, model)]
                finally:
                    await place.close()

        async def both(number, scenario):
            await asyncio.sleep(number * STAGGER)
            if scenario.is_away:
                return await alone(number, scenario)
            places = [LocalRoom(house), Server(house, people, control)]
            return await asyncio.gather(*(guarded(number, scenario, place, model) for place in places))

        results = await asyncio.gather(*(both(number, scenario) for number, scenario in enumerate(played)))
        failed = tell(played, results)
        for scenario in scenarios if not sys.argv[1:] else ():
            if scenario.not_played:
                print(f"  not played: {scenario.page}: {scenario.title} ({scenario.not_played})")
        if failed and os.environ.get("KEEP_LOG"):
            pathlib.Path(os.environ["KEEP_LOG"]).write_text(denizen.log())
    finally:
        if house:
            await house.close()
        await people.close()
        await denizen.end()
        double.stop()
    sys.exit(1 if failed else 0)


def tell(played, results):
    width = max((len(f"{one.page}: {one.title}") for one in played), default=0)
    print("the text policy".ljust(width), "local", "Discord", "same", sep="  ")
    passed, failed, troubles = 0, 0, []
    for scenario, (local, discord) in zip(played, results):
        title = f"{scenario.page}: {scenario.title}"
        same = judging.differences(local[1], discord[1]) if local and discord else None
        cells = [local and local[0], discord and discord[0], same]
        signs = ["–" if cell is None else "✗" if cell else "✓" for cell in cells]
        print(title.ljust(width), signs[0].ljust(5), signs[1].ljust(7), signs[2], sep="  ")
        passed += signs.count("✓")
        failed += signs.count("✗")
        for where, cell in zip(("local", "Discord", "differs"), cells):
            troubles += [f"{title}, {where}: {what}" for what in cell or ()]
    for trouble in troubles:
        print(trouble)
    print(f"{passed} passed, {failed} failed")
    return failed


asyncio.run(main())
