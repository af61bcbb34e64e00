"""Every call of a small world, one by one: what is no exception here is a rule.

Up to four items of 0 to 3 tokens with two orders, pinned or not, each limit and each action.
Symmetry leaves a tenth of them: of pinned items only how many of which size, of the others only
the total order. The order of arrival and the orders of pinned items change from case to case; a
higher order has the lower id.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, cycle, permutations, product
from typing import Final

import pytest

from budget import (
    BudgetItem,
    BudgetKind,
    BudgetOverflowError,
    OverflowAction,
    OverflowResult,
    TruncationPolicy,
    apply_overflow,
    survival_limits,
)
from tests.counters import Characters
from tests.oracle import oracle_apply, oracle_survival

COUNTER: Final = Characters()
TEXTS: Final = ("", "a", "bc", "def")
POLICIES: Final = (TruncationPolicy(marker=""), TruncationPolicy(), TruncationPolicy(min_tokens=2))
CHOICES: Final = (
    (OverflowAction.FAIL, None),
    (OverflowAction.DROP, None),
    *((OverflowAction.TRUNCATE, policy) for policy in POLICIES),
)
Policy = TruncationPolicy | None
Outcome = OverflowResult | tuple[type[BudgetOverflowError], tuple[object, ...]]
Items = tuple[BudgetItem, ...]


def worlds(size: int) -> Iterator[Items]:
    """Yield each list of `size` items, the orders of arrival taken in turns."""
    arrivals = cycle(permutations(range(size)))
    for pinned in range(size + 1):
        texts = product(
            combinations_with_replacement(TEXTS, pinned), product(TEXTS, repeat=size - pinned)
        )
        orders = combinations_with_replacement((0, 1), size - pinned)
        for (sacred, others), order in product(list(texts), list(orders)):
            arrival = next(arrivals)
            made = [*_pinned(sacred, arrival), *map(_item, others, order, range(size))]
            yield tuple(made[place] for place in arrival)


def _pinned(texts: Sequence[str], arrival: Sequence[int]) -> list[BudgetItem]:
    return [
        BudgetItem(f"p{rank}", BudgetKind.TOOLS, text, place % 2, pinned=True)
        for rank, (text, place) in enumerate(zip(texts, arrival, strict=False))
    ]


def _item(text: str, order: int, rank: int) -> BudgetItem:
    return BudgetItem(f"{'za'[order]}{rank}", BudgetKind.MEMORY, text, order)


def really(items: Items, limit: int, action: OverflowAction, policy: Policy) -> Outcome:
    try:
        return apply_overflow(items, limit, action, COUNTER, policy)
    except BudgetOverflowError as error:
        return type(error), error.args


def plainly(items: Items, limit: int, action: OverflowAction, policy: Policy) -> Outcome:
    try:
        return oracle_apply(items, limit, action, COUNTER, policy)
    except BudgetOverflowError as error:
        return type(error), error.args


@pytest.mark.parametrize("size", range(5))
def test_every_small_call_has_the_outcome_of_the_oracle(size: int) -> None:
    for items in worlds(size):
        total = sum(len(item.text) for item in items)
        for limit, (action, policy) in product(range(total + 1), CHOICES):
            found = really(items, limit, action, policy)
            assert found == plainly(items, limit, action, policy), (items, limit, action, policy)


@pytest.mark.parametrize("size", range(5))
def test_every_small_call_has_the_survival_limits_of_the_oracle(size: int) -> None:
    for items in worlds(size):
        assert survival_limits(items, COUNTER) == oracle_survival(items, COUNTER), items
