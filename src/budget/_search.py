"""The largest size that fits, asking an opaque cost as rarely and as cheaply as possible.

No plain bisection: a longer prefix can cost less than a shorter one (in GPT-2's vocabulary 16
zeros are one token and 15 are three), so costs are not sorted. What is returned was itself
measured to fit; for costs that never shrink it is also the largest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

FIRST_SIZE = 1_024
EXACT_SIZE = 4_096  # up to here the last character counts, beyond it the last per cent
MEASUREMENTS = 26
STRIKES = 2  # costs that mislead a guess twice are no slope to follow: halve from there on
SLACK = 4_096


class Ladder(Protocol):
    """Sizes in characters, of which only some can be taken."""

    top: int

    def snapped(self, size: int) -> int:
        """Return the largest size <= `size` that can be taken; 0 if there is none."""
        ...

    def above(self, size: int) -> int:
        """Return the smallest size > `size` that can be taken; `top` if there is none."""
        ...

    def cost(self, size: int) -> int:
        """Measure a size that can be taken, in tokens."""
        ...


@dataclass(slots=True)
class Bracket:
    """The largest size known to fit and the smallest known not to; `high_cost` may be unknown."""

    low: int
    high: int
    low_cost: int = 0
    high_cost: int | None = None
    step: int = 0
    strikes: int = 0

    def guess(self, room: int) -> int:
        """Return where to measure next, strictly inside."""
        if self.high_cost is None:
            size = self.low + self._stride(room)
        elif self.strikes >= STRIKES or self.high_cost <= self.low_cost:
            size = (self.low + self.high) // 2
        else:  # aim half a token under the first size that doesn't fit
            width, rise = self.high - self.low, self.high_cost - self.low_cost
            size = self.low + width * (2 * (room - self.low_cost) + 1) // (2 * rise)
        return min(max(size, self.low + 1), self.high - 1)

    def _stride(self, room: int) -> int:
        """Gallop by the density so far: at least doubling the stride, at most the size."""
        if not self.low:
            return min(4 * room, FIRST_SIZE)
        wanted = (room + 1 - self.low_cost) * self.low // max(self.low_cost, 1)
        most = self.low if self.low <= EXACT_SIZE else 3 * self.low
        self.step = min(max(wanted, 2 * self.step, 1), most)
        return self.step

    def learn(self, size: int, cost: int, room: int) -> None:
        """Move an end, and note a guess that didn't halve a measured width."""
        measured, width = self.high_cost is not None, self.high - self.low
        if cost <= room:
            self.low, self.low_cost = size, cost
        else:
            self.high, self.high_cost = size, cost
        if measured and 2 * (self.high - self.low) > width:
            self.strikes += 1


def largest_fit(ladder: Ladder, room: int, frame: int, most: int) -> tuple[int, int]:
    """Return the largest size found to fit `room` tokens, and its cost; (0, 0) if none did.

    Args:
        ladder: The sizes; `cost` is asked at most 26 times.
        room: Tokens.
        frame: Characters that each measurement reads beside the size.
        most: How often the characters found to fit may be read in all, beside 4,096.
    """
    bracket = Bracket(0, ladder.top)
    read = 0
    for _ in range(MEASUREMENTS):
        size = ladder.snapped(bracket.guess(room)) if bracket.high - bracket.low > 1 else 0
        if size <= bracket.low:
            size = ladder.above(bracket.low)
        read += size + frame
        if size >= bracket.high or read > most * (bracket.low + frame) + SLACK:
            break
        bracket.learn(size, ladder.cost(size), room)
        if bracket.low > EXACT_SIZE and 100 * bracket.low_cost >= 99 * room:
            break
    return bracket.low, bracket.low_cost
