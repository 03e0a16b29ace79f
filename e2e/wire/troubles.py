"""Errors by their typed fields: what each must be taken for. The words of the vendors' messages say nothing here."""

from features import feature
from spoken import Trouble

# What, kinds of failure, whether it passes by itself.
EXPECTED = [
    ("bad_request", ["rejected"], False),
    ("bad_key", ["key_refused"], False),
    # OpenAI has no other error of that status than the one about countries.
    ("forbidden", ["key_refused", "region_refused"], False),
    ("on_hold", ["rejected", "key_refused"], False),
    ("no_model", ["unknown_model"], False),
    ("no_credit", None, False),
    ("spend_limit", None, False),
    ("too_long", ["context_too_long"], False),
    ("declined", ["refused"], False),
    ("server_error", None, True),
    ("gateway_timeout", None, True),
    ("overloaded", None, True),
]
TITLES = {
    "bad_request": "error: the request is wrong",
    "bad_key": "error: the key is wrong",
    "forbidden": "error: not allowed",
    "on_hold": "error: the account is on hold",
    "no_model": "error: there is no such model",
    "no_credit": "error: no credit",
    "spend_limit": "error: a spend limit is reached",
    "too_long": "error: the prompt is too long",
    "declined": "error: declined before answering",
    "server_error": "error: trouble of the vendor's own",
    "gateway_timeout": "error: it took too long out there",
    "overloaded": "error: overload",
}


def expecting(what, kinds, passes):
    @feature(TITLES[what])
    def check(trial):
        trial.knows(what)
        trial.says(Trouble(what))
        trial.failed(trial.ask(), kinds, passes)
        trial.same("requests", len(trial.asked()), 1)

    return check


for one in EXPECTED:
    expecting(*one)


@feature("error: a rate limit, and how long to wait")
def rate_limit(trial):
    for what in ("rate_limit", "ramp_limit"):
        if not any(what in wire.TROUBLES for wire in trial.vendor.wires):
            continue
        trial.says(Trouble(what, retry_after=7))
        outcome = trial.ask()
        trial.failed(outcome, ["rate_limited"], True)
        trial.same("the wait in milliseconds", outcome.get("retryAfter"), 7_000)


@feature("error: the quota of the day is used up")
def day_quota(trial):
    trial.knows("day_quota")
    trial.says(Trouble("day_quota", retry_after=31))
    outcome = trial.ask()
    if outcome["kind"] == "failed" and outcome["failure"] == "rate_limited":
        wait = outcome.get("retryAfter") or 0
        trial.expect(wait >= 600_000, f"a day's quota is used up, and it waits {wait} ms")
    else:
        trial.failed(outcome, None, False)
