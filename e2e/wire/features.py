"""What every vendor's answers must come to, whatever words they are in. Each is tried with each model."""

import json

import as_openai_chat
from denizen import followed_up, with_picture
from spoken import Answer, Call, Counted, Say, Trouble
from trial import NotApplicable

FEATURES = []
LOOK = Call("call_1", "search_messages", {"words": "cat", "limit": 3})
REMEMBER = Call("call_2", "memory_search", {"words": "dog"})
TYPED = '{"action":"reply","text":"Hello","reason":"greeted"}'


def feature(name):
    def keep(function):
        FEATURES.append((name, function))
        return function

    return keep


@feature("text comes in pieces and is counted")
def text(trial):
    trial.says(Say("Hello, Alice."))
    answer = trial.ask()
    trial.answered(answer, text="Hello, Alice.", finish="complete", used=(100, 0, 0, 20))
    trial.same("what was shown meanwhile", "".join(answer["pieces"]), "Hello, Alice.")
    trial.expect(len(answer["pieces"]) > 1, "it was not shown in pieces")


@feature("a tool is called")
def tool(trial):
    trial.says(Say("One moment.", calls=[LOOK]))
    answer = trial.ask(tools=True)
    trial.answered(answer, text="One moment.", finish="tool_calls")
    called = [(call["name"], call["arguments"]) for call in answer.get("toolCalls", [])]
    trial.same("what was called", called, [(LOOK.name, LOOK.arguments)])


@feature("several tools are called at once")
def tools(trial):
    trial.says(Say(calls=[LOOK, REMEMBER]))
    answer = trial.ask(tools=True)
    trial.answered(answer, finish="tool_calls")
    called = [(call["name"], call["arguments"]) for call in answer.get("toolCalls", [])]
    trial.same("what was called", called, [(one.name, one.arguments) for one in (LOOK, REMEMBER)])


@feature("results go back to their calls")
def results(trial):
    trial.says(Say(calls=[LOOK, REMEMBER]), Say("A cat and a dog."))
    first = trial.question(tools=True)
    answer = trial.ask(first)
    last = trial.ask(followed_up(first, answer, ["Bob: a cat", "a dog named Rex"]))
    trial.answered(last, text="A cat and a dog.", finish="complete")
    sent = json.dumps(trial.asked()[-1].body)
    for words in ("Bob: a cat", "a dog named Rex", LOOK.name, REMEMBER.name):
        trial.expect(words in sent, f"{words!r} did not go back")
    ids = [call["id"] for call in answer.get("toolCalls", [])]
    trial.expect(len(set(ids)) == 2, f"the calls cannot be told apart: {ids}")
    for one in (LOOK, REMEMBER):
        trial.expect(sent.count(f'"{one.id}"') >= 2, f"the vendor's own id {one.id} is not on both call and result")


@feature("thoughts are counted and not said")
def thoughts(trial):
    trial.says(Say("Hello.", thought="They greet me. I greet back.", counted=Counted(thought=300)), dialect="reasoning")
    answer = trial.ask()
    trial.answered(answer, text="Hello.", finish="complete", used=(100, 0, 0, 320))


@feature("thoughts go back with the results")
def thoughts_go_back(trial):
    if trial.vendor.provider == "compatible":
        raise NotApplicable
    trial.says(Say(thought="I should look.", hidden_thought=True, calls=[LOOK]), Say("A cat."))
    first = trial.question(tools=True)
    answer = trial.ask(first)
    if as_openai_chat.request_type(trial.asked()[0].route):
        # Chat completions keep their thoughts to themselves.
        raise NotApplicable
    last = trial.ask(followed_up(first, answer, ["Bob: a cat"]))
    trial.answered(last, text="A cat.", finish="complete")
    sent = json.dumps(trial.asked()[-1].body)
    wanted = ["c2lnbmVk", "bG9ja2Vk"] if trial.vendor.provider == "anthropic" else ["bG9ja2Vk"]
    wanted = ["c2lnbmVk"] if trial.vendor.provider == "gemini" else wanted
    for seal in wanted:
        trial.expect(seal in sent, f"what the vendor signed or locked ({seal}) did not go back")


