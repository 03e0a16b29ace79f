"""The keys of a request, one a line: what was compared is written down, so that a quick test can tell what never was."""

# Below these stands what an operator or a model wrote, not what Denizen writes.
FREE = {
    "input_schema",
    "schema",
    "parameters",
    "parametersJsonSchema",
    "responseJsonSchema",
    "args",
    "arguments",
    "response",
}
# The values of these are words of the vendor's own.
WORDS = {
    "type",
    "role",
    "effort",
    "reasoning_effort",
    "summary",
    "detail",
    "media_type",
    "mimeType",
    "responseMimeType",
    "thinkingLevel",
    "mode",
    "ttl",
    "tool_choice",
    "verbosity",
    "display",
    "phase",
    "status",
}


def keys_of(value, path=""):
    """Each key with the kind of its value, or with the value where that is a word of the vendor's."""
    if isinstance(value, dict):
        found = set()
        for key, held in value.items():
            place = f"{path}.{key}" if path else key
            is_free = key in FREE or (key == "input" and isinstance(held, dict))
            found |= {f"{place}: …"} if is_free else keys_of(held, place)
            if key in WORDS and isinstance(held, str):
                found = {line for line in found if not line.startswith(f"{place}: ")} | {f"{place}: {held}"}
        return found
    if isinstance(value, list):
        return set().union(*(keys_of(one, f"{path}[]") for one in value)) if value else {f"{path}: list"}
    return {f"{path}: {kind_of(value)}"}


def kind_of(value):
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "bool"
    return "number" if isinstance(value, (int, float)) else "text"
