"""The package and the oracle, which was written from the contract alone, say the same."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from budget import (
    BudgetOverflowError,
    OverflowAction,
    OverflowResult,
    TokenCounter,
    survival_limits,
)
from tests.counters import Bytes, Characters
from tests.joined import headed, joined, tagged
from tests.oracle import oracle_apply, oracle_survival, oracle_truncate
from tests.oracle_joined import oracle_joined
from tests.strategies import STEADY, Case, TextCase, cases, overflowing, refused, too_long

ADDITIVE: Final[st.SearchStrategy[TokenCounter]] = st.sampled_from((Characters(), Bytes()))
ACTIONS: Final = st.sampled_from((OverflowAction.FAIL, OverflowAction.DROP))


def outcome(call: Callable[[], OverflowResult]) -> object:
    """Return the result, or everything that the refusal says."""
    try:
        return call()
    except BudgetOverflowError as error:
        return type(error), error.args


def expected(case: Case) -> object:
    """Return what the oracle says."""
    arguments = (case.items, case.limit, case.action, case.counter, case.truncation)
    return outcome(lambda: oracle_apply(*arguments))


@given(cases(STEADY) | overflowing(STEADY) | refused(STEADY))
@settings(max_examples=800)
def test_every_outcome_is_the_oracles(case: Case) -> None:
    assert outcome(case.apply) == expected(case)


@given(cases(), ACTIONS)
@settings(max_examples=300)
def test_without_cuts_it_is_for_every_counter(case: Case, action: OverflowAction) -> None:
    case = replace(case, action=action)
    assert outcome(case.apply) == expected(case)


@given(too_long(STEADY))
@settings(max_examples=1_000)
def test_every_cut_is_the_oracles(case: TextCase) -> None:
    cut = oracle_truncate(case.text, case.limit, case.counter, case.truncation)
    assert case.cut() == cut


@given(cases())
def test_the_survival_limits_are_the_oracles(case: Case) -> None:
    assert survival_limits(case.items, case.counter) == oracle_survival(case.items, case.counter)


@given(joined(ADDITIVE, (tagged, headed)))
@settings(max_examples=500)
def test_a_measured_whole_is_the_oracles(case: Case) -> None:
    assert outcome(case.apply) == outcome(lambda: oracle_joined(case))
