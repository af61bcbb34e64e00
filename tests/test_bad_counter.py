"""Counters that answer nonsense, or raise."""

import pytest

from budget import CallableCounter, CounterError, OverflowAction, apply_overflow, survival_limits
from tests.making import ACTIONS, pin, row

every_action = pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.value)
ANSWERS = (
    (-1, "int", -1),
    (1.5, "float", 1.5),
    (2.0, "float", 2.0),
    (None, "NoneType", None),
    ("x", "str", None),
    ([1], "list", None),
)
WRONG_WITHIN = [case for case in ANSWERS if case[0] is not None]
every_answer = pytest.mark.parametrize(("answer", "kind", "number"), ANSWERS)


class Saying:
    """Answers the same to everything."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def __call__(self, text: str, /) -> object:  # noqa: ARG002
        return self.answer


class SayingWithin:
    """Counts characters, and answers the same to everything within a limit."""

    def __init__(self, answer: int) -> None:
        self.answer = answer

    def count(self, text: str, /) -> int:
        return len(text)

    def count_within(self, text: str, limit: int, /) -> int:  # noqa: ARG002
        return self.answer


@every_action
@every_answer
def test_a_wrong_answer_is_an_error_that_carries_it(
    action: OverflowAction, answer: object, kind: str, number: float | None
) -> None:
    with pytest.raises(CounterError) as caught:
        apply_overflow(row("one"), 9, action, CallableCounter(Saying(answer)))
    error = caught.value
    assert (error.item_id, error.answer_type, error.answer) == ("a", kind, number)


@every_action
@pytest.mark.parametrize("answer", [True, False])
def test_a_bool_is_no_count(action: OverflowAction, answer: object) -> None:
    with pytest.raises(CounterError, match="the counter answered bool"):
        apply_overflow(row("one"), 9, action, CallableCounter(Saying(answer)))


@every_answer
def test_a_wrong_answer_about_a_pinned_item_names_it(
    answer: object, kind: str, number: float | None
) -> None:
    with pytest.raises(CounterError) as caught:
        apply_overflow([pin("p")], 9, OverflowAction.DROP, CallableCounter(Saying(answer)))
    assert (caught.value.item_id, caught.value.answer_type) == ("p", kind)
    assert caught.value.answer == number


@pytest.mark.parametrize(
    ("answer", "kind", "number"), [case for case in ANSWERS if case[0] is not None]
)
def test_a_wrong_answer_within_a_limit_is_an_error_too(
    answer: int, kind: str, number: float | None
) -> None:
    with pytest.raises(CounterError) as caught:
        apply_overflow(row("one"), 9, OverflowAction.DROP, SayingWithin(answer))
    assert (caught.value.item_id, caught.value.answer_type) == ("a", kind)
    assert caught.value.answer == number


def test_a_wrong_answer_in_survival_limits_names_the_item() -> None:
    with pytest.raises(CounterError, match="for item a"):
        survival_limits(row("one"), CallableCounter(Saying(None)))


class Failing:
    """Raises for one text."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def count(self, text: str, /) -> int:
        if text == "bad":
            raise self.error
        return 1


class FailingWithin(Failing):
    """The same within a limit."""

    def count_within(self, text: str, limit: int, /) -> int | None:  # noqa: ARG002
        return self.count(text)


@every_action
@pytest.mark.parametrize("counter", [Failing, FailingWithin])
def test_an_exception_of_the_counter_passes_unwrapped_and_names_the_item(
    action: OverflowAction, counter: type[Failing]
) -> None:
    error = UnicodeError("no such byte")
    with pytest.raises(UnicodeError) as caught:
        apply_overflow(row("good", "bad"), 9, action, counter(error))
    assert caught.value is error
    assert error.__notes__ == ["while counting item b"]
    assert error.__cause__ is None


def test_an_exception_over_a_pinned_item_names_it() -> None:
    with pytest.raises(KeyError) as caught:
        apply_overflow([pin("p", "bad")], 9, OverflowAction.DROP, Failing(KeyError()))
    assert caught.value.__notes__ == ["while counting item p"]


def test_an_exception_in_survival_limits_names_the_item() -> None:
    with pytest.raises(KeyError) as caught:
        survival_limits(row("bad"), Failing(KeyError()))
    assert caught.value.__notes__ == ["while counting item a"]


class FailingCuts:
    """Counts whole texts and fails over any part."""

    def count(self, text: str, /) -> int:
        if "…" in text:
            raise LookupError
        return len(text)


def test_an_exception_over_a_cut_names_the_item() -> None:
    with pytest.raises(LookupError) as caught:
        apply_overflow(row("one", "two two"), 7, OverflowAction.TRUNCATE, FailingCuts())
    assert caught.value.__notes__ == ["while counting item b"]


class Panic(BaseException):
    """What a native tokenizer raises when it falls over."""


def test_a_panic_passes_unwrapped_and_names_the_item() -> None:
    panic = Panic()
    with pytest.raises(Panic) as caught:
        apply_overflow(row("bad"), 9, OverflowAction.DROP, Failing(panic))
    assert caught.value is panic
    assert panic.__notes__ == ["while counting item a"]


def test_an_interrupt_passes_through() -> None:
    interrupt = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt) as caught:
        apply_overflow(row("bad"), 9, OverflowAction.DROP, Failing(interrupt))
    assert caught.value is interrupt


def test_an_error_that_names_its_own_item_keeps_it() -> None:
    with pytest.raises(CounterError) as caught:
        apply_overflow(row("bad"), 9, OverflowAction.DROP, Failing(CounterError("mine", "str")))
    assert caught.value.item_id == "mine"


class Counting:
    """Answers the same to everything."""

    def __init__(self, answer: int) -> None:
        self.answer = answer

    def count(self, text: str, /) -> int:  # noqa: ARG002
        return self.answer


@every_action
@pytest.mark.parametrize(("answer", "kind", "number"), ANSWERS)
def test_a_wrong_answer_of_a_counter_of_ones_own_is_refused(
    action: OverflowAction, answer: int, kind: str, number: float | None
) -> None:
    with pytest.raises(CounterError) as caught:
        apply_overflow(row("one"), 9, action, Counting(answer))
    error = caught.value
    assert (error.item_id, error.answer_type, error.answer) == ("a", kind, number)


class Whole(int):
    """An int of a class of its own, as numeric libraries have them."""

    __slots__ = ()


def test_an_int_of_another_class_is_a_count() -> None:
    assert apply_overflow(row("one"), 9, OverflowAction.DROP, Counting(Whole(3))).total_tokens == 3
