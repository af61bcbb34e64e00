"""What holds for every window of which one string is measured."""

from dataclasses import replace

from hypothesis import given

from budget import BudgetOverflowError, FittedItem, PolicyResult
from tests.policy.oracle_sent import oracle_sent
from tests.policy.windows import Window, sent


def result_of(window: Window) -> PolicyResult | None:
    try:
        return window.apply()
    except BudgetOverflowError:
        return None


def outcome(window: Window) -> object:
    try:
        return window.apply()
    except BudgetOverflowError as error:
        return *error.args, error.lines


def expected(window: Window) -> object:
    try:
        return oracle_sent(window.items, window.policy, window.counter, window.join)
    except BudgetOverflowError as error:
        return *error.args, error.lines


@given(sent())
def test_the_outcome_is_that_of_the_rounds(window: Window) -> None:
    assert outcome(window) == expected(window)


@given(sent())
def test_the_total_is_hard(window: Window) -> None:
    result = result_of(window)
    assert result is None or result.total_tokens <= window.policy.available


@given(sent())
def test_the_total_is_the_count_of_what_is_sent(window: Window) -> None:
    result = result_of(window)
    if result is not None:
        assert result.rendered is not None
        count = window.counter.count(result.rendered) if result.kept else 0
        assert result.total_tokens == count


@given(sent())
def test_what_is_sent_is_what_is_kept(window: Window) -> None:
    result = result_of(window)
    if result is not None:
        assert result.rendered == (window.join(result.kept) if result.kept else "")


@given(sent())
def test_the_whole_is_measured_19_times_at_most(window: Window) -> None:
    seen: list[tuple[FittedItem, ...]] = []

    def watched(kept: tuple[FittedItem, ...]) -> str:
        seen.append(kept)
        return window.join(kept)

    result_of(replace(window, separator=None, render=watched))
    assert len(seen) <= 19
