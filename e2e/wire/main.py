"""`make e2e-wire`: Denizen against the vendors' own types and clients. Says what fails, and writes docs/wire.md."""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

import doors  # noqa: F401 - its features are kept with the others, as are those of lists and troubles
import doubles
import features
import keys
import lists  # noqa: F401
import official
import selfcheck
import table
import troubles  # noqa: F401
import vendors
from denizen import Denizen
from server import VendorServer
from trial import NotApplicable, Trial

# With which models each feature is tried.
TRIED = [
    (vendors.ANTHROPIC, "claude-sonnet-5-5"),
    (vendors.OPENAI, "gpt-6-luna"),
    (vendors.OPENAI, "gpt-4.1-mini"),
    (vendors.GEMINI, "gemini-3.8-flash"),
    (vendors.COMPATIBLE, "qwen2.5vl:3b"),
]
EFFORTS = ("none", "minimal", "low", "medium", "high", "max")


class Stage:
    """Who takes part, and all that was asked."""

    def __init__(self, driver):
        self.server = VendorServer()
        self.denizen = Denizen(driver)
        self.cases = []


def try_features(stage, wanted):
    """Name of the feature, and for each model what is wrong; none where the vendor has no such thing."""
    rows = {}
    for name, function in features.FEATURES:
        if wanted and wanted not in name:
            continue
        for vendor, model in TRIED:
            trial = Trial(stage, vendor, model)
            try:
                function(trial)
            except NotApplicable:
                rows.setdefault(name, []).append(None)
                continue
            found = trial.problems + trial.complaints()
            rows.setdefault(name, []).append(list(dict.fromkeys(found)))
    return rows


def ask_everything(stage, corpus):
    """Every kind of question of the mind, to every model, with every effort: who was asked what how often."""
    asked, found = collections.Counter(), collections.defaultdict(collections.Counter)
    for vendor in vendors.ALL:
        for model in vendor.models:
            for settings in manners(stage, vendor):
                trial = Trial(stage, vendor, model, settings).says(*vendors.plain())
                trial.session.do("configure")
                for question in one_of_each(corpus) if settings else corpus:
                    request = question["request"]
                    request["choice"] = {"provider": vendor.provider, "model": model}
                    before = len(trial.asked())
                    outcome = trial.session.ask(request)
                    if outcome["kind"] == "failed":
                        told = f"{request['purpose']} with `{model}`: {outcome['detail']}"
                        found[vendor.title][told] += 1
                    asked[(vendor.title, request["purpose"])] += len(trial.asked()) - before
                for one in trial.complaints():
                    found[vendor.title][without_numbers(one)] += 1
    return asked, found


def one_of_each(corpus):
    """Of each purpose one question with tools and one without."""
    found = {}
    for question in corpus:
        request = question["request"]
        found.setdefault((request["purpose"], "tools" in request), question)
    return found.values()


def without_numbers(complaint):
    """The same complaint about other places, or about other models, is one complaint."""
    return re.sub(r"models/[^:]+:", "models/…:", re.sub(r"\[\d+\]", "[]", complaint))


def manners(stage, vendor):
    """Settings under which requests look different: as they are, and with each effort."""
    yield {}
    for effort in EFFORTS:
        if stage.efforts and vendor.provider != "compatible":
            yield dict.fromkeys(stage.efforts, effort)


def compared(stage):
    """Every key of every request whose body nothing was to be said against."""
    found = set()
    for vendor, case in stage.cases:
        for seen in case.seen:
            wire = vendor.wire(seen)
            if wire and all(": header " in one for one in vendors.complaints(vendor, seen)):
                found |= {f"{wire.NAME}: {key}" for key in keys.keys_of(seen.body)}
    head = "# Keys of requests that `make e2e-wire` has compared with the vendors' types. Written by it; do not edit.\n"
    return head + "".join(f"{line}\n" for line in sorted(found))


def told(rows):
    """What is wrong, once each, with the features that show it."""
    shown_by = collections.defaultdict(list)
    for name, cells in rows.items():
        for (vendor, model), cell in zip(TRIED, cells, strict=True):
            for one in cell or []:
                shown_by[f"{vendor.title} `{model}`: {one}"].append(name)
    told = []
    for one, names in shown_by.items():
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        told.append(f"{one}  [{names[0]}{more}]")
    return told


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--driver", required=True, help="the built example `wire`")
    words.add_argument("--scenarios", default="scenarios")
    words.add_argument("--only", help="only features whose name holds this; nothing is written then")
    words.add_argument("--doubles", help="a file with the answers of our own doubles, one a line")
    words.add_argument("--write", help="where the table goes")
    words.add_argument("--keys", help="where the keys go that were compared")
    chosen = words.parse_args()
    selfcheck.run()
    stage = Stage(chosen.driver)
    stage.efforts = [key for key in stage.denizen.session({}).do("knobs") if key.startswith("llm.effort.")]
    rows = try_features(stage, chosen.only)
    failures = told(rows)
    asked, found = collections.Counter(), {}
    if not chosen.only:
        lines = subprocess.run([chosen.driver, "corpus", chosen.scenarios], capture_output=True, text=True, check=True)
        corpus = [json.loads(line) for line in lines.stdout.splitlines()]
        asked, found = ask_everything(stage, corpus)
        failures += [f"{title} ×{times}: {one}" for title, held in found.items() for one, times in held.items()]
    asked_of_doubles, read, wrong = doubles.judged(chosen.doubles) if chosen.doubles else ({}, {}, {})
    failures += [f"double in {test}: {one}" for test, held in wrong.items() for one in dict.fromkeys(held)]
    for one in failures:
        print(f"✗ {one}")
    tried = sum(cell is not None for cells in rows.values() for cell in cells)
    well = sum(cell == [] for cells in rows.values() for cell in cells)
    print(f"{well} of {tried} features, {sum(asked.values())} requests of the mind, {len(failures)} complaints")
    if chosen.write and not chosen.only:
        table.write(chosen.write, official.versions(), TRIED, rows, asked, found, asked_of_doubles, read, wrong)
    if chosen.keys and not chosen.only:
        pathlib.Path(chosen.keys).write_text(compared(stage), encoding="utf-8")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
