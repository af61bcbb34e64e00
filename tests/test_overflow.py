"""The ten rules, in sums: what stays, what goes, and what is said about it."""

import os
import subprocess
import sys
from itertools import permutations

import pytest

from budget import (
    BudgetItem,
    BudgetOverflowError,
    BudgetPolicyError,
    Diagnostic,
    OverflowAction,
    OverflowResult,
    TokenCounter,
    apply_overflow,
)
from tests.counters import DIPPING, NEVER_SHRINKING, Characters, Recording, Words
from tests.making import ACTIONS, DROP, LOSSY, drop, fail, ids, item, pin, row, texts

every_action = pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.value)
every_loss = pytest.mark.parametrize("action", LOSSY, ids=lambda action: action.value)
every_counter = pytest.mark.parametrize("counter", [*NEVER_SHRINKING, *DIPPING], ids=repr)
MIXED = [item("b", "xx", 1), pin("p", "ppp"), item("a", "yyyy"), item("c", "z z", 2)]


@every_action
@pytest.mark.parametrize("limit", [12, 13, 10**9])
def test_what_fits_is_kept_whole_under_every_action(action: OverflowAction, limit: int) -> None:
    result = apply_overflow(MIXED, limit, action, Characters())
    assert ids(result) == "b p a c"
    assert result.total_tokens == 12
    assert (result.dropped, result.overflowed, result.diagnostics) == ((), False, ())


@every_action
def test_what_fits_comes_back_as_the_same_objects(action: OverflowAction) -> None:
    result = apply_overflow(MIXED, 12, action, Characters())
    assert all(
        fitted.item is given and fitted.text is given.text
        for fitted, given in zip(result.kept, MIXED, strict=True)
    )


@every_loss
def test_a_sum_over_the_limit_by_one_does_not_fit(action: OverflowAction) -> None:
    assert apply_overflow(MIXED, 11, action, Characters()).overflowed


def test_a_sum_over_the_limit_by_one_is_refused_under_fail() -> None:
    with pytest.raises(BudgetOverflowError):
        fail(MIXED, 11, counter=Characters())


def test_the_highest_order_is_dropped_first() -> None:
    assert ids(drop(MIXED, 11, counter=Characters())) == "b p a"
    assert ids(drop(MIXED, 8, counter=Characters())) == "p a"
    assert ids(drop(MIXED, 6, counter=Characters())) == "p"


def test_equal_orders_are_told_apart_by_id() -> None:
    for arrived in permutations([item(name, "x x") for name in "abcd"]):
        result = drop(arrived, 6, counter=Words())
        assert ids(result) == " ".join(given.item_id for given in arrived if given.item_id != "d")


def test_ids_compare_as_text() -> None:
    assert ids(drop([item("m2"), item("m10")], 1, counter=Words())) == "m10"


def test_order_may_be_negative_or_large() -> None:
    given = [item("a", order=10**30), item("b", order=-(10**30)), item("c")]
    assert ids(drop(given, 2, counter=Words())) == "b c"


@every_action
def test_two_items_of_one_id_are_refused_by_name(action: OverflowAction) -> None:
    with pytest.raises(BudgetPolicyError, match="x; ids must be unique"):
        apply_overflow([item("x", "a"), item("x", "b")], 9, action, Words())


@every_loss
@every_counter
def test_the_outcome_never_depends_on_arrival(
    action: OverflowAction, counter: TokenCounter
) -> None:
    outcomes = set()
    for arrived in permutations(MIXED):
        result = apply_overflow(arrived, 10, action, counter)
        outcomes.add((frozenset(result.kept), frozenset(result.dropped), result.diagnostics))
    assert len(outcomes) == 1


