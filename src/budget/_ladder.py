"""The rules that a provider holds cache markers to, and where a request breaks them.

Sources: Anthropic's prompt-caching guide, and the texts of the API's 400 answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from ._checks import refuse_type
from .errors import ConfigurationError, escaped

Ttl = Literal["5m", "1h"]

MOST_MARKERS: Final = 4
BARE_TTL: Final[Ttl] = "5m"  # what a marker without a ttl means
_MINUTES: Final[dict[Ttl, int]] = {"5m": 5, "1h": 60}
_TTL_SHOWN = 12


@dataclass(frozen=True, slots=True)
class LadderViolation:
    """One rule that a ladder of cache markers breaks; `str()` is one sentence with its remedy.

    Attributes:
        rule: "order" (a longer time to live after a shorter one), "count" (more than four
            markers), "blank" (a text block that is empty or blank, marked or not), "place" (a
            marker where none may be) or "ttl" (a marker with a time to live nobody knows).
        place: Where: "tools[0]", "system[1]", "messages[2].content[0]", or a layer's name.
        other: The place it collides with: for "order" the nearest earlier marker that lives
            shorter, for "count" the last marker that was allowed; otherwise None.
        detail: What is wrong and what to do; never the text of a block.
    """

    rule: Literal["order", "count", "blank", "place", "ttl"]
    place: str
    other: str | None
    detail: str

    def __str__(self) -> str:
        """Say where, against what, and what to do."""
        against = "" if self.other is None else f" against {escaped(self.other)}"
        return f"{escaped(self.place)}{against}: {self.detail}"


@dataclass(frozen=True, slots=True)
class Mark:
    """A cache marker: where it stands and how long it lives; None where nobody knows."""

    place: str
    ttl: Ttl | None


def known_ttl(value: object) -> Ttl | None:
    """Return the time to live that `value` spells, or None."""
    return next((ttl for ttl in _MINUTES if value == ttl), None)


def check_ttl(name: str, value: object) -> None:
    """Refuse what is neither None nor a time to live."""
    if value is None:
        return
    if not isinstance(value, str):
        raise refuse_type(name, "None or a str", value)
    if known_ttl(value) is None:
        shown = escaped(value[:_TTL_SHOWN])
        raise ConfigurationError(f"{name} must be None, {' or '.join(_MINUTES)}, got '{shown}'")


def broken_rules(marks: Sequence[Mark], elsewhere: int = 0) -> Iterator[LadderViolation]:
    """Yield what is wrong with the markers of a request.

    Args:
        marks: In the order of the request.
        elsewhere: How many more there are, of which nothing but their number is known.
    """
    yield from _ascending(marks)
    total = elsewhere + len(marks)
    if total > MOST_MARKERS:
        places = ["markers_used"] * min(elsewhere, MOST_MARKERS + 1) + [
            mark.place for mark in marks
        ]
        over = total - MOST_MARKERS
        detail = f"{total:,} cache markers, {over:,} over the limit of {MOST_MARKERS}; remove some"
        yield LadderViolation("count", places[MOST_MARKERS], places[MOST_MARKERS - 1], detail)


def _ascending(marks: Iterable[Mark]) -> Iterator[LadderViolation]:
    lowest: tuple[str, Ttl] | None = None
    for mark in marks:
        if mark.ttl is None:
            continue
        if lowest is not None and _MINUTES[mark.ttl] > _MINUTES[lowest[1]]:
            detail = f"ttl {mark.ttl} after ttl {lowest[1]}; shorten this one or lengthen the other"
            yield LadderViolation("order", mark.place, lowest[0], detail)
        else:
            lowest = mark.place, mark.ttl


def blank_text(place: str) -> LadderViolation:
    """Return the violation of a text block without text."""
    return LadderViolation("blank", place, None, "empty or blank text; leave the block out")


def no_place(place: str, what: str) -> LadderViolation:
    """Return the violation of a marker where none may be."""
    return LadderViolation(
        "place", place, None, f"{what} takes no cache marker; mark another block"
    )


def unknown_ttl(place: str) -> LadderViolation:
    """Return the violation of a marker with a time to live nobody knows."""
    detail = "a marker is {'type': 'ephemeral'}, with a ttl of 5m or 1h or none; mend it"
    return LadderViolation("ttl", place, None, detail)
