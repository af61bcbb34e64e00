"""The walk is that of apply_overflow: on user messages alone both say the same."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from budget import (
    BudgetItem,
    BudgetOverflowError,
    OverflowAction,
    TokenCounter,
    apply_overflow,
)
from budget.messages import fit_messages
from tests.counters import Characters, Dips, Framed, Words
from tests.messages.making import FREE, user

COUNTERS: st.SearchStrategy[TokenCounter] = st.sampled_from(
    (Words(), Characters(), Dips(), Framed())
)
TEXTS = st.lists(st.sampled_from(("", "a", "b c", "some more words", "x" * 9)), max_size=8)


def as_items(texts: list[str], *, pin_last: bool) -> list[BudgetItem]:
    """Return texts as items, of which the oldest goes first."""
    last = len(texts) - 1
    return [
        BudgetItem(f"messages[{place}]", "history", text, last - place, pin_last and place == last)
        for place, text in enumerate(texts)
    ]


@given(TEXTS, COUNTERS, st.integers(0, 60), st.sampled_from((True, False)))
def test_user_messages_alone_fit_as_apply_overflow_fits_texts(
    texts: list[str],
    counter: TokenCounter,
    limit: int,
    pin_last: bool,  # noqa: FBT001 - drawn
) -> None:
    fitted = outcome(lambda: fitted_alone(texts, counter, limit, pin_last=pin_last))
    assert fitted == outcome(lambda: applied(texts, counter, limit, pin_last=pin_last))


def outcome(call: Callable[[], object]) -> object:
    """Return what a call returns, or all that its refusal says."""
    try:
        return call()
    except BudgetOverflowError as error:
        return error.args[:3], error.item_ids[:3]


def fitted_alone(texts: list[str], counter: TokenCounter, limit: int, *, pin_last: bool) -> object:
    """Fit texts as user messages."""
    messages = [user(text) for text in texts]
    fitted = fit_messages(messages, limit, counter, overhead=FREE, pin_last_user=pin_last)
    reasons = {entry.item_id: entry for entry in fitted.diagnostics}
    kept = [f"messages[{index}]" for index in fitted.kept]
    return kept, fitted.total_tokens, fitted.overflowed, reasons


def applied(texts: list[str], counter: TokenCounter, limit: int, *, pin_last: bool) -> object:
    """Fit texts as items."""
    items = as_items(texts, pin_last=pin_last)
    result = apply_overflow(items, limit, OverflowAction.DROP, counter)
    reasons = {item_id: result.why(item_id) for item_id in result.dropped}
    return [k.item_id for k in result.kept], result.total_tokens, result.overflowed, reasons
