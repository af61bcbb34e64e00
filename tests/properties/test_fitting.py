"""What holds for every call of apply_overflow that measures sums."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from budget import BudgetItem, BudgetOverflowError, OverflowAction, apply_overflow
from tests.counters import Zeroes
from tests.strategies import Case, cases, overflowing, refused

DROP = OverflowAction.DROP


def whole(case: Case) -> set[str]:
    """Return the ids of what survives whole; nothing where the call is refused."""
    try:
        return {fitted.item_id for fitted in case.apply().kept if not fitted.truncated}
    except BudgetOverflowError:
        return set()


def in_order(items: Sequence[BudgetItem]) -> list[BudgetItem]:
    """Return the items that may be lost, the first to survive first."""
    return sorted((i for i in items if not i.pinned), key=lambda item: (item.order, item.item_id))


@given(overflowing())
def test_the_limit_is_hard(case: Case) -> None:
    assert sum(case.counter.count(kept.text) for kept in case.apply().kept) <= case.limit


@given(overflowing())
def test_the_total_is_the_sum_of_the_kept_counts(case: Case) -> None:
    result = case.apply()
    assert result.total_tokens == sum(kept.tokens for kept in result.kept)


@given(overflowing())
def test_each_reported_count_is_the_counters_own(case: Case) -> None:
    assert all(kept.tokens == case.counter.count(kept.text) for kept in case.apply().kept)


@given(cases(), st.sampled_from(OverflowAction), st.integers(0, 3))
def test_what_fits_comes_back_as_the_same_objects(
    case: Case, action: OverflowAction, spare: int
) -> None:
    needed = sum(case.counter.count(item.text) for item in case.items)
    result = replace(case, limit=needed + spare, action=action).apply()
    assert all(a.text is b.text for a, b in zip(result.kept, case.items, strict=True))


@given(cases(), st.sampled_from(OverflowAction))
def test_what_fits_has_lost_nothing(case: Case, action: OverflowAction) -> None:
    needed = sum(case.counter.count(item.text) for item in case.items)
    result = replace(case, limit=needed, action=action).apply()
    assert (result.overflowed, result.dropped, result.diagnostics) == (False, (), ())


@given(overflowing())
def test_what_is_over_has_lost_something(case: Case) -> None:
    result = case.apply()
    assert result.overflowed
    assert result.dropped or result.cut


@given(overflowing())
def test_kept_and_dropped_stand_in_the_order_of_arrival(case: Case) -> None:
    result, ids = case.apply(), [item.item_id for item in case.items]
    kept = [fitted.item_id for fitted in result.kept]
    assert kept == [item_id for item_id in ids if item_id not in result.dropped]
    assert list(result.dropped) == [item_id for item_id in ids if item_id not in kept]


@given(overflowing(), st.randoms(use_true_random=False))
def test_the_outcome_is_independent_of_the_order_of_arrival(case: Case, random: Random) -> None:
    shuffled = random.sample(case.items, len(case.items))
    one, other = case.apply(), replace(case, items=tuple(shuffled)).apply()
    assert set(one.kept) == set(other.kept)
    assert one.diagnostics == other.diagnostics


@given(refused(), st.randoms(use_true_random=False))
def test_a_refusal_is_independent_of_the_order_of_arrival(case: Case, random: Random) -> None:
    shuffled = random.sample(case.items, len(case.items))
    assert refusal(case) == refusal(replace(case, items=tuple(shuffled)))


def refusal(case: Case) -> object:
    try:
        return case.apply()
    except BudgetOverflowError as error:
        return error.args


@given(cases(), st.integers(0, 40))
def test_a_higher_limit_loses_nothing_that_survived_whole(case: Case, more: int) -> None:
    assert whole(case) <= whole(replace(case, limit=case.limit + more))


@given(overflowing())
def test_pinned_items_survive_whole(case: Case) -> None:
    assert {item.item_id for item in case.items if item.pinned} <= whole(case)


@given(overflowing())
def test_the_survivors_are_a_prefix_of_the_total_order(case: Case) -> None:
    ids, survivors = [item.item_id for item in in_order(case.items)], whole(case)
    assert set(ids[: len(survivors & set(ids))]) <= survivors


@given(overflowing())
def test_one_survivor_more_would_not_have_fitted(case: Case) -> None:
    survivors = whole(case)
    first_lost = next(item for item in in_order(case.items) if item.item_id not in survivors)
    more = [item for item in case.items if item.item_id in survivors] + [first_lost]
    assert sum(case.counter.count(item.text) for item in more) > case.limit


@given(overflowing())
def test_only_the_first_item_that_does_not_fit_is_cut(case: Case) -> None:
    result, survivors = case.apply(), whole(case)
    first_lost = next(item for item in in_order(case.items) if item.item_id not in survivors)
    assert result.cut in {None, first_lost.item_id}
    assert [kept.item_id for kept in result.kept if kept.truncated] == (
        [result.cut] if result.cut else []
    )


@given(overflowing())
def test_every_loss_has_one_reason(case: Case) -> None:
    result = case.apply()
    lost = {item.item_id for item in case.items} - whole(case)
    assert {item.item_id for item in case.items if result.why(item.item_id)} == lost


@given(overflowing())
def test_every_later_loss_is_blocked_by_the_first(case: Case) -> None:
    result, survivors = case.apply(), whole(case)
    first, *later = [item for item in in_order(case.items) if item.item_id not in survivors]
    assert [d.item_id for d in result.diagnostics] == [first.item_id]
    reasons = [result.why(item.item_id) for item in later]
    assert all(w and (w.reason, w.blocked_by) == ("after", first.item_id) for w in reasons)


@given(overflowing())
def test_what_was_kept_fits_again_unchanged(case: Case) -> None:
    kept = tuple(replace(fitted.item, text=fitted.text) for fitted in case.apply().kept)
    again = replace(case, items=kept).apply()
    assert not again.overflowed
    assert tuple(fitted.item for fitted in again.kept) == kept


@given(overflowing())
def test_the_input_is_untouched(case: Case) -> None:
    before = deepcopy(case.items)
    case.apply()
    assert case.items == before


@given(refused())
def test_a_refusal_is_over_the_limit(case: Case) -> None:
    with pytest.raises(BudgetOverflowError) as refused:
        case.apply()
    assert refused.value.needed > refused.value.limit == case.limit


@given(cases())
def test_drop_keeps_what_truncate_keeps_whole(case: Case) -> None:
    assume(case.action is OverflowAction.TRUNCATE)
    assert whole(case) == whole(replace(case, action=DROP))


@given(cases())
def test_what_is_free_always_fits(case: Case) -> None:
    result = apply_overflow(case.items, 0, case.action, Zeroes())
    assert [fitted.item for fitted in result.kept] == list(case.items)
