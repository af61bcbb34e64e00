"""A lock against what is measured now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

from .._checks import check_int, refuse_type
from ..errors import LockError
from .entries import Entry, Lock


class Problem(Enum):
    """What is wrong with an entry; each has its own remedy."""

    COUNTER = "counter"
    MISSING = "missing"
    NEW = "new"
    OVER = "over"
    GROWTH = "growth"

    @property
    def remedy(self) -> str:
        """What is wrong and what to do, in one sentence."""
        return _REMEDIES[self]


_REMEDIES = {
    Problem.COUNTER: "counts of two counters can't be compared; count by the locked one, or update",
    Problem.MISSING: "in the lock, but not measured; give its file, or update the lock",
    Problem.NEW: "measured, but not in the lock; update the lock to add it",
    Problem.OVER: "over its own limit; shorten it, or raise the limit in the lock",
    Problem.GROWTH: "grew by more than is tolerated; shorten it, or update the lock to accept it",
}


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How much an entry may grow: the larger of a number of tokens and a share of its size.

    Args:
        tokens: An int >= 0.
        percent: An int or Fraction >= 0, of the locked size; rounded down to whole tokens.

    Raises:
        TypeError: For an argument of a wrong type.
        LockError: For a negative number.
    """

    tokens: int = 0
    percent: int | Fraction = field(default=0)

    def __post_init__(self) -> None:
        """Refuse what isn't an amount."""
        check_int("tokens", self.tokens, 0, LockError)
        if isinstance(self.percent, bool) or not isinstance(self.percent, int | Fraction):
            raise refuse_type("percent", "an int or a Fraction", self.percent)
        if self.percent < 0:
            raise LockError(f"percent must be >= 0, got {self.percent}")

    def of(self, tokens: int) -> int:
        """Return by how many tokens this size may grow."""
        return max(self.tokens, int(self.percent * tokens / 100))


@dataclass(frozen=True, slots=True)
class Difference:
    """One entry that isn't as it was locked.

    Attributes:
        name: The path and the item's id, escaped.
        before: As locked; None for a new one.
        after: As measured; None for a missing one.
        problem: What is wrong; None where it shrank, or grew within the tolerance.
    """

    name: str
    before: Entry | None
    after: Entry | None
    problem: Problem | None

    @property
    def growth(self) -> int:
        """By how many tokens it grew; 0 where another counter counted."""
        if self.problem is Problem.COUNTER:
            return 0
        before, after = (
            0 if entry is None else entry.tokens for entry in (self.before, self.after)
        )
        return after - before


def compare(
    lock: Lock, measured: Lock, tolerance: Tolerance | None = None
) -> tuple[Difference, ...]:
    """Return the entries that differ, the largest growth first, ties by path and item.

    What is equal isn't in it, unless it is over its limit. A size that was counted by another
    counter is never compared. Nothing is counted.

    Args:
        lock: As read; its limits hold.
        measured: As measured now.
        tolerance: What may grow by how much; None: by nothing.
    """
    found = _differences(lock, measured, tolerance or Tolerance())
    return tuple(sorted(found, key=lambda difference: -difference.growth))


def _differences(lock: Lock, measured: Lock, tolerance: Tolerance) -> Iterator[Difference]:
    locked, now = lock.by_key(), measured.by_key()
    for key, entry in sorted((locked | now).items()):
        before, after = locked.get(key), now.get(key)
        problem = _problem(before, after, tolerance)
        if problem is not None or (before and before.tokens != entry.tokens):
            yield Difference(entry.name, before, after, problem)


def _problem(old: Entry | None, new: Entry | None, tolerance: Tolerance) -> Problem | None:
    if new is None:
        return Problem.MISSING
    if old is None:
        return Problem.NEW
    if old.counter != new.counter:
        return Problem.COUNTER
    if old.limit is not None and new.tokens > old.limit:
        return Problem.OVER
    return Problem.GROWTH if new.tokens - old.tokens > tolerance.of(old.tokens) else None
