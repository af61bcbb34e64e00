"""Short ways to say what a window is about: items of so many words, and their lines."""

from functools import partial

from budget import (
    BudgetItem,
    BudgetLine,
    BudgetPolicy,
    PolicyResult,
    TokenCounter,
    TruncationPolicy,
    apply_policy,
)
from tests.counters import Words
from tests.making import DROP, FAIL, TRUNCATE
from tests.strategies import Render

dropping = partial(BudgetLine, action=DROP)
cutting = partial(BudgetLine, action=TRUNCATE, truncation=TruncationPolicy(marker=""))
failing = partial(BudgetLine, action=FAIL)


def held(kind: str, *sizes: int, pinned: bool = False) -> list[BudgetItem]:
    """Return items of so many words, dropped from the last to the first."""
    return [
        BudgetItem(f"{kind}{place}", kind, " ".join(["w"] * size), place, pinned)
        for place, size in enumerate(sizes, 1)
    ]


def fitted(  # noqa: PLR0913 - a window and a call in one
    items: list[BudgetItem],
    limit: int,
    *lines: BudgetLine,
    reserved: int = 0,
    counter: TokenCounter | None = None,
    separator: str | None = None,
    render: Render | None = None,
) -> PolicyResult:
    """Fit into a window, counting words."""
    policy = BudgetPolicy(limit, lines, reserved=reserved)
    return apply_policy(items, policy, counter or Words(), separator=separator, render=render)


def used(result: PolicyResult) -> list[int]:
    """Return the tokens that each line used."""
    return [part.total_tokens for _, part in result.lines]


def granted(result: PolicyResult) -> list[int]:
    """Return the tokens that each line was granted."""
    return [part.limit for _, part in result.lines]