@feature("an answer after a schema")
def typed(trial):
    trial.says(Say(TYPED))
    trial.answered(trial.ask(typed=True), text=TYPED, finish="complete")
    sent = json.dumps(trial.asked()[0].body)
    trial.expect('"json_schema"' in sent or "JsonSchema" in sent, "no schema was sent")


@feature("a schema and tools in one question")
def typed_with_tools(trial):
    trial.says(Say(calls=[LOOK]), Say(TYPED))
    first = trial.question(typed=True, tools=True)
    answer = trial.ask(first)
    trial.answered(answer, finish="tool_calls")
    trial.answered(trial.ask(followed_up(first, answer, ["Bob: a cat"])), finish="complete")


@feature("pictures: PNG, JPEG, WebP, GIF")
def pictures(trial):
    for mime in ("image/png", "image/jpeg", "image/webp", "image/gif"):
        trial.says(Say("A cat."))
        answer = trial.ask(with_picture(trial.question(), mime))
        trial.answered(answer, text="A cat.", finish="complete")
        sent = json.dumps(trial.asked()[-1].body)
        is_shown = any(kind in sent for kind in ("image/png", "image/jpeg", "image/webp", "image/gif"))
        trial.expect(is_shown or mime == "image/gif", f"the picture of {mime} was not sent")
        if trial.vendor.provider == "gemini":
            trial.expect("image/gif" not in sent, "Gemini takes no GIF, and was sent one")


@feature("a long system text is kept by the vendor")
def kept(trial):
    counted = Counted(fresh=100, cached=2_000, written=500)
    trial.says(Say("Hello.", counted=counted))
    answer = trial.ask(system="You are Denizen. " * 600)
    written = 0 if trial.vendor.provider == "gemini" else 500
    trial.answered(answer, text="Hello.", used=(2_600, 2_000, written, 20))


@feature("an answer cut by its length says so")
def cut(trial):
    trial.says(Say("Hello, Al", stop="length"))
    trial.answered(trial.ask(), text="Hello, Al", finish="length")


@feature("thoughts that took all the room are told")
def cut_while_thinking(trial):
    trial.says(Say(thought="Well, let me see.", stop="length", counted=Counted(thought=2_600, answered=0)))
    outcome = trial.ask()
    if outcome["kind"] == "failed":
        trial.expect("utput" in outcome["detail"], f"the failure does not name the cap: {outcome['detail']}")
    else:
        trial.answered(outcome, text="", finish="length")


@feature("a refusal in words is a refusal")
def refused(trial):
    if trial.vendor.provider in ("openai", "compatible"):
        trial.says(Say(refusal="I cannot help with that.", stop="refusal"))
    else:
        trial.says(Say("I will tell y", stop="refusal"))
    outcome = trial.ask()
    if outcome["kind"] == "failed":
        trial.failed(outcome, kinds=["refused"])
    else:
        trial.answered(outcome, finish="refused")


@feature("a refusal without a word is a failure")
def refused_silently(trial):
    if trial.vendor.provider in ("openai", "compatible"):
        trial.says(Say(stop="filter"))
    else:
        trial.says(Say(refusal="no", stop="refusal"))
    trial.failed(trial.ask(), kinds=["refused"])
    trial.same("requests", len(trial.asked()), 1)


@feature("what a filter cuts is not an answer")
def filtered(trial):
    trial.says(Say("The way to do it is", stop="filter"))
    outcome = trial.ask()
    if outcome["kind"] == "failed":
        trial.failed(outcome, kinds=["refused"])
    else:
        trial.answered(outcome, finish="refused")


