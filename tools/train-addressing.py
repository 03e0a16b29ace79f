#!/usr/bin/env python3
"""Learns how likely a line that calls nobody is meant for Denizen, and writes the trees that the product weighs with.

    python3 -m venv venv && venv/bin/pip install numpy==2.4.6 lightgbm==4.7.0
    cargo build --profile fast -p denizen-bench
    venv/bin/python tools/train-addressing.py ROOMS --bench target/fast/denizen-bench

ROOMS is a folder or a .tar.xz of training rooms, one .ndjson file each, in the layout of `denizen-bench admission`. The
cues are written by that program, so that what is learnt from and what is weighed cannot differ. Everything is seeded
and goes by one thread: the same rooms give the same files.

It writes `crates/mind/src/addressing/forest.bin` (see forest.rs for its layout) and `ui/src/settings/score_curve.json`,
precision and recall at each threshold, measured out of fold: rooms of a day are held out together, so no judgement is
by trees that have seen its day. The threshold that is printed is the default of `addressing.scoreThreshold`: the lowest
of those that are as good as the best there, because whoever is not answered has to ask again. No other rooms have a say
in it.
"""

import argparse
import json
import math
import pathlib
import struct
import subprocess
import sys
import tarfile
import tempfile

import lightgbm
import numpy

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDS = 5
TREES = 180
SCALE = 256
PARAMS = {
    "objective": "binary",
    "learning_rate": 0.06,
    "num_leaves": 24,
    "min_data_in_leaf": 60,
    "lambda_l2": 5.0,
    "feature_fraction": 0.6,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "max_bin": 255,
    "seed": 7,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
    "verbosity": -1,
}
TOLD, MEANT, RULES = 2, 3, 4
OPEN = 2  # From here on the rules alone decide.
AS_GOOD = 0.0005  # Thresholds are as good as each other within this much of F1: it says nothing which of them is best.


def read_table(file):
    with open(file, "rb") as table:
        head = json.loads(table.readline())
        rows = numpy.frombuffer(table.read(), dtype=numpy.uint8)
    rows = rows.reshape(-1, len(head["columns"]))
    return head, rows, rows[:, 0].astype(int) + 256 * rows[:, 1].astype(int)


def table_of(rooms, bench, folder):
    """The cues of all rooms, by the product's own code."""
    if rooms.is_file():
        with tarfile.open(rooms) as packed:
            packed.extractall(folder, filter="data")
        rooms = pathlib.Path(folder)
    files = sorted(rooms.rglob("*.ndjson"))
    table = pathlib.Path(folder) / "table"
    subprocess.run([bench, "admission", "--cues", table, *files], check=True, stdout=subprocess.DEVNULL)
    return read_table(table)


def learn(cues, meant):
    data = lightgbm.Dataset(cues.astype(numpy.float64), meant)
    return lightgbm.train(PARAMS, data, TREES)


def packed(model, cue_count):
    """The trees in whole numbers, as bytes."""
    trees = []
    for tree in model.dump_model()["tree_info"]:
        nodes, leaves = [], []

        def walk(node):
            if "leaf_value" in node:
                leaves.append(round(node["leaf_value"] * SCALE))
                return 128 + len(leaves) - 1
            at = len(nodes)
            nodes.append(None)
            left, right = walk(node["left_child"]), walk(node["right_child"])
            mean = round(node["internal_value"] * SCALE)
            nodes[at] = (node["split_feature"], min(255, math.floor(node["threshold"])), left, right, mean)
            return at

        walk(tree["tree_structure"])
        trees.append((nodes, leaves))
    steps = [round(math.log(part / (100 - part)) * SCALE) for part in range(1, 100)]
    out = b"DZF1" + struct.pack("<BH", cue_count, len(trees)) + struct.pack("<99i", *steps)
    for nodes, leaves in trees:
        out += struct.pack("<B", len(leaves))
        out += b"".join(struct.pack("<BBBBh", *node) for node in nodes)
        out += struct.pack(f"<{len(leaves)}h", *leaves)
    return out


