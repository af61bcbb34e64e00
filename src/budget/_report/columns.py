"""Columns of a terminal: wide characters take two, combining ones none."""

from __future__ import annotations

from itertools import accumulate
from unicodedata import category, east_asian_width

_WITHOUT_WIDTH = {"Mn", "Me", "Cf"}


def columns(text: str) -> int:
    """Return how many columns of a terminal the text takes."""
    return len(text) if text.isascii() else sum(map(_columns_of, text))


def padded(text: str, width: int) -> str:
    """Return the text with blanks up to a width."""
    return text + " " * (width - columns(text))


def shortened(text: str, width: int) -> str:
    """Return the text, or as much of its beginning as fits, with an ellipsis, into a width >= 1."""
    if columns(text) <= width:
        return text
    taken = accumulate(map(_columns_of, text), initial=1)
    return text[: next(place for place, size in enumerate(taken) if size > width) - 1] + "…"


def _columns_of(character: str) -> int:
    if category(character) in _WITHOUT_WIDTH:
        return 0
    return 2 if east_asian_width(character) in "WF" else 1
