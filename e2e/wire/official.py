"""The vendors' own clients: what they would send for the same request."""

import contextlib
import functools
import importlib.metadata
import json

import anthropic
import httpx2
import openai
from google import genai
from google.genai import types as gemini_types

KEY = "test-key-3f9a7c21"
PACKAGES = ("anthropic", "openai", "google-genai", "ollama")
# Where Gemini's client takes these from the configuration of an answer, they travel beside it.
BESIDE = ("systemInstruction", "tools", "toolConfig", "safetySettings", "cachedContent", "store", "serviceTier")


class Catcher:
    """Takes the place of the network: keeps the request, and lets nothing out."""

    def __init__(self):
        self.request = None
        self.transport = httpx2.MockTransport(self.catch)

    def catch(self, request):
        self.request = request
        return httpx2.Response(418, json={"error": {"message": "caught", "code": 418, "status": "CAUGHT"}})


CATCHER = Catcher()
ANTHROPIC = anthropic.Anthropic(
    api_key=KEY,
    base_url="http://vendor",
    http_client=anthropic.DefaultHttpxClient(transport=CATCHER.transport),
    max_retries=0,
)
OPENAI = openai.OpenAI(
    api_key=KEY,
    base_url="http://vendor/v1",
    http_client=openai.DefaultHttpxClient(transport=CATCHER.transport),
    max_retries=0,
)
GEMINI = genai.Client(
    api_key=KEY,
    http_options=gemini_types.HttpOptions(
        base_url="http://vendor", httpx_client=httpx2.Client(transport=CATCHER.transport)
    ),
)


def sent_by_client(seen):
    """The same request, made by the official client; or why it will not make it."""
    CATCHER.request = None
    try:
        send(seen)
    except (anthropic.APIStatusError, openai.APIStatusError, genai.errors.APIError):
        return CATCHER.request, None
    # What it does not know, it will not take; what is of another type, it cannot convert.
    except (TypeError, ValueError) as error:
        return None, " ".join(str(error).split())[:200]
    return CATCHER.request, None


@functools.cache
def asked_for_list(provider):
    """How the official client asks for the list of models."""
    client = {"anthropic": ANTHROPIC, "gemini": GEMINI}.get(provider, OPENAI)
    with contextlib.suppress(anthropic.APIStatusError, openai.APIStatusError, genai.errors.APIError):
        list(client.models.list())
    return CATCHER.request


def asked_of_bedrock(token):
    """What Anthropic's client for Bedrock sends."""
    client = anthropic.AnthropicBedrockMantle(
        api_key=token,
        aws_region="eu-central-1",
        http_client=anthropic.DefaultHttpxClient(transport=CATCHER.transport),
        max_retries=0,
    )
    with contextlib.suppress(anthropic.APIStatusError):
        client.messages.create(model="m", max_tokens=1, messages=[{"role": "user", "content": "hello"}])
    return CATCHER.request


def send(seen):
    body = json.loads(json.dumps(seen.body))
    if seen.route == "/v1/messages":
        ANTHROPIC.messages.create(**body)
    elif seen.route == "/v1/chat/completions":
        OPENAI.chat.completions.create(**body)
    elif seen.route == "/v1/responses":
        OPENAI.responses.create(**body)
    elif seen.route.endswith(":streamGenerateContent"):
        send_to_gemini(seen.route, body)
    else:
        raise ValueError(f"no client is known that asks {seen.route}")


def send_to_gemini(route, body):
    """Its client makes the body from a configuration, so the configuration is made from the body first."""
    config = dict(body.pop("generationConfig", {}))
    config |= {key: body.pop(key) for key in BESIDE if key in body}
    contents = [gemini_types.Content.model_validate(one) for one in body.pop("contents", [])]
    if body:
        raise ValueError(f"it has no {', '.join(sorted(body))}")
    model = route.rpartition("/models/")[2].partition(":")[0]
    config = gemini_types.GenerateContentConfig.model_validate(config)
    for _ in GEMINI.models.generate_content_stream(model=model, contents=contents, config=config):
        pass


def written_alike(value):
    """With keys in one spelling: Gemini takes `thinking_budget` for `thinkingBudget`, and its client sends both."""
    if isinstance(value, dict):
        return {in_camel_case(key): written_alike(held) for key, held in value.items()}
    return [written_alike(one) for one in value] if isinstance(value, list) else value


def in_camel_case(key):
    first, *rest = key.split("_")
    return first + "".join(word.capitalize() for word in rest)


def differences(ours, theirs, path=""):
    """Where two JSON values differ; what is missing is the same as null and as an empty list."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        keys = sorted(set(ours) | set(theirs))
        return [one for key in keys for one in differences(ours.get(key), theirs.get(key), f"{path}.{key}")]
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        return [one for at in range(len(ours)) for one in differences(ours[at], theirs[at], f"{path}[{at}]")]
    if ours == theirs or (ours in (None, [], {}) and theirs in (None, [], {})) or is_same_base64(ours, theirs):
        return []
    return [f"{path}: Denizen sends {json.dumps(ours)[:80]}, the official client {json.dumps(theirs)[:80]}"]


def is_same_base64(ours, theirs):
    if not (isinstance(ours, str) and isinstance(theirs, str)):
        return False
    plain = str.maketrans("-_", "+/")
    return ours.translate(plain).rstrip("=") == theirs.translate(plain).rstrip("=")


def versions():
    return {package: importlib.metadata.version(package) for package in PACKAGES}
