"""How this package is asked to do the jobs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count as numbers

from budget import (
    BudgetItem,
    CachedCounter,
    OverflowAction,
    TokenCounter,
    apply_overflow,
    truncate_text,
)
from budget.messages import Overhead, fit_messages
from budget.tokenizers import TiktokenCounter
from tests.bench.meter import ENCODING
from tests.bench.peers import Chat, Cut, Pack, as_dict
from tests.bench.work import LIMIT

CACHE = 10_000_000  # characters


def items(counter: TokenCounter) -> Chat[BudgetItem]:
    """Keep the newest items: the higher the order, the sooner an item goes."""
    orders = numbers(0, -1)

    def fit(history: Sequence[BudgetItem]) -> list[str]:
        result = apply_overflow(history, LIMIT, OverflowAction.DROP, counter)
        return [fitted.text for fitted in result.kept]

    return Chat(
        lambda message: BudgetItem(str(order := next(orders)), "history", message.text, order), fit
    )


def messages(counter: TokenCounter) -> Chat[dict[str, str]]:
    """Keep the newest calls and turns, each a user message and what answers it."""

    def fit(history: Sequence[dict[str, str]]) -> list[str]:
        fitted = fit_messages(history, LIMIT, counter, overhead=Overhead(0))
        return [message["content"] for message in fitted.messages]

    return Chat(as_dict, fit)


def plain() -> TokenCounter:
    """Return the counter that everybody uses."""
    return TiktokenCounter(ENCODING)


def cached() -> TokenCounter:
    """Return the same with a memory."""
    return CachedCounter(plain(), CACHE)


def cut() -> Cut:
    """Keep the head of a text."""
    counter = plain()
    return lambda text: [truncate_text(text, LIMIT, counter)]


def pack() -> Pack[BudgetItem]:
    """Keep sections by priority, and cut the first that doesn't fit."""
    counter = plain()

    def fit(sections: Sequence[BudgetItem]) -> list[str]:
        result = apply_overflow(sections, LIMIT, OverflowAction.TRUNCATE, counter)
        return [fitted.text for fitted in result.kept]

    return Pack(lambda part: BudgetItem(part.name, "documents", part.text, -part.priority), fit)
