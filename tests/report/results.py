"""Results to draw, small enough to check by hand: a word is a token."""

from typing import Final

from budget import (
    BudgetItem,
    BudgetLine,
    BudgetPolicy,
    OverflowAction,
    OverflowResult,
    PolicyResult,
    apply_overflow,
    apply_policy,
)
from tests.counters import Words

ITEMS: Final = (
    BudgetItem("rules", "instructions", "one two three", 0, pinned=True),
    BudgetItem("note", "memory", "a b c d", 1),
    BudgetItem("report", "documents", "first second third fourth fifth", 2),
    BudgetItem("archive", "documents", "old old", 3),
)
COUNTER: Final = Words()
POLICY: Final = BudgetPolicy(
    12,
    (
        BudgetLine("instructions", OverflowAction.FAIL),
        BudgetLine("documents", OverflowAction.DROP, limit=6),
        BudgetLine("*", OverflowAction.TRUNCATE, limit=2),
    ),
)


def one_limit(limit: int = 10, separator: str | None = None) -> OverflowResult:
    """Return what one limit keeps."""
    return apply_overflow(ITEMS, limit, OverflowAction.TRUNCATE, COUNTER, separator=separator)


def lines(separator: str | None = None) -> PolicyResult:
    """Return what a policy keeps."""
    return apply_policy(ITEMS, POLICY, COUNTER, separator=separator)
