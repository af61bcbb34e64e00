"""What holds for every window that is measured in sums."""

from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from budget import (
    BudgetLine,
    BudgetOverflowError,
    BudgetPolicy,
    OverflowResult,
    PolicyResult,
    apply_overflow,
)
from tests.counters import Bounded, Recording
from tests.policy.oracle import cost, held_by, oracle_cap, oracle_policy, oracle_rights, pins
from tests.policy.windows import Window, holding, kept_ids, tokens, windows
from tests.strategies import STEADY, Case, cases


def outcome(window: Window) -> object:
    """Return the result, or what the refusal carries."""
    try:
        return window.apply()
    except BudgetOverflowError as error:
        return *error.args, error.lines


def expected(window: Window) -> object:
    try:
        return oracle_policy(window.items, window.policy, window.counter)
    except BudgetOverflowError as error:
        return *error.args, error.lines


@given(windows())
def test_the_outcome_is_that_of_the_pseudo_code(window: Window) -> None:
    assert outcome(window) == expected(window)


@given(windows(STEADY))
def test_a_counter_that_stops_reading_decides_the_same(window: Window) -> None:
    bounded = replace(window, counter=Bounded(window.counter))
    assert outcome(bounded) == expected(bounded)


@given(holding())
def test_the_total_is_hard(window: Window) -> None:
    assert tokens(window.apply().kept, window.counter) <= window.policy.available


@given(holding())
def test_the_total_is_the_sum_of_the_kept_counts(window: Window) -> None:
    result = window.apply()
    assert result.total_tokens == tokens(result.kept, window.counter)


@given(holding())
def test_the_limit_of_a_line_is_hard(window: Window) -> None:
    for line, _, result in window.held():
        assert line.limit is None or tokens(result.kept, window.counter) <= line.limit


@given(holding())
def test_a_grant_holds_what_its_line_keeps(window: Window) -> None:
    assert all(result.total_tokens <= result.limit for _, _, result in window.held())


@given(holding())
def test_a_floor_is_granted_as_far_as_there_is_content(window: Window) -> None:
    pinned = cost(pins(window.items), window.counter)
    for line, held, result in window.held():
        own = cost(pins(held), window.counter)
        room = window.policy.available - pinned + own
        content = cost(held, window.counter)
        others = sum(other.floor for other in window.policy.lines) - line.floor
        assert result.limit >= min(line.floor, content, room - others)


@given(holding())
def test_every_line_gets_what_it_has_a_right_to(window: Window) -> None:
    rights = oracle_rights(window.items, window.policy, window.counter, window.policy.available)
    assert all(
        result.limit >= right for right, (_, _, result) in zip(rights, window.held(), strict=True)
    )


@given(holding())
def test_no_token_is_reserved_for_content_that_is_not_there(window: Window) -> None:
    """A line gets less than it can use only where the others can use the rest."""
    available = window.policy.available
    usable = [
        min(cost(items, window.counter), oracle_cap(line, available))
        for line, items, _ in window.held()
    ]
    for use, (_, _, result) in zip(usable, window.held(), strict=True):
        assert result.limit >= min(use, available - (sum(usable) - use))


@given(holding())
def test_pinned_items_survive_whole(window: Window) -> None:
    kept = {fitted.item_id: fitted.text for fitted in window.apply().kept}
    assert all(kept[item.item_id] is item.text for item in window.items if item.pinned)


@given(holding())
def test_kept_and_dropped_stand_in_the_order_of_arrival(window: Window) -> None:
    result, ids = window.apply(), [item.item_id for item in window.items]
    kept = kept_ids(result)
    assert [fitted.item_id for fitted in result.kept] == [i for i in ids if i in kept]
    assert list(result.dropped) == [i for i in ids if i not in kept]


@given(windows(), st.randoms(use_true_random=False))
def test_the_outcome_is_independent_of_the_order_of_arrival(window: Window, random: Random) -> None:
    shuffled = replace(window, items=tuple(random.sample(window.items, len(window.items))))
    assert unordered(outcome(window)) == unordered(outcome(shuffled))


def unordered(outcome: object) -> object:
    """Return what is left of an outcome without the order of arrival."""
    if not isinstance(outcome, PolicyResult):
        return outcome
    return [
        (kind, result.limit, set(result.kept), set(result.dropped), result.diagnostics)
        for kind, result in outcome.lines
    ]