def scores(file, cues):
    """What the product makes of cues: the same walk as in forest.rs."""
    (count,) = struct.unpack_from("<H", file, 5)
    steps = numpy.array(struct.unpack_from("<99i", file, 7))
    at, sums = 7 + 99 * 4, numpy.zeros(len(cues), dtype=int)
    for _ in range(count):
        leaves = file[at]
        nodes = [struct.unpack_from("<BBBBh", file, at + 1 + 6 * node) for node in range(leaves - 1)]
        at += 1 + 6 * (leaves - 1)
        values = numpy.array(struct.unpack_from(f"<{leaves}h", file, at))
        at += 2 * leaves
        place = numpy.full(len(cues), 0 if nodes else 128)
        for number, (cue, most, left, right, _) in enumerate(nodes):
            here = place == number
            place[here] = numpy.where(cues[here, cue] <= most, left, right)
        sums += values[place - 128]
    return numpy.searchsorted(steps, sums, side="right")


def figures(meant, said):
    right = int((meant & said).sum())
    precision = right / max(1, int(said.sum()))
    recall = right / max(1, int(meant.sum()))
    rejected = int((~meant & ~said).sum()) / max(1, int((~meant).sum()))
    f1 = 2 * right / max(1, int(said.sum()) + int(meant.sum()))
    return precision, recall, f1, (recall + rejected) / 2


def said(rows, open_rows, score, least):
    verdict = (rows[:, RULES] & 1).astype(bool)
    verdict[open_rows] = score >= least
    return verdict


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rooms", type=pathlib.Path)
    parser.add_argument("--bench", type=pathlib.Path, help="the program that writes the cues; without, ROOMS is its table")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        of_bench = given.bench is not None
        head, rows, rooms = table_of(given.rooms, given.bench, folder) if of_bench else read_table(given.rooms)
    first_cue = head["columns"].index("rule")
    names = head["columns"][first_cue:]
    meant = rows[:, MEANT].astype(bool)
    open_rows = numpy.flatnonzero(rows[:, RULES] < OPEN)
    cues = rows[:, first_cue:]
    # Rooms of one day are one piece: they may overlap.
    days = sorted({name.split(".")[0].split("_")[0] for name in head["rooms"]})
    fold_of = numpy.array([days.index(name.split(".")[0].split("_")[0]) % FOLDS for name in head["rooms"]])
    fold = fold_of[rooms]
    print(f"{len(head['rooms'])} rooms, {len(rows)} judgements, {len(open_rows)} of them weighed", file=sys.stderr)
    held_out = numpy.zeros(len(open_rows), dtype=int)
    for number in range(FOLDS):
        inside = open_rows[fold[open_rows] != number]
        outside = fold[open_rows] == number
        file = packed(learn(cues[inside], meant[inside]), len(names))
        held_out[outside] = scores(file, cues[open_rows[outside]])
    curve = []
    for least in range(1, 100):
        verdict = said(rows, open_rows, held_out, least)
        precision, recall, f1, balanced = figures(meant, verdict)
        curve.append({"least": least, "precision": round(precision, 4), "recall": round(recall, 4), "f1": round(f1, 4)})
    best = max(point["f1"] for point in curve)
    chosen = min(point["least"] for point in curve if point["f1"] >= best - AS_GOOD - 1e-9)
    for told in (0, 1):
        of = rows[:, TOLD] == told
        rules = figures(meant[of], (rows[of, RULES] & 1).astype(bool))
        score = figures(meant[of], said(rows, open_rows, held_out, chosen)[of])
        shown = lambda found: "precision {:.3f} recall {:.3f} F1 {:.3f} balanced {:.3f}".format(*found)
        print(f"told {told}: rules {shown(rules)}; score, out of fold, {shown(score)}")
    print(f"threshold {chosen}, chosen out of fold")
    model = learn(cues[open_rows], meant[open_rows])
    file = packed(model, len(names))
    gains = sorted(zip(model.feature_importance("gain"), names), reverse=True)
    print("what the cues bring: " + ", ".join(f"{name} {gain / sum(g for g, _ in gains):.1%}" for gain, name in gains))
    (ROOT / "crates/mind/src/addressing/forest.bin").write_bytes(file)
    curve = {"default": chosen, "points": curve}
    (ROOT / "ui/src/settings/score_curve.json").write_text(json.dumps(curve, separators=(",", ":")) + "\n")
    print(f"{len(file)} bytes of trees")


if __name__ == "__main__":
    main()
