"""The vendors: how Denizen is told of each, which models it is asked for, and who judges a request."""

import json
from dataclasses import dataclass

import as_anthropic
import as_gemini
import as_ollama
import as_openai_chat
import as_openai_responses
import official
from official import KEY
from shape import problems
from spoken import Answer, Say, Trouble

# What the official clients send with every request and Denizen must send as well.
HEADERS = ("x-api-key", "authorization", "x-goog-api-key", "anthropic-version", "content-type")


@dataclass
class Vendor:
    title: str
    provider: str
    wires: list
    models: list
    listed: list
    suffix: str = ""

    def env(self, base, door=None):
        name = self.provider.upper()
        return {f"{name}_API_KEY": KEY, f"{name}_BASE_URL": base + (self.suffix if door is None else door)}

    def wire(self, seen):
        """Whose words a request is in."""
        return next((wire for wire in self.wires if wire.request_type(seen.route)), None)

    def responding(self, script, **how):
        """Answers in the words of the request: the script in order, the last of it for ever. A step may look first."""

        def respond(seen):
            wire = self.wire(seen)
            if wire is None:
                return self.beside(seen)
            step = script[min(respond.asked, len(script) - 1)]
            respond.asked += 1
            step = step(seen) if callable(step) else step
            if isinstance(step, Answer):
                return step
            if isinstance(step, Trouble):
                return wire.trouble(step, seen.body)
            return wire.said(step, seen.body, **how)

        respond.asked = 0
        return respond

    def beside(self, seen):
        """What is not a question to a model."""
        if seen.route.endswith("/models"):
            return self.wires[0].model_list(self.listed, seen)
        if seen.route.startswith("/api/") and as_ollama in self.wires:
            return as_ollama.beside(self.listed, seen)
        return Answer(404, b'{"error": {"message": "There is nothing here.", "type": "not_found"}}', "application/json")


ANTHROPIC = Vendor(
    "Anthropic",
    "anthropic",
    [as_anthropic],
    ["", "claude-sonnet-5-5", "claude-haiku-5-5", "claude-opus-5-5", "claude-sonnet-4-6", "claude-haiku-4-5"],
    [
        {"id": "claude-sonnet-5-5", "line": "sonnet"},
        {"id": "claude-haiku-5-5", "line": "haiku"},
        {"id": "claude-opus-5-5", "line": "opus"},
        {"id": "claude-sonnet-4-5", "line": "sonnet", "lifecycle": "deprecated", "ends": "2026-11-30T00:00:00Z"},
    ],
)
OPENAI = Vendor(
    "OpenAI",
    "openai",
    [as_openai_chat, as_openai_responses],
    ["", "gpt-6-luna", "gpt-6-sol", "gpt-6.1-terra", "gpt-5.4-mini", "gpt-4.1-mini"],
    [
        {"id": "gpt-6-sol"},
        {"id": "gpt-6-luna"},
        {"id": "gpt-4.1-mini", "ends": "2027-01-14"},
        {"id": "text-embedding-3-small"},
    ],
    "/v1",
)
GEMINI = Vendor(
    "Gemini",
    "gemini",
    [as_gemini],
    [
        "",
        "gemini-3.8-flash",
        "gemini-3.5-flash-lite",
        "gemini-flash-latest",
        "gemini-3.1-pro-preview",
        "gemini-2.5-flash",
    ],
    [{"id": "gemini-3.8-flash"}, {"id": "gemini-3.5-flash-lite"}, {"id": "gemini-2.5-flash"}],
)
COMPATIBLE = Vendor(
    "compatible server",
    "compatible",
    [as_openai_chat, as_ollama],
    ["qwen2.5vl:3b"],
    [{"id": "qwen2.5vl:3b"}, {"id": "nomic-embed-text:latest"}],
    "/v1",
)
ALL = [ANTHROPIC, OPENAI, GEMINI, COMPATIBLE]


def complaints(vendor, seen):
    """All that a vendor's types and client have against a request."""
    wire = vendor.wire(seen)
    if wire is None:
        return complaints_beside(vendor, seen)
    place = f"POST {seen.route}"
    if not isinstance(seen.body, dict):
        return [f"{place}: the body is no JSON object"]
    found = problems(seen.body, wire.request_type(seen.route))
    request, why_not = official.sent_by_client(seen)
    if why_not:
        found.append(f": the official client will not send this: {why_not}")
    elif seen.route != "/api/chat":
        ours, theirs = official.written_alike(seen.body), official.written_alike(json.loads(request.content))
        found += official.differences(ours, theirs)
        # Gemini's client asks for v1, and for v1beta where it is told to.
        if request.url.raw_path.decode() != seen.path.replace("/v1beta/", "/v1/"):
            found.append(f": the official client asks {request.url.raw_path.decode()}")
        found += other_headers(seen, request)
    return [f"{place}{one}" for one in found]


def other_headers(seen, request):
    return [
        f": header {name} is {seen.headers.get(name)!r}, the official client sends {request.headers[name]!r}"
        for name in HEADERS
        if name in request.headers
        and (seen.method == "POST" or name != "content-type")
        and seen.headers.get(name) != request.headers[name]
    ]


def complaints_beside(vendor, seen):
    """Of what is no question to a model: lists of models, and what Ollama and llama.cpp tell of theirs."""
    place = f"{seen.method} {seen.route}"
    if seen.route.startswith("/api/") and as_ollama in vendor.wires:
        return as_ollama.complaints(seen)
    if vendor.provider == "compatible" and seen.method == "GET" and seen.route in ("/props", "/v1/props", "/health"):
        return []
    if seen.method != "GET" or not seen.route.endswith("/models"):
        return [f"{place}: no such address is known"]
    request = official.asked_for_list(vendor.provider)
    found = other_headers(seen, request)
    if request.url.path != seen.route.replace("/v1beta/", "/v1/"):
        found.append(f": the official client asks {request.url.path}")
    return [f"{place}{one}" for one in found]


def plain():
    return [Say(text="Hello, Alice.")]
