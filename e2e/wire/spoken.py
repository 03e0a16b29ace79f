"""What a model says or what goes wrong, before it is put into any vendor's words."""

from dataclasses import dataclass, field


@dataclass
class Call:
    id: str
    name: str
    arguments: dict


@dataclass
class Counted:
    """Tokens: of the prompt, fresh ones, those read from a cache and those written to one; and of the answer."""

    fresh: int = 100
    cached: int = 0
    written: int = 0
    thought: int = 0
    answered: int = 20


@dataclass
class Say:
    """An answer: thoughts first, then text, then calls. `stop` is end, length, refusal, filter or context."""

    text: str = ""
    thought: str = ""
    hidden_thought: bool = False
    calls: list = field(default_factory=list)
    stop: str = "end"
    refusal: str = ""
    counted: Counted = field(default_factory=Counted)


@dataclass
class Trouble:
    """An error by its meaning; each vendor has its own status and code for it."""

    what: str
    retry_after: float | None = None
    in_stream_after: str | None = None


@dataclass
class Answer:
    """What goes over the wire."""

    status: int
    body: bytes
    content_type: str = "text/event-stream"
    headers: dict = field(default_factory=dict)


def events(pieces):
    """A stream of server-sent events, of (name, JSON text)."""
    lines = [f"event: {name}\ndata: {text}\n\n" if name else f"data: {text}\n\n" for name, text in pieces]
    return "".join(lines).encode()


def halves(text):
    """A text in two pieces, as it would come."""
    middle = len(text) // 2
    return [piece for piece in (text[:middle], text[middle:]) if piece]
