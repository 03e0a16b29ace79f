"""Our own doubles, read by the vendors' own clients: what they answered in the tests must be what a vendor could answer.
What they were asked there, by Denizen whole or in parts, is compared with the vendors' types as well.

The doubles keep what they answer in a file where `DENIZEN_KEEP_ANSWERS` names one; each line is one exchange.
"""

import collections
import json

import anthropic
import httpx2
import ollama._types as ollama_types
import openai
from anthropic.types import Message, ModelInfo, RawMessageStreamEvent
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming, MessageCreateParamsStreaming
from anthropic.types.shared.error_response import ErrorResponse
from google import genai
from google.genai import types as gemini_types
from openai.types import CreateEmbeddingResponse, EmbeddingCreateParams, ImageGenerateParams, VideoCreateParams
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.chat.completion_create_params import (
    CompletionCreateParamsNonStreaming,
    CompletionCreateParamsStreaming,
)
from openai.types.responses import Response, ResponseStreamEvent
from openai.types.responses.response_create_params import (
    ResponseCreateParamsNonStreaming,
    ResponseCreateParamsStreaming,
)
from openai.types.shared import ErrorObject

import as_gemini
from official import KEY
from shape import problems

# Tests whose double is no vendor on purpose, by words of their names: what comes is cut, foreign, or not even JSON.
ON_PURPOSE = (
    "garbage",
    "without_end",
    "half_",
    "do_not_fit",
    "redirect",
    "nothing_of_a_text",
    "several_servers",
    "cannot_be_had",
    "travels_whole",
    "the_key_is_in_no_body",
    "does_not_stream",
    "nothing_of_a_text_or_a_key",
    "trouble_that_stays",
    "waited_out",
    "given_up_after_the_patience",
    "misspeak",
    "not_by_any_404",
    "a_server_without_it",
    "where_tools_and_thoughts_are_refused_together",
    "hostile",
    "where_a_refusal_does_not_name_it",
)
MESSAGES = [{"role": "user", "content": "hello"}]


class Unreadable(Exception):
    """Why an answer is none of the vendor's."""


def judged(path):
    """How many requests and answers of each kind are right, and what is wrong with the others, by test."""
    asked, read, wrong = collections.Counter(), collections.Counter(), collections.defaultdict(list)
    with open(path, encoding="utf-8") as lines:
        exchanges = {json.dumps(json.loads(line), sort_keys=True) for line in lines}
    for text in sorted(exchanges):
        exchange = json.loads(text)
        route = exchange["path"].split("?")[0]
        compare_request(route, exchange, asked, wrong)
        kind = next((name for name, fits, _ in READERS if fits(route)), None)
        if kind is None or exchange["status"] == 0:
            continue
        if any(word in exchange["test"] for word in ON_PURPOSE):
            read["no vendor's on purpose"] += 1
            continue
        reader = next(reader for name, _, reader in READERS if name == kind)
        try:
            reader(exchange)
            read[kind] += 1
        except Unreadable as problem:
            wrong[exchange["test"]].append(str(problem))
    return asked, read, wrong


def compare_request(route, exchange, asked, wrong):
    kind = next((kind for ending, kind in REQUESTS if route.endswith(ending)), None)
    if kind is None or exchange["method"] != "POST":
        return
    body = json.loads(exchange["asked"])
    # Where a server will not stream, the question is asked without.
    found = problems(body, kind if body.get("stream") else WITHOUT_STREAM.get(kind, kind))
    asked[next(ending for ending, _ in REQUESTS if route.endswith(ending))] += 1
    wrong[exchange["test"]] += [f"the request to {route}{one}" for one in found]


def replaying(exchange):
    """In place of the network: the answer as the double gave it."""

    def answer(_request):
        headers = {"content-type": exchange["type"]} if exchange["type"] else {}
        return httpx2.Response(exchange["status"], headers=headers, content=exchange["answer"].encode())

    return httpx2.MockTransport(answer)


