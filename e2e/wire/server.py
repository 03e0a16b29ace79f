"""A server in the vendors' place: it answers as each case says, and keeps what it was asked."""

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Seen:
    """A request as it came."""

    method: str
    path: str
    headers: dict
    body: object

    @property
    def route(self):
        return self.path.split("?")[0]


@dataclass
class Case:
    """What is answered, by whoever knows the vendor's words, and what was asked."""

    respond: object
    # Where this vendor is behind another's door: the path up to it, and what would stand there at home.
    door: tuple = ("", "")
    seen: list = field(default_factory=list)
    mistakes: list = field(default_factory=list)

    def at_home(self, path):
        outside, inside = self.door
        return inside + path.removeprefix(outside) if path.startswith(outside) else path


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.serve()

    def do_POST(self):
        self.serve()

    def serve(self):
        length = int(self.headers.get("content-length", 0))
        text = self.rfile.read(length)
        _, name, path = self.path.split("/", 2)
        case = self.server.cases[name]
        path = case.at_home(f"/{path}")
        seen = Seen(self.command, path, {k.lower(): v for k, v in self.headers.items()}, parsed(text))
        case.seen.append(seen)
        try:
            answer = case.respond(seen)
        except Exception as mistake:  # noqa: BLE001 - whatever is wrong with the server must be seen in the result
            case.mistakes.append(f"the server itself failed at {seen.route}: {mistake!r}")
            raise
        self.send_response(answer.status)
        self.send_header("content-type", answer.content_type)
        self.send_header("content-length", str(len(answer.body)))
        for key, value in answer.headers.items():
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(answer.body)

    def log_message(self, *_):
        pass


def parsed(text):
    if not text:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text.decode("utf-8", "replace")


class VendorServer(ThreadingHTTPServer):
    """On a free port of this machine. The first part of a path names the case."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.cases = {}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def open(self, respond, door=("", "")):
        """A new case: its address and itself."""
        name = f"case{len(self.cases) + 1}"
        case = self.cases[name] = Case(respond, door)
        return f"http://127.0.0.1:{self.server_address[1]}/{name}", case
