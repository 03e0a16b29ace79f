#!/usr/bin/env python3
"""Makes crates/recall/data/table.bin, the word meanings that come with the program, out of a sentence model.

Every piece of the model's vocabulary is run through the model alone. What comes out is centred, stripped of the few
directions that all pieces share, cut to fewer dimensions, weighted by how rare the piece is, and rounded to bytes. A text
then means the sum of its pieces: no model is needed any more. The format is told in crates/recall/data/README.md.

    python3 tools/distil-table.py MODEL_FOLDER [crates/recall/data/table.bin]

MODEL_FOLDER holds model.safetensors, config.json and vocab.txt of sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0).
Needs Python 3.9 and numpy, and nothing else; takes about a minute. The same weights, numpy and processor give the same
bytes; elsewhere sums may be rounded differently, which can move a value by one step.
"""

import hashlib
import json
import pathlib
import re
import struct
import sys

import numpy

WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
MAGIC = b"DZTABLE1"
DIMENSIONS = 192
# Directions that nearly all pieces share: they tell how common or how odd a piece is, not what it means.
SHARED_DIRECTIONS = 3
# 0 leaves the spread of each direction as it is, 1 makes all alike; between the two, faint meanings are heard as well.
EVENNESS = 0.5
# Pieces more frequent than this are held to say little, in proportion.
FREQUENT = 2e-4
# Pieces of letters a to z and digits, as the words of a text are after folding.
PIECE = re.compile(r"(##)?[a-z0-9]+")
BATCH = 1024


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    default = pathlib.Path(__file__).resolve().parent.parent / "crates/recall/data/table.bin"
    target = pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else default
    model = Model(folder)
    vocabulary = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
    # The vocabulary is in order of frequency: the place in it tells how rare a piece is.
    pieces = [(number, piece) for number, piece in enumerate(vocabulary) if PIECE.fullmatch(piece)]
    begin, end = vocabulary.index("[CLS]"), vocabulary.index("[SEP]")
    alone = numpy.array([[begin, number, end] for number, _ in pieces])
    meanings = numpy.concatenate([model.meanings(alone[at : at + BATCH]) for at in range(0, len(alone), BATCH)])
    rows = weighted(reduced(meanings))
    written = write(target, rows, [piece for _, piece in pieces])
    print(f"{target}: {len(pieces)} pieces, {DIMENSIONS} dimensions, {len(written)} bytes")
    print(f"sha256 {hashlib.sha256(written).hexdigest()}")