def data_of(exchange):
    """The JSON of each whole event."""
    found = []
    for block in exchange["answer"].replace("\r\n", "\n").split("\n\n"):
        lines = [line[5:].strip() for line in block.split("\n") if line.startswith("data:")]
        if lines and "\n".join(lines) != "[DONE]":
            try:
                found.append(json.loads("\n".join(lines)))
            except ValueError:
                if exchange["whole"]:
                    raise Unreadable(f"an event is no JSON: {lines[0][:80]}") from None
    return found


def compare(events, kind, skipped=()):
    for event in events:
        if event.get("type") in skipped or "error" in event:
            continue
        found = problems(event, kind)
        if found:
            raise Unreadable("; ".join(found[:3]))


def read_messages(exchange):
    client = anthropic.Anthropic(
        api_key=KEY,
        max_retries=0,
        http_client=anthropic.DefaultHttpxClient(transport=replaying(exchange)),
        _strict_response_validation=True,
    )
    if exchange["status"] != 200:
        return compare([parsed(exchange)], ErrorResponse) or refuse_unless_typed(parsed(exchange), ErrorResponse)
    if exchange["type"].startswith("application/json"):
        return refuse_unless_typed(parsed(exchange), Message)
    compare(data_of(exchange), RawMessageStreamEvent, skipped=("ping",))
    consumed(exchange, lambda: client.messages.create(model="m", max_tokens=1, messages=MESSAGES, stream=True))
    if exchange["whole"] and "message_stop" in exchange["answer"]:
        with client.messages.stream(model="m", max_tokens=1, messages=MESSAGES) as stream:
            guarded(exchange, stream.get_final_message)
    return None


def openai_client(exchange, strict=True):
    return openai.OpenAI(
        api_key=KEY,
        max_retries=0,
        http_client=openai.DefaultHttpxClient(transport=replaying(exchange)),
        _strict_response_validation=strict,
    )


def is_imitation(exchange):
    """Servers that speak like OpenAI leave things out and add others; its client reads them all the same."""
    model = str(json.loads(exchange["asked"] or "{}").get("model"))
    return not model.startswith(("gpt-", "o1", "o3", "o4", "text-embedding"))


def read_completions(exchange):
    if is_imitation(exchange):
        read_imitation(exchange)
        return None
    if exchange["status"] != 200:
        return refuse_unless_typed(parsed(exchange).get("error"), ErrorObject)
    if exchange["type"].startswith("application/json"):
        return refuse_unless_typed(parsed(exchange), ChatCompletion)
    compare(data_of(exchange), ChatCompletionChunk)
    create = openai_client(exchange).chat.completions.create
    consumed(exchange, lambda: create(model="m", messages=MESSAGES, stream=True))
    return None


def read_imitation(exchange):
    create = openai_client(exchange, strict=False).chat.completions.create
    if exchange["status"] == 200 and exchange["type"].startswith("text/event-stream"):
        consumed(exchange, lambda: create(model="m", messages=MESSAGES, stream=True))
    elif exchange["status"] == 200:
        guarded(exchange, lambda: create(model="m", messages=MESSAGES))


def read_responses(exchange):
    if exchange["status"] != 200:
        return refuse_unless_typed(parsed(exchange).get("error"), ErrorObject)
    if exchange["type"].startswith("application/json"):
        return refuse_unless_typed(parsed(exchange), Response)
    compare(data_of(exchange), ResponseStreamEvent)
    consumed(exchange, lambda: openai_client(exchange).responses.create(model="m", input="hello", stream=True))
    return None


def read_gemini(exchange):
    if exchange["status"] != 200:
        error = parsed(exchange).get("error", {})
        if not {"code", "message", "status"} <= set(error):
            raise Unreadable(f"an error without code, message and status: {error}")
        return None
    compare(data_of(exchange), gemini_types.GenerateContentResponse)
    options = gemini_types.HttpOptions(httpx_client=httpx2.Client(transport=replaying(exchange)))
    client = genai.Client(api_key=KEY, http_options=options)
    consumed(exchange, lambda: client.models.generate_content_stream(model="m", contents="hello"))
    return None


def read_embeddings(exchange):
    if is_imitation(exchange):
        return parsed(exchange)
    if exchange["status"] != 200:
        return refuse_unless_typed(parsed(exchange).get("error"), ErrorObject)
    return refuse_unless_typed(parsed(exchange), CreateEmbeddingResponse)


