"""Checks the doubles with the vendors' clients, and Denizen's requests with their types; writes the table into a page."""

import asyncio
import datetime
import importlib.metadata
import sys

import official
import strict
from double import Double

CLIENTS = {"openai": "openai", "xai": "openai", "gemini": "google-genai", "elevenlabs": "elevenlabs"}
BEGIN, END = "<!-- written by make e2e-realtime -->", "<!-- end -->"


def tried(work):
    try:
        return work(), None
    except Exception as error:  # a cell that fails is a result, whatever it is
        return None, f"{type(error).__name__}: {error}"[:300]


def main():
    rows, failed = [], False
    for vendor, package in CLIENTS.items():
        client = getattr(official, "openai" if vendor == "xai" else vendor)
        with Double(vendor) as double:
            frames, wrong = tried(lambda: asyncio.run(asyncio.wait_for(client(double), 60)))
        read = f"reads it ({frames} frames)" if wrong is None else wrong
        with Double(vendor) as double:
            sent, problem = tried(double.talk)
        problems = None
        if problem is None:
            problems, problem = tried(lambda: getattr(strict, vendor)(sent))
        fits = f"fit ({len(sent)} frames)" if problem is None and not problems else problem or "; ".join(problems)
        if vendor == "openai":
            with Double(vendor) as double:
                frames, other = tried(lambda: official.openai_node(double))
            wrong = wrong or other
            read += f"; with npm's openai {official.node_version()}: " + (f"reads it ({frames} frames)" if other is None else other)
        failed |= wrong is not None or problem is not None or bool(problems)
        rows.append(f"| {vendor} | {package} {importlib.metadata.version(package)} | {read} | {fits} |")
        print(rows[-1], flush=True)
    if "--write" in sys.argv:
        path = sys.argv[sys.argv.index("--write") + 1]
        with open(path, encoding="utf-8") as page:
            before, rest = page.read().split(BEGIN)
        after = rest.split(END)[1]
        head = "| service | client | the double | what Denizen sends |\n|---|---|---|---|"
        day = datetime.date.today().isoformat()
        table = f"{BEGIN}\n{head}\n" + "\n".join(rows) + f"\n\nLast compared on {day}.\n{END}"
        with open(path, "w", encoding="utf-8") as page:
            page.write(before + table + after)
    sys.exit(failed)


main()
