"""The lock as a file: JSON that is sorted, has one entry a line, and is replaced as a whole."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from ..errors import BudgetError, LockError, escaped
from .entries import Entry, Lock
from .replacing import replace_file

VERSION: Final = 1
_TOP: Final = {"version", "entries"}
_REQUIRED: Final = ("path", "tokens", "counter")
_OPTIONAL: Final = ("item", "limit")


def read_lock(path: Path) -> Lock:
    """Return the lock of a file.

    Raises:
        LockError: If it can't be read, isn't a lock, or is of a newer version of the format; the
            message begins with the path.
    """
    place = escaped(str(path))
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        hint = "; --update makes it" if isinstance(error, FileNotFoundError) else ""
        raise LockError(f"{place}: can't be read: {error.strerror}{hint}") from None
    except ValueError:
        raise LockError(f"{place}: not UTF-8, or not a path") from None
    try:
        return _lock(_decoded(text))
    except (TypeError, BudgetError) as error:
        raise LockError(f"{place}: {error}") from None


def write_lock(path: Path, lock: Lock) -> None:
    """Replace the file by this lock; who reads it meanwhile sees the old one or the new one.

    The same lock gives the same bytes: sorted by path and item, one entry a line.

    Raises:
        LockError: If it can't be written; what was there is still there.
    """
    lines = ",\n".join(f"    {_line(entry)}" for entry in lock.entries)
    entries = f"[\n{lines}\n  ]" if lines else "[]"
    text = f'{{\n  "version": {VERSION},\n  "entries": {entries}\n}}\n'
    try:
        replace_file(path, text.encode())
    except OSError as error:
        raise LockError(f"{escaped(str(path))}: can't be written: {error.strerror}") from None


def _line(entry: Entry) -> str:
    values: dict[str, str | int] = {"path": entry.path}
    if entry.item is not None:
        values["item"] = entry.item
    values["tokens"] = entry.tokens
    if entry.limit is not None:
        values["limit"] = entry.limit
    values["counter"] = entry.counter
    # Names from everywhere stay readable; a lone surrogate, which UTF-8 can't hold, doesn't.
    line = json.dumps(values, ensure_ascii=False)
    return line if _is_encodable(line) else json.dumps(values)


def _is_encodable(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _decoded(text: str) -> object:
    try:
        found: object = json.loads(text)
    except json.JSONDecodeError as error:
        raise LockError(
            f"not JSON: {error.msg} (line {error.lineno}, column {error.colno})"
        ) from None
    except RecursionError:
        raise LockError("not a lock: nested too deeply") from None
    except ValueError:
        raise LockError("not a lock: a number has too many digits") from None
    return found


def _lock(found: object) -> Lock:
    if not isinstance(found, Mapping) or "version" not in found:
        raise LockError("not a lock: it has no version")
    version = found["version"]
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise LockError("not a lock: its version is no number from 1 on")
    if version > VERSION:
        raise LockError(
            f"version {version} of the format is newer than {VERSION}, which this release reads;"
            " upgrade budgetline"
        )
    entries = found.get("entries")
    if set(found) != _TOP or not isinstance(entries, list):
        raise LockError("not a lock: it has version and entries, a list, and nothing else")
    return Lock(tuple(_entries(entries)))


def _entries(found: list[object]) -> Iterator[Entry]:
    for number, values in enumerate(found):
        place = f"entries[{number}]"
        if not isinstance(values, dict):
            raise LockError(f"{place}: expected an object, got {type(values).__name__}")
        unknown = sorted(set(values) - {*_REQUIRED, *_OPTIONAL})
        missing = [name for name in _REQUIRED if name not in values]
        if unknown or missing:
            fault = f"unknown {escaped(unknown[0])}" if unknown else f"{missing[0]} is missing"
            raise LockError(f"{place}: {fault}")
        try:
            yield Entry(**values)
        except (TypeError, LockError) as error:
            raise LockError(f"{place}: {error}") from None
