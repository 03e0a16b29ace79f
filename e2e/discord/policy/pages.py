"""Scenarios as the pages of `scenarios/` tell them: who does what and when, what the model does, and what must come of it."""

import json
import re

TIME = re.compile(r"^(?:(\d+):)?(\d\d):(\d\d(?:\.\d+)?)\s+")
NOT_THEN = re.compile(r"^not (?:\d+:)?\d\d:\d\d")
WORDS = re.compile(r'"(?:\\.|[^"\\])*"')
SPAN = re.compile(r"^(\d+(?:\.\d+)?)(ms|s|m|h)$")
# Lengths of time are the simulator's to judge: here the clock is a real one.
TIMED = {"closes_in", "waited", "took", "delay", "retry_in", "rest", "roll"}
DEED = re.compile(r"^(bot )?(\w+) (says|mentions denizen|replies to (\w+)|edits last|deletes last|starts typing)(?: (\"(?:\\.|[^\"\\])*\"))?(?: in #([\w-]+))?$")
# What happened while nobody was there, and what kind of room it is.
AGO = re.compile(r'^(\w+) said (\d+\w+) ago ("(?:\\.|[^"\\])*")$')
AWAY = re.compile(r"^\w+'s last message was missed$")
KIND = re.compile(r"^the room (is a direct conversation|is read-only|belongs to #([\w-]+)) in #([\w-]+)$")
CUE = re.compile(r"^(model|classifier) (always )?(.*)$")


class NotPlayed(Exception):
    """What a script wants and people at a real clock cannot do."""


def seconds(text):
    number, unit = SPAN.match(text).groups()
    return float(number) * {"ms": 0.001, "s": 1, "m": 60, "h": 3600}[unit]


def moment(timed):
    hours, minutes, rest = timed.groups()
    return int(hours or 0) * 3600 + int(minutes) * 60 + float(rest)


class Scenario:
    def __init__(self, page, title, settings):
        self.page, self.title, self.settings = page, title, settings
        self.deeds, self.cues, self.always, self.later = [], {"model": [], "classifier": []}, [], []
        self.journal, self.sent, self.prompts, self.not_played = [], None, [], None
        self.people, self.rooms, self.end = set(), {"lobby"}, 0.0
        self.is_away = False

    def read(self, kind, rest, lines):
        if kind == "settings":
            self.settings = {**self.settings, **flat(json.loads("\n".join(lines)))}
        elif kind == "script":
            try:
                self.script(lines)
            except NotPlayed as why:
                self.not_played = str(why)
        if kind in ("journal", "sent", "room"):
            # What is to come must have come before anybody looks.
            timed = [TIME.match(line.strip().removeprefix("not ")) for line in lines]
            self.end = max([self.end, *(moment(time) for time in timed if time)])
        if kind == "journal":
            # That something is not there at one moment is the simulator's to judge, too.
            self.journal = [pattern(line) for line in lines if line.strip() and not NOT_THEN.match(line.strip())]
        elif kind == "sent":
            self.sent = [TIME.sub("", line.strip()) for line in lines if line.strip()]
        elif kind == "prompt":
            self.prompts.append((rest, [line.strip() for line in lines if line.strip()]))

    def script(self, lines):
        now = 0.0
        for line in lines:
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            timed = TIME.match(line)
            if timed:
                now, line = moment(timed), line[timed.end():]
            if line.startswith("wait "):
                now += seconds(line.split()[1])
            elif line == "the end":
                break
            elif every := re.match(r"^every (\S+): (.*) until turn (\d+)$", line):
                pause, statement, count = seconds(every[1]), every[2], int(every[3])
                for number in range(1, count + 1):
                    now += pause
                    self.deed(now, statement.replace("{n}", str(number)))
            elif cue := CUE.match(line):
                act = acted(cue[3])
                if cue[2]:
                    self.later.append((now if timed else 0.0, act))
                elif timed and now > 0:
                    raise NotPlayed("a model that is told late what to do")
                else:
                    self.cues[cue[1]].append(act)
            elif setting := re.match(r"^settings set (\S+)=(\S+)$", line):
                value = setting[2]
                value = [value] if setting[1].endswith("Ids") else json.loads(value)
                self.deeds.append((now, {"do": "set", "key": setting[1], "value": value}))
            else:
                self.deed(now, line)
        self.end = max(self.end, now)

    def absence(self, line):
        """What is done while Denizen is away, or to the room itself; None where it is something else."""
        if found := AGO.match(line):
            who, ago, words = found.groups()
            self.people.add(who)
            return {"who": who, "do": "missed", "room": "lobby", "ago": seconds(ago), "text": json.loads(words)}
        if AWAY.match(line):
            return {"do": "goes"}
        if line == "the room has caught up":
            return {"do": "returns"}
        if found := KIND.match(line):
            what, of, room = found.groups()
            if of:
                self.rooms.add(of)
            elif what.endswith("read-only"):
                self.rooms.add(room)
            return {"do": "becomes", "kind": what.split()[-1 if not of else 0], "of": of, "room": room}
        return None

    def deed(self, now, line):
        if absence := self.absence(line):
            self.is_away = True
            self.deeds.append((now, absence))
            return
        found = DEED.match(line)
        if not found:
            raise NotPlayed(line.split('"')[0].strip())
        bot, who, what, whom, words, room = found.groups()
        self.people.add(("bot " if bot else "") + who)
        made = any(deed["do"] == "becomes" and deed["room"] == room for _, deed in self.deeds)
        self.rooms |= set() if made else {room or "lobby"}
        deed = {"who": who, "do": what.split()[0], "room": room or "lobby", "text": json.loads(words) if words else ""}
        if whom:
            deed["whom"] = whom
        self.deeds.append((now, deed))


