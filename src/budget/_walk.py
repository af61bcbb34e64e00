"""The walk: the longest prefix of units that fits a room.

There is one for items, lines and chat histories. Counts are never negative, so the first unit
that doesn't fit ends the prefix, and nothing behind it has to be counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Prefix(NamedTuple):
    """The longest prefix of units that fits: their costs, and what stopped it.

    Attributes:
        costs: One per unit that fits.
        left: Tokens of the room that they leave.
        over: The cost of the first that doesn't fit; None where it isn't known to its end, or
            where all fit.
    """

    costs: list[int]
    left: int
    over: int | None


def longest_prefix(costs: Iterable[int | None], room: int) -> Prefix:
    """Return the longest prefix of units that fits into `room` tokens.

    Args:
        costs: Of the units, in the order in which they are considered, computed as they are
            asked for: none behind the first that doesn't fit is. None is a cost that is known
            only to be over what is left.
        room: Tokens.
    """
    fitting: list[int] = []
    for tokens in costs:
        if tokens is None or tokens > room:
            return Prefix(fitting, room, tokens)
        fitting.append(tokens)
        room -= tokens
    return Prefix(fitting, room, None)
