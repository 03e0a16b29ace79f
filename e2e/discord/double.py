"""The double: started, told what to do, and looked at."""

import asyncio
import json
import os
import subprocess
import urllib.request

OPEN = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Double:
    def __init__(self, *options):
        self.process = subprocess.Popen([os.environ["DOUBLE_BIN"], "--port", "0", *options], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Control:
    """What a driver tells the double to do."""

    def __init__(self, address):
        self.address = address

    def __call__(self, verb, **wish):
        request = urllib.request.Request(f"http://{self.address}/control/{verb}", data=json.dumps(wish).encode())
        try:
            with OPEN.open(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            raise RuntimeError(f"{verb}: {refused.read().decode()}") from None


class Cells:
    """Runs cells one after another, and tells what came of each as a line of JSON."""

    def __init__(self, wanted):
        self.wanted = wanted

    async def run(self, name, cell):
        if self.wanted and name not in self.wanted and name != "login":
            return
        try:
            await asyncio.wait_for(cell(), 60)
            told = None
        except Exception as error:  # a cell that fails is a result, whatever it is
            told = f"{type(error).__name__}: {error}"[:300]
        print(json.dumps({"cell": name, "wrong": told}), flush=True)
