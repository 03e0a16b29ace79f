"""One call with three clients: Denizen's, discord.py and @discordjs/voice. Cells are told as lines of JSON."""

import asyncio
import json
import os
import pathlib
import sys

from double import Cells, Control

HERE = pathlib.Path(__file__).parent
address, *wanted = sys.argv[1:]
control = Control(address)
FRAMES = 200
COMMANDS = {
    "denizen": [os.environ["CALLER_BIN"]],
    "python": [sys.executable, str(HERE / "call_py.py")],
    "script": ["node", "--no-warnings", str(HERE / "call_js.mjs")],
}
people, ids, totals = {}, {}, {}


class Person:
    def __init__(self, name, process):
        self.name, self.process = name, process

    async def ask(self, wish):
        self.process.stdin.write(f"{wish}\n".encode())
        await self.process.stdin.drain()
        while True:
            line = await asyncio.wait_for(self.process.stdout.readline(), 20)
            if not line:
                raise AssertionError(f"{self.name} is gone")
            try:
                return json.loads(line)
            except ValueError:
                print("  ", self.name, line.decode().rstrip(), file=sys.stderr)

    async def leave(self):
        self.process.stdin.write(b"leave\n")
        await self.process.stdin.drain()
        await asyncio.wait_for(self.process.wait(), 20)


async def come(name, place):
    token = ("Bot " if name == "script" else "") + f"bot:{name}"
    command = [*COMMANDS[name], address, token, *place]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
    people[name] = Person(name, process)
    ids[name] = control("user", name=name, bot=True)["id"]


async def reports():
    return {name: await person.ask("report") for name, person in people.items()}


async def agree(before=None):
    """Everybody has the same privacy code, and another one than before."""
    told = {}
    for _ in range(300):
        told = await reports()
        codes = {report["code"] for report in told.values()}
        if len(codes) == 1 and codes != {None} and codes != {before}:
            # Keys that were just announced are in use a moment later.
            await asyncio.sleep(1.5)
            return codes.pop()
        await asyncio.sleep(0.1)
    raise AssertionError(f"no common code: {told}, {control('calls')}")


async def talk(frames=FRAMES):
    """Everybody speaks at once, and everybody hears all of everybody else."""
    before = await reports()
    for person in people.values():
        assert (await person.ask(f"play {frames}"))["played"]
    wrong = told = {}
    for _ in range(frames // 50 * 10 + 100):
        await asyncio.sleep(0.1)
        told = await reports()
        wrong = {}
        for hearer in people:
            for speaker in people:
                count = lambda report: sum(report[hearer].get(what, {}).get(ids[speaker], 0) for what in ("heard", "mistaken"))
                if hearer != speaker and (new := count(told) - count(before)) != frames:
                    wrong[f"{hearer} of {speaker}"] = new
        if not wrong:
            break
    calls = control("calls")
    assert not wrong, f"of {frames} frames were heard: {wrong}; {told}; {calls}"
    for name, report in told.items():
        totals[name] = sum(report["heard"].values())
        assert opened(report), f"{name}: {report}"


def opened(report):
    """Whether somebody could read all that reached them, but for what their client mistakes."""
    return report["undecryptable"] <= sum(report.get("mistaken", {}).values()) and report.get("unopened", 0) == 0


async def three():
    made = control("channel", name="lounge", type=2)
    place = (made["guild_id"], made["id"])
    for name in COMMANDS:
        await come(name, place)
    code = await agree()
    modes = {name: report["mode"] for name, report in (await reports()).items()}
    assert set(modes.values()) == {"aead_aes256_gcm_rtpsize", "aead_xchacha20_poly1305_rtpsize"}, modes
    await talk()
    three.place, three.code = place, code


async def leaving():
    for name in ("script", "python"):
        await people.pop(name).leave()
        if len(people) > 1:
            three.code = await agree(three.code)
            await talk()


async def joining():
    for name in ("python", "script"):
        await come(name, three.place)
        three.code = await agree(three.code)
        await talk()


async def dropped():
    control("fault", kind="voice_drop", user="denizen")
    for _ in range(100):
        await asyncio.sleep(0.1)
        told = await people["denizen"].ask("report")
        if told["resumes"] == 1 and told["live"]:
            break
    assert told["resumes"] == 1 and told["code"] == three.code, told
    await talk()


async def region():
    control("fault", kind="voice_region")
    three.code = await agree(three.code)
    await talk()


async def lossy():
    control("fault", kind="voice_loss", percent=10)
    for person in people.values():
        await person.ask(f"play {FRAMES}")
    await asyncio.sleep(FRAMES / 50 + 1)
    control("mend")
    told = await reports()
    assert all(map(opened, told.values())), told
    await talk()


async def main():
    cells = {
        "a call of three": three, "leaving changes the keys": leaving, "joining changes the keys": joining,
        "a dropped voice socket": dropped, "lost packets": lossy, "another region": region,
    }
    if wanted and not cells.keys() & set(wanted):
        return
    # Each begins with the call that the one before has left.
    runner = Cells([])
    for name, cell in cells.items():
        await runner.run(name, cell)
    print("   frames heard:", totals, flush=True)
    for person in people.values():
        if person.process.returncode is None:
            person.process.kill()


asyncio.run(main())
