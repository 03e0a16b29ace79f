#!/usr/bin/env python3
"""Sets Denizen beside pipecat, livekit-agents and mem0 on the same work, in one run, and prints one table.

    tools/peers-table.py DENIZEN-BENCH [--python PYTHON] [--quick]

PYTHON has the peers installed (`make bench-peers` makes such an environment). Each figure comes from a process of its own, one
after the other; a peer that is not installed, or whose work fails, is named and left out. What each does *not* do for its figure
stands under the line.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import time

PEERS = ("pipecat", "livekit", "mem0")
WORK = pathlib.Path(__file__).with_name("peers.py")

LINES = (
    (
        "a text turn, the model on loopback",
        "ms of CPU",
        "Denizen: asked over HTTP by somebody else, told to a page that listens, everything on disk and looked up, memory and its own "
        "calls of a model included. pipecat, livekit: a call inside of one process, kept nowhere, looked up nowhere, lost with the "
        "process; most of it is OpenAI's client going through the whole context, which grows from 10 messages to 220 here, where "
        "Denizen folds its own. mem0 answers nobody.",
    ),
    (
        "the same, until it is answered",
        "ms at p50",
        "Denizen: from accepted (on disk) to sent (on disk, and seen by another program). The others: in their memory.",
    ),
    (
        "a text turn, the model within the process",
        "ms of CPU",
        "The policy alone: nobody writes to a socket or a disk. Denizen's mind decides, budgets the prompt and makes its bytes; the "
        "others put the turn into their context and hand it on.",
    ),
    (
        "a conversation of 1,000 turns to wire JSON",
        "ms of CPU",
        "pipecat, livekit: all 1,000 turns, which grows with every turn. Denizen: what its budget admits of them, with a report of what "
        "was kept, cut and left out; its line below is all turns in one body, without any of that.",
    ),
    (
        "all turns in one body, by Denizen's naive way",
        "ms of CPU",
        "As above, so that the amount of JSON is alike.",
    ),
    (
        "finding something among 6,000",
        "ms at p50",
        "Denizen: the index in memory, by words and meaning, within what the asker may see; reading what was found is not in it. mem0: "
        "Qdrant in its local form, which goes through all vectors, with vectors that cost nothing to make; pipecat and livekit "
        "remember nothing by themselves.",
    ),
    (
        "a frame of a shared screen, 1280 by 720",
        "ms of CPU",
        "Denizen scores it, to decide whether anybody has to look. pipecat and livekit score nothing: what is measured is how they give "
        "a frame to a model, which they do with each that they are told to. Not the same work; it is what a frame costs at least.",
    ),
    (
        "from the start of the process until it can be asked",
        "ms",
        "Denizen: its database is open, its port answers. The others: imported, and a conversation has begun; no port, no database but "
        "mem0's.",
    ),
    (
        "memory then",
        "MB",
        "Resident, as Linux counts it, with the pages of the program.",
    ),
)


def denizens(bench, quick):
    """Denizen's figures, taken out of what its benches print."""

    def printed(*arguments):
        ran = subprocess.run([bench, *arguments], capture_output=True, text=True)
        if ran.returncode != 0:
            sys.exit(f"denizen-bench {' '.join(arguments)} failed: {ran.stderr.strip()}")
        return ran.stdout

    def figure(pattern, text):
        found = re.search(pattern, text, re.MULTILINE)
        if not found:
            sys.exit(f"nothing in what denizen-bench prints fits {pattern}: mend tools/peers-table.py\n{text}")
        return [float(group) for group in found.groups()]

    few = ["--replies", "5"] if quick else []
    reply = printed("reply", "--histories", "10", "--rooms", "1", "--messages", "10", *few)
    # user, system, fsyncs, commits, writes, kB, first draft at p50 and p95, sent at p50
    user, system, *_, sent = figure(r"^ +10 +" + r" +".join([r"([\d.]+)"] * 9), reply)
    turn = printed("turn", "--histories", "10,1000", *(["--rounds", "1"] if quick else []))
    whole = figure(r"^ +10 +\S+ µs +([\d.]+) µs", turn)[0]
    prompt, naive = figure(r"^ +1000 +\S+ µs +\S+ µs +([\d.]+) µs +([\d.]+) µs", turn)
    scale = printed("memory-scale", "--gems", "200" if quick else "6000")
    frames = printed("frames", *(["--frames", "4", "--rounds", "1"] if quick else []))
    process = printed("process", "--messages", "10", "--starts", "1" if quick else "5")
    return {
        LINES[0][0]: user + system,
        LINES[1][0]: sent,
        LINES[2][0]: whole / 1e3,
        LINES[3][0]: prompt / 1e3,
        LINES[4][0]: naive / 1e3,
        LINES[5][0]: figure(r"search: ([\d.]+) ms p50", scale)[0],
        LINES[6][0]: figure(r"grid and score\) +([\d.]+) µs", frames)[0] / 1e3,
        LINES[7][0]: figure(r"healthy: (\d+) ms", process)[0],
        LINES[8][0]: figure(r"idle: ([\d.]+) MB", process)[0],
    }


