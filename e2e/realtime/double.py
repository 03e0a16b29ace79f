"""The double: started, told what to do, and asked what it was sent; and Denizen's own side, let loose on it."""

import json
import os
import subprocess

BASES = {"openai": "/v1", "xai": "/v1", "gemini": "", "elevenlabs": ""}


class Double:
    def __init__(self, vendor):
        options = ["--xai"] if vendor == "xai" else []
        self.vendor = vendor
        self.process = subprocess.Popen([os.environ["DOUBLE_BIN"], *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def tell(self, wish):
        """Has it heed a wish, before anything else is done."""
        self.write(wish)
        self.received()

    def write(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def received(self):
        self.write("received")
        lines = []
        while (line := self.process.stdout.readline().strip()) != "end":
            lines.append(json.loads(line))
        return lines

    def talk(self):
        """Denizen hears a clip there, has a text said, and stops another; then it has the service think. What it sent."""
        self.tell('calls look_up {"what": "tea"}')
        url = f"http://{self.address}{BASES[self.vendor]}"
        told = subprocess.run([os.environ["TALK_BIN"], self.vendor, url], capture_output=True, text=True, timeout=60)
        if told.returncode or "heard Ok" not in told.stdout or "said Ok" not in told.stdout or "thought Ok" not in told.stdout:
            raise AssertionError(f"{told.stdout}{told.stderr}")
        return [line["frame"] for line in self.received()]
