"""Items as JSON Lines, one object a line with the fields of `BudgetItem`, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import fields
from difflib import get_close_matches

from ..errors import BudgetError, escaped
from ..items import BudgetItem

_FIELDS = tuple(field.name for field in fields(BudgetItem))
_REQUIRED = ("item_id", "kind", "text")


class InputError(BudgetError):
    """What can't be read; the message says where and why, and never quotes it."""


def items_of(
    lines: Iterable[bytes], source: str, position: int
) -> Iterator[tuple[str, BudgetItem]]:
    """Yield each line's place and item; blank lines are passed over.

    Args:
        lines: UTF-8, with or without a byte order mark at the beginning.
        source: What the lines are called in an error.
        position: The order of the first item, where a line gives none.

    Raises:
        InputError: For a line that isn't one JSON object with the fields of an item.
    """
    for order, (place, found) in enumerate(json_lines(lines, source), start=position):
        if not isinstance(found, dict):
            raise InputError(f"{place}: expected an object, got {type(found).__name__}")
        yield place, _item(found, place, order)


def json_lines(lines: Iterable[bytes], source: str) -> Iterator[tuple[str, object]]:
    """Yield each line's place and what it holds; blank lines are passed over.

    Raises:
        InputError: For a line that isn't JSON.
    """
    for number, line in enumerate(lines, start=1):
        place = f"{escaped(source)}:{number}"
        text = decoded(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line, place).strip()
        if text:
            yield place, json_of(text, place)


def line_of(item: BudgetItem, text: str) -> bytes:
    """Return one line with the item's fields and this text; lone surrogates become escapes."""
    values = {
        "item_id": item.item_id,
        "kind": str(item.kind),
        "text": text,
        "order": item.order,
        "pinned": item.pinned,
    }
    return encoded(json.dumps(values, ensure_ascii=False)) + b"\n"


def encoded(text: str) -> bytes:
    """Return UTF-8; a lone surrogate, which UTF-8 has no place for, becomes its JSON escape."""
    return text.encode("utf-8", "backslashreplace")


def decoded(data: bytes, place: str) -> str:
    """Return the text of UTF-8 bytes.

    Raises:
        InputError: If they aren't UTF-8.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{place}: not UTF-8 from byte {error.start} on") from None


def looks_like_items(first_line: bytes) -> bool:
    """Return whether a first line is a JSON object with an item_id."""
    try:
        found = json.loads(first_line)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and "item_id" in found


def json_of(text: str, place: str) -> object:
    """Return what a JSON text holds.

    Raises:
        InputError: If it isn't JSON, gives a key twice, or is more than Python reads.
    """
    try:
        found: object = json.loads(text, object_pairs_hook=lambda pairs: _unique(pairs, place))
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if error.lineno > 1 else ""
        raise InputError(f"{place}: not JSON: {error.msg} ({line}column {error.colno})") from None
    except RecursionError:
        raise InputError(f"{place}: can't be read: nested too deeply") from None
    except ValueError:
        raise InputError(f"{place}: can't be read: a number has too many digits") from None
    return found


def _unique(pairs: list[tuple[str, object]], place: str) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise InputError(f"{place}: a field is given twice")
    return found


def _item(values: dict[str, object], place: str, position: int) -> BudgetItem:
    for name in values:
        if name not in _FIELDS:
            near = get_close_matches(name, _FIELDS, n=1)
            hint = f"; did you mean '{near[0]}'?" if near else f"; fields are {', '.join(_FIELDS)}"
            raise InputError(f"{place}: unknown field '{escaped(name)}'{hint}")
    missing = [name for name in _REQUIRED if name not in values]
    if missing:
        raise InputError(
            f"{place}: missing field '{missing[0]}'; an item has {', '.join(_REQUIRED)}"
        )
    try:
        return BudgetItem(**{"order": position} | values)  # type: ignore[arg-type]  # it checks them
    except (TypeError, BudgetError) as error:
        raise InputError(f"{place}: {error}") from None