def flat(document, before=""):
    keys = {}
    for key, value in document.items():
        keys |= flat(value, f"{before}{key}.") if isinstance(value, dict) else {before + key: value}
    return keys


def pattern(line):
    line = line.strip()
    never = line.startswith("not ")
    line = TIME.sub("", line.removeprefix("not "))
    fields = re.findall(r'(\w+)=("(?:\\.|[^"\\])*"|\S+)', line)
    return {"never": never, "written": line, "name": line.split()[0], "fields": [(key, value) for key, value in fields if key not in TIMED]}


def acted(line):
    """What a model does: kind, words, and after how long."""
    after = re.search(r"\bafter (\d\S*) ?", line)
    wait, line = (seconds(after[1]), line.replace(after[0], "", 1).strip()) if after else (1.0, line)
    words = [json.loads(quoted) for quoted in WORDS.findall(line)]
    times = re.search(r" times (\d+)$", line)
    kinds = {
        "answers": "answers", "skips": "skips", "says raw": "writes", "writes": "writes", "declines": "declines", "is cut": "cut",
        "is stopped": "stopped", "judges": "judges", "fails with": "fails", "never answers": "never",
    }
    kind = next((kind for start, kind in kinds.items() if line.startswith(start)), None)
    if kind is None or "even if" in line:
        raise NotPlayed("model " + line.split('"')[0].strip())
    act = {"kind": kind, "wait": wait, "words": words * int(times[1]) if times else words}
    if kind == "judges":
        act["judged"] = float(line.split()[-1])
    if kind == "fails":
        told = line.split()
        act["failure"], act["retry"] = told[2], seconds(told[4]) if len(told) > 4 else None
        if act["failure"] not in ("unreachable", "server_error", "rate_limited", "malformed", "rejected", "key_refused", "out_of_room"):
            raise NotPlayed(f"model fails with {act['failure']}")
    return act


def read(folder, names):
    scenarios = []
    for name in names:
        common, scenario, block = {}, None, None
        for line in (folder / f"{name}.md").read_text().splitlines():
            if block is not None:
                if line.startswith("```"):
                    kind, rest, lines = block
                    block = None
                    if scenario is None:
                        common = flat(json.loads("\n".join(lines)))
                    else:
                        scenario.read(kind, rest, lines)
                else:
                    block[2].append(line)
            elif line.startswith("```"):
                kind, _, rest = line.removeprefix("```").strip().partition(" ")
                block = (kind, rest, [])
            elif line.startswith("## "):
                scenario = Scenario(name, line.removeprefix("## "), common)
                scenarios.append(scenario)
    return scenarios
