"""Cutting the results of tools: to a ceiling of their own, or to the largest common cap."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from ..counting import TokenCounter, count
from ..errors import BudgetPolicyError
from ..truncation import TruncationPolicy, cut_text
from .reading import Result


@dataclass(frozen=True, slots=True)
class Cutter:
    """How results are cut."""

    counter: TokenCounter
    policy: TruncationPolicy

    def marker_cost(self, result: Result, item_id: str) -> int:
        """Return what is left of a result in the worst case: its marker."""
        return count(self.counter, result.framed(self.policy.marker), item_id)

    def cut(self, result: Result, cap: int, item_id: str) -> str:
        """Return a result's text cut to `cap` tokens, or the marker where no cut is acceptable.

        Raises:
            BudgetPolicyError: If not even the marker fits.
        """
        counter = _AsSent(self.counter, result)
        found = cut_text(result.text, cap, counter, self.policy, item_id)
        if found is not None and found[1] >= self.policy.min_tokens:
            text = found[0]
            # Blank blocks are refused, and a text that came back whole has lost nothing.
            if text.strip() and text != result.text:
                return text
        self._check_marker(cap, self.marker_cost(result, item_id))
        return self.policy.marker

    def check_ceiling(self, ceiling: int) -> None:
        """Refuse a limit for results that their marker alone is over."""
        self._check_marker(ceiling, count(self.counter, self.policy.marker))

    def _check_marker(self, cap: int, tokens: int) -> None:
        if tokens > cap:
            raise BudgetPolicyError(
                f"a limit of {cap:,} for a result is below the {tokens:,} tokens of its marker;"
                " raise tool_result_limit or shorten the marker"
            )


@dataclass(frozen=True, slots=True)
class _AsSent:
    """Counts a cut as it is sent, its JSON included."""

    counter: TokenCounter
    result: Result

    def count(self, text: str, /) -> int:
        return self.counter.count(self.result.framed(text))


def common_cap(sizes: Sequence[int], markers: Sequence[int], available: int) -> int:
    """Return the largest cap at which all results fit into `available` tokens together.

    Args:
        sizes: Tokens of each result.
        markers: What each costs at the least, cut to its marker; what is smaller isn't cut.
        available: Tokens, no less than what that comes to.
    """
    pairs = list(zip(sizes, markers, strict=True))

    def total(cap: int) -> int:
        return sum(min(size, max(cap, marker)) for size, marker in pairs)

    return bisect_right(range(max(sizes, default=0) + 1), available, key=total) - 1
