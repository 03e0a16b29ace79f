"""Anthropic's words: requests compared with the client's types, answers made of them."""

import json

from anthropic.types import (
    Message,
    ModelInfo,
    RawContentBlockDeltaEvent,
    RawContentBlockStartEvent,
    RawContentBlockStopEvent,
    RawMessageDeltaEvent,
    RawMessageStartEvent,
    RawMessageStopEvent,
)
from anthropic.types.message_create_params import MessageCreateParamsStreaming
from anthropic.types.shared.error_response import ErrorResponse

from spoken import Answer, Say, events, halves

NAME = "Anthropic"
MODEL = "claude-sonnet-5-5"
STOPS = {
    "end": "end_turn",
    "length": "max_tokens",
    "refusal": "refusal",
    "filter": "refusal",
    "context": "model_context_window_exceeded",
}
# Status, type, code.
TROUBLES = {
    "bad_request": (400, "invalid_request_error", None),
    "bad_key": (401, "authentication_error", None),
    "no_credit": (402, "billing_error", None),
    "spend_limit": (429, "rate_limit_error", "enforced_spend_limit_reached"),
    "on_hold": (403, "permission_error", "organization_on_hold"),
    "forbidden": (403, "permission_error", None),
    "no_model": (404, "not_found_error", None),
    "rate_limit": (429, "rate_limit_error", None),
    "ramp_limit": (429, "rate_limit_error", "ramp_limit_exceeded"),
    "server_error": (500, "api_error", None),
    "gateway_timeout": (504, "timeout_error", None),
    "overloaded": (529, "overloaded_error", None),
    "bad_picture": (400, "invalid_request_error", None),
}
# Where there is no code, the words are all there is.
WORDS = {"bad_picture": "messages.0.content.1.image.source.base64: Could not process image"}


def request_type(route):
    return MessageCreateParamsStreaming if route == "/v1/messages" else None


def said(say, body, **_):
    """A stream of events, each made by the client's own types."""
    blocks = []
    if say.thought:
        block = {"type": "thinking", "thinking": "", "signature": ""}
        pieces = [{"type": "thinking_delta", "thinking": piece} for piece in halves(say.thought)]
        blocks.append((block, [*pieces, {"type": "signature_delta", "signature": "c2lnbmVk"}]))
    if say.hidden_thought:
        blocks.append(({"type": "redacted_thinking", "data": "bG9ja2Vk"}, []))
    if say.text:
        deltas = [{"type": "text_delta", "text": piece} for piece in halves(say.text)]
        blocks.append(({"type": "text", "text": "", "citations": None}, deltas))
    for call in say.calls:
        pieces = halves(json.dumps(call.arguments)) if call.arguments else [""]
        deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
        block = {"type": "tool_use", "id": call.id, "name": call.name, "input": {}}
        blocks.append((block, deltas))
    made = [RawMessageStartEvent(type="message_start", message=opening(say, body))]
    for index, (block, deltas) in enumerate(blocks):
        made.append(RawContentBlockStartEvent(type="content_block_start", index=index, content_block=block))
        made += [RawContentBlockDeltaEvent(type="content_block_delta", index=index, delta=delta) for delta in deltas]
        made.append(RawContentBlockStopEvent(type="content_block_stop", index=index))
    stop = "tool_use" if say.calls and say.stop == "end" else STOPS[say.stop]
    details = {"type": "refusal", "category": "general_harms", "explanation": "No."} if stop == "refusal" else None
    made.append(
        RawMessageDeltaEvent(
            type="message_delta",
            delta={"stop_reason": stop, "stop_sequence": None, "stop_details": details},
            usage={
                "output_tokens": say.counted.answered + say.counted.thought,
                "output_tokens_details": {"thinking_tokens": say.counted.thought},
                "input_tokens": say.counted.fresh,
                "cache_read_input_tokens": say.counted.cached,
                "cache_creation_input_tokens": say.counted.written,
            },
        )
    )
    made.append(RawMessageStopEvent(type="message_stop"))
    written = [(event.type, event.model_dump_json(exclude_unset=True)) for event in made]
    written.insert(1, ("ping", '{"type":"ping"}'))
    return Answer(200, events(written), headers={"request-id": "req_1"})


def opening(say, body):
    return Message(
        id="msg_1",
        type="message",
        role="assistant",
        model=body["model"],
        content=[],
        stop_reason=None,
        stop_sequence=None,
        usage={
            "input_tokens": say.counted.fresh,
            "cache_read_input_tokens": say.counted.cached,
            "cache_creation_input_tokens": say.counted.written,
            "cache_creation": {"ephemeral_5m_input_tokens": say.counted.written, "ephemeral_1h_input_tokens": 0},
            "output_tokens": 1,
            "service_tier": "standard",
        },
    )


def trouble(wrong, body):
    status, kind, code = TROUBLES[wrong.what]
    error = {"type": kind, "message": WORDS.get(wrong.what, "Its wording can change.")}
    if code:
        error["details"] = {"error_code": code}
    # The type is what the client promises; what it leaves out, such as the code, the client reads from the body.
    ErrorResponse(type="error", error=error, request_id="req_1")
    text = json.dumps({"type": "error", "error": error, "request_id": "req_1"})
    if wrong.in_stream_after is not None:
        whole = said(Say(text=wrong.in_stream_after), body).body.decode()
        begun = whole.split("event: content_block_stop")[0]
        return Answer(200, begun.encode() + events([("error", text)]))
    headers = {"request-id": "req_1"}
    if wrong.retry_after is not None:
        headers["retry-after"] = str(int(wrong.retry_after))
    return Answer(status, text.encode(), "application/json", headers)


def model_list(models, seen):
    """Pages of one model each, so that whoever does not turn the page misses some."""
    after = seen.path.partition("after_id=")[2].split("&")[0]
    names = [model["id"] for model in models]
    start = names.index(after) + 1 if after in names else 0
    page = [ModelInfo(**info(model)) for model in models[start : start + 2]]
    body = {
        "data": [json.loads(one.model_dump_json()) for one in page],
        "has_more": start + 2 < len(models),
        "first_id": page[0].id if page else None,
        "last_id": page[-1].id if page else None,
    }
    return Answer(200, json.dumps(body).encode(), "application/json")


def info(model):
    yes, no = {"supported": True}, {"supported": False}
    effort = {"supported": True, "low": yes, "medium": yes, "high": yes, "max": yes, "xhigh": no}
    thinking = {"supported": True, "types": {"adaptive": yes, "between_tools": no, "disabled": yes, "enabled": no}}
    return {
        "id": model["id"],
        "type": "model",
        "created_at": "2026-09-01T00:00:00Z",
        "display_name": model["id"],
        "lifecycle": model.get("lifecycle", "active"),
        "retires_at": model.get("ends"),
        "deprecated_at": "2026-06-01T00:00:00Z" if model.get("ends") else None,
        "line": model.get("line"),
        "max_input_tokens": 200_000,
        "max_tokens": 64_000,
        "capabilities": {
            "batch": yes,
            "citations": yes,
            "code_execution": no,
            "context_management": {"supported": False},
            "effort": effort,
            "image_input": yes,
            "pdf_input": yes,
            "server_tools": {"supported": False, "web_search": no, "code_execution": no},
            "structured_outputs": yes,
            "thinking": thinking,
        },
    }
