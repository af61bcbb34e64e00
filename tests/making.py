"""Short ways to say what a test is about."""

import pickle
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from budget import BudgetItem, OverflowAction, OverflowResult, TruncationPolicy, apply_overflow

FAIL, DROP, TRUNCATE = OverflowAction
ACTIONS = (FAIL, DROP, TRUNCATE)
LOSSY = (DROP, TRUNCATE)
BARE = TruncationPolicy(marker="")

Value = TypeVar("Value")

# Wrong arguments are passed on purpose, so what takes them isn't checked.
Untyped = Callable[..., object]


def item(
    item_id: str, text: str = "one", order: int = 0, *, pinned: bool = False, kind: str = "memory"
) -> BudgetItem:
    """Return an item of which only what matters is said."""
    return BudgetItem(item_id, kind, text, order, pinned)


pin = partial(item, pinned=True)


def row(*texts: str) -> list[BudgetItem]:
    """Return items "a", "b", ... that are dropped from the last to the first."""
    return [item(chr(ord("a") + place), text, place) for place, text in enumerate(texts)]


def ids(result: OverflowResult) -> str:
    """Return the kept ids, in one string."""
    return " ".join(fitted.item_id for fitted in result.kept)


def texts(result: OverflowResult) -> list[str]:
    """Return the kept texts."""
    return [fitted.text for fitted in result.kept]


def revived(value: Value) -> Value:
    """Return what a pickle of the value holds."""
    copy: Value = pickle.loads(pickle.dumps(value))  # noqa: S301 - our own
    return copy


drop = partial(apply_overflow, action=DROP)
truncate = partial(apply_overflow, action=TRUNCATE)
fail = partial(apply_overflow, action=FAIL)
