"""Items, results and errors as values: they travel, and they keep secrets."""

import pickle
from copy import deepcopy
from dataclasses import replace
from traceback import format_exception_only
from typing import Final, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budget import BudgetError, BudgetItem, BudgetOverflowError, CounterError, OverflowAction
from tests.joined import losing
from tests.strategies import Case, cases, overflowing, refused

T = TypeVar("T")
SECRET: Final = "hunter2"  # noqa: S105 - a stand-in for one


class Wrong:
    """Answers something that is no count, now and then even the text itself."""

    def count(self, text: str, /) -> int:
        answers = (-1, True, 1.5, None, text)
        return answers[len(text) % len(answers)]  # type: ignore[return-value]


def pickled(value: T) -> T:
    """Return what another process would get."""
    copy: T = pickle.loads(pickle.dumps(value))  # noqa: S301 - our own bytes
    return copy


def secretly(case: Case) -> Case:
    """Return the same call with a secret in each text."""
    items = tuple(replace(item, text=f"{SECRET} {item.text}") for item in case.items)
    return replace(case, items=items)


def secret_item(text: str) -> BudgetItem:
    return BudgetItem("key", "notes", f"{SECRET} {text}")


def refusal(case: Case) -> BudgetError:
    """Return what a call raises."""
    with pytest.raises(BudgetError) as caught:
        case.apply()
    return caught.value


@given(cases())
def test_items_pickle(case: Case) -> None:
    assert pickled(case.items) == case.items


@given(overflowing() | losing())
def test_results_pickle(case: Case) -> None:
    result = case.apply()
    assert pickled(result) == result


@given(overflowing() | losing())
def test_results_are_copied_deeply(case: Case) -> None:
    result = case.apply()
    assert deepcopy(result) == result


@given(overflowing())
def test_a_result_is_the_same_value_after_it_was_asked_why(case: Case) -> None:
    result, asked = case.apply(), case.apply()
    assert not [asked.why(item.item_id) for item in case.items if asked.why("")]
    assert pickled(asked) == result


@given(refused())
def test_refusals_pickle(case: Case) -> None:
    error = refusal(case)
    assert vars(pickled(error)) == vars(error)


@given(refused())
def test_refusals_are_copied_deeply(case: Case) -> None:
    error = refusal(case)
    assert vars(deepcopy(error)) == vars(error)


@given(refused())
def test_a_refusal_never_tells_a_text(case: Case) -> None:
    case = replace(secretly(case), limit=0)
    assert SECRET not in "".join(format_exception_only(refusal(case)))


@given(st.text(max_size=9))
def test_a_wrong_answer_never_tells_a_text(text: str) -> None:
    case = Case((secret_item(text),), 5, OverflowAction.DROP, Wrong(), None)
    error = refusal(case)
    assert isinstance(error, CounterError)
    assert SECRET not in "".join(format_exception_only(error)) + repr(error.args)


@given(overflowing())
def test_no_repr_tells_a_text(case: Case) -> None:
    case = secretly(case)
    told = repr(case.items)
    try:
        result = case.apply()
        told += f"{result!r}{result.to_dict()}{list(map(str, result.diagnostics))}"
    except BudgetOverflowError as error:
        told += repr(error)
    assert SECRET not in told


@given(losing())
def test_no_repr_of_a_joined_result_tells_a_text(case: Case) -> None:
    result = replace(secretly(case), limit=10_000).apply()
    assert SECRET not in f"{result!r}{result.to_dict()}"