class Model:
    """The encoder, in numpy."""

    def __init__(self, folder):
        content = (folder / "model.safetensors").read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        if digest != WEIGHTS_SHA256:
            sys.exit(f"{folder}/model.safetensors has sha256 {digest}, not {WEIGHTS_SHA256}: these are other weights")
        config = json.loads((folder / "config.json").read_text())
        self.layers = config["num_hidden_layers"]
        self.heads = config["num_attention_heads"]
        self.epsilon = config["layer_norm_eps"]
        (size,) = struct.unpack_from("<Q", content)
        self.arrays = {}
        for name, entry in json.loads(content[8 : 8 + size]).items():
            if entry.get("dtype") == "F32":
                first, last = entry["data_offsets"]
                array = numpy.frombuffer(content[8 + size + first : 8 + size + last], dtype="<f4")
                self.arrays[name] = array.reshape(entry["shape"])

    def meanings(self, numbers):
        """One vector of length one for each row of piece numbers; all rows are equally long."""
        rows, length = numbers.shape
        places = self.arrays["embeddings.position_embeddings.weight"][:length]
        kind = self.arrays["embeddings.token_type_embeddings.weight"][0]
        state = self.arrays["embeddings.word_embeddings.weight"][numbers] + places + kind
        state = self.normal(state.reshape(rows * length, -1), "embeddings.LayerNorm")
        for layer in range(self.layers):
            name = f"encoder.layer.{layer}"
            attended = self.attended(state, rows, length, f"{name}.attention.self")
            attended = self.linear(attended, f"{name}.attention.output.dense")
            state = self.normal(state + attended, f"{name}.attention.output.LayerNorm")
            thought = self.linear(gelu(self.linear(state, f"{name}.intermediate.dense")), f"{name}.output.dense")
            state = self.normal(state + thought, f"{name}.output.LayerNorm")
        return unit(state.reshape(rows, length, -1).mean(axis=1))

    def attended(self, state, rows, length, name):
        def heads(part):
            return self.linear(state, f"{name}.{part}").reshape(rows, length, self.heads, -1).transpose(0, 2, 1, 3)

        query, key, value = heads("query"), heads("key"), heads("value")
        closeness = query @ key.transpose(0, 1, 3, 2) / numpy.float32(numpy.sqrt(query.shape[-1]))
        closeness = numpy.exp(closeness - closeness.max(axis=-1, keepdims=True))
        closeness /= closeness.sum(axis=-1, keepdims=True)
        return (closeness @ value).transpose(0, 2, 1, 3).reshape(rows * length, -1)

    def linear(self, state, name):
        return state @ self.arrays[f"{name}.weight"].T + self.arrays[f"{name}.bias"]

    def normal(self, state, name):
        centred = state - state.mean(axis=-1, keepdims=True)
        spread = numpy.sqrt((centred * centred).mean(axis=-1, keepdims=True) + numpy.float32(self.epsilon))
        return centred / spread * self.arrays[f"{name}.weight"] + self.arrays[f"{name}.bias"]


def gelu(values):
    """By its usual approximation; what it loses is far below the rounding to bytes."""
    inner = numpy.float32(0.7978845608) * (values + numpy.float32(0.044715) * values * values * values)
    return numpy.float32(0.5) * values * (1 + numpy.tanh(inner))


def unit(rows):
    return rows / numpy.linalg.norm(rows, axis=1, keepdims=True)


def reduced(meanings):
    """Fewer dimensions: those along which pieces differ most, without what they share."""
    centred = meanings.astype(numpy.float64)
    centred -= centred.mean(axis=0)
    spreads, directions = numpy.linalg.eigh(centred.T @ centred)
    order = numpy.argsort(-spreads)[SHARED_DIRECTIONS : SHARED_DIRECTIONS + DIMENSIONS]
    directions = directions[:, order]
    # An axis may come out either way round; the same one is always taken.
    largest = numpy.abs(directions).argmax(axis=0)
    directions = directions * numpy.sign(directions[largest, numpy.arange(len(order))])
    return centred @ directions / numpy.sqrt(spreads[order] / spreads[order[0]]) ** EVENNESS


def weighted(rows):
    """Common pieces count less: by Zipf's law, the place in the vocabulary gives the frequency."""
    frequency = 1 / (numpy.arange(len(rows)) + 2)
    frequency /= frequency.sum()
    rows = rows * (FREQUENT / (FREQUENT + frequency))[:, None]
    # The usual piece has length one.
    return rows / numpy.median(numpy.linalg.norm(rows, axis=1))


def write(target, rows, pieces):
    order = sorted(range(len(pieces)), key=lambda place: pieces[place])
    rows = rows[order]
    keys = [pieces[place].encode() for place in order]
    scales = (numpy.abs(rows).max(axis=1) / 127).astype("<f4")
    steps = numpy.rint(rows / scales[:, None]).clip(-127, 127).astype("i1")
    offsets = numpy.cumsum([0] + [len(key) for key in keys]).astype("<u4")
    strings = b"".join(keys)
    head = MAGIC + struct.pack("<4I", DIMENSIONS, len(rows), len(strings), 0)
    content = head + scales.tobytes() + offsets.tobytes() + steps.tobytes() + strings
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)
    return content


if __name__ == "__main__":
    main()
