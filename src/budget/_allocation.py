"""Shares of a room, max-min fair by weight and in whole tokens: numbers only.

What one claim can't use goes to the others. Nothing is a float: a share that is off by one
token breaks a limit.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Claim:
    """What a share is at least, what it is at most, and its weight in between."""

    low: int
    high: int
    weight: int

    def at(self, level: Fraction) -> Fraction:
        """Return the share that a level stands for."""
        return min(max(level * self.weight, Fraction(self.low)), Fraction(self.high))


def shares(claims: Sequence[Claim], room: int) -> list[int]:
    """Return a share per claim; together they are `room`, or all that can be used of it.

    Args:
        claims: In the order in which they get the tokens that are lost by rounding down.
        room: Tokens, at least the sum of what the claims get at least.
    """
    total = min(room, sum(claim.high for claim in claims))
    level = _level(claims, total)
    exact = [claim.at(level) for claim in claims]
    whole = [int(share) for share in exact]
    lost = total - sum(whole)
    for place, share in enumerate(exact):
        if lost and share > whole[place]:
            whole[place] += 1
            lost -= 1
    return whole


def _level(claims: Sequence[Claim], total: int) -> Fraction:
    """Return the level at which the shares add up to `total`, exactly.

    Their sum is a line between two marks, where a share begins or ceases to grow.
    """
    ends = ((end, claim.weight) for claim in claims for end in (0, claim.low, claim.high))
    marks = sorted({Fraction(end, weight) for end, weight in ends})
    place = bisect_left(marks, Fraction(total), key=lambda mark: _filled(claims, mark))
    above, below = marks[place], marks[max(place - 1, 0)]
    rise = _filled(claims, above) - _filled(claims, below)
    return below + (above - below) * (total - _filled(claims, below)) / (rise or 1)


def _filled(claims: Sequence[Claim], level: Fraction) -> Fraction:
    return sum((claim.at(level) for claim in claims), Fraction())