@given(windows())
def test_the_same_call_has_the_same_outcome(window: Window) -> None:
    assert outcome(window) == outcome(window)


@given(holding())
def test_what_fits_comes_back_as_the_same_objects(window: Window) -> None:
    lines = tuple(replace(line, limit=None) for line in window.policy.lines)
    policy = BudgetPolicy(cost(window.items, window.counter) + 99, lines)
    result = replace(window, policy=policy).apply()
    assert all(a.text is b.text for a, b in zip(result.kept, window.items, strict=True))
    assert (result.overflowed, result.dropped, result.diagnostics) == (False, (), ())


@given(cases(), st.integers(0, 5), st.sampled_from((None, 1, 4)))
def test_a_single_line_is_apply_overflow(case: Case, reserved: int, weight: int | None) -> None:
    items = tuple(replace(item, kind="memory") for item in case.items)
    line = BudgetLine("memory", case.action, weight=weight, truncation=case.truncation)
    reserved = reserved if case.limit else 0
    policy = BudgetPolicy(case.limit + reserved, (line,), reserved=reserved)
    window = Window(items, policy, case.counter)
    assert alone(window) == single(replace(case, items=items))


def alone(window: Window) -> object:
    try:
        result = window.apply()
    except BudgetOverflowError as error:
        return error.args
    return result.kept, result.total_tokens, result.dropped, result.diagnostics


def single(case: Case) -> object:
    try:
        result = case.apply()
    except BudgetOverflowError as error:
        return error.args
    return result.kept, result.total_tokens, result.dropped, result.diagnostics


@given(holding())
def test_a_line_is_apply_overflow_within_its_grant(window: Window) -> None:
    for line, items, result in window.held():
        again = apply_overflow(items, result.limit, line.action, window.counter, line.truncation)
        assert result == again


@given(holding())
def test_the_whole_is_its_lines(window: Window) -> None:
    result = window.apply()
    results = [part for _, part in result.lines]
    assert kept_ids(result) == {i for part in results for i in kept_ids(part)}
    assert set(result.dropped) == {i for part in results for i in part.dropped}
    assert set(result.diagnostics) == {d for part in results for d in part.diagnostics}


@given(holding())
def test_every_loss_has_one_reason(window: Window) -> None:
    result = window.apply()
    whole = {fitted.item_id for fitted in result.kept if not fitted.truncated}
    lost = {item.item_id for item in window.items} - whole
    assert {item.item_id for item in window.items if result.why(item.item_id)} == lost


@given(holding(), st.integers(0, 3), st.integers(1, 9))
def test_more_for_the_whole_never_takes_from_the_first_line(
    window: Window, place: int, more: int
) -> None:
    lines = window.policy.lines
    first = replace(lines[place % len(lines)], weight=None)
    rest = tuple(line for line in lines if line.kind != first.kind)
    policy = BudgetPolicy(window.policy.limit, (first, *rest), reserved=window.policy.reserved)
    before = replace(window, policy=policy)
    after = replace(window, policy=replace(policy, limit=policy.limit + more))
    assert whole(before.apply().line(first.kind)) <= whole(after.apply().line(first.kind))


def whole(result: OverflowResult) -> set[str]:
    return {fitted.item_id for fitted in result.kept if not fitted.truncated}


@given(holding())
def test_every_item_falls_to_one_line(window: Window) -> None:
    held = [item.item_id for _, items, _ in window.held() for item in items]
    assert sorted(held) == sorted(item.item_id for item in window.items)
    for line, _, result in window.held():
        lost_or_kept = kept_ids(result) | set(result.dropped)
        own = held_by(line, window.items, window.policy)
        assert lost_or_kept == {item.item_id for item in own}


@given(windows())
def test_each_item_is_counted_once(window: Window) -> None:
    # With these ends a cut is no whole text.
    items = tuple(
        replace(item, text=f"{item.item_id} {item.text}{'.' * 40}") for item in window.items
    )
    recording = Recording(window.counter)
    outcome(replace(window, items=items, counter=recording))
    assert all(recording.texts.count(item.text) <= 1 for item in items)
