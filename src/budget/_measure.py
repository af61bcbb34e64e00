"""What is measured: the sum of counts, or the one string that is really sent.

A sum is no bound for the string in either direction: joins merge tokens and add some.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from ._batch import Batch
from ._checks import check_type
from .counting import TokenCounter, check_function, count
from .errors import BudgetPolicyError
from .items import FittedItem

MEASUREMENTS = 16
STRIKES = 2  # costs that mislead a guess twice are no slope to follow: halve from there on


class Render(Protocol):
    """A function of the kept items, in arrival order, that returns what is sent."""

    def __call__(self, kept: tuple[FittedItem, ...], /) -> str:
        """Return the text for at least one item."""
        ...


class Measured(NamedTuple):
    """Tokens, and the string that was counted; None where counts were summed."""

    tokens: int
    text: str | None = None


class Measure(Protocol):
    """How kept items are measured.

    Attributes:
        far: A sum of counts beyond this many limits proves that not everything fits.
    """

    @property
    def far(self) -> int:
        """A sum of counts beyond this many limits proves that not everything fits."""
        ...

    def __call__(self, kept: Sequence[FittedItem], total: int, /) -> Measured:
        """Measure items, whose counts add up to `total`, in whatever order they come."""
        ...


class SumOfCounts:
    """The default: each text was counted by itself."""

    far = 1

    def __call__(self, _kept: Sequence[FittedItem], total: int, /) -> Measured:
        """Return the sum, without looking at the items."""
        return Measured(total)


class CountOfRendered:
    """The whole is rendered in arrival order and counted as one string."""

    far = 4

    def __init__(self, batch: Batch, render: Render, counter: TokenCounter) -> None:
        """Keep what it takes to render and count."""
        self.batch = batch
        self.render = render
        self.counter = counter

    def __call__(self, kept: Sequence[FittedItem], _total: int, /) -> Measured:
        """Render and count once; nothing kept is "" and costs nothing."""
        if not kept:
            return Measured(0, "")
        text = self.render(self.batch.arranged(kept))
        check_type("what render returns", text, str)
        return Measured(count(self.counter, text), text)


def measure_of(
    batch: Batch, counter: TokenCounter, separator: str | None, render: Render | None
) -> Measure:
    """Return the measure that a call asks for."""
    if separator is not None and render is not None:
        raise BudgetPolicyError("separator and render are both given; give one of the two")
    if separator is not None:
        check_type("separator", separator, str)
        return CountOfRendered(batch, _joiner(separator), counter)
    if render is None:
        return SumOfCounts()
    check_function("render", render)
    return CountOfRendered(batch, render, counter)


def _joiner(separator: str) -> Render:
    return lambda kept: separator.join(fitted.text for fitted in kept)


def settle(
    sums: Sequence[int],
    limit: int,
    measure: Callable[[int], Measured],
    lowest: Measured,
    whole: Measured | None,
) -> tuple[int, Measured]:
    """Return how long a prefix fits when it is measured, and what was measured.

    Args:
        sums: The sum of counts of each prefix, the pinned items included, from length 0 on.
        limit: Tokens.
        measure: Of a length; asked at most 15 times, first where the sums suggest.
        lowest: Length 0, measured, within the limit.
        whole: The longest prefix, measured, over the limit; None if it wasn't measured, and one
            item more is known to be over by its sum.
    """
    low, high = 0, len(sums) - (whole is not None)
    fits, over, strikes = lowest, whole, 0
    guess = bisect_right(sums, limit) - 1
    for _ in range(MEASUREMENTS - 1):
        if high - low <= 1:
            break
        length, width = min(max(guess, low + 1), high - 1), high - low
        found = measure(length)
        if found.tokens <= limit:
            low, fits = length, found
        else:
            high, over = length, found
        strikes += 2 * (high - low) > width
        if strikes > STRIKES:
            guess = (low + high) // 2
        else:
            room, rise = limit - fits.tokens, 0 if over is None else over.tokens - fits.tokens
            # The room in terms of sums: by the measured slope where there is one.
            step = room * (sums[high] - sums[low]) // rise if rise > 0 else room
            guess = bisect_right(sums, sums[low] + step) - 1
    return low, fits
