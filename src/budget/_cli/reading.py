"""The items of the files that a command was given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ..errors import escaped
from ..items import BudgetItem, BudgetKind
from .lines import InputError, decoded, items_of, json_lines, json_of, looks_like_items
from .streams import standard_input

STDIN = "-"
_LINES_SUFFIXES = {".jsonl", ".ndjson"}

Noted = Callable[[int], None]


class Read(NamedTuple):
    """One item, and where it comes from.

    Attributes:
        source: The name of the file, as it was given.
        in_lines: Whether the file holds items, a line each; otherwise it is one text.
        item: The item.
    """

    source: str
    in_lines: bool
    item: BudgetItem


def read_each(names: Sequence[str], form: str, noted: Noted) -> Iterator[Read]:
    """Yield the items of all files, of each file a line at a time.

    Args:
        names: Paths; "-" is standard input.
        form: "items" for JSON Lines, "text" for plain files, "auto" to tell them by their
            names, and standard input by its first line.
        noted: Told how many bytes were read.

    Raises:
        InputError: For what can't be read, is no item, or has an id that was there before.
    """
    places: dict[str, str] = {}
    position = 0
    for name in names:
        for place, read in _read_file(name, form, position, noted):
            _refuse_second(read.item, place, places)
            yield read
            position += 1


def read_documents(names: Sequence[str]) -> Iterator[tuple[str, object]]:
    """Yield the place and the content of each JSON document; of JSON Lines, one a line.

    Raises:
        InputError: For what can't be read or isn't JSON.
    """
    for name in names:
        with _opened(name) as file:
            lines = _rest(_first_line(file, name), file, name, _unnoted)
            in_lines = Path(name).suffix in _LINES_SUFFIXES
            yield from json_lines(lines, name) if in_lines else [_document(lines, escaped(name))]


def _document(lines: Iterator[bytes], place: str) -> tuple[str, object]:
    return place, json_of(decoded(b"".join(lines), place).removeprefix("\ufeff"), place)


def _unnoted(size: int) -> None:
    """Note nothing: a request is read in no time."""


def _read_file(name: str, form: str, position: int, noted: Noted) -> Iterator[tuple[str, Read]]:
    with _opened(name) as file:
        first = _first_line(file, name)
        in_lines = _in_lines(name, first, form)
        parse = items_of if in_lines else _plain
        for place, item in parse(_rest(first, file, name, noted), name, position):
            yield place, Read(name, in_lines, item)


def _opened(name: str) -> AbstractContextManager[BinaryIO]:
    if name == STDIN:
        return nullcontext(standard_input())
    try:
        return Path(name).open("rb")
    except (OSError, ValueError) as error:
        raise unreadable(name, error) from None


def _first_line(file: BinaryIO, name: str) -> bytes:
    try:
        return file.readline()
    except OSError as error:
        raise unreadable(name, error) from None


def _rest(first: bytes, file: BinaryIO, name: str, noted: Noted) -> Iterator[bytes]:
    try:
        for line in chain([first], file):
            noted(len(line))
            yield line
    except OSError as error:
        raise unreadable(name, error) from None


def unreadable(name: str, error: OSError | ValueError) -> InputError:
    """Return the error for a file that can't be read."""
    reason = error.strerror if isinstance(error, OSError) else "not a path"
    return InputError(f"{escaped(name)}: can't be read: {reason}")


def _in_lines(name: str, first: bytes, form: str) -> bool:
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
        raise InputError(f"{place}: the id {shown} was given before, at {first}; ids are unique")
    places[item.item_id] = place
