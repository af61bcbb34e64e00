"""What a declaration accepts and refuses, before any content is there."""

import pytest

from budget import (
    BudgetError,
    BudgetKind,
    BudgetLine,
    BudgetPolicy,
    BudgetPolicyError,
    EstimatingCounter,
    TruncationPolicy,
    apply_policy,
)
from tests.making import DROP, FAIL, TRUNCATE, Untyped, item, revived
from tests.policy.making import dropping, held

LINE: Untyped = BudgetLine
POLICY: Untyped = BudgetPolicy
APPLY: Untyped = apply_policy
MEMORY = BudgetLine("memory", DROP)
COUNTER = EstimatingCounter()

Row = tuple[Untyped, tuple[object, ...], dict[str, object], str]

BAD_VALUES: tuple[Row, ...] = (
    (LINE, ("", DROP), {}, "kind must be a BudgetKind or another non-empty string, got ''"),
    (LINE, ("a", DROP), {"limit": -1}, "limit must be >= 0, got -1"),
    (LINE, ("a", DROP), {"floor": -1}, "floor must be >= 0, got -1"),
    (LINE, ("a", DROP), {"weight": 0}, "weight must be >= 1, got 0"),
    (
        LINE,
        ("a", DROP),
        {"limit": 5, "floor": 1_200},
        "floor must be within the limit of 5, got 1,200 (line a)",
    ),
    (POLICY, (-1, (MEMORY,)), {}, "limit must be >= 0, got -1"),
    (POLICY, (9, (MEMORY,)), {"reserved": -1}, "reserved must be >= 0, got -1"),
    (
        POLICY,
        (100, (MEMORY,)),
        {"reserved": 150},
        "reserved must be under the limit of 100, got 150",
    ),
    (
        POLICY,
        (100, (MEMORY,)),
        {"reserved": 100},
        "reserved must be under the limit of 100, got 100",
    ),
    (POLICY, (100, ()), {}, "lines must hold at least one BudgetLine, got none"),
    (
        POLICY,
        (100, (MEMORY, BudgetLine("a", DROP), BudgetLine(BudgetKind.MEMORY, FAIL))),
        {},
        "lines[0] and lines[2] are both for memory; declare one line for a kind",
    ),
    (
        POLICY,
        (100, (dropping("a", floor=60), dropping("b", floor=50))),
        {"reserved": 20},
        (
            "lines have floors of 110 tokens together, 30 over the 80 available; lower a floor"
            " or raise the limit"
        ),
    ),
    (
        APPLY,
        (held("b", 1), BudgetPolicy(9, (MEMORY,)), COUNTER),
        {},
        "no line is declared for b (b1); declare one, or '*' for all other kinds",
    ),
    (
        APPLY,
        ([item("a"), item("a")], BudgetPolicy(9, (MEMORY,)), COUNTER),
        {},
        "items share an id: a; ids must be unique",
    ),
    (
        APPLY,
        ((), BudgetPolicy(9, (MEMORY,)), COUNTER),
        {"separator": "", "render": str},
        "separator and render are both given; give one of the two",
    ),
)
BAD_TYPES: tuple[Row, ...] = (
    (LINE, (3, DROP), {}, "kind must be a str, got int"),
    (LINE, ("a", "drop"), {}, "action must be of budget.overflow.OverflowAction, got builtins.str"),
    (LINE, ("a", DROP), {"limit": "200"}, "limit must be an int, got str"),
    (LINE, ("a", DROP), {"limit": True}, "limit must be an int, got bool"),
    (LINE, ("a", DROP), {"floor": None}, "floor must be an int, got NoneType"),
    (LINE, ("a", DROP), {"floor": 1.5}, "floor must be an int, got float"),
    (LINE, ("a", DROP), {"weight": 0.5}, "weight must be an int, got float"),
    (LINE, ("a", DROP), {"truncation": "head"}, "truncation must be of budget.truncation."),
    (POLICY, ("9", (MEMORY,)), {}, "limit must be an int, got str"),
    (POLICY, (9, (MEMORY,)), {"reserved": None}, "reserved must be an int, got NoneType"),
    (POLICY, (9, MEMORY), {}, "lines must be a tuple of BudgetLine, got BudgetLine"),
    (POLICY, (9, ("memory",)), {}, "lines[0] must be of budget._declaration.BudgetLine, got"),
    (APPLY, ((), {"limit": 9}, COUNTER), {}, "policy must be of budget._declaration.BudgetPolicy"),
    (APPLY, ((), BudgetPolicy(9, (MEMORY,)), len), {}, "counter must be a TokenCounter"),
    (APPLY, (("a",), BudgetPolicy(9, (MEMORY,)), COUNTER), {}, "items[0] must be of budget.items."),
    (
        APPLY,
        ((), BudgetPolicy(9, (MEMORY,)), COUNTER),
        {"separator": 3},
        "separator must be a str, got int",
    ),
)


