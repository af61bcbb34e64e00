import inspect
from collections.abc import Callable
from typing import Final

import pytest

import budget
from budget import (
    BudgetItem,
    BudgetOverflowError,
    BudgetPolicyError,
    CachedCounter,
    OverflowAction,
    OverheadCounter,
    ScaledCounter,
    TruncationPolicy,
    apply_overflow,
    survival_limits,
    truncate_text,
)
from tests.cases import ACTIONS, KEEPS, LOSING, Keep, item, kept
from tests.counters import Characters, Recording, Words

TWINS: Final = [item("x", "a"), item("x", "b")]


def public_functions() -> list[Callable[..., object]]:
    named = [getattr(budget, name) for name in budget.__all__ if not name.endswith("Error")]
    return [one for one in named if callable(one)]


# CFG-01
@pytest.mark.parametrize("action", LOSING)
@pytest.mark.parametrize("separator", [None, "\n"])
def test_a_limit_of_zero_is_a_limit(action: OverflowAction, separator: str | None) -> None:
    result = apply_overflow([item("a", "word")], 0, action, Words(), separator=separator)
    assert (result.kept, result.dropped, result.limit) == ((), ("a",), 0)


# CFG-01
def test_a_limit_of_zero_can_be_overflowed() -> None:
    with pytest.raises(BudgetOverflowError, match="needs 1 tokens but the budget is 0"):
        apply_overflow([item("a", "word")], 0, OverflowAction.FAIL, Words())


# CFG-01
@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("pinned", [False, True])
def test_what_costs_nothing_survives_a_limit_of_zero(
    action: OverflowAction, *, pinned: bool
) -> None:
    assert kept(apply_overflow([item("a", "", pinned=pinned)], 0, action, Words())) == {"a": ""}


# CFG-01
@pytest.mark.parametrize("keep", KEEPS)
def test_a_text_cut_to_zero_is_empty(keep: Keep) -> None:
    policy = TruncationPolicy(keep=keep, marker="", min_tokens=0)
    assert truncate_text("word", 0, Characters(), policy) == ""


# CFG-01
def test_a_zero_that_is_given_replaces_the_default() -> None:
    policy = TruncationPolicy(keep="both", marker="", min_tokens=0, head_share=0)
    assert truncate_text("abcdef", 2, Characters(), policy) == "ef"
    assert OverheadCounter(Words(), 0).count("word") == 1


# CFG-01
def test_a_memory_of_zero_characters_is_refused_and_not_without_bound() -> None:
    with pytest.raises(BudgetPolicyError, match="max_characters must be >= 1, got 0"):
        CachedCounter(Words(), 0)


# CFG-05
def test_no_argument_is_called_after_the_output() -> None:
    names = {name for one in public_functions() for name in inspect.signature(one).parameters}
    assert "limit" in names
    assert not {name for name in names if "max_tokens" in name}


# CFG-05
def test_an_unknown_argument_is_refused() -> None:
    with pytest.raises(TypeError, match="max_tokens"):
        apply_overflow([], 1, OverflowAction.DROP, Words(), max_tokens=10)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="max_tokens"):
        truncate_text("word", 1, Words(), max_tokens=10)  # type: ignore[call-arg]


# CFG-06
@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("limit", [None, float("inf"), 10.0, "10", True])
def test_a_limit_that_is_no_int_never_means_no_limit(action: OverflowAction, limit: object) -> None:
    counter = Recording(Words())
    with pytest.raises(TypeError, match="limit must be an int"):
        apply_overflow([item("a", "b")], limit, action, counter)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="limit must be an int"):
        truncate_text("b", limit, counter)  # type: ignore[arg-type]
    assert counter.texts == []


# CFG-06
@pytest.mark.parametrize("action", ["drop", "DROP", None, 1, OverflowAction])
def test_an_action_that_is_none_never_means_some_other_action(action: object) -> None:
    with pytest.raises(TypeError, match=r"FAIL.*DROP.*TRUNCATE"):
        apply_overflow([item("a", "b")], 9, action, Words())  # type: ignore[arg-type]


# CFG-06
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("keep", "middle"),
        ("boundary", "paragraph"),
        ("min_tokens", -1),
        ("quantum", 0),
        ("head_share", 1.5),
        ("head_share", -0.1),
        ("head_share", float("nan")),
    ],
)
def test_an_impossible_policy_is_refused_when_it_is_made(name: str, value: object) -> None:
    with pytest.raises(BudgetPolicyError, match=f"{name} must be"):
        TruncationPolicy(**{name: value})  # type: ignore[arg-type]


# CFG-06
@pytest.mark.parametrize("factor", [0, -1, -0.5, float("inf"), float("nan")])
def test_an_impossible_factor_is_refused_when_it_is_given(factor: float) -> None:
    with pytest.raises(BudgetPolicyError, match="factor must be finite and > 0"):
        ScaledCounter(Words(), factor)


# CFG-06
def test_an_impossible_overhead_is_refused_when_it_is_given() -> None:
    with pytest.raises(BudgetPolicyError, match="per_item must be >= 0, got -1"):
        OverheadCounter(Words(), -1)


# CFG-06
def test_a_separator_beside_a_render_is_refused_and_neither_ignored() -> None:
    with pytest.raises(BudgetPolicyError, match="separator and render"):
        apply_overflow([], 9, OverflowAction.DROP, Words(), separator="", render=lambda _: "")


# CFG-06, CNT-03
@pytest.mark.parametrize(
    ("name", "value"),
    [("text", None), ("text", b"b"), ("item_id", 1), ("kind", None), ("order", 1.5), ("pinned", 1)],
)
def test_an_item_of_wrong_types_is_refused_when_it_is_made(name: str, value: object) -> None:
    fields = {"item_id": "a", "kind": "history", "text": "b", "order": 0, "pinned": False}
    with pytest.raises(TypeError, match=f"{name} must be"):
        BudgetItem(**(fields | {name: value}))  # type: ignore[arg-type]


# CFG-08
@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("items", [TWINS, TWINS[::-1], [TWINS[0]] * 2])
@pytest.mark.parametrize("limit", [0, 1, 1_000])
def test_two_items_of_one_id_are_refused_whether_or_not_they_fit(
    action: OverflowAction, items: list[BudgetItem], limit: int
) -> None:
    counter = Recording(Words())
    with pytest.raises(ValueError, match="share an id: x"):
        apply_overflow(items, limit, action, counter)
    assert counter.texts == []


# CFG-08
@pytest.mark.parametrize("twin", [item("x", "c", 7), item("x", "c", pinned=True)])
def test_two_items_of_one_id_are_refused_however_else_they_differ(twin: BudgetItem) -> None:
    with pytest.raises(BudgetPolicyError, match="share an id: x"):
        survival_limits([TWINS[0], item("y", "d"), twin], Words())
