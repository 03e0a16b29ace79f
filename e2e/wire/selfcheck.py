"""Whether the comparison can fail at all: requests that are wrong in one place each, and a right one of each vendor."""

import as_anthropic
import as_gemini
import as_ollama
import as_openai_chat
import as_openai_responses
from shape import problems

ASKED = {"role": "user", "content": "hello"}
PICTURE = {"type": "image", "source": {"type": "base64", "media_type": "image/bmp", "data": "aa"}}
CALL = {"id": "a", "type": "function", "function": {"name": "look", "arguments": {}}}
# The wire, a right request, what is done to it, and a word of the complaint.
WRONG = [
    (as_anthropic, {"temperature": 0.8}, "no such key"),
    (as_anthropic, {"max_tokens": "600"}, "is no int"),
    (as_anthropic, {"output_config": {"effort": "none"}}, "is none of"),
    (as_anthropic, {"messages": [{"role": "user", "content": [PICTURE]}]}, "image/bmp"),
    (
        as_anthropic,
        {"messages": [{"role": "assistant", "content": [{"type": "thinking", "thinking": "x"}]}]},
        "signature",
    ),
    (as_openai_chat, {"reasoning": {"effort": "low"}}, "no such key"),
    (as_openai_chat, {"messages": [{"role": "assistant", "tool_calls": [CALL]}]}, "is no str"),
    (as_openai_responses, {"stream_options": {"include_usage": True}}, "no such key"),
    (as_openai_responses, {"tools": [{"type": "function", "name": "x", "parameters": {}}]}, "needs `strict`"),
    (as_openai_responses, {"input": [{"type": "reasoning", "summary": []}]}, "needs `id`"),
    (as_gemini, {"contents": [{"role": "user", "parts": [{"inline_data": {}}]}]}, "no such key"),
    (as_gemini, {"generationConfig": {"thinkingConfig": {"thinkingLevel": "none"}}}, "is no ThinkingLevel"),
    (as_ollama, {"options": {"num_ctx": "4096"}, "think": 3}, "think"),
]
RIGHT = {
    as_anthropic: {"model": "m", "max_tokens": 600, "stream": True, "messages": [ASKED]},
    as_openai_chat: {"model": "m", "stream": True, "messages": [ASKED]},
    as_openai_responses: {"model": "m", "stream": True, "input": [ASKED]},
    as_gemini: {"contents": [{"role": "user", "parts": [{"text": "hello"}]}]},
    as_ollama: {"model": "m", "stream": True, "messages": [ASKED]},
}
ROUTES = {
    as_anthropic: "/v1/messages",
    as_openai_chat: "/v1/chat/completions",
    as_openai_responses: "/v1/responses",
    as_gemini: "/v1/models/m:streamGenerateContent",
    as_ollama: "/api/chat",
}


def run():
    """Ends the run where the comparison is blind."""
    for wire, right in RIGHT.items():
        found = problems(right, wire.request_type(ROUTES[wire]))
        if found:
            raise SystemExit(f"the comparison complains about a right request of {wire.NAME}: {found}")
    for wire, change, word in WRONG:
        found = problems({**RIGHT[wire], **change}, wire.request_type(ROUTES[wire]))
        if not any(word in one for one in found):
            raise SystemExit(f"the comparison does not see what is wrong with {change} for {wire.NAME}: {found}")