def peers(python, model):
    """What each peer took, by line; what it does not do is not there."""

    def took(peer, work, *more):
        began = str(time.time())
        command = [python, str(WORK), peer, work, "--began", began, *more]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=900)
        if ran.returncode != 0:
            why = (ran.stderr.strip().splitlines() or ["no reason was given"])[-1]
            print(f"{peer}: {work} was not measured: {why}", file=sys.stderr)
            return {}
        return json.loads(ran.stdout.strip().splitlines()[-1])

    figures, versions = {}, []
    for peer in PEERS:
        version = took(peer, "version").get("version")
        if not version:
            continue
        versions.append(version)
        own = figures[peer] = {}
        ready = took(peer, "ready", "--model", model)
        own[LINES[7][0]], own[LINES[8][0]] = ready.get("ready_ms"), ready.get("resident_mb")
        if peer == "mem0":
            own[LINES[5][0]] = took(peer, "recall").get("p50_ms")
            continue
        turn = took(peer, "turn", "--model", model)
        own[LINES[0][0]] = sum(turn[part] for part in ("user_ms", "system_ms")) if turn else None
        own[LINES[1][0]] = turn.get("p50_ms")
        inside = took(peer, "turn", "--model", "inside")
        own[LINES[2][0]] = sum(inside[part] for part in ("user_ms", "system_ms")) if inside else None
        own[LINES[3][0]] = own[LINES[4][0]] = took(peer, "context").get("cpu_ms")
        own[LINES[6][0]] = took(peer, "frame").get("cpu_ms")
    return figures, versions


def table(ours, theirs):
    width = max(len(name) + len(unit) for name, unit, _ in LINES) + 2
    print(f"{'':<{width}} {'denizen':>10} " + " ".join(f"{peer:>20}" for peer in PEERS))
    for name, unit, reading in LINES:
        cells = []
        for peer in PEERS:
            figure = theirs.get(peer, {}).get(name)
            cells.append("-" if figure is None else f"{written(figure)} ({figure / max(ours[name], 1e-9):.1f}×)")
        print(f"{f'{name}, {unit}':<{width}} {written(ours[name]):>10} " + " ".join(f"{cell:>20}" for cell in cells))
    print("(in brackets: beside Denizen; more than 1× is more than Denizen takes. What is not done has a dash)")
    print("\nHow each line is to be read")
    for name, _, reading in LINES:
        print(f"  {name}: {reading}")


def written(figure):
    return f"{figure:.0f}" if figure >= 100 else f"{figure:.3g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", help="the program denizen-bench, with denizen beside it")
    parser.add_argument("--python", default=sys.executable, help="a Python that has the peers installed")
    parser.add_argument("--quick", action="store_true", help="Denizen's benches in their smallest form, to see whether all of it runs")
    given = parser.parse_args()
    with subprocess.Popen([given.bench, "instant-model"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as serving:
        model = serving.stdout.readline().strip()
        theirs, versions = peers(given.python, model)
        serving.stdin.close()
    ours = denizens(given.bench, given.quick)
    if not versions:
        print("no peer is installed; `make bench-peers` installs them", file=sys.stderr)
    circumstances = subprocess.run([given.bench, "rooms", "--rooms", "1", "--rounds", "1", "--steps", "1"], capture_output=True, text=True)
    print("\n".join(line for line in circumstances.stdout.splitlines()[:2] if " build, " in line or "DEBUG BUILD" in line))
    if given.quick:
        print("QUICK: Denizen's benches in their smallest form, and its memory has 200 gems; these figures say nothing")
    print(f"denizen beside {', '.join(versions) or 'nobody'}")
    table(ours, theirs)


if __name__ == "__main__":
    main()