def read_models(exchange):
    """By the client whose list it looks like. A double that has one answer for everything has no list."""
    if exchange["status"] != 200 or not exchange["type"].startswith("application/json"):
        return
    listed = parsed(exchange)
    if "models" in listed:
        options = gemini_types.HttpOptions(httpx_client=httpx2.Client(transport=replaying(once(exchange))))
        guarded(exchange, lambda: list(genai.Client(api_key=KEY, http_options=options).models.list()))
        return
    if not isinstance(listed.get("data"), list) or not all("id" in model for model in listed["data"]):
        raise Unreadable("a list of models without data and ids")
    if any("lifecycle" in model for model in listed["data"]):
        compare(listed["data"], ModelInfo)
    else:
        guarded(exchange, lambda: list(openai_client(exchange, strict=False).models.list()))


def once(exchange):
    """The same list as its own last page: whoever turns pages would read it for ever."""
    listed = json.loads(exchange["answer"])
    listed.pop("nextPageToken", None)
    return {**exchange, "answer": json.dumps(listed)}


def read_ollama(exchange):
    if exchange["status"] != 200:
        return
    kinds = {"embed": "EmbedResponse", "show": "ShowResponse", "tags": "ListResponse", "ps": "ProcessResponse"}
    kind = kinds.get(exchange["path"].rpartition("/")[2])
    if kind:
        try:
            getattr(ollama_types, kind).model_validate(parsed(exchange))
        except ValueError as error:
            raise Unreadable(" ".join(str(error).split())[:200]) from error


def parsed(exchange):
    try:
        value = json.loads(exchange["answer"])
    except ValueError:
        raise Unreadable(f"the body is no JSON: {exchange['answer'][:80]!r}") from None
    if not isinstance(value, dict):
        raise Unreadable(f"the body is no object: {exchange['answer'][:80]!r}")
    return value


def refuse_unless_typed(value, kind):
    found = problems(value, kind)
    if found:
        raise Unreadable("; ".join(found[:3]))


def consumed(exchange, open_stream):
    """Reads to the end, as the client does; an error that a double reports on purpose is one it understands."""
    guarded(exchange, lambda: collections.deque(open_stream(), maxlen=0))


def guarded(exchange, read):
    try:
        read()
    except (anthropic.APIStatusError, openai.APIError, genai.errors.APIError) as error:
        if "error" not in exchange["answer"]:
            raise Unreadable(f"{type(error).__name__}: {error}") from error
    except (anthropic.APIResponseValidationError, ValueError, TypeError, RuntimeError, AssertionError) as error:
        if exchange["whole"]:
            raise Unreadable(f"{type(error).__name__}: {' '.join(str(error).split())[:200]}") from error


REQUESTS = [
    ("/v1/messages", MessageCreateParamsStreaming),
    ("/chat/completions", CompletionCreateParamsStreaming),
    ("/v1/responses", ResponseCreateParamsStreaming),
    ("GenerateContent", as_gemini.Body),
    ("/embeddings", EmbeddingCreateParams),
    ("/api/embed", ollama_types.EmbedRequest),
    ("/api/show", ollama_types.ShowRequest),
    ("/images/generations", ImageGenerateParams),
    ("/videos", VideoCreateParams),
]
WITHOUT_STREAM = {
    MessageCreateParamsStreaming: MessageCreateParamsNonStreaming,
    CompletionCreateParamsStreaming: CompletionCreateParamsNonStreaming,
    ResponseCreateParamsStreaming: ResponseCreateParamsNonStreaming,
}
READERS = [
    ("Anthropic messages", lambda route: route.endswith("/v1/messages"), read_messages),
    ("chat completions", lambda route: route.endswith("/chat/completions"), read_completions),
    ("OpenAI Responses", lambda route: route.endswith("/v1/responses"), read_responses),
    ("Gemini", lambda route: "GenerateContent" in route, read_gemini),
    ("embeddings", lambda route: route.endswith("/embeddings"), read_embeddings),
    ("Ollama", lambda route: "/api/" in route, read_ollama),
    ("lists of models", lambda route: route.endswith("/models"), read_models),
]
