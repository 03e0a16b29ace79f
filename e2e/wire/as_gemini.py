"""Gemini's words: requests compared with the client's types and with what it would send itself, answers made of them."""

import json
import typing

from google.genai import types

from spoken import Answer, events, halves

NAME = "Gemini"
STOPS = {
    "end": "STOP",
    "length": "MAX_TOKENS",
    "refusal": "SAFETY",
    "filter": "PROHIBITED_CONTENT",
    "context": "MAX_TOKENS",
}
# Status, name, details.
REASON = "type.googleapis.com/google.rpc.ErrorInfo"
TROUBLES = {
    "bad_request": (400, "INVALID_ARGUMENT", []),
    "bad_key": (400, "INVALID_ARGUMENT", [{"@type": REASON, "reason": "API_KEY_INVALID", "domain": "googleapis.com"}]),
    "forbidden": (403, "PERMISSION_DENIED", []),
    "no_model": (404, "NOT_FOUND", []),
    "rate_limit": (429, "RESOURCE_EXHAUSTED", []),
    "day_quota": (
        429,
        "RESOURCE_EXHAUSTED",
        [
            {
                "@type": "type.googleapis.com/google.rpc.QuotaFailure",
                "violations": [
                    {
                        "quotaMetric": "generativelanguage.googleapis.com/generate_content_free_tier_requests",
                        "quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier",
                        "quotaValue": "250",
                    }
                ],
            }
        ],
    ),
    "server_error": (500, "INTERNAL", []),
    "overloaded": (503, "UNAVAILABLE", []),
    "gateway_timeout": (504, "DEADLINE_EXCEEDED", []),
    "bad_picture": (400, "INVALID_ARGUMENT", []),
}
# Where there is no reason, the words are all there is.
WORDS = {"bad_picture": "Unable to process input image. Please retry or report the problem."}


class Body(typing.TypedDict, total=False):
    """The client has no type for the whole of a request; these are the types of its parts, where it puts them."""

    contents: typing.Required[list[types.Content]]
    systemInstruction: types.Content
    tools: list[types.Tool]
    toolConfig: types.ToolConfig
    safetySettings: list[types.SafetySetting]
    cachedContent: str
    store: bool
    serviceTier: types.ServiceTier
    generationConfig: types.GenerateContentConfig


def request_type(route):
    return Body if "/models/" in route and route.endswith(":streamGenerateContent") else None


def said(say, body, **_):
    """A stream of answers, one for each piece; a thought's signature comes with what follows it."""
    signature = "c2lnbmVk" if say.thought or say.hidden_thought else None
    parts = [{"text": piece, "thought": True} for piece in halves(say.thought)]
    for at, piece in enumerate(halves(say.text)):
        signed = {"thoughtSignature": signature} if signature and at == 0 and not say.calls else {}
        parts.append({"text": piece, **signed})
    for at, call in enumerate(say.calls):
        function = {"name": call.name, "args": call.arguments, "id": call.id}
        signed = {"thoughtSignature": signature} if signature and at == 0 else {}
        parts.append({"functionCall": function, **signed})
    if say.refusal and not say.text:
        return blocked()
    made = [made_of([part]) for part in parts]
    made.append(made_of([{"text": ""}], STOPS[say.stop], usage(say.counted)))
    return Answer(200, events([(None, json.dumps(one)) for one in made]))


def made_of(parts, stop=None, counted=None):
    candidate = {"content": {"role": "model", "parts": parts}, "index": 0}
    if stop:
        candidate["finishReason"] = stop
    whole = {"candidates": [candidate], "modelVersion": "gemini-3.8-flash", "responseId": "r1"}
    whole["modelStatus"] = {"modelStage": "STABLE"}
    if counted:
        whole["usageMetadata"] = counted
    types.GenerateContentResponse.model_validate(whole)
    return whole


def blocked():
    """The question was not even answered."""
    whole = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "modelVersion": "gemini-3.8-flash"}
    whole["usageMetadata"] = {"promptTokenCount": 100, "totalTokenCount": 100}
    types.GenerateContentResponse.model_validate(whole)
    return Answer(200, events([(None, json.dumps(whole))]))


def usage(counted):
    prompt = counted.fresh + counted.cached + counted.written
    return {
        "promptTokenCount": prompt,
        "cachedContentTokenCount": counted.cached,
        "candidatesTokenCount": counted.answered,
        "thoughtsTokenCount": counted.thought,
        "totalTokenCount": prompt + counted.answered + counted.thought,
    }


def trouble(wrong, _body):
    status, name, details = TROUBLES[wrong.what]
    details = list(details)
    if wrong.retry_after is not None:
        details.append({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{wrong.retry_after:g}s"})
    words = WORDS.get(wrong.what, "Its wording can change.")
    error = {"code": status, "message": words, "status": name, "details": details}
    return Answer(status, json.dumps({"error": error}).encode(), "application/json")


def model_list(models, seen):
    """Two to a page."""
    token = seen.path.partition("pageToken=")[2].split("&")[0]
    start = int(token or 0)
    page = [
        {
            "name": f"models/{model['id']}",
            "displayName": model["id"],
            "description": "A model.",
            "version": "001",
            "inputTokenLimit": 1_048_576,
            "outputTokenLimit": 65_536,
            "supportedGenerationMethods": ["generateContent", "countTokens"],
            "temperature": 1,
            "topP": 0.95,
            "topK": 64,
            "maxTemperature": 2,
            "thinking": True,
        }
        for model in models[start : start + 2]
    ]
    body = {"models": page}
    if start + 2 < len(models):
        body["nextPageToken"] = str(start + 2)
    return Answer(200, json.dumps(body).encode(), "application/json")
