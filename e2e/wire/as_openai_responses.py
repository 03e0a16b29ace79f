"""OpenAI's Responses API: requests compared with the client's types, answers made of them."""

import json

import pydantic
from openai.types.responses import Response, ResponseErrorEvent, ResponseStreamEvent
from openai.types.responses.response_create_params import ResponseCreateParamsStreaming
from openai.types.shared import ErrorObject

from as_openai_chat import TROUBLES, model_list  # noqa: F401 - the list and the errors are the same
from spoken import Answer, Say, events, halves

NAME = "OpenAI Responses"
EVENT = pydantic.TypeAdapter(ResponseStreamEvent)
# Where an answer has begun, trouble comes as the end of it.
FAILURES = {"rate_limit": "rate_limit_exceeded", "server_error": "server_error", "overloaded": "server_error"}


def request_type(route):
    return ResponseCreateParamsStreaming if route == "/v1/responses" else None


class Stream:
    """Numbers the events, and has each made by its type."""

    def __init__(self, body):
        self.body = body
        self.made = []
        self.output = []

    def add(self, kind, **fields):
        event = {"type": kind, "sequence_number": len(self.made), **fields}
        self.made.append(EVENT.validate_python(event))

    def item(self, opened, done, between):
        index = len(self.output)
        self.add("response.output_item.added", output_index=index, item=opened)
        for kind, fields in between:
            self.add(kind, output_index=index, item_id=done["id"], **fields)
        self.add("response.output_item.done", output_index=index, item=done)
        self.output.append(done)

    def response(self, status, counted=None, why=None, error=None):
        return Response(
            id="resp_1",
            object="response",
            created_at=1_790_000_000,
            model=self.body["model"],
            status=status,
            output=self.output if counted else [],
            parallel_tool_calls=True,
            tool_choice="auto",
            tools=[],
            error=error,
            incomplete_details={"reason": why} if why else None,
            instructions=None,
            metadata={},
            temperature=1.0,
            top_p=1.0,
            usage=usage(counted) if counted else None,
        )

    def answer(self):
        written = [(event.type, event.model_dump_json(exclude_unset=True)) for event in self.made]
        return Answer(200, events(written), headers={"x-request-id": "req_1"})


def usage(counted):
    prompt, answer = counted.fresh + counted.cached + counted.written, counted.answered + counted.thought
    return {
        "input_tokens": prompt,
        "input_tokens_details": {"cached_tokens": counted.cached, "cache_write_tokens": counted.written},
        "output_tokens": answer,
        "output_tokens_details": {"reasoning_tokens": counted.thought},
        "total_tokens": prompt + answer,
    }


def said(say, body, **_):
    stream = begun(say, body)
    if say.stop in ("length", "filter", "context"):
        why = "content_filter" if say.stop == "filter" else "max_output_tokens"
        stream.add("response.incomplete", response=stream.response("incomplete", say.counted, why))
    else:
        stream.add("response.completed", response=stream.response("completed", say.counted))
    return stream.answer()


def begun(say, body):
    """Everything but the end."""
    stream = Stream(body)
    stream.add("response.created", response=stream.response("in_progress"))
    stream.add("response.in_progress", response=stream.response("in_progress"))
    if say.thought or say.hidden_thought:
        reason(stream, say)
    if say.text or say.refusal:
        speak(stream, say)
    for at, call in enumerate(say.calls):
        text = json.dumps(call.arguments)
        item = {"type": "function_call", "id": f"fc_{at}", "call_id": call.id, "name": call.name}
        pieces = [("response.function_call_arguments.delta", {"delta": piece}) for piece in halves(text)]
        pieces.append(("response.function_call_arguments.done", {"arguments": text, "name": call.name}))
        opened = {**item, "arguments": "", "status": "in_progress"}
        stream.item(opened, {**item, "arguments": text, "status": "completed"}, pieces)
    return stream


def reason(stream, say):
    done = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "bG9ja2Vk"}
    between = []
    if say.thought:
        part = {"type": "summary_text", "text": say.thought}
        done["summary"] = [part]
        between.append(("response.reasoning_summary_part.added", {"summary_index": 0, "part": {**part, "text": ""}}))
        for piece in halves(say.thought):
            between.append(("response.reasoning_summary_text.delta", {"summary_index": 0, "delta": piece}))
        between.append(("response.reasoning_summary_text.done", {"summary_index": 0, "text": say.thought}))
        between.append(("response.reasoning_summary_part.done", {"summary_index": 0, "part": part}))
    # What is locked is whole only at the end.
    opened = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "bG9j"}
    stream.item(opened, done, between)


def speak(stream, say):
    if say.refusal:
        part, empty = {"type": "refusal", "refusal": say.refusal}, {"type": "refusal", "refusal": ""}
        pieces = [("response.refusal.delta", {"content_index": 0, "delta": piece}) for piece in halves(say.refusal)]
        pieces.append(("response.refusal.done", {"content_index": 0, "refusal": say.refusal}))
    else:
        part = {"type": "output_text", "text": say.text, "annotations": [], "logprobs": []}
        empty = {**part, "text": ""}
        pieces = [
            ("response.output_text.delta", {"content_index": 0, "delta": piece, "logprobs": []})
            for piece in halves(say.text)
        ]
        pieces.append(("response.output_text.done", {"content_index": 0, "text": say.text, "logprobs": []}))
    message = {"type": "message", "id": "msg_1", "role": "assistant", "phase": "final_answer"}
    between = [
        ("response.content_part.added", {"content_index": 0, "part": empty}),
        *pieces,
        ("response.content_part.done", {"content_index": 0, "part": part}),
    ]
    status = "incomplete" if say.stop in ("length", "filter", "context") else "completed"
    done = {**message, "status": status, "content": [part]}
    stream.item({**message, "status": "in_progress", "content": []}, done, between)


def trouble(wrong, body):
    if wrong.in_stream_after is None:
        status, kind, code, param = TROUBLES[wrong.what]
        param = "input" if param == "messages" else param
        error = ErrorObject(message="Its wording can change.", type=kind, code=code, param=param)
        headers = {"x-request-id": "req_1"}
        if wrong.retry_after is not None:
            headers["retry-after"] = str(int(wrong.retry_after))
        text = json.dumps({"error": error.model_dump(exclude_unset=True)})
        return Answer(status, text.encode(), "application/json", headers)
    stream = begun(Say(text=wrong.in_stream_after), body)
    code = FAILURES[wrong.what]
    if wrong.what == "overloaded":
        event = ResponseErrorEvent(
            type="error", code=code, message="Its wording can change.", param=None, sequence_number=len(stream.made)
        )
        stream.made.append(event)
    else:
        error = {"code": code, "message": "Its wording can change."}
        stream.add("response.failed", response=stream.response("failed", error=error))
    return stream.answer()
