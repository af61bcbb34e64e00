"""The side of `check` that compares with a lock."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Final, NamedTuple

from .._report.columns import columns, padded
from ..counting import TokenCounter, counter_name
from ..errors import escaped
from ..items import JSON
from ..lock import (
    Difference,
    Entry,
    Lock,
    Problem,
    Tolerance,
    compare,
    entry_path,
    located,
    read_lock,
    write_lock,
)
from . import summary
from .arguments import refuse
from .findings import Finding, over
from .lines import InputError
from .reading import STDIN, Noted, Read, read_each

_TOLERANCE: Final = re.compile(r"([0-9]{1,12})|([0-9]{1,6}(?:\.[0-9]{1,6})?)%")
_HEAD: Final = ("", "locked", "now", "growth", "")


class Settled(NamedTuple):
    """What a lock says about what was measured.

    Attributes:
        shown: What differs from the lock as it was.
        held: What differs from the lock as it is now.
    """

    shown: tuple[Difference, ...] = ()
    held: tuple[Difference, ...] = ()

    @property
    def findings(self) -> list[Finding]:
        """What is wrong now."""
        return [
            Finding(each.problem.value, each.name, f"{_fact(each)}; {each.problem.remedy}")
            for each in self.held
            if each.problem is not None
        ]

    def lines(self) -> Iterator[str]:
        """Yield a table, largest growth first, and the remedy of each problem."""
        differences = [each for each in self.shown if each.problem is not Problem.COUNTER]
        if differences:
            yield from _table(differences[: summary.ROWS])
        if len(differences) > summary.ROWS:
            yield f"and {len(differences) - summary.ROWS:,} more"
        problems = [each.problem for each in self.held if each.problem is not None]
        for problem in Problem:
            if problem in problems:
                yield f"{problem.value} ({problems.count(problem):,}): {problem.remedy}"


class Gate(NamedTuple):
    """A lock, and what is done with it.

    Attributes:
        path: Where it is.
        lock: What is in it; nothing, where it is made only now.
        update: Whether it is rewritten.
        tolerance: What may grow by how much.
    """

    path: Path
    lock: Lock
    update: bool
    tolerance: Tolerance

    def reads(self, noted: Noted) -> Iterator[Read]:
        """Yield the items of the files that are locked; a file that is gone yields none."""
        forms = {entry.path: entry for entry in self.lock.entries}
        for entry in forms.values():
            file = located(entry, self.path)
            if file.exists():
                yield from read_each([str(file)], _form(entry), noted)

    def entry(self, read: Read, tokens: int, counter: TokenCounter, limit: int | None) -> Entry:
        """Return the entry of what was measured."""
        if read.source == STDIN:
            raise InputError("standard input has no path to lock; give files")
        return Entry(
            entry_path(Path(read.source), self.path),
            tokens,
            counter_name(counter),
            item=read.item.item_id if read.in_lines else None,
            limit=limit,
        )

    def settle(self, entries: Sequence[Entry]) -> Settled:
        """Return what differs and what of it is a finding; rewrite the lock if asked for.

        What is new or has grown is accepted by an update; what is over its limit isn't.
        """
        measured = Lock(tuple(entries))
        if not self.update:
            differences = compare(self.lock, measured, self.tolerance)
            return Settled(differences, differences)
        renewed = measured.with_limits_of(self.lock)
        write_lock(self.path, renewed)
        return Settled(compare(self.lock, measured), compare(renewed, measured))


def add_lock(sub: argparse.ArgumentParser) -> None:
    """Add the options of the lock."""
    sub.add_argument(
        "--lock",
        metavar="FILE.json",
        help="compare with the sizes in this file; without FILEs, of all that it lists",
    )
    sub.add_argument("--update", action="store_true", help="rewrite the lock with what is measured")
    sub.add_argument(
        "--tolerance",
        type=_tolerance,
        action="append",
        metavar="N|P%",
        help="an entry may grow by N tokens, or by P per cent; of several the largest holds",
    )


def gate_of(arguments: argparse.Namespace) -> Gate | None:
    """Return the lock that was asked for, read, or None.

    Raises:
        LockError: If it can't be read.
    """
    if arguments.lock is None:
        if arguments.update or arguments.tolerance:
            given = "--update" if arguments.update else "--tolerance"
            refuse(arguments, f"{given} needs --lock")
        return None
    path = Path(arguments.lock)
    is_new = arguments.update and bool(arguments.files) and not path.exists()
    asked: list[Tolerance] = arguments.tolerance or [Tolerance()]
    tolerance = Tolerance(max(each.tokens for each in asked), max(each.percent for each in asked))
    return Gate(path, Lock() if is_new else read_lock(path), arguments.update, tolerance)


def _table(differences: Sequence[Difference]) -> Iterator[str]:
    rows = [_HEAD, *map(_row, differences)]
    widths = [max(columns(value) for value in column) for column in zip(*rows, strict=True)]
    for name, locked, now, growth, problem in rows:
        numbers = f"{locked:>{widths[1]}}  {now:>{widths[2]}}  {growth:>{widths[3]}}"
        yield f"{padded(name, widths[0])}  {numbers}  {problem}".rstrip()


def row_of(difference: Difference) -> dict[str, JSON]:
    """Return plain JSON types."""
    before, after = difference.before, difference.after
    return {
        "name": difference.name,
        "before": None if before is None else before.tokens,
        "after": None if after is None else after.tokens,
        "growth": difference.growth,
        "problem": None if difference.problem is None else difference.problem.value,
    }


def _form(entry: Entry) -> str:
    return "text" if entry.item is None else "items"


def _row(difference: Difference) -> tuple[str, str, str, str, str]:
    sizes = [
        "-" if entry is None else f"{entry.tokens:,}"
        for entry in (difference.before, difference.after)
    ]
    problem = "" if difference.problem is None else difference.problem.value
    return difference.name, sizes[0], sizes[1], _growth(difference), problem


def _growth(difference: Difference) -> str:
    before = difference.before.tokens if difference.before else 0
    if not before or not difference.growth:
        return f"{difference.growth:+,}"
    # In whole tenths of a per cent: no float decides what is printed.
    tenths = abs(difference.growth) * 1_000 // before
    sign = "-" if difference.growth < 0 else "+"
    return f"{difference.growth:+,} ({sign}{tenths // 10:,}.{tenths % 10} %)"


def _fact(difference: Difference) -> str:
    before, after = difference.before, difference.after
    if before is None or after is None:
        return f"{abs(difference.growth):,} tokens"
    if difference.problem is Problem.COUNTER:
        return f"counted by {escaped(after.counter)}, locked by {escaped(before.counter)}"
    if difference.problem is Problem.OVER and before.limit is not None:
        return over(after.tokens, before.limit)
    return f"grew by {difference.growth:,} to {after.tokens:,} tokens"


def _tolerance(text: str) -> Tolerance:
    match = _TOLERANCE.fullmatch(text)
    if match is None:
        raise argparse.ArgumentTypeError("expected tokens, such as 50, or a share, such as 2.5%")
    tokens, percent = match.groups()
    return Tolerance(int(tokens)) if tokens else Tolerance(percent=Fraction(percent))
