"""The real clients of Denizen, driven line by line through the example `wire` of its crate of providers."""

import copy
import json
import subprocess

from pictures import of_type

SCHEMA = {
    "type": "object",
    "properties": {
        "action": {"type": "string", "enum": ["reply", "skip"]},
        "text": {"type": "string", "maxLength": 2000},
        "reason": {"type": "string"},
    },
    "required": ["action", "text", "reason"],
    "additionalProperties": False,
}
TOOLS = [
    {
        "name": name,
        "description": f"Looks for {what}.",
        "parameters": {
            "type": "object",
            "properties": {"words": {"type": "string"}, "limit": {"type": "integer", "minimum": 1}},
            "required": ["words"],
            "additionalProperties": False,
        },
    }
    for name, what in (("search_messages", "older messages"), ("memory_search", "memories"))
]


class Denizen:
    """One process for all cases."""

    def __init__(self, binary):
        self.process = subprocess.Popen([binary, "drive"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.sessions = 0

    def session(self, env, settings=None):
        """A new session, which knows nothing of the others."""
        self.sessions += 1
        return Session(self, f"s{self.sessions}", env, settings or {})

    def order(self, order):
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the driver ended with {self.process.wait()} at {json.dumps(order)[:300]}")
        return json.loads(line)


class Session:
    def __init__(self, denizen, name, env, settings):
        self.denizen, self.name, self.env, self.settings = denizen, name, env, settings

    def do(self, what, **more):
        order = {"session": self.name, "env": self.env, "settings": self.settings, "do": what, **more}
        return self.denizen.order(order)

    def ask(self, request):
        """What came of it: `answered` or `failed` with what it holds, and the pieces that were shown meanwhile."""
        result = self.do("ask", request=request, pictures=pictures_of(request))
        ((kind, held),) = result["outcome"].items()
        if kind == "failed":
            held["failure"] = held.pop("kind")
        return {"kind": kind, "pieces": result["pieces"], **held}


def question(provider, model, words="[12:03] Alice: hello?", typed=False, tools=False, purpose="text_reply", system=""):
    """A question as the mind would ask it."""
    return {
        "purpose": purpose,
        "choice": {"provider": provider, "model": model},
        "system": system or "You are Denizen.",
        "turns": [{"role": "user", "parts": [{"text": words}]}],
        "tools": copy.deepcopy(TOOLS) if tools else [],
        "output": {"json": {"name": "reply", "schema": SCHEMA}} if typed else "text",
        "maxOutputTokens": 600,
        "temperature": 0.8,
        "deadline": 20_000,
        "sections": [],
    }


def with_picture(request, mime):
    request["turns"][0]["parts"].append({"image": {"id": f"picture of {mime}", "mime": mime}})
    return request


def followed_up(request, answer, results):
    """The next question of the same turn, with what the tools gave, as the mind lays it out."""
    request = copy.deepcopy(request)
    parts = [{"text": answer["text"]}] if answer["text"] else []
    parts += [{"tool_call": call} for call in answer.get("toolCalls", [])]
    if answer.get("carried"):
        parts.append({"carried": answer["carried"]})
    request["turns"].append({"role": "assistant", "parts": parts})
    for call, result in zip(answer.get("toolCalls", []), results, strict=True):
        held = {"callId": call["id"], "name": call["name"], "text": result, "failed": False}
        request["turns"].append({"role": "tool", "parts": [{"tool_result": held}]})
    request["purpose"] = "text_reply_followup"
    return request


def pictures_of(request):
    """Real ones, of the type that each is said to be of."""
    parts = [part for turn in request["turns"] for part in turn["parts"]]
    named = [part["image"] for part in parts if "image" in part]
    return {image["id"]: of_type(image["mime"]) for image in named}
