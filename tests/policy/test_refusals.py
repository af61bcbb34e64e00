"""What is refused because of its size: pinned content that is over, and lines that fail."""

from copy import deepcopy

import pytest

from budget import BudgetItem, BudgetOverflowError, FittedItem
from tests.counters import Recording, Words
from tests.making import DROP, FAIL, TRUNCATE, revived
from tests.policy.making import cutting, dropping, failing, fitted, held


def refusal(*arguments: object, **options: object) -> BudgetOverflowError:
    with pytest.raises(BudgetOverflowError) as caught:
        fitted(*arguments, **options)  # type: ignore[arg-type]
    return caught.value


def test_pinned_content_over_its_line_names_line_ids_and_numbers() -> None:
    items = held("a", 2, 3, pinned=True) + held("b", 1)
    error = refusal(items, 100, dropping("a", limit=4), dropping("b"))
    assert str(error) == (
        "line a: pinned content needs 5 tokens, 1 over the limit of 4 (a2, a1);"
        " raise the limit or unpin one"
    )


def test_the_error_carries_the_same() -> None:
    items = held("a", 2, 3, pinned=True)
    error = refusal(items, 100, dropping("a", limit=4))
    found = (error.needed, error.limit, error.action, error.item_ids, error.lines)
    assert found == (5, 4, DROP, ("a2", "a1"), ("a",))


def test_what_is_available_bounds_the_limit_that_is_named() -> None:
    assert refusal(held("a", 9, pinned=True), 3, dropping("a", limit=4)).limit == 3


def test_pinned_content_over_the_whole_names_all_lines_that_hold_some() -> None:
    items = held("a", 2, pinned=True) + held("b", 3, pinned=True) + held("c", 1)
    error = refusal(items, 4, dropping("c"), dropping("a"), failing("b"))
    assert str(error) == (
        "line a, b: pinned content needs 5 tokens, 1 over the limit of 4 (b1, a1);"
        " raise the limit or unpin one"
    )


def test_lines_of_several_actions_have_none_together() -> None:
    items = held("a", 2, pinned=True) + held("b", 3, pinned=True)
    assert refusal(items, 4, dropping("a"), cutting("b")).action is None


def test_lines_of_one_action_have_it_together() -> None:
    items = held("a", 2, pinned=True) + held("b", 3, pinned=True)
    assert refusal(items, 4, cutting("a"), cutting("b")).action is TRUNCATE


def test_ids_of_one_size_are_named_in_total_order_across_lines() -> None:
    items = [
        BudgetItem("z", "a", "w", 1, pinned=True),
        BudgetItem("y", "b", "w", 0, pinned=True),
        BudgetItem("x", "a", "w", 1, pinned=True),
    ]
    assert refusal(items, 1, dropping("a"), dropping("b")).item_ids == ("y", "x", "z")


def test_pinned_content_is_refused_before_anything_else_is_counted() -> None:
    recording = Recording(Words())
    items = held("a", 9, pinned=True) + held("b", 1, 2)
    refusal(items, 5, dropping("b"), dropping("a"), counter=recording)
    assert recording.texts == [items[0].text]


def test_pinned_content_over_the_whole_wins_over_a_line_that_fails() -> None:
    items = held("a", 9) + held("b", 9, pinned=True)
    assert refusal(items, 5, failing("a"), dropping("b")).lines == ("b",)


def test_a_line_that_fails_is_named_before_the_text_that_hosts_know() -> None:
    assert str(refusal(held("a", 2, 3), 4, failing("a"))) == (
        "line a: content needs 5 tokens but the budget is 4, and the declared overflow policy is"
        " 'fail'. Nothing was truncated or dropped."
    )


def test_a_line_that_fails_has_its_grant_as_limit() -> None:
    error = refusal(held("a", 2, 3) + held("b", 1), 5, failing("a"), dropping("b", floor=1))
    assert (error.needed, error.limit, error.action) == (5, 4, FAIL)


def test_a_refusal_pickles_and_deep_copies_with_its_lines() -> None:
    error = refusal(held("a", 2), 1, failing("a"))
    for again in (revived(error), deepcopy(error)):
        assert (again.args, again.lines, str(again)) == (error.args, ("a",), str(error))


def test_the_name_of_a_line_is_escaped() -> None:
    error = refusal(held("\x1b[31m", 2, pinned=True), 1, dropping("*"), dropping("\x1b[31m"))
    assert str(error).startswith(r"line \x1b[31m: ")


def test_pinned_content_that_is_over_as_it_is_sent_is_refused() -> None:
    items = held("a", 1, 1, pinned=True) + held("b", 1)
    error = refusal(items, 3, dropping("a"), dropping("b"), separator=" and so on ")
    found = (error.needed, error.limit, error.item_ids, error.lines)
    assert found == (5, 3, ("a1", "a2"), ("a",))


def test_pinned_content_that_is_over_as_it_is_sent_wins_over_a_line_that_fails() -> None:
    items = held("a", 1, 1, pinned=True) + held("b", 1)
    error = refusal(items, 3, failing("b"), dropping("a"), separator=" and so on ")
    assert error.lines == ("a",)


def test_a_line_that_fails_within_less_says_why_it_was_less() -> None:
    error = refusal(held("a", 1, 1, 1), 4, failing("a"), separator=" and ")
    assert (error.needed, error.limit) == (3, 2)
    assert error.__notes__ == [
        "the whole was measured to be over 4 tokens, so the lines were planned again within 2"
    ]


def test_a_line_that_fails_within_the_whole_has_no_note() -> None:
    assert not hasattr(refusal(held("a", 5), 4, failing("a"), separator=""), "__notes__")


def headed(kept: tuple[FittedItem, ...]) -> str:
    return "a heading " + " ".join(fitted.text for fitted in kept)


def test_a_line_that_fails_loses_nothing_that_costs_nothing() -> None:
    error = refusal(held("a", 0), 1, failing("a"), render=headed)
    assert (error.needed, error.limit, error.lines) == (2, 1, ("a",))
