"""Reads a whole request as it would be sent, for its cache markers and its blank blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from ._checks import refuse_type
from ._ladder import (
    BARE_TTL,
    LadderViolation,
    Mark,
    Ttl,
    blank_text,
    broken_rules,
    known_ttl,
    no_place,
    unknown_ttl,
)

# Arguments of a call and schemas are the user's data: a key of theirs is no marker.
_DATA = frozenset({"input", "input_schema", "input_examples"})
_UNMARKABLE = ("thinking", "redacted_thinking")


def validate_ladder(
    *,
    tools: Iterable[object] = (),
    system: str | Iterable[object] = (),
    messages: Iterable[object] = (),
) -> tuple[LadderViolation, ...]:
    """Return what a provider would refuse about the cache markers of a request; () if nothing.

    A marker on a tool, a system block, a block of a message or a block inside a tool result is
    read in that order; a bare marker lives 5m. A marker anywhere else, or on a thinking block,
    is a "place". Blocks of unknown types are read like any other; what isn't a mapping or a
    list, and the arguments and schemas of tools, is passed over. Nothing is changed.

    Args:
        tools: As in the request.
        system: As in the request; a str carries no marker.
        messages: As in the request; a content that is a str carries no marker.

    Raises:
        TypeError: If `tools` or `messages` is a str or a mapping, or one of the three isn't
            iterable. Never for what is inside.
    """
    violations: list[LadderViolation] = []
    marks: list[Mark] = []
    for part in _parts(tools, system, messages):
        mark = _mark(part)
        if mark is not None:
            marks.append(mark)
        violations.extend(_faults(part))
    return (*violations, *broken_rules(marks))


class _Where(Enum):
    """What a mapping in a request is: a block may carry a marker, the others may not."""

    MESSAGE = "message"
    BLOCK = "block"
    INSIDE = "inside"


@dataclass(frozen=True, slots=True)
class _Part:
    """A mapping somewhere in a request, with the path to it."""

    place: str
    where: _Where
    fields: Mapping[object, object]


_Spot = tuple[str, _Where, object]


def _parts(tools: object, system: object, messages: object) -> Iterator[_Part]:
    yield from _inside("tools", _Where.BLOCK, _listed("tools", tools))
    if not isinstance(system, str):
        yield from _inside("system", _Where.BLOCK, _listed("system", system))
    yield from _inside("messages", _Where.MESSAGE, _listed("messages", messages))


def _listed(name: str, value: object) -> list[object]:
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        raise refuse_type(name, "a list", value)
    return list(value)


def _inside(place: str, where: _Where, values: list[object]) -> Iterator[_Part]:
    """Yield every mapping inside, outer before inner, in the order of the request."""
    # A stack of its own: deeply nested input is no reason to raise.
    stack: list[_Spot] = [(place, where, values)]
    while stack:
        place, where, value = stack.pop()
        if isinstance(value, Mapping):
            part = _Part(place, where, value)
            yield part
            stack.extend(reversed(list(_children(part))))
        elif isinstance(value, list | tuple):
            spots = [(f"{place}[{n}]", where, inner) for n, inner in enumerate(value)]
            stack.extend(reversed(spots))


def _children(part: _Part) -> Iterator[_Spot]:
    is_result = part.where is _Where.BLOCK and part.fields.get("type") == "tool_result"
    in_content = _Where.BLOCK if is_result or part.where is _Where.MESSAGE else _Where.INSIDE
    for key, value in part.fields.items():
        if key not in _DATA:
            yield f"{part.place}.{key}", in_content if key == "content" else _Where.INSIDE, value


def _mark(part: _Part) -> Mark | None:
    """Return the marker of a block that may carry one."""
    marker = part.fields.get("cache_control")
    if part.where is not _Where.BLOCK or marker is None or _unmarkable(part):
        return None
    return Mark(part.place, _ttl(marker))


def _ttl(marker: object) -> Ttl | None:
    if not isinstance(marker, Mapping) or marker.get("type") != "ephemeral":
        return None
    ttl = marker.get("ttl")
    return BARE_TTL if ttl is None else known_ttl(ttl)


def _unmarkable(part: _Part) -> bool:
    return part.fields.get("type") in _UNMARKABLE


def _faults(part: _Part) -> Iterator[LadderViolation]:
    """Yield what is wrong with one mapping by itself."""
    marker = part.fields.get("cache_control")
    if part.where is not _Where.BLOCK:
        # Anything can be called cache_control here; only what looks like a marker is one.
        if isinstance(marker, Mapping) and marker.get("type") == "ephemeral":
            yield no_place(part.place, "this place")
        return
    if _is_blank(part):
        yield blank_text(part.place)
    if marker is not None and _unmarkable(part):
        yield no_place(part.place, "a thinking block")
    elif marker is not None and _ttl(marker) is None:
        yield unknown_ttl(part.place)


def _is_blank(part: _Part) -> bool:
    text = part.fields.get("text")
    return part.fields.get("type") == "text" and isinstance(text, str) and not text.strip()
