"""What a lock holds: an entry per file, or per item of a file of items."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path, PurePosixPath, PureWindowsPath

from .._checks import check_int, check_type, refuse_class
from ..errors import LockError, escaped

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Entry:
    """The measured size of one file, or of one item in a file of items.

    Args:
        path: Relative to the folder of the lock file, POSIX, never outside it.
        tokens: What was counted.
        counter: The name of what counted.
        item: The item's id, in a file of items; None for a file that is one text.
        limit: Tokens that it may never exceed; None for no such limit.

    Raises:
        TypeError: For an argument of a wrong type.
        LockError: For a path that leads outside, or a number under 0.
    """

    path: str
    tokens: int
    counter: str
    _: KW_ONLY
    item: str | None = None
    limit: int | None = None

    def __post_init__(self) -> None:
        """Refuse wrong types, negative numbers and paths that lead outside."""
        for name in ("path", "counter"):
            check_type(name, getattr(self, name), str)
        if self.item is not None:
            check_type("item", self.item, str)
        check_int("tokens", self.tokens, 0, LockError)
        if self.limit is not None:
            check_int("limit", self.limit, 0, LockError)
        _check_path(self.path)

    @property
    def key(self) -> Key:
        """What it is the entry of; entries are sorted by it, as text."""
        return self.path, "" if self.item is None else f":{self.item}"

    @property
    def name(self) -> str:
        """The path and the item's id, escaped, for a reader."""
        item = "" if self.item is None else f" {escaped(self.item)}"
        return escaped(self.path) + item


@dataclass(frozen=True, slots=True)
class Lock:
    """Entries with unique keys, sorted.

    Raises:
        LockError: If two entries are for the same file or item.
        TypeError: For what isn't an entry.
    """

    entries: tuple[Entry, ...] = ()

    def __post_init__(self) -> None:
        """Sort, and refuse a second entry of the same thing."""
        object.__setattr__(self, "entries", _sorted(self.entries))

    def by_key(self) -> dict[Key, Entry]:
        """Return the entries by their keys."""
        return {entry.key: entry for entry in self.entries}

    def with_limits_of(self, other: Lock) -> Lock:
        """Return these entries; where one has no limit, with the limit that the other's has."""
        limits = {key: entry.limit for key, entry in other.by_key().items()}
        return Lock(
            tuple(
                entry if entry.limit is not None else replace(entry, limit=limits.get(entry.key))
                for entry in self.entries
            )
        )


def _check_path(text: str) -> None:
    path = PurePosixPath(text)
    # A drive or a backslash would mean something else on another system.
    foreign = PureWindowsPath(text).drive or "\\" in text or "\0" in text
    if foreign or path.is_absolute() or ".." in path.parts or str(path) != text or text == ".":
        raise LockError(
            "path must be relative to the lock's folder, inside it and written with /,"
            f" got '{escaped(text)}'"
        )


def _sorted(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    found: dict[Key, Entry] = {}
    for entry in entries:
        if not isinstance(entry, Entry):
            raise refuse_class("entries", Entry, entry)
        if entry.key in found:
            raise LockError(f"there are two entries for {entry.name}; remove one")
        found[entry.key] = entry
    return tuple(found[key] for key in sorted(found))


def entry_path(file: Path, lock: Path) -> str:
    """Return the path of a file as an entry has it: relative to the lock's folder, POSIX.

    Links are followed, so that no link leads outside.

    Raises:
        LockError: If the file isn't inside the folder of the lock.
    """
    folder = lock.resolve().parent
    try:
        return file.resolve().relative_to(folder).as_posix()
    except ValueError:
        raise LockError(
            f"{escaped(str(file))} is outside the folder of the lock, {escaped(str(folder))};"
            " put the lock above what it measures"
        ) from None


def located(entry: Entry, lock: Path) -> Path:
    """Return where the file of an entry is, seen from where the lock's path is seen from.

    Raises:
        LockError: If a link leads outside the folder of the lock.
    """
    file = lock.parent / entry.path
    entry_path(file, lock)
    return file
