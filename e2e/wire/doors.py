"""Other ways to the same models: tokens, organisations, and vendors behind other vendors' doors."""

import official
from features import feature
from spoken import Say
from trial import NotApplicable

TOKEN = {"ANTHROPIC_AUTH_TOKEN": "token-1"}
PAYS = {"OPENAI_ORG_ID": "org-1", "OPENAI_PROJECT_ID": "proj_1"}


@feature("a token in place of a key; organisation and project")
def who_pays(trial):
    """By the variables of the official clients, in the headers they use."""
    if trial.vendor.provider == "anthropic":
        reached(trial, env=TOKEN, headers={"authorization": "Bearer token-1", "x-api-key": None})
    elif trial.vendor.provider == "openai":
        reached(trial, env=PAYS, headers={"openai-organization": "org-1", "openai-project": "proj_1"})
    else:
        raise NotApplicable


@feature("by way of Bedrock")
def bedrock(trial):
    """Where Anthropic's client for it asks, with the token it sends."""
    if trial.vendor.provider != "anthropic":
        raise NotApplicable
    theirs = official.asked_of_bedrock("token-1")
    headers = {name: theirs.headers[name] for name in ("authorization", "anthropic-version")}
    door = theirs.url.path.removesuffix("/v1/messages")
    reached(trial, env=TOKEN, headers=headers, door=door)


@feature("by way of Azure, OpenRouter and Vertex")
def elsewhere(trial):
    """Places where OpenAI's own client is used with another address."""
    if trial.vendor.provider == "openai":
        own = {"OPENAI_CUSTOM_HEADERS": f"api-key: {official.KEY}"}
        reached(trial, env=own, headers={"api-key": official.KEY, "authorization": None}, door="/openai/v1")
    elif trial.vendor.provider == "compatible":
        for door in ("/api/v1", "/openai/v1", "/v1/projects/p/locations/l/endpoints/openapi"):
            reached(trial, env={}, headers={"authorization": f"Bearer {official.KEY}"}, door=door)
    else:
        raise NotApplicable


def reached(trial, env, headers, door=None):
    trial.says(Say("Hello."), env=env, door=door)
    trial.answered(trial.ask(), text="Hello.")
    trial.same("requests", len(trial.asked()), 1)
    for name, value in headers.items():
        found = [seen.headers.get(name) for seen in trial.asked()]
        trial.same(f"the header {name}", found, [value])
    # The comparison with the official client knows only the usual way.
    trial.is_elsewhere = True
