"""What holds where more is dropped than needed, so that the cut moves seldom."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tests.messages.checker import IS_VALID
from tests.messages.properties.test_fitting_laws import Case, fitting

STEPS = st.sampled_from((2, 5, 9, 20, 60))


def cut(case: Case) -> int:
    """Return how many units are dropped."""
    return len(case.fit().diagnostics)


@given(fitting(), STEPS)
def test_a_step_only_ever_drops_more(case: Case, step: int) -> None:
    assert set(replace(case, step=step).fit().kept) <= set(case.fit().kept)


@given(fitting(), STEPS)
def test_what_a_step_leaves_is_valid(case: Case, step: int) -> None:
    fitted = replace(case, step=step).fit()
    assert IS_VALID[case.history.provider](fitted.messages)


@given(fitting(), STEPS)
def test_a_step_drops_nothing_where_everything_fits(case: Case, step: int) -> None:
    whole = replace(case, limit=10**6)
    assert replace(whole, step=step).fit().dropped == ()


@given(fitting(), STEPS, st.integers(0, 60))
def test_marks_depend_on_no_limit(case: Case, step: int, more: int) -> None:
    size = min(step, max(case.limit, 1))
    low, high = replace(case, step=size), replace(case, step=size, limit=case.limit + more)
    # Where the cut of the one would do for the other, it is the cut of the other.
    if 0 < cut(replace(low, step=1)) <= cut(high):
        assert cut(low) <= cut(high)
    assert cut(high) <= cut(low)
