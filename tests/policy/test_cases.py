"""Faults that people met in other tools that budget by section, as small inputs."""

import pytest
from hypothesis import given

from budget import (
    BudgetItem,
    BudgetLine,
    BudgetOverflowError,
    BudgetPolicy,
    BudgetPolicyError,
    FittedItem,
    apply_policy,
)
from tests.counters import Characters
from tests.making import ACTIONS, DROP, FAIL, Untyped
from tests.policy.making import cutting, dropping, failing, fitted, held, used
from tests.policy.windows import Window, windows

DOC, HIST = cutting("doc", limit=10), dropping("hist", limit=4)


def test_sec_01_an_unused_share_is_used_by_another_line() -> None:
    result = fitted(held("doc", 9), 10, HIST, DOC)
    assert [kept.truncated for kept in result.kept] == [False]


def test_sec_01_the_share_is_there_again_when_it_is_needed() -> None:
    result = fitted(held("doc", 9) + held("hist", 3), 10, HIST, DOC)
    assert (used(result), result.total_tokens) == ([3, 7], 10)


def test_sec_02_shares_add_up_to_the_whole() -> None:
    items = [item for kind in "abc" for item in held(kind, *[1] * 9)]
    lines = [dropping(kind, weight=33) for kind in "abc"]
    assert used(fitted(items, 10, *lines)) == [4, 3, 3]


def test_sec_03_only_the_text_is_counted() -> None:
    kind = "y" * 5_000
    item = BudgetItem("x" * 5_000, kind, "abc")
    result = fitted([item], 3, dropping(kind), counter=Characters())
    assert (len(result.kept), result.total_tokens) == (1, 3)


def labelled(kept: tuple[FittedItem, ...]) -> str:
    return "\n".join(f"- [{fitted.item_id}] {fitted.text}" for fitted in kept)


def test_sec_04_a_label_is_paid_for() -> None:
    items = [BudgetItem(letter * 50, "notes", "x", place) for place, letter in enumerate("abc")]
    result = fitted(items, 60, dropping("notes"), counter=Characters(), render=labelled)
    assert [kept.item_id for kept in result.kept] == ["a" * 50]
    assert result.total_tokens == 56


@pytest.mark.parametrize("line", [dropping("map", limit=5), cutting("map", limit=5)])
def test_sec_06_a_limit_is_a_ceiling_also_where_nothing_else_is_there(line: BudgetLine) -> None:
    assert fitted(held("map", *[4] * 5), 100, line).total_tokens <= 5


@given(windows())
def test_sec_07_no_limit_has_slack(window: Window) -> None:
    try:
        result = window.apply()
    except BudgetOverflowError:
        return
    assert sum(window.counter.count(kept.text) for kept in result.kept) <= result.limit
    for line, (_, part) in zip(window.policy.lines, result.lines, strict=True):
        spent = sum(window.counter.count(kept.text) for kept in part.kept)
        assert spent <= (result.limit if line.limit is None else line.limit)


@pytest.mark.parametrize("line", [dropping("a"), cutting("a")])
@pytest.mark.parametrize("limit", [0, None])
def test_cfg_01_a_limit_of_0_is_no_missing_limit(line: BudgetLine, limit: int | None) -> None:
    line = BudgetLine("a", line.action, limit=limit)
    assert len(fitted(held("a", 1), 5, line).kept) == (limit is None)


def test_cfg_01_a_line_that_fails_at_0_fails() -> None:
    with pytest.raises(BudgetOverflowError) as caught:
        fitted(held("a", 1), 5, failing("a", limit=0))
    assert (caught.value.needed, caught.value.limit) == (1, 0)


@pytest.mark.parametrize("action", ACTIONS)
def test_cfg_01_a_pinned_item_that_costs_nothing_survives_a_limit_of_0(action: object) -> None:
    line: Untyped = BudgetLine
    policy: Untyped = BudgetPolicy
    apply: Untyped = fitted
    assert policy(0, (line("a", action),), reserved=0)
    assert apply(held("a", 0, pinned=True), 0, line("a", action, limit=0))


@pytest.mark.parametrize(
    ("window", "reserve", "left"), [(131_072, 65_536, 65_536), (40_960, 16_384, 24_576)]
)
def test_cfg_03_the_reserve_for_the_answer_is_taken_off(
    window: int, reserve: int, left: int
) -> None:
    assert BudgetPolicy(window, (BudgetLine("*", DROP),), reserved=reserve).available == left


def test_cfg_05_no_argument_is_called_max_tokens() -> None:
    policy: Untyped = BudgetPolicy
    with pytest.raises(TypeError, match="max_tokens"):
        policy(9, (BudgetLine("*", DROP),), max_tokens=10)


def test_cfg_06_a_reserve_over_the_window_is_refused() -> None:
    with pytest.raises(ValueError, match="reserved must be under the limit of 100, got 150"):
        BudgetPolicy(100, (BudgetLine("*", DROP),), reserved=150)


def test_cfg_06_a_kind_without_a_line_is_refused() -> None:
    with pytest.raises(ValueError, match="no line is declared for b"):
        fitted(held("b", 1), 100, dropping("a"))


@pytest.mark.parametrize("step", [1, -1])
def test_cfg_08_two_items_with_one_id_are_refused(step: int) -> None:
    items = [BudgetItem("x", "a", "a"), BudgetItem("x", "b", "b")]
    policy = BudgetPolicy(1, (BudgetLine("*", FAIL),))
    with pytest.raises(BudgetPolicyError, match="items share an id: x"):
        apply_policy(items[::step], policy, Characters())
