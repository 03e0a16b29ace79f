"""What Denizen sends, read by the vendors' own types: every field must be one that they know, of the kind that they say."""

from elevenlabs import (
    CloseContext,
    ConversationInitiationClientDataRequestInput,
    InitializeConnectionMulti,
    InputAudioChunkPayload,
    SendTextMulti,
)
from elevenlabs.conversational_ai.conversation import (
    ContextualUpdateClientToOrchestratorEvent,
    UserMessageClientToOrchestratorEvent,
)
from google.genai import types
from openai.types.realtime import RealtimeClientEvent
from pydantic import BaseModel, TypeAdapter

CLIENT_EVENT = TypeAdapter(RealtimeClientEvent)


def unknown(model, at=""):
    """Fields that a model has taken without knowing them."""
    found = []
    if isinstance(model, BaseModel):
        found += [f"{at}{name}" for name in model.model_extra or {}]
        for name in type(model).model_fields:
            found += unknown(getattr(model, name), f"{at}{name}.")
    elif isinstance(model, (list, tuple)):
        for number, item in enumerate(model):
            found += unknown(item, f"{at}{number}.")
    return found


def openai(frames):
    wrong = []
    for frame in frames:
        model = CLIENT_EVENT.validate_python(frame)
        if type(model).__name__ == "dict" or model.type != frame["type"]:
            wrong.append(f"{frame['type']} is read as {type(model).__name__}")
        wrong += [f"{frame['type']}: {name}" for name in unknown(model)]
    return wrong


# xAI publishes no types. What it has of its own is named here, and all the rest must be OpenAI's.
OWN = {"item": {"force_message"}, "session": {"voice", "turn_detection"}}


def xai(frames):
    rest = []
    for frame in frames:
        if frame.get("item", {}).get("type") in OWN["item"]:
            continue
        if frame["type"] == "session.update":
            session = {name: value for name, value in frame["session"].items() if name not in OWN["session"]}
            frame = {**frame, "session": {"type": "realtime", **session}}
        rest.append(frame)
    return openai(rest)


def gemini(frames):
    for frame in frames:
        if "setup" in frame:
            # What the client itself puts there, and has only in the type of its own options.
            setup = dict(frame["setup"])
            types.RealtimeInputConfig.model_validate(setup.pop("realtimeInputConfig"))
            frame = {"setup": setup}
        # Google's own types take nothing that they do not know.
        types.LiveClientMessage.model_validate(frame)
    return []


# What its client sends to an agent besides the beginning and results, by its own classes.
AGENT = {
    "contextual_update": ContextualUpdateClientToOrchestratorEvent("").to_dict(),
    "user_message": UserMessageClientToOrchestratorEvent("").to_dict(),
    "client_tool_result": {"type": "", "tool_call_id": "", "result": "", "is_error": False},
    "pong": {"type": "", "event_id": 0},
}


def elevenlabs(frames):
    wrong = []
    for frame in frames:
        if "message_type" not in frame and frame.get("type") in AGENT:
            shape = AGENT[frame["type"]]
            if {name: type(value) for name, value in frame.items()} != {name: str if name == "type" else type(value) for name, value in shape.items()}:
                wrong.append(f"{frame['type']}: {sorted(frame)} instead of {sorted(shape)}")
            continue
        if frame.get("type") == "conversation_initiation_client_data":
            model = ConversationInitiationClientDataRequestInput.model_validate({name: value for name, value in frame.items() if name != "type"})
        elif "message_type" in frame:
            model = InputAudioChunkPayload.model_validate(frame)
        elif frame.get("close_context"):
            model = CloseContext.model_validate(frame)
        elif frame["text"] == " ":
            model = InitializeConnectionMulti.model_validate(frame)
        else:
            model = SendTextMulti.model_validate(frame)
        wrong += [f"{type(model).__name__}: {name}" for name in unknown(model)]
    return wrong
