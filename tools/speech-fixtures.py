#!/usr/bin/env python3
"""Makes crates/audio/fixtures/*.wav: short sentences in several voices, for tests of what listens.

    python3 tools/speech-fixtures.py [crates/audio/fixtures]

The voices are those of espeak-ng (apt install espeak-ng, here 1.51); its licence does not reach the sound it makes, so
the files are free to use. Mono, 16 bits, 16,000 samples a second, silence at both ends cut off. Needs Python 3.9 and nothing else.
Noise, distance and rooms are not in the files: tests add them, from seeds.
"""

import array
import math
import pathlib
import subprocess
import sys
import tempfile
import wave

RATE = 16_000
SIDE = 24  # zero crossings of the filter on each side
SENTENCES = {
    # name: voice, pitch, words a minute, sentence
    "ann": ("en-gb+f3", 62, 190, "Denizen, what did Bob say?"),
    "bob": ("en-us", 40, 180, "We should leave before it rains."),
    "cleo": ("en-us+f2", 50, 170, "That is far too expensive."),
    "dan": ("en-gb-scotland+m7", 25, 165, "No way. I saw it myself."),
    "mhm": ("en-us+f2", 55, 160, "mm hmm"),
}


def spoken(voice, pitch, speed, text):
    with tempfile.NamedTemporaryFile(suffix=".wav") as file:
        subprocess.run(
            ["espeak-ng", "-v", voice, "-p", str(pitch), "-s", str(speed), "-w", file.name, text], check=True
        )
        with wave.open(file.name) as sound:
            assert sound.getnchannels() == 1 and sound.getsampwidth() == 2
            return sound.getframerate(), array.array("h", sound.readframes(sound.getnframes()))


def converted(samples, rate):
    """A windowed sinc, sample by sample; slow, and only run when sentences change."""
    cutoff = min(1.0, RATE / rate) * 0.95
    side = int(SIDE / cutoff)
    out = array.array("h")
    for at in range(len(samples) * RATE // rate):
        middle = at * rate / RATE
        first, last = max(0, int(middle) - side), min(len(samples), int(middle) + side + 1)
        total = 0.0
        for near in range(first, last):
            time = near - middle
            if abs(time) >= side:
                continue
            angle = math.pi * time * cutoff
            value = cutoff if angle == 0 else cutoff * math.sin(angle) / angle
            total += samples[near] * value * (0.5 + 0.5 * math.cos(math.pi * time / side))
        out.append(max(-32768, min(32767, round(total))))
    return out


def trimmed(samples):
    loud = [at for at, sample in enumerate(samples) if abs(sample) > 200]
    return samples[max(0, loud[0] - 160) : loud[-1] + 160]


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "crates/audio/fixtures")
    folder.mkdir(parents=True, exist_ok=True)
    for name, (voice, pitch, speed, text) in SENTENCES.items():
        rate, samples = spoken(voice, pitch, speed, text)
        samples = trimmed(converted(samples, rate))
        with wave.open(str(folder / f"{name}.wav"), "wb") as sound:
            sound.setnchannels(1)
            sound.setsampwidth(2)
            sound.setframerate(RATE)
            sound.writeframes(samples.tobytes())
        print(f"{name}: {len(samples) / RATE:.2f} s, {44 + 2 * len(samples)} bytes: {text}")


if __name__ == "__main__":
    main()
