"""Wrong arguments: refused by name, before anything is counted."""

import re
from typing import Final

import pytest

from budget import (
    BudgetItem,
    BudgetPolicyError,
    CachedCounter,
    CallableCounter,
    EstimatingCounter,
    OverheadCounter,
    ScaledCounter,
    TruncationPolicy,
    apply_overflow,
    survival_limits,
    truncate_text,
)
from tests.counters import Recording, Words
from tests.making import DROP, Untyped, item, pin


async def later(*_: object) -> str:
    return ""


class Later:
    """Counts, some day."""

    async def count(self, text: str, /) -> int:
        return len(text)


class Countless:
    """Has a `count`, and it is a number."""

    count: Final = 3


GOOD: Final[dict[Untyped, dict[str, object]]] = {
    BudgetItem: {"item_id": "a", "kind": "memory", "text": "x"},
    TruncationPolicy: {},
    EstimatingCounter: {},
    CallableCounter: {"fn": len},
    ScaledCounter: {"counter": Words(), "factor": 1},
    OverheadCounter: {"counter": Words(), "per_item": 1},
    CachedCounter: {"counter": Words(), "max_characters": 1},
    apply_overflow: {"items": (), "limit": 9, "action": DROP, "counter": Words()},
    survival_limits: {"items": (), "counter": Words()},
    truncate_text: {"text": "one two", "limit": 9, "counter": Words()},
}
TWICE: Final = (item("x"), item("x"))

WRONG: Final[tuple[tuple[Untyped, str, object, type[Exception], str], ...]] = (
    (BudgetItem, "item_id", None, TypeError, "item_id must be a str, got NoneType"),
    (BudgetItem, "item_id", 3, TypeError, "item_id must be a str, got int"),
    (BudgetItem, "kind", None, TypeError, "kind must be a str, got NoneType"),
    (BudgetItem, "kind", "", BudgetPolicyError, "kind must be"),
    (BudgetItem, "text", None, TypeError, "text must be a str, got NoneType"),
    (BudgetItem, "text", b"bytes", TypeError, "text must be a str, got bytes"),
    (BudgetItem, "order", 1.5, TypeError, "order must be an int, got float"),
    (BudgetItem, "order", True, TypeError, "order must be an int, got bool"),
    (BudgetItem, "order", None, TypeError, "order must be an int, got NoneType"),
    (BudgetItem, "pinned", 1, TypeError, "pinned must be a bool, got int"),
    (BudgetItem, "pinned", None, TypeError, "pinned must be a bool, got NoneType"),
    (TruncationPolicy, "keep", "middle", BudgetPolicyError, "keep must be one of head, tail, both"),
    (TruncationPolicy, "keep", None, TypeError, "keep must be a str, got NoneType"),
    (TruncationPolicy, "keep", "\x1b[0m", BudgetPolicyError, r"got '\x1b[0m'"),
    (TruncationPolicy, "boundary", "paragraph", BudgetPolicyError, "boundary must be one of"),
    (TruncationPolicy, "boundary", 3, TypeError, "boundary must be a str, got int"),
    (TruncationPolicy, "marker", None, TypeError, "marker must be a str, got NoneType"),
    (TruncationPolicy, "min_tokens", -1, BudgetPolicyError, "min_tokens must be >= 0, got -1"),
    (TruncationPolicy, "min_tokens", 1.0, TypeError, "min_tokens must be an int, got float"),
    (TruncationPolicy, "quantum", 0, BudgetPolicyError, "quantum must be >= 1, got 0"),
    (TruncationPolicy, "quantum", True, TypeError, "quantum must be an int, got bool"),
    (TruncationPolicy, "head_share", 1.5, BudgetPolicyError, "head_share must be from 0 to 1"),
    (TruncationPolicy, "head_share", -0.1, BudgetPolicyError, "head_share must be from 0 to 1"),
    (TruncationPolicy, "head_share", float("nan"), BudgetPolicyError, "head_share must be from"),
    (TruncationPolicy, "head_share", "0.5", TypeError, "head_share must be a float, got str"),
    (TruncationPolicy, "head_share", True, TypeError, "head_share must be a float, got bool"),
    (EstimatingCounter, "safe", 1, TypeError, "safe must be a bool, got int"),
    (CallableCounter, "fn", "len", TypeError, "fn must be a function"),
    (CallableCounter, "fn", later, TypeError, "fn must be a function that isn't async"),
    (CallableCounter, "name", 3, TypeError, "name must be a str, got int"),
    (CallableCounter, "length", 1, TypeError, "length must be a bool, got int"),
    (ScaledCounter, "counter", len, TypeError, "CallableCounter"),
    (ScaledCounter, "factor", "1.1", TypeError, "factor must be a number, got str"),
    (ScaledCounter, "factor", None, TypeError, "factor must be a number, got NoneType"),
    (ScaledCounter, "factor", True, TypeError, "factor must be a number, got bool"),
    (ScaledCounter, "factor", 0, BudgetPolicyError, "factor must be finite and > 0, got 0"),
    (ScaledCounter, "factor", -1.5, BudgetPolicyError, "factor must be finite and > 0, got -1.5"),
    (ScaledCounter, "factor", float("nan"), BudgetPolicyError, "factor must be finite"),
    (ScaledCounter, "factor", float("inf"), BudgetPolicyError, "factor must be finite"),
    (OverheadCounter, "counter", None, TypeError, "counter must be a TokenCounter"),
    (OverheadCounter, "per_item", -1, BudgetPolicyError, "per_item must be >= 0, got -1"),
    (OverheadCounter, "per_item", 1.5, TypeError, "per_item must be an int, got float"),
    (CachedCounter, "counter", [1], TypeError, "counter must be a TokenCounter"),
    (CachedCounter, "max_characters", 0, BudgetPolicyError, "max_characters must be >= 1, got 0"),
    (CachedCounter, "max_characters", None, TypeError, "max_characters must be an int"),
    (apply_overflow, "items", None, TypeError, "items must be an iterable of BudgetItem"),
    (apply_overflow, "items", item("a"), TypeError, "items must be an iterable of BudgetItem"),
    (apply_overflow, "items", "text", TypeError, "items[0] must be of"),
    (apply_overflow, "items", [{"item_id": "a"}], TypeError, "items[0] must be of"),
    (apply_overflow, "items", [item("a"), None], TypeError, "items[1] must be of"),
    (apply_overflow, "items", TWICE, BudgetPolicyError, "items share an id: x;"),
    (apply_overflow, "limit", True, TypeError, "limit must be an int, got bool"),
    (apply_overflow, "limit", 1.5, TypeError, "limit must be an int, got float"),
    (apply_overflow, "limit", None, TypeError, "limit must be an int, got NoneType"),
    (apply_overflow, "limit", "9", TypeError, "limit must be an int, got str"),
    (apply_overflow, "limit", -1, BudgetPolicyError, "limit must be >= 0, got -1"),
    (apply_overflow, "action", "drop", TypeError, "action must be of"),
    (apply_overflow, "action", "drop", TypeError, "OverflowAction.DROP"),
    (apply_overflow, "action", "drop", TypeError, "budget.overflow"),
    (apply_overflow, "action", None, TypeError, "action must be of"),
    (apply_overflow, "truncation", "head", TypeError, "truncation must be of"),
    (apply_overflow, "truncation", {"keep": "head"}, TypeError, "truncation must be of"),
    (apply_overflow, "separator", 1, TypeError, "separator must be a str, got int"),
    (apply_overflow, "render", 1, TypeError, "render must be a function"),
    (apply_overflow, "render", "join", TypeError, "render must be a function"),
    (survival_limits, "items", None, TypeError, "items must be an iterable of BudgetItem"),
    (survival_limits, "items", [1], TypeError, "items[0] must be of"),
    (survival_limits, "items", TWICE, BudgetPolicyError, "items share an id: x;"),
    (truncate_text, "text", None, TypeError, "text must be a str, got NoneType"),
    (truncate_text, "text", b"one two", TypeError, "text must be a str, got bytes"),
    (truncate_text, "limit", True, TypeError, "limit must be an int, got bool"),
    (truncate_text, "limit", 1.5, TypeError, "limit must be an int, got float"),
    (truncate_text, "limit", None, TypeError, "limit must be an int, got NoneType"),
    (truncate_text, "limit", -1, BudgetPolicyError, "limit must be >= 0, got -1"),
    (truncate_text, "truncation", "head", TypeError, "truncation must be of"),
)


