"""Ollama's own words, beside the chat completions it also speaks."""

import json

import ollama._types as types

from shape import problems
from spoken import Answer, halves

NAME = "Ollama"
STOPS = {"end": "stop", "length": "length", "refusal": "stop", "filter": "stop", "context": "length"}
TROUBLES = {
    "bad_request": (400, "bad request"),
    "no_model": (404, "model 'x' not found"),
    "no_tools": (400, "registry.ollama.ai/library/gemma:2b does not support tools"),
    "server_error": (500, "the model runner has stopped"),
    "overloaded": (503, "server busy, please try again. maximum pending requests exceeded"),
}
ASKED = {"/api/show": types.ShowRequest, "/api/chat": types.ChatRequest, "/api/embed": types.EmbedRequest}


def request_type(route):
    return types.ChatRequest if route == "/api/chat" else None


def said(say, body, **_):
    """Lines of JSON, one for each piece; calls come whole and have no ids."""
    messages = [{"role": "assistant", "content": "", "thinking": piece} for piece in halves(say.thought)]
    messages += [{"role": "assistant", "content": piece} for piece in halves(say.text)]
    for call in say.calls:
        called = {"function": {"name": call.name, "arguments": call.arguments}}
        messages.append({"role": "assistant", "content": "", "tool_calls": [called]})
    about = {"model": body["model"], "created_at": "2026-11-16T00:00:00Z"}
    lines = [{**about, "message": message, "done": False} for message in messages]
    counts = {"prompt_eval_count": say.counted.fresh, "eval_count": say.counted.answered + say.counted.thought}
    end = {"message": {"role": "assistant", "content": ""}, "done": True, "done_reason": STOPS[say.stop]}
    lines.append({**about, **end, **counts})
    for line in lines:
        types.ChatResponse.model_validate(line)
    return Answer(200, "".join(json.dumps(line) + "\n" for line in lines).encode(), "application/x-ndjson")


def trouble(wrong, _body):
    status, words = TROUBLES[wrong.what]
    return Answer(status, json.dumps({"error": words}).encode(), "application/json")


def complaints(seen):
    """What its types have against a question about models."""
    if seen.route in ("/api/tags", "/api/ps", "/api/version"):
        return [] if seen.method == "GET" else [f"{seen.method} {seen.route}: is asked with GET"]
    kind = ASKED.get(seen.route)
    if kind is None or seen.method != "POST":
        return [f"{seen.method} {seen.route}: no such address is known"]
    return [f"POST {seen.route}{one}" for one in problems(seen.body, kind)]


def beside(models, seen):
    """Lists and properties of models."""
    if seen.route == "/api/show":
        name = seen.body.get("model")
        talks = "embed" not in name
        shown = {
            "template": "{{ .Prompt }}",
            "details": {"family": "qwen25vl", "parameter_size": "3.8B", "quantization_level": "Q4_K_M"},
            "model_info": {"general.architecture": "qwen25vl", "qwen25vl.context_length": 32_768},
            "parameters": 'stop "<|im_end|>"\nnum_ctx 4096',
            "capabilities": ["completion", "tools", "vision"] if talks else ["embedding"],
        }
        types.ShowResponse.model_validate(shown)
        return Answer(200, json.dumps(shown).encode(), "application/json")
    if seen.route == "/api/version":
        return Answer(200, b'{"version": "0.20.0"}', "application/json")
    listed = [
        {"model": one["id"], "name": one["id"], "digest": "a" * 64, "size": 986_000_000, "details": {"family": "qwen2"}}
        for one in models
    ]
    if seen.route == "/api/ps":
        loaded = [{**one, "context_length": 4_096, "expires_at": "2026-11-16T00:05:00Z"} for one in listed]
        types.ProcessResponse.model_validate({"models": loaded})
        return Answer(200, json.dumps({"models": loaded}).encode(), "application/json")
    if seen.route == "/api/tags":
        dated = [{**one, "modified_at": "2026-11-01T00:00:00Z"} for one in listed]
        types.ListResponse.model_validate({"models": dated})
        return Answer(200, json.dumps({"models": dated}).encode(), "application/json")
    return Answer(404, b'{"error": "not found"}', "application/json")
