"""Pinned content, and FAIL: where not fitting is an error."""

import pytest

from budget import BudgetOverflowError, OverflowAction, apply_overflow
from tests.counters import Characters, Words
from tests.making import ACTIONS, drop, fail, ids, item, pin, row, texts, truncate

every_action = pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.value)
MIXED = [item("b", "xx", 1), pin("p", "ppp"), item("a", "yyyy"), item("c", "z z", 2)]


def test_pinned_content_is_never_dropped() -> None:
    result = drop([item("n1"), pin("p", "x " * 10, 99), item("n2")], 10, counter=Words())
    assert (ids(result), result.dropped) == ("p", ("n1", "n2"))


def test_pinned_content_is_never_cut() -> None:
    given = [pin("p", "RULES:abcdef"), item("z", "zzzz")]
    result = truncate(given, 14, counter=Characters())
    assert texts(result) == ["RULES:abcdef", "z…"]
    assert texts(truncate(given, 12, counter=Characters())) == ["RULES:abcdef"]


@every_action
def test_pinned_content_over_the_limit_is_refused_under_every_action(
    action: OverflowAction,
) -> None:
    given = [pin("sys", "x " * 7), item("q"), pin("ctx", "x " * 9)]
    with pytest.raises(BudgetOverflowError, match="pinned content needs 16 tokens") as caught:
        apply_overflow(given, 10, action, Words())
    error = caught.value
    assert (error.needed, error.limit, error.action) == (16, 10, action)
    assert error.item_ids == ("ctx", "sys")


@every_action
def test_pinned_content_that_is_everything_is_refused_as_pinned(action: OverflowAction) -> None:
    with pytest.raises(BudgetOverflowError) as caught:
        apply_overflow([pin("p", "x x")], 1, action, Words())
    assert caught.value.item_ids == ("p",)


def test_equal_pinned_items_are_named_in_total_order() -> None:
    with pytest.raises(BudgetOverflowError) as caught:
        drop([pin("b"), pin("c", order=-1), pin("a")], 1, counter=Words())
    assert caught.value.item_ids == ("c", "a", "b")


def test_pinned_content_is_charged_once() -> None:
    given = [pin("sys", "x x x x"), *(item(f"m{n}", "x x", n) for n in (1, 2, 3))]
    assert drop(given, 10, counter=Words()).total_tokens == 10
    assert drop(given, 9, counter=Words()).dropped == ("m3",)


def test_pinned_content_that_costs_nothing_fits_into_nothing() -> None:
    assert ids(drop([pin("p", " "), item("a")], 0, counter=Words())) == "p"


def test_fail_names_the_total_of_everything() -> None:
    with pytest.raises(BudgetOverflowError) as caught:
        fail(MIXED, 4, counter=Characters())
    error = caught.value
    assert (error.needed, error.limit, error.action, error.item_ids) == (
        12,
        4,
        OverflowAction.FAIL,
        (),
    )
    assert str(error) == (
        "content needs 12 tokens but the budget is 4, and the declared overflow policy is 'fail'."
        " Nothing was truncated or dropped."
    )


def test_a_refusal_leaves_nothing_behind() -> None:
    given = [pin("p", "x x x x x"), *row("x x", "x x")]
    with pytest.raises(BudgetOverflowError):
        drop(given, 4, counter=Words())
    assert texts(drop(given, 100, counter=Words())) == [part.text for part in given]