@pytest.mark.parametrize("call", GOOD, ids=lambda call: call.__name__)
def test_the_arguments_that_are_made_wrong_one_by_one_are_right(call: Untyped) -> None:
    call(**GOOD[call])


@pytest.mark.parametrize(("call", "name", "value", "error", "piece"), WRONG)
def test_a_wrong_argument_is_refused_by_name(
    call: Untyped, name: str, value: object, error: type[Exception], piece: str
) -> None:
    with pytest.raises(error, match=re.escape(piece)):
        call(**{**GOOD[call], name: value})


CALLS: Final = (apply_overflow, survival_limits, truncate_text)
AT_CALLS: Final = tuple(row for row in WRONG if row[0] in CALLS)


@pytest.mark.parametrize(("call", "name", "value", "error", "piece"), AT_CALLS)
def test_a_wrong_argument_is_refused_before_anything_is_counted(
    call: Untyped, name: str, value: object, error: type[Exception], piece: str
) -> None:
    counter = Recording(Words())
    given: dict[str, object] = {**GOOD[call], "counter": counter}
    if "items" in given:
        given["items"] = [item("a"), pin("p")]
    with pytest.raises(error, match=re.escape(piece)):
        call(**{**given, name: value})
    assert counter.texts == []


NO_COUNTERS: Final = {
    "None": (None, "counter must be a TokenCounter"),
    "object": (object(), "counter must be a TokenCounter"),
    "function": (len, "CallableCounter(function)"),
    "lambda": (lambda text: len(text), "CallableCounter(function)"),  # noqa: PLW0108
    "str": ("counter", "counter must be a TokenCounter"),
    "list": (["counter"], "counter must be a TokenCounter"),
    "tuple": (("counter",), "counter must be a TokenCounter"),
    "bytes": (b"counter", "counter must be a TokenCounter"),
    "class": (Words, "counter must be a TokenCounter"),
    "count is a number": (Countless(), "counter must be a TokenCounter"),
    "async count": (Later(), "counter must be a TokenCounter whose count isn't async"),
}
COUNTED: Final = tuple(call for call in GOOD if "counter" in GOOD[call])


@pytest.mark.parametrize("call", COUNTED, ids=lambda call: call.__name__)
@pytest.mark.parametrize("name", NO_COUNTERS)
def test_what_cannot_count_is_refused(call: Untyped, name: str) -> None:
    value, piece = NO_COUNTERS[name]
    with pytest.raises(TypeError, match=re.escape(piece)):
        call(**{**GOOD[call], "counter": value})


@pytest.mark.parametrize("call", GOOD, ids=lambda call: call.__name__)
def test_an_unknown_argument_is_refused(call: Untyped) -> None:
    with pytest.raises(TypeError, match="max_tokens"):
        call(**GOOD[call], max_tokens=10)
