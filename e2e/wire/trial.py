"""One feature tried with one model: what the vendor says, what Denizen makes of it, and what it asked meanwhile."""

import copy

import vendors
from denizen import question

# Kinds of failure after which the mind asks again.
PASSING = {
    "timed_out",
    "rate_limited",
    "unreachable",
    "server_error",
    "no_first_byte",
    "stream_stalled",
    "malformed",
    "interrupted",
}


class NotApplicable(Exception):
    """The vendor has no such thing, or Denizen sends none of it."""


class Trial:
    def __init__(self, stage, vendor, model, settings=None):
        self.stage, self.vendor, self.model = stage, vendor, model
        self.settings = {"llm.provider": vendor.provider, **(settings or {})}
        self.problems = []
        self.case = self.session = None
        self.cases = []
        # The comparison with the official client knows only the usual way.
        self.is_elsewhere = False

    def says(self, *script, env=None, door=None, **how):
        """The vendor will answer so, behind this door; whoever asks knows nothing from before, and may have a token
        in place of a key."""
        within = ("", "") if door is None else (door, self.vendor.suffix)
        base, self.case = self.stage.server.open(self.vendor.responding(list(script), **how), within)
        own = self.vendor.env(base, door)
        if env and any(name.endswith("_TOKEN") for name in env):
            own = {name: value for name, value in own.items() if not name.endswith("_API_KEY")}
        self.session = self.stage.denizen.session({**own, **(env or {})}, self.settings)
        self.cases.append(self.case)
        self.stage.cases.append((self.vendor, self.case))
        if self.vendor.provider == "compatible":
            self.session.do("configure")
        return self

    def question(self, **how):
        return question(self.vendor.provider, self.model, **how)

    def ask(self, request=None, **how):
        return self.session.ask(copy.deepcopy(request) if request else self.question(**how))

    def asked(self):
        """The questions to a model, in order."""
        return [seen for seen in self.case.seen if self.vendor.wire(seen)]

    def knows(self, what):
        """Goes on only where the vendor has this trouble."""
        if not any(what in wire.TROUBLES for wire in self.vendor.wires):
            raise NotApplicable

    def expect(self, fits, otherwise):
        if not fits:
            self.problems.append(otherwise)

    def same(self, what, found, wanted):
        self.expect(found == wanted, f"{what} is {found!r}, not {wanted!r}")

    def answered(self, outcome, **wanted):
        """An answer came, and has these; `used` are tokens in, of them cached and written, and tokens out."""
        if outcome["kind"] != "answered":
            self.problems.append(f"no answer came: {outcome['failure']}: {outcome['detail']}")
            return
        used = outcome["usage"]
        counted = (
            used["inputTokens"],
            used["cachedInputTokens"],
            used.get("cacheWrittenTokens", 0),
            used["outputTokens"],
        )
        has = {"text": outcome["text"], "finish": outcome["finish"], "used": counted}
        for what, value in wanted.items():
            self.same(what, has[what], value)

    def failed(self, outcome, kinds=None, passes=None):
        """No answer came, for one of these reasons, or for one that passes or does not."""
        if outcome["kind"] != "failed":
            self.problems.append(f"an answer came: {outcome['finish']} {outcome['text']!r}")
            return
        kind, detail = outcome["failure"], outcome["detail"]
        if kinds:
            self.expect(kind in kinds, f"the failure is {kind}, not {' or '.join(kinds)}: {detail}")
        if passes is not None:
            told = "passing" if kind in PASSING else "lasting"
            self.expect((kind in PASSING) == passes, f"the failure is {kind}, which counts as {told}: {detail}")

    def complaints(self):
        """What the types and the official client have against what was asked."""
        mistakes = [one for case in self.cases for one in case.mistakes]
        if self.is_elsewhere:
            return mistakes
        seen = [seen for case in self.cases for seen in case.seen]
        return mistakes + [one for each in seen for one in vendors.complaints(self.vendor, each)]
