#!/usr/bin/env python3
"""Rooms with marked addressees, for `denizen-bench admission`, from public corpora. Never part of the project.

    tools/admission-rooms.py irc FOLDER NAME... --out OUT   # NAME.ascii.txt and NAME.annotation.txt in FOLDER
    tools/admission-rooms.py hospital FOLDER --out OUT      # dialogues with lines such as "01 Pat->ARI: text"

`irc` reads the layout of the IRC disentanglement corpus (Kummerfeld et al. 2019; Gouravajhala et al. 2023, CC-BY 4.0):
logs, and links between lines. Whom a line is for: the authors of the nearest lines by somebody else, up its links.
`hospital` reads the multi-party dialogues of Sieińska et al. (2024), in which whom each turn is for is written down.
A room is one .ndjson file, a message a line: room, seq, at (minute of the day), author, text, annotated, addressees.
"""

import argparse
import json
import pathlib
import re

LINE = re.compile(r"^(?:\S+ \d{4}-\d\d-\d\d )?\[(\d\d):(\d\d)(?::\d\d)?\]\s+(?:<([^>\s]+)>|\* (\S+))\s?(.*)$")
TURN = re.compile(r"^(\d+) ([\w+]+)->([\w+]+): (.*?)\s*(?:@.*\$)?\s*$")
# Of the logs only what follows these lines of context is marked.
CONTEXT = 1000


def irc(folder, name):
    lines = (folder / f"{name}.ascii.txt").read_text(errors="replace").splitlines()
    parents = {}
    for link in (folder / f"{name}.annotation.txt").read_text().splitlines():
        ends = sorted(int(end) for end in link.split()[:2])
        parents.setdefault(ends[1], set()).add(ends[0])
    said = [LINE.match(line) for line in lines]
    authors = [found and (found[3] or found[4]) for found in said]
    first = min(parents, default=0)
    context = CONTEXT if first >= CONTEXT else 0
    out = []
    for number, found in enumerate(said):
        if not found:
            continue
        marked = number >= context and number in parents
        addressees, seen, front = [], {number}, [number]
        while marked and front:
            at = front.pop(0)
            for parent in sorted(parents.get(at, ()), reverse=True):
                if parent in seen:
                    continue
                seen.add(parent)
                if authors[parent] and authors[parent] != authors[number]:
                    if authors[parent] not in addressees:
                        addressees.append(authors[parent])
                else:
                    front.append(parent)
        out.append((int(found[1]) * 60 + int(found[2]), authors[number], found[5].strip(), marked, addressees))
    return out


def hospital(file):
    out = []
    for line in file.read_text(errors="replace").splitlines():
        found = TURN.match(line)
        if found:
            author, to, text = found[2], found[3].split("+"), found[4]
            out.append((len(out) // 6, author, text, True, [person for person in to if person != author]))
    return out


def write(out, room, lines):
    keys = ("at", "author", "text", "annotated", "addressees")
    text = "".join(
        json.dumps({"room": room, "seq": seq, **dict(zip(keys, line))}, ensure_ascii=False) + "\n"
        for seq, line in enumerate(lines)
    )
    (out / f"{room}.ndjson").write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=("irc", "hospital"))
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    if given.kind == "irc":
        for name in given.names:
            write(given.out, name, irc(given.folder, name))
        return
    for file in sorted(given.folder.rglob("*")):
        lines = hospital(file) if file.is_file() else []
        if lines:
            write(given.out, file.stem, lines)


if __name__ == "__main__":
    main()
