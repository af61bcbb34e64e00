"""What can't be dropped: what it costs, and what happens where that alone is over."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import BudgetOverflowError
from ..overflow import OverflowAction
from .ledger import Ledger, name_of
from .options import Options
from .reading import Message

_NAMED = 3


@dataclass(frozen=True, slots=True)
class Pinned:
    """What can't be dropped: its messages, what they cost, and what is left beside them."""

    indices: list[int]
    tokens: int
    room: int
    was_cut: bool = False


def pin(pinned: list[int], options: Options, ledger: Ledger[Message]) -> Pinned:
    """Count what is pinned; where it is over alone, cut its results or refuse."""
    costs = {index: ledger.exact(index) for index in pinned}
    tokens = sum(costs.values()) + ledger.overhead.per_request
    over = tokens - options.allowed
    if over <= 0 or (not pinned and options.allowed >= 0):
        return Pinned(pinned, tokens, -over)
    needed = tokens + options.reserved if pinned else options.reserved
    if options.on_pinned_overflow == "cut_results":
        saved = ledger.cut_together(pinned, over)
        if saved >= over:
            # No room for older messages: more room would cut less, and they had to go again.
            return Pinned(pinned, tokens - saved, 0, was_cut=True)
        needed -= ledger.saved_at_most(pinned)
    largest = sorted(pinned, key=lambda index: costs[index], reverse=True)[:_NAMED]
    ids = tuple(map(name_of, largest))
    raise BudgetOverflowError(needed, options.limit, OverflowAction.DROP, ids)
