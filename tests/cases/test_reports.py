import json
from typing import Final

import pytest

from budget import (
    BudgetOverflowError,
    CallableCounter,
    CounterError,
    OverflowAction,
    OverflowResult,
    TokenCounter,
    TruncationPolicy,
    apply_overflow,
    survival_limits,
)
from tests.cases import ACTIONS, KEEPS, LOSING, Keep, item, kept, words
from tests.counters import Characters, Recording, Words

THREE: Final = [item("a", words(2)), item("b", words(5), 1), item("c", words(3), 2)]
PLAIN: Final = TruncationPolicy(marker="")
HIDDEN: Final = "SECRET-123"
TEXTS: Final = [item("key", HIDDEN), item("keys", f"{HIDDEN} {HIDDEN}", 1)]


class Quoting:
    def count(self, text: str, /) -> int:
        return text  # type: ignore[return-value]


def everything_said(result: OverflowResult) -> str:
    return f"{result!r} {result.diagnostics[0]} {result.why('keys')} {json.dumps(result.to_dict())}"


# OBS-01
def test_a_result_says_what_was_dropped_and_why() -> None:
    result = apply_overflow(THREE, 6, OverflowAction.DROP, Words())
    assert (list(kept(result)), result.dropped, result.total_tokens) == (["a"], ("b", "c"), 2)
    found = [(why.reason, why.tokens_before) for why in map(result.why, "bc") if why]
    assert found == [("over", 5), ("after", None)]


# OBS-01
def test_a_result_says_what_was_cut_and_by_how_much() -> None:
    result = apply_overflow(THREE, 6, OverflowAction.TRUNCATE, Words(), PLAIN)
    assert (result.cut, result.dropped, result.total_tokens) == ("b", ("c",), 6)
    assert [(why.tokens_before, why.tokens_after) for why in result.diagnostics] == [(5, 4)]


# ERG-07
def test_what_each_item_needs_can_be_asked_before_anything_is_lost() -> None:
    counter = Recording(Words())
    assert survival_limits(reversed(THREE), counter) == {"c": 10, "b": 7, "a": 2}
    assert len(counter.texts) == 3


# OBS-01
@pytest.mark.parametrize(
    ("policy", "reason"),
    [
        (PLAIN, "cut"),
        (TruncationPolicy(marker=" too many words here "), "no-cut"),
        (TruncationPolicy(marker="", min_tokens=5), "too-small"),
    ],
)
@pytest.mark.parametrize("separator", [None, " "])
def test_a_result_says_what_became_of_a_cut(
    policy: TruncationPolicy, reason: str, separator: str | None
) -> None:
    action = OverflowAction.TRUNCATE
    result = apply_overflow(THREE, 6, action, Words(), policy, separator=separator)
    found = [(why.item_id, why.reason) for why in map(result.why, "abc") if why]
    assert found == [("b", reason), ("c", "after")]


# OBS-01
@pytest.mark.parametrize("action", ACTIONS)
def test_a_result_says_that_nothing_was_lost(action: OverflowAction) -> None:
    result = apply_overflow(THREE, 10, action, Words())
    assert (result.overflowed, result.cut, list(map(result.why, "abc"))) == (
        False,
        None,
        [None] * 3,
    )


# OBS-03
@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("separator", [None, "\n"])
def test_an_item_that_was_cut_counts_as_changed_and_not_as_dropped(
    keep: Keep, separator: str | None
) -> None:
    items, policy = [item("a", "a" * 100)], TruncationPolicy(keep=keep)
    action = OverflowAction.TRUNCATE
    result = apply_overflow(items, 40, action, Characters(), policy, separator=separator)
    assert (result.dropped, result.cut, result.overflowed) == ((), "a", True)
    assert [one.truncated for one in result.kept] == [True]
    entry = result.diagnostics[0]
    assert (entry.action, entry.tokens_before, entry.tokens_after) == ("truncate", 100, 40)


# OBS-11
@pytest.mark.parametrize("action", LOSING)
@pytest.mark.parametrize("separator", [None, "\n"])
@pytest.mark.parametrize("limit", [5, 10, 15])
def test_a_result_never_quotes_a_text_unasked(
    action: OverflowAction, separator: str | None, limit: int
) -> None:
    result = apply_overflow(TEXTS, limit, action, Characters(), separator=separator)
    assert HIDDEN not in everything_said(result)


# OBS-11
@pytest.mark.parametrize(
    ("action", "pinned"), [(OverflowAction.FAIL, False), *((action, True) for action in ACTIONS)]
)
def test_an_overflow_never_quotes_a_text(action: OverflowAction, *, pinned: bool) -> None:
    items = [item("key", f"{HIDDEN} {HIDDEN}", pinned=pinned)]
    with pytest.raises(BudgetOverflowError) as caught:
        apply_overflow(items, 1, action, Words())
    assert HIDDEN not in f"{caught.value} {caught.value!r} {caught.value.args}"


# OBS-11
@pytest.mark.parametrize("counter", [Quoting(), CallableCounter(list), CallableCounter(str.encode)])
@pytest.mark.parametrize("action", ACTIONS)
def test_the_error_about_a_counter_never_quotes_a_text(
    counter: TokenCounter, action: OverflowAction
) -> None:
    with pytest.raises(CounterError) as caught:
        apply_overflow(TEXTS, 1, action, counter)
    assert HIDDEN not in f"{caught.value} {caught.value!r} {vars(caught.value)}"
