"""A bar: what was kept, up to the limit, and behind it what was not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .picture import Bar

# In this order, so that what is used and free ends at the limit, and what is left out is beyond.
WITHIN = ("kept", "cut", "joins", "free")
BEYOND = "dropped"
MEANINGS = {
    "kept": "kept whole",
    "cut": "kept of a cut",
    "joins": "between the texts",
    "free": "free",
    "limit": "limit",
    "dropped": "dropped or cut off",
}


class Segment(NamedTuple):
    """A part of a bar; `start` and `size` are in whole cells."""

    name: str
    start: int
    size: int


def longest(bars: Iterable[Bar]) -> int:
    """Return the tokens of the longest bar, at least 1."""
    return max([1, *(sum(tokens for _, tokens in _parts(bar)) for bar in bars)])


def segments(bar: Bar, scale: int, cells: int) -> Iterator[Segment]:
    """Yield the parts of a bar of which `scale` tokens are `cells` cells long.

    What is there is seen: a part never has less than one cell, so a bar can be up to five cells
    longer than `cells`. Where the bar has a limit, a "limit" of one cell stands there.
    """
    start = 0
    for name, tokens in _parts(bar):
        if name == BEYOND and bar.limit is not None:
            yield Segment("limit", start, 1)
            start += 1
        size = max(tokens * cells // scale, 1) if tokens else 0
        if size:
            yield Segment(name, start, size)
            start += size


def _parts(bar: Bar) -> list[tuple[str, int]]:
    # Joined texts can cost less than their sum: that is no part to draw.
    values = (bar.kept, bar.cut, max(bar.joins, 0), bar.free, bar.dropped)
    return list(zip((*WITHIN, BEYOND), values, strict=True))