@feature("a full context is told from a full answer")
def full_context(trial):
    if trial.vendor.provider != "anthropic":
        raise NotApplicable
    trial.says(Say("Hello, Al", stop="context"))
    outcome = trial.ask()
    if outcome["kind"] == "failed":
        trial.failed(outcome, kinds=["context_too_long"])
    else:
        trial.answered(outcome, finish="length")


@feature("a refused parameter is left out, by its name")
def refused_parameters(trial):
    """OpenAI and Google name the parameter they will not take; their words may be any."""
    if trial.vendor.provider == "anthropic":
        raise NotApplicable
    for name in PARAMETERS:
        error = {"message": "No.", "type": "invalid_request_error", "param": name, "code": "unsupported_parameter"}
        if trial.vendor.provider == "gemini":
            violation = {"field": name, "description": "This field is not supported."}
            details = [{"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [violation]}]
            error = {"code": 400, "message": "No.", "status": "INVALID_ARGUMENT", "details": details}
        refusal = Answer(400, json.dumps({"error": error}).encode(), "application/json")
        trial.says(lambda seen, name=name, refusal=refusal: refusal if holds(seen.body, name) else Say("Hello."))
        outcome = trial.ask(tools=True, typed=True)
        if not holds(trial.asked()[0].body, name):
            continue
        trial.answered(outcome, finish="complete")
        trial.expect(len(trial.asked()) <= 3, f"{name} was refused, and {len(trial.asked())} requests were needed")


# All that a request can do without.
PARAMETERS = (
    "temperature",
    "reasoning_effort",
    "reasoning.effort",
    "response_format",
    "text.format",
    "tools",
    "stream_options",
    "prompt_cache_key",
    "max_tokens",
    "max_completion_tokens",
    "max_output_tokens",
    "include",
    "store",
    "generationConfig.thinkingConfig",
    "generationConfig.maxOutputTokens",
)


def holds(body, name):
    for key in name.split("."):
        if not isinstance(body, dict) or key not in body:
            return False
        body = body[key]
    return True


@feature("a refused picture is left out, and the reply comes")
def refused_picture(trial):
    trial.says(Trouble("bad_picture"), Say("I cannot see it."))
    outcome = trial.ask(with_picture(trial.question(), "image/png"))
    trial.answered(outcome, text="I cannot see it.", finish="complete")
    shown = ["image/png" in json.dumps(seen.body) for seen in trial.asked()]
    trial.same("whether the picture went along, by request", shown, [True, False])


@feature("a server without tools answers all the same")
def no_tools(trial):
    if trial.vendor.provider != "compatible":
        raise NotApplicable
    words = "registry.ollama.ai/library/gemma:2b does not support tools"
    error = {"message": words, "type": "api_error", "param": None, "code": None}
    trial.says(Answer(400, json.dumps({"error": error}).encode(), "application/json"), Say("Hello."))
    trial.answered(trial.ask(tools=True), text="Hello.", finish="complete")
    asked = len(trial.asked())
    trial.answered(trial.ask(tools=True), text="Hello.")
    trial.same("requests of the second question", len(trial.asked()) - asked, 1)


@feature("calls that all have the number 0 stay apart")
def numbered_alike(trial):
    if trial.vendor.provider != "compatible":
        raise NotApplicable
    trial.says(Say(calls=[LOOK, REMEMBER]), index_of=lambda _: 0)
    answer = trial.ask(tools=True)
    called = [call["name"] for call in answer.get("toolCalls", [])]
    trial.same("what was called", called, [LOOK.name, REMEMBER.name])


@feature("trouble in the middle of an answer")
def trouble_in_stream(trial):
    if trial.vendor.provider == "gemini":
        raise NotApplicable
    for what in ("server_error", "overloaded"):
        trial.says(Trouble(what, in_stream_after="Well, "))
        trial.failed(trial.ask(), passes=True)
        trial.same("requests", len(trial.asked()), 1)
