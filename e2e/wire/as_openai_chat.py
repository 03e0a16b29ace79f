"""OpenAI's chat completions: requests compared with the client's types, answers made of them."""

import json

from openai.types import Model
from openai.types.chat import ChatCompletionChunk
from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming
from openai.types.shared import ErrorObject

from spoken import Answer, Say, events, halves

NAME = "OpenAI chat completions"
STOPS = {"end": "stop", "length": "length", "refusal": "stop", "filter": "content_filter", "context": "length"}
# Status, type, code, param.
TROUBLES = {
    "bad_request": (400, "invalid_request_error", None, None),
    "bad_key": (401, "invalid_request_error", "invalid_api_key", None),
    "no_credit": (429, "insufficient_quota", "insufficient_quota", None),
    "spend_limit": (429, "insufficient_quota", "billing_hard_limit_reached", None),
    "forbidden": (403, "invalid_request_error", "unsupported_country_region_territory", None),
    "no_model": (404, "invalid_request_error", "model_not_found", "model"),
    "rate_limit": (429, "rate_limit_error", "rate_limit_exceeded", None),
    "too_long": (400, "invalid_request_error", "context_length_exceeded", "messages"),
    "declined": (400, "invalid_request_error", "content_policy_violation", None),
    "bad_picture": (400, "invalid_request_error", "invalid_image_format", "messages"),
    "server_error": (500, "server_error", "server_error", None),
    "overloaded": (503, "server_error", "server_overloaded", None),
}


def request_type(route):
    return CompletionCreateParamsStreaming if route == "/v1/chat/completions" else None


def said(say, body, index_of=lambda at: at, dialect=None):
    """A stream of chunks. Some servers number every call 0, and some put thoughts beside the text."""
    deltas = [{"role": "assistant", "content": None if say.calls or say.refusal else ""}]
    if say.thought and dialect:
        deltas += [{"content": "", dialect: piece} for piece in halves(say.thought)]
    deltas += [{"content": piece} for piece in halves(say.text)]
    deltas += [{"refusal": piece} for piece in halves(say.refusal)]
    for at, call in enumerate(say.calls):
        index, pieces = index_of(at), halves(json.dumps(call.arguments))
        first = {"name": call.name, "arguments": "" if index == at else json.dumps(call.arguments)}
        deltas.append({"tool_calls": [{"index": index, "id": call.id, "type": "function", "function": first}]})
        if index == at:
            deltas += [{"tool_calls": [{"index": index, "function": {"arguments": piece}}]} for piece in pieces]
    stop = "tool_calls" if say.calls and say.stop == "end" else STOPS[say.stop]
    choices = [[{"index": 0, "delta": delta, "finish_reason": None, "logprobs": None}] for delta in deltas]
    choices.append([{"index": 0, "delta": {}, "finish_reason": stop, "logprobs": None}])
    made = [chunk(body, one) for one in choices]
    if (body.get("stream_options") or {}).get("include_usage"):
        made.append(chunk(body, [], usage(say.counted)))
    written = [(None, one.model_dump_json(exclude_unset=True)) for one in made]
    return Answer(200, events([*written, (None, "[DONE]")]), headers={"x-request-id": "req_1"})


def chunk(body, choices, usage=None):
    return ChatCompletionChunk(
        id="chatcmpl-1",
        created=1_790_000_000,
        model=body["model"],
        object="chat.completion.chunk",
        choices=choices,
        usage=usage,
        service_tier="default",
        obfuscation="Xq3",
    )


def usage(counted):
    prompt, answer = counted.fresh + counted.cached + counted.written, counted.answered + counted.thought
    return {
        "prompt_tokens": prompt,
        "completion_tokens": answer,
        "total_tokens": prompt + answer,
        "prompt_tokens_details": {"cached_tokens": counted.cached, "cache_write_tokens": counted.written},
        "completion_tokens_details": {"reasoning_tokens": counted.thought},
    }


def trouble(wrong, body):
    status, kind, code, param = TROUBLES[wrong.what]
    error = ErrorObject(message="Its wording can change.", type=kind, code=code, param=param)
    text = json.dumps({"error": error.model_dump(exclude_unset=True)})
    if wrong.in_stream_after is not None:
        begun = said(Say(text=wrong.in_stream_after), body).body.decode().split("data: ")
        kept = "data: ".join(begun[: 1 + 1 + len(halves(wrong.in_stream_after))])
        return Answer(200, kept.encode() + events([(None, text)]))
    headers = {"x-request-id": "req_1"}
    if wrong.retry_after is not None:
        headers["retry-after"] = str(int(wrong.retry_after))
    return Answer(status, text.encode(), "application/json", headers)


def model_list(models, _seen):
    made = [
        Model(
            id=model["id"],
            created=1_790_000_000,
            object="model",
            owned_by="system",
            shutdown_date=(model.get("ends") or "")[:10] or None,
        )
        for model in models
    ]
    body = {"object": "list", "data": [one.model_dump() for one in made]}
    return Answer(200, json.dumps(body).encode(), "application/json")
