"""The items of the files that a command was given."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from ..errors import escaped
from ..items import BudgetItem, BudgetKind
from .lines import LineError, decoded, items_of, looks_like_items

STDIN = "-"
_LINES_SUFFIXES = {".jsonl", ".ndjson"}


def read_items(names: Sequence[str], form: str) -> tuple[list[BudgetItem], bool]:
    """Return the items of all files, and whether they are the text of one plain file.

    Args:
        names: Paths; "-" is standard input.
        form: "items" for JSON Lines, "text" for plain files, "auto" to tell them by their
            names, and standard input by its first line.

    Raises:
        LineError: For what can't be read, is no item, or has an id that was there before.
    """
    items: list[BudgetItem] = []
    places: dict[str, str] = {}
    lines_seen = False
    for name in names:
        with _opened(name) as file:
            first = file.readline()
            are_lines = _are_lines(name, first, form)
            lines_seen = lines_seen or are_lines
            parse = items_of if are_lines else _plain
            for place, item in parse(_rest(first, file, name), name, len(items)):
                _refuse_second(item, place, places)
                items.append(item)
    return items, len(items) == 1 and not lines_seen


def _opened(name: str) -> AbstractContextManager[BinaryIO]:
    if name == STDIN:
        return nullcontext(sys.stdin.buffer)
    try:
        return Path(name).open("rb")
    except (OSError, ValueError) as error:
        raise _unreadable(name, error) from None


def _rest(first: bytes, file: BinaryIO, name: str) -> Iterator[bytes]:
    try:
        yield from chain([first], file)
    except OSError as error:
        raise _unreadable(name, error) from None


def _unreadable(name: str, error: OSError | ValueError) -> LineError:
    reason = error.strerror if isinstance(error, OSError) else "not a path"
    return LineError(f"{escaped(name)}: can't be read: {reason}")


def _are_lines(name: str, first: bytes, form: str) -> bool:
    if form != "auto":
        return form == "items"
    if name == STDIN:
        return looks_like_items(first)
    return Path(name).suffix in _LINES_SUFFIXES


def _plain(lines: Iterator[bytes], source: str, position: int) -> Iterator[tuple[str, BudgetItem]]:
    text = decoded(b"".join(lines), escaped(source))
    yield escaped(source), BudgetItem(source, BudgetKind.DOCUMENTS, text, position)


def _refuse_second(item: BudgetItem, place: str, places: dict[str, str]) -> None:
    if item.item_id in places:
        shown, first = escaped(item.item_id), places[item.item_id]
        raise LineError(f"{place}: the id {shown} was given before, at {first}; ids are unique")
    places[item.item_id] = place
