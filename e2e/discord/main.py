"""Starts a double for each client, lets the client's driver run, and prints what passed."""

import json
import os
import pathlib
import subprocess
import sys

from double import Double

HERE = pathlib.Path(__file__).parent
NODE = ["node", "--no-warnings", str(HERE / "as_discord_js.mjs")]
LARGE = "a thousand guilds"
CALLS = [sys.executable, str(HERE / "calls.py")]
DRIVERS = {
    "discord.py": [sys.executable, str(HERE / "as_discord_py.py")],
    "discord.js": NODE,
}


def drive(command, cells, guilds):
    """The cells of one client, by name: None where one passed, else what was wrong."""
    double = Double("--guilds", guilds, "--heartbeat", "2000")
    found = {}
    try:
        driver = subprocess.Popen([*command, double.address, *cells], stdout=subprocess.PIPE, text=True, env={**os.environ, "GUILDS": guilds})
        for line in driver.stdout:
            try:
                told = json.loads(line)
                found[told["cell"]] = told["wrong"]
            except (ValueError, KeyError, TypeError):
                print("  ", line.rstrip())
        if driver.wait() != 0:
            found["the driver itself"] = f"ended with {driver.returncode}"
    finally:
        double.stop()
    return found


def main():
    cells = sys.argv[1:]
    results = {name: drive(command, cells, "3") for name, command in DRIVERS.items()}
    if not cells or LARGE in cells:
        for name, command in DRIVERS.items():
            large = drive(command, [LARGE], "1000")
            results[name][LARGE] = large.pop(LARGE, None) or next(filter(None, large.values()), None)
    if in_call := drive(CALLS, cells, "1"):
        results["in one call"] = in_call
    rows = list(dict.fromkeys(row for found in results.values() for row in found))
    width = max(map(len, rows), default=0)
    print(" " * width, *results, sep="  ")
    passed = failed = 0
    for row in rows:
        signs = []
        for name, found in results.items():
            wrong = found.get(row, "-")
            signs.append(("✓" if wrong is None else "–" if wrong == "-" else "✗").ljust(len(name)))
            passed += wrong is None
            failed += wrong not in (None, "-")
        print(row.ljust(width), *signs, sep="  ")
    for name, found in results.items():
        for row, wrong in found.items():
            if wrong is not None:
                print(f"{name}, {row}: {wrong}")
    print(f"{passed} passed, {failed} failed")
    if failed or any(not found for found in results.values()):
        sys.exit(1)


main()
