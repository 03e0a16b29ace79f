"""docs/wire.md: what was checked, with which versions, and what came of it."""

HEAD = """# The wire

*Written by `make e2e-wire`; do not edit.*

Denizen's requests are compared with the types of the vendors' own clients, key by key: nothing missing, nothing of another
kind, nothing they do not know. The official client is given the same request, and must send the same route, headers and
body. Answers, errors and lists of models are made of the clients' own types and served by a local server; what
Denizen makes of them is compared with what they say. No vendor is asked anything.
"""


def write(path, versions, tried, rows, asked, found, asked_of_doubles, read, wrong):
    lines = [HEAD, "Clients: " + ", ".join(f"{name} {version}" for name, version in versions.items()) + ".", ""]
    lines += ["## What comes of an answer", "", "✓ works, ✗ does not, – the vendor has no such thing.", ""]
    titles = [f"{vendor.title} `{model}`" for vendor, model in tried]
    lines.append("| | " + " | ".join(titles) + " |")
    lines.append("|---" * (len(titles) + 1) + "|")
    for name, cells in rows.items():
        lines.append(f"| {name} | " + " | ".join(sign(cell) for cell in cells) + " |")
    lines += ["", "## Requests", "", "Every kind of question that the mind asks in the scenarios, to every model:", ""]
    vendors = list(dict.fromkeys(title for title, _ in asked))
    lines.append("| | " + " | ".join(vendors) + " |")
    lines.append("|---" * (len(vendors) + 1) + "|")
    for purpose in sorted({purpose for _, purpose in asked}):
        lines.append(f"| {purpose} | " + " | ".join(str(asked[(title, purpose)]) for title in vendors) + " |")
    told = [str(sum(found.get(title, {}).values())) for title in vendors]
    lines.append("| complaints of the types | " + " | ".join(told) + " |")
    lines += ["", "## Our own doubles", ""]
    lines.append(
        "What the doubles of the vendors were asked and what they answered in our own tests, compared in the same way:"
    )
    lines += ["", "| requests | compared |", "|---|---|"]
    lines += [f"| `{route}` | {times} |" for route, times in sorted(asked_of_doubles.items())]
    lines += ["", "| answers | read by the official client |", "|---|---|"]
    lines += [f"| {kind} | {times} |" for kind, times in sorted(read.items())]
    lines.append(f"| tests with complaints | {sum(bool(held) for held in wrong.values())} |")
    with open(path, "w", encoding="utf-8") as page:
        page.write("\n".join(lines) + "\n")


def sign(cell):
    if cell is None:
        return "–"
    return "✗" if cell else "✓"