def test_the_outcome_never_depends_on_the_hash_seed() -> None:
    code = """if True:
        from budget import BudgetItem, OverflowAction, EstimatingCounter, apply_overflow
        items = [BudgetItem(f"i{n % 7}-{n}", "memory", "word " * n, n % 3, n == 5)
                 for n in range(30)]
        print(apply_overflow(items, 90, OverflowAction.TRUNCATE, EstimatingCounter()))
    """
    outputs = {
        subprocess.check_output(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        for seed in ("0", "1", "2")
    }
    assert len(outputs) == 1


def test_kept_and_dropped_are_in_the_order_of_arrival() -> None:
    newest_first = [item("new", "x"), item("mid", "x", 1), item("old", "x", 2)]
    result = drop(newest_first, 2, counter=Words())
    assert (ids(result), result.dropped) == ("new mid", ("old",))
    result = drop(newest_first[::-1], 1, counter=Words())
    assert (ids(result), result.dropped) == ("new", ("old", "mid"))


def test_no_hole_is_filled_by_a_later_smaller_item() -> None:
    result = drop(row("xx", "xxxxx", "x"), 6, counter=Characters())
    assert (ids(result), result.dropped) == ("a", ("b", "c"))


def test_an_item_that_costs_nothing_is_lost_with_what_it_follows() -> None:
    assert ids(drop(row("xx", "xxxxx", ""), 6, counter=Characters())) == "a"


def test_the_survivors_are_the_longest_prefix_that_fits() -> None:
    assert ids(drop(row("xx", "xx", "xx"), 5, counter=Characters())) == "a b"
    assert ids(drop(row("xx", "xx", "xx"), 4, counter=Characters())) == "a b"
    assert ids(drop(row("xx", "xx", "xx"), 3, counter=Characters())) == "a"


@every_loss
def test_the_limit_0_keeps_what_costs_nothing(action: OverflowAction) -> None:
    result = apply_overflow(row("", "x", ""), 0, action, Characters())
    assert (ids(result), result.dropped, result.total_tokens) == ("a", ("b", "c"), 0)


def test_the_limit_0_is_a_limit_under_fail() -> None:
    with pytest.raises(BudgetOverflowError, match="content needs 1 tokens but the budget is 0"):
        fail(row("x"), 0, counter=Characters())


@every_loss
@every_counter
def test_the_limit_is_hard_and_the_counts_are_the_counters(
    action: OverflowAction, counter: TokenCounter
) -> None:
    needed = sum(counter.count(given.text) for given in MIXED)
    for limit in range(counter.count("ppp"), needed + 1):
        result = apply_overflow(MIXED, limit, action, counter)
        assert [fitted.tokens for fitted in result.kept] == [*map(counter.count, texts(result))]
        assert result.total_tokens == sum(fitted.tokens for fitted in result.kept) <= limit


@every_loss
@every_counter
def test_raising_the_limit_never_loses_what_survived_whole(
    action: OverflowAction, counter: TokenCounter
) -> None:
    whole: set[str] = set()
    for limit in range(counter.count("ppp"), 40):
        result = apply_overflow(MIXED, limit, action, counter)
        now = {fitted.item_id for fitted in result.kept if not fitted.truncated}
        assert whole <= now
        whole = now


@every_action
@pytest.mark.parametrize("limit", [0, 10])
def test_an_empty_input_gives_an_empty_result_without_a_count(
    action: OverflowAction, limit: int
) -> None:
    counter = Recording(Words())
    assert apply_overflow([], limit, action, counter) == OverflowResult((), limit, 0)
    assert counter.texts == []


def test_items_may_come_from_any_iterable() -> None:
    assert ids(drop((part for part in row("x", "x", "x")), 2, counter=Words())) == "a b"


class _Sourced(BudgetItem):
    """An item of an adopter's own class."""

    __slots__ = ()


@pytest.mark.parametrize("first", [item("a"), _Sourced("a", "notes", "one")], ids=["item", "own"])
def test_items_may_be_of_a_subclass(first: BudgetItem) -> None:
    given = [first, _Sourced("b", "notes", "one", 1)]
    result = drop(given, 1, counter=Words())
    assert result.kept[0].item is first
    assert result.why("b") == Diagnostic("b", "drop", 1, 0, "over")


def test_the_first_that_does_not_fit_is_over_and_the_later_ones_after() -> None:
    result = drop(row("x", "x x", "x", "x"), 2, counter=Words())
    assert result.diagnostics == (Diagnostic("b", "drop", 2, 0, "over"),)
    assert result.overflowed
    assert result.why("c") == Diagnostic("c", "drop", None, 0, "after", "b")


def test_the_action_is_not_part_of_what_fits() -> None:
    assert apply_overflow(MIXED, 12, DROP, Characters()) == fail(MIXED, 12, counter=Characters())
