"""Figures of a whole Denizen, read by others' parsers: every family is well formed, and nothing of anybody is in it."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from prometheus_client.parser import text_string_to_metric_families

TOKEN = "correct-horse-battery-staple"
WANTED = [
    "denizen_answer_phase_seconds", "denizen_voice_answer_phase_seconds", "denizen_model_answers", "denizen_model_tokens",
    "denizen_model_cost_dollars", "denizen_spent_today_dollars", "denizen_models_resting", "denizen_inputs_waiting", "denizen_memory_turns",
    "denizen_gateway_shards", "denizen_gateway_resumes", "denizen_gateway_reconnects", "denizen_gateway_malformed_events",
    "denizen_requests", "denizen_request_waits", "denizen_calls", "denizen_call_undecryptable_frames", "denizen_build_info",
    "denizen_uptime_seconds", "process_resident_memory_bytes", "process_open_fds",
]
# Labels whose values come from a closed list, or are bounded by the program.
LABELS = {
    "le", "phase", "purpose", "provider", "model", "kind", "outcome", "floor", "name", "platform", "connected", "event", "state", "version", "community",
}


def free_port():
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return door.getsockname()[1]


def ask(address, body=None, token=None):
    headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
    request = urllib.request.Request(address, data=None if body is None else json.dumps(body).encode(), headers=headers)
    with urllib.request.urlopen(request, timeout=20) as answer:
        return answer.read().decode(), answer.headers


def eventually(what, look, seconds=90):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            found = look()
        except (urllib.error.URLError, ConnectionError):
            found = None
        if found:
            return found
        time.sleep(0.3)
    sys.exit(f"FAIL {what}: not within {seconds} s")


def main():
    port, discord = free_port(), free_port()
    control = f"http://127.0.0.1:{discord}/control"
    url = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as data:
        double = subprocess.Popen([os.environ["DOUBLE_BIN"], "--port", str(discord)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        env = {
            "PATH": "/usr/bin:/bin", "HOME": data, "DENIZEN_TOKEN": TOKEN, "DENIZEN_DISCORD_TOKEN": "bot:denizen",
            "DENIZEN_DISCORD_API": f"http://127.0.0.1:{discord}", "DENIZEN_DATA": f"{data}/data", "DENIZEN_PORT": str(port),
        }
        denizen = None
        try:
            eventually("the local Discord answers", lambda: ask(f"{control}/state"))
            bot = json.loads(ask(f"{control}/user", {"name": "denizen", "bot": True})[0])["id"]
            denizen = subprocess.Popen([os.environ["DENIZEN_BIN"], "run"], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            live = 'denizen_gateway_shards{platform="Discord",connected="true"} 1'
            read = lambda query="": ask(f"{url}/metrics{query}", token=TOKEN)
            eventually("the bot is connected", lambda: live in read()[0])
            ask(f"{control}/fault", {"kind": "malformed", "which": "wrong_types"})
            ask(f"{control}/post", {"as": "rumpelstiltskin", "channel": "general", "content": f"<@{bot}> what can you do with walnuts?"})
            eventually("an answer is counted", lambda: 'denizen_answer_phase_seconds_count{phase="sent"} 1' in read()[0])
            text, headers = read("?communities=20")
            check(text, headers, bot)
        finally:
            for process in filter(None, [denizen, double]):
                process.terminate()
                process.wait(30)


def check(text, headers, bot):
    assert headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8", headers["content-type"]
    families = {family.name: family for family in text_string_to_metric_families(text)}
    for name in WANTED:
        assert name in families, f"{name} is missing"
    seen = set()
    for family in families.values():
        assert family.documentation, f"{family.name} says nothing of itself"
        assert family.type in ("counter", "gauge", "histogram"), f"{family.name} is {family.type}"
        for sample in family.samples:
            key = (sample.name, tuple(sorted(sample.labels.items())))
            assert key not in seen, f"{key} is told twice"
            seen.add(key)
            assert set(sample.labels) <= LABELS, f"{key} has a label nobody bounds"
            assert sample.value >= 0, key
    without_communities = re.sub(r'community="[^"]*"', "", text)
    for secret in ("umpelstiltskin", "walnuts", "general", TOKEN, "bot:denizen", bot):
        assert secret not in without_communities, f"{secret!r} is in the figures"
    print(f"ok   prometheus_client reads {len(families)} families, {len(seen)} figures")
    promtool = shutil.which(os.environ.get("PROMTOOL", "promtool"))
    if not promtool:
        print("     promtool is not installed (apt-get install prometheus): left out")
        return
    looked = subprocess.run([promtool, "check", "metrics"], input=text, text=True, capture_output=True, check=False)
    assert looked.returncode == 0, looked.stdout + looked.stderr
    print("ok   promtool check metrics finds nothing")


if __name__ == "__main__":
    main()
