"""The largest size that fits, asking an opaque cost as rarely and as cheaply as possible.

No plain bisection: a longer prefix can cost less than a shorter one (in GPT-2's vocabulary 16
zeros are one token and 15 are three), so costs are not sorted. What is returned was itself
measured to fit; for costs that never shrink it is also the largest.
"""

from __future__ import annotations

from typing import Protocol

FIRST_SIZE = 1_024
EXACT_SIZE = 4_096  # up to here the last character counts, beyond it the last per cent
MEASUREMENTS = 32
STRIKES = 2  # slopes in a row that led to no half of the width: none is followed any more
CLIFF = 16  # a rise of so many rooms is no slope to follow
SLACK = 4_096


class Ladder(Protocol):
    """Sizes in characters, of which only some can be taken.

    Attributes:
        top: The size of the whole, which doesn't fit.
        frame: Characters that each measurement reads beside the size.
        read: Characters that all measurements have read.
    """

    top: int
    frame: int
    read: int

    def snapped(self, size: int) -> int:
        """Return the largest size <= `size` that can be taken; 0 if there is none."""
        ...

    def above(self, size: int) -> int:
        """Return the smallest size > `size` that can be taken; `top` if there is none."""
        ...

    def cost(self, size: int) -> int:
        """Measure a size that can be taken, in tokens."""
        ...


class Bracket:
    """The largest size known to fit and the smallest known not to; `high_cost` may be unknown."""

    __slots__ = ("high", "high_cost", "low", "low_cost", "strides", "strikes")

    def __init__(self, low: int, low_cost: int, high: int) -> None:
        """Start between a size that fits and one that doesn't, of unknown cost."""
        self.low = low
        self.low_cost = low_cost
        self.high = high
        self.high_cost: int | None = None
        self.strides = 0
        self.strikes = 0

    def guess(self, room: int) -> int:
        """Return where to measure next: by a gallop, by the slope, or half-way."""
        if self.high_cost is None:
            size = self.low + self._stride(room)
        elif self.strikes < STRIKES and 0 < self.high_cost - self.low_cost <= CLIFF * room:
            width, rise = self.high - self.low, self.high_cost - self.low_cost
            # Half a token under the first size that shouldn't fit.
            size = self.low + width * (2 * (room - self.low_cost) + 1) // (2 * rise)
        else:
            size = (self.low + self.high) // 2
        return min(max(size, self.low + 1), self.high - 1)

    def _stride(self, room: int) -> int:
        """Stride by the density so far, at most to double the size; eightfold once it failed."""
        if self.strides == 0:
            self.strides = 1
            return min(4 * room, FIRST_SIZE) - self.low
        wanted = (room + 1 - self.low_cost) * self.low // max(self.low_cost, 1)
        if wanted >= self.low:
            return self.low
        self.strides *= 8
        return min(max(wanted, 1) * self.strides // 8, self.low)

    def learn(self, size: int, cost: int, room: int) -> None:
        """Move an end, and note a slope that led to no half of the width."""
        measured, width = self.high_cost is not None, self.high - self.low
        if cost <= room:
            self.low, self.low_cost = size, cost
        else:
            self.high, self.high_cost = size, cost
        if measured:
            self._judge(halved=2 * (self.high - self.low) <= width + 1)

    def _judge(self, *, halved: bool) -> None:
        """Count slopes that misled; a large size may follow one again after two halvings."""
        if self.strikes < STRIKES:
            self.strikes = 0 if halved else self.strikes + 1
        elif self.low > EXACT_SIZE:
            self.strikes = (self.strikes + 1) % (STRIKES + 2)


def largest_fit(ladder: Ladder, room: int, most: int) -> tuple[int, int]:
    """Return the largest size found to fit `room` tokens, and its cost; (0, 0) if none did.

    A smallest size that doesn't fit is taken as proof that none does.

    Args:
        ladder: The sizes; `cost` is asked at most 32 times.
        room: Tokens.
        most: How many times the size found, with its frame, may be read in all, beside 4,096.
    """
    smallest = ladder.above(0)
    if smallest >= ladder.top or smallest > SLACK:
        return 0, 0
    bracket = Bracket(smallest, ladder.cost(smallest), ladder.top)
    if bracket.low_cost > room:
        return 0, 0
    for _ in range(MEASUREMENTS - 1):
        size = ladder.snapped(bracket.guess(room))
        if size <= bracket.low:
            size = ladder.above(bracket.low)
        allowed = most * (bracket.low + ladder.frame) + SLACK
        if size >= bracket.high or ladder.read + size + ladder.frame > allowed:
            break
        bracket.learn(size, ladder.cost(size), room)
        if bracket.low > EXACT_SIZE and 100 * bracket.low_cost >= 99 * room:
            break
    return bracket.low, bracket.low_cost
