"""Compares JSON with the types of the vendors' clients: nothing missing, nothing of another kind, nothing they do not know.

The clients themselves send whatever they are given and take whatever comes; their types are what the vendors promise.
"""

import base64
import binascii
import datetime
import enum
import functools
import types
import typing
from collections import abc

import pydantic
import typing_extensions

WRAPPERS = (
    typing.Required,
    typing.NotRequired,
    typing.Annotated,
    typing_extensions.Required,
    typing_extensions.NotRequired,
    typing_extensions.Annotated,
)
LISTS = (list, tuple, abc.Iterable, abc.Sequence)
MAPS = (dict, abc.Mapping)


def problems(value, kind, path="", unknown=True):
    """What is wrong, each with its place; `unknown` also tells of keys that the type does not have."""
    kind = unwrapped(kind)
    if kind in (typing.Any, object):
        return []
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return of_union(value, arguments, path, unknown)
    if origin is typing.Literal or origin is typing_extensions.Literal:
        fits = any(value == one and type(value) is type(one) for one in arguments)
        return [] if fits else [f"{path}: {shown(value)} is none of {', '.join(map(repr, arguments))}"]
    if origin in MAPS or kind in MAPS:
        inner = arguments[1] if len(arguments) == 2 else typing.Any
        return of_map(value, inner, path, unknown)
    if origin in LISTS or kind in LISTS or is_sequence_protocol(origin):
        return of_list(value, arguments[0] if arguments else typing.Any, path, unknown)
    if typing_extensions.is_typeddict(kind):
        return of_typed_dict(value, kind, path, unknown)
    if isinstance(kind, type) and issubclass(kind, pydantic.BaseModel):
        return of_model(value, kind, path, unknown)
    return of_plain(value, kind, path)


def unwrapped(kind):
    while True:
        if typing.get_origin(kind) in WRAPPERS or hasattr(kind, "__metadata__"):
            kind = typing.get_args(kind)[0]
        elif isinstance(kind, typing_extensions.TypeAliasType):
            kind = kind.__value__
        else:
            return kind


def is_sequence_protocol(origin):
    """Both generated clients have a sequence of their own that is no string."""
    return getattr(origin, "__name__", "") == "SequenceNotStr"


def of_union(value, members, path, unknown):
    if value is None:
        allowed = any(unwrapped(member) is type(None) for member in members)
        return [] if allowed else [f"{path}: is null"]
    members = [member for member in members if unwrapped(member) is not type(None)]
    members = [member for member in members if has_form_of(value, unwrapped(member))] or members
    tagged = [member for member in members if tags_fit(value, unwrapped(member))]
    best = None
    for member in tagged or members:
        found = problems(value, member, path, unknown)
        if not found:
            return []
        if best is None or len(found) < len(best):
            best = found
    if not tagged and isinstance(value, dict) and "type" in value and len(members) > 1:
        return [f"{path}: there is no kind with type {shown(value['type'])}"]
    return best


def has_form_of(value, kind):
    """Whether both are a list, or both are none; what is wrong inside is told better then."""
    origin = typing.get_origin(kind)
    is_list = origin in LISTS or kind in LISTS or is_sequence_protocol(origin)
    return isinstance(value, list) == is_list


def tags_fit(value, kind):
    """Whether an object has the constants by which its kind is told from the others."""
    if not isinstance(value, dict):
        return False
    tags = tags_of(kind)
    return bool(tags) and all(value.get(key) in allowed for key, allowed in tags.items())


@functools.cache
def tags_of(kind):
    if typing_extensions.is_typeddict(kind):
        hints = hints_of(kind)
    elif isinstance(kind, type) and issubclass(kind, pydantic.BaseModel):
        hints = {name: field.annotation for name, field in kind.model_fields.items()}
    else:
        return {}
    literal = {name: unwrapped(hint) for name, hint in hints.items() if name in ("type", "role", "object")}
    return {name: typing.get_args(hint) for name, hint in literal.items() if typing.get_origin(hint) is typing.Literal}


def of_map(value, inner, path, unknown):
    if not isinstance(value, dict):
        return [f"{path}: {shown(value)} is no object"]
    return [one for key, held in value.items() for one in problems(held, inner, f"{path}.{key}", unknown)]


def of_list(value, inner, path, unknown):
    if not isinstance(value, list):
        return [f"{path}: {shown(value)} is no list"]
    return [one for at, held in enumerate(value) for one in problems(held, inner, f"{path}[{at}]", unknown)]


@functools.cache
def hints_of(kind):
    return typing_extensions.get_type_hints(kind, include_extras=True)


def of_typed_dict(value, kind, path, unknown):
    if not isinstance(value, dict):
        return [f"{path}: {shown(value)} is no {kind.__name__}"]
    hints = hints_of(kind)
    is_open = getattr(kind, "__pydantic_config__", {}).get("extra") == "allow"
    found = [f"{path}: {kind.__name__} needs `{key}`" for key in sorted(required_of(kind)) if key not in value]
    for key, held in value.items():
        if key in hints:
            found += problems(held, hints[key], f"{path}.{key}", unknown)
        elif unknown and not is_open:
            found.append(f"{path}.{key}: {kind.__name__} has no such key")
    return found


@functools.cache
def required_of(kind):
    """Postponed annotations hide from `__required_keys__` what is required."""
    marked = {
        name
        for name, hint in hints_of(kind).items()
        if typing.get_origin(hint) in (typing.Required, typing_extensions.Required)
    }
    if marked or not getattr(kind, "__total__", True):
        return marked
    return set(kind.__required_keys__)


def of_model(value, kind, path, unknown):
    if not isinstance(value, dict):
        return [f"{path}: {shown(value)} is no {kind.__name__}"]
    found, names = [], {}
    for name, field in kind.model_fields.items():
        written = field.serialization_alias or field.alias or name
        names[written] = field
        if field.is_required() and written not in value:
            found.append(f"{path}: {kind.__name__} needs `{written}`")
    for key, held in value.items():
        if key in names:
            found += problems(held, names[key].annotation, f"{path}.{key}", unknown)
        elif unknown:
            found.append(f"{path}.{key}: {kind.__name__} has no such key")
    return found


def of_plain(value, kind, path):
    wrong = [f"{path}: {shown(value)} is no {getattr(kind, '__name__', kind)}"]
    if kind is type(None):
        return [] if value is None else wrong
    if kind is bool:
        return [] if isinstance(value, bool) else wrong
    if kind is int:
        return [] if isinstance(value, int) and not isinstance(value, bool) else wrong
    if kind is float:
        return [] if isinstance(value, (int, float)) and not isinstance(value, bool) else wrong
    if kind is str:
        return [] if isinstance(value, str) else wrong
    if kind is bytes:
        return [] if is_base64(value) else wrong
    if kind is datetime.datetime:
        return [] if is_moment(value) else wrong
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return [] if value in [member.value for member in kind] else wrong
    if isinstance(kind, type) and issubclass(kind, int):
        return [] if isinstance(value, int) else wrong
    if isinstance(kind, typing.TypeVar):
        return []
    # Files, paths and callables: what only a program can hand over.
    return wrong


def is_base64(value):
    if not isinstance(value, str):
        return False
    padded = value.replace("-", "+").replace("_", "/")
    try:
        base64.b64decode(padded, validate=True)
    except binascii.Error:
        return False
    return True


def is_moment(value):
    try:
        datetime.datetime.fromisoformat(str(value).replace("Z", "+00:00"))
    except ValueError:
        return False
    return True


def shown(value):
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