def named(rows: tuple[Row, ...]) -> list[str]:
    return [f"{place} {text[:50]}" for place, (*_, text) in enumerate(rows)]


@pytest.mark.parametrize(
    ("make", "arguments", "options", "text"), BAD_VALUES, ids=named(BAD_VALUES)
)
def test_a_wrong_value_is_refused_with_its_numbers(
    make: Untyped, arguments: tuple[object, ...], options: dict[str, object], text: str
) -> None:
    with pytest.raises(BudgetPolicyError) as caught:
        make(*arguments, **options)
    assert str(caught.value) == text


@pytest.mark.parametrize(("make", "arguments", "options", "text"), BAD_TYPES, ids=named(BAD_TYPES))
def test_a_wrong_type_is_refused_by_name(
    make: Untyped, arguments: tuple[object, ...], options: dict[str, object], text: str
) -> None:
    with pytest.raises(TypeError) as caught:
        make(*arguments, **options)
    assert str(caught.value).startswith(text)


def test_a_usual_kinds_spelling_becomes_the_member() -> None:
    assert BudgetLine("memory", DROP).kind is BudgetKind.MEMORY


def test_any_other_kind_stays_as_it_is() -> None:
    assert BudgetLine("mine", DROP).kind == "mine"


def test_a_floor_may_be_all_of_its_limit() -> None:
    assert dropping("a", limit=5, floor=5).floor == 5


def test_floors_may_add_up_to_all_that_is_available() -> None:
    lines = dropping("a", floor=3), dropping("b", floor=2)
    assert BudgetPolicy(7, lines, reserved=2).available == 5


def test_a_window_of_0_may_be_declared() -> None:
    assert BudgetPolicy(0, (MEMORY,)).available == 0


def test_lines_become_a_tuple_whatever_they_came_in() -> None:
    assert BudgetPolicy(9, [MEMORY]).lines == (MEMORY,)  # type: ignore[arg-type]


def test_what_is_declared_is_frozen() -> None:
    with pytest.raises(AttributeError):
        MEMORY.floor = 3  # type: ignore[misc]


def test_a_policy_is_equal_by_value_and_hashable() -> None:
    one, other = (BudgetPolicy(9, (BudgetLine("memory", DROP),)) for _ in range(2))
    assert {one} == {other}


def test_a_policy_pickles() -> None:
    line = BudgetLine(
        "a", TRUNCATE, limit=9, floor=2, weight=3, truncation=TruncationPolicy(marker="")
    )
    policy = BudgetPolicy(20, (line,), reserved=4)
    assert revived(policy) == policy


def test_nothing_is_counted_before_all_is_checked() -> None:
    class Alarm:
        def count(self, text: str, /) -> int:
            raise LookupError(text)

    with pytest.raises(BudgetError):
        apply_policy([*held("memory", 1), *held("b", 1)], BudgetPolicy(9, (MEMORY,)), Alarm())


def test_a_stray_kind_is_named_the_same_in_every_order_of_arrival() -> None:
    items = held("c", 1) + held("b", 1)
    texts = set()
    for arrived in (items, items[::-1]):
        with pytest.raises(BudgetPolicyError) as caught:
            apply_policy(arrived, BudgetPolicy(9, (MEMORY,)), COUNTER)
        texts.add(str(caught.value))
    assert texts == {
        "no line is declared for b, c (b1, c1); declare one, or '*' for all other kinds"
    }
