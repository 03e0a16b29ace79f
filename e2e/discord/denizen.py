"""The real program: started on a folder of its own, killed, ended gently, and started again."""

import asyncio
import json
import os
import pathlib
import signal
import subprocess
import tempfile

TOKEN = "an-administrators-token-for-trials-1234"


class Denizen:
    def __init__(self, address, **environment):
        self.folder = tempfile.TemporaryDirectory(prefix="denizen-")
        self.path = pathlib.Path(self.folder.name)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.folder.name, "DENIZEN_DATA": str(self.path / "data"), "DENIZEN_TOKEN": TOKEN,
            "DENIZEN_DISCORD_TOKEN": "bot:denizen", "DENIZEN_DISCORD_API": f"http://{address}/api/v10", **environment,
        }
        self.process, self.url = None, None

    def configure(self, settings):
        file = self.path / "settings.json"
        file.write_text(json.dumps(settings))
        command = [os.environ["DENIZEN_BIN"], "settings", "migrate", str(file)]
        done = subprocess.run(command, env=self.environment, cwd=self.folder.name, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"settings were refused: {done.stderr}")

    async def start(self):
        log = open(self.path / "log", "ab")
        command = [os.environ["DENIZEN_BIN"], "run", "--port", "0"]
        pipe = asyncio.subprocess.PIPE
        self.process = await asyncio.create_subprocess_exec(*command, env=self.environment, cwd=self.folder.name, stdout=pipe, stderr=log)
        log.close()
        line = (await asyncio.wait_for(self.process.stdout.readline(), 120)).decode()
        if " is in the room: " not in line:
            raise RuntimeError(f"it did not come up: {line}{self.log()[-2000:]}")
        self.url = line.split(" is in the room: ")[1].strip().rstrip("/")
        self.reading = asyncio.create_task(self.read_on())
        return self.url

    async def read_on(self):
        while await self.process.stdout.readline():
            pass

    def log(self):
        return (self.path / "log").read_text(errors="replace")

    async def end(self, with_signal=signal.SIGTERM):
        if self.process and self.process.returncode is None:
            self.process.send_signal(with_signal)
            await asyncio.wait_for(self.process.wait(), 60)

    async def kill(self):
        await self.end(signal.SIGKILL)

    def resident(self):
        """Megabytes in memory."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024
