"""Counters around counters: a factor, an overhead, a memory."""

import copy
from decimal import Decimal
from fractions import Fraction
from math import ceil

import pytest

from budget import (
    CachedCounter,
    CallableCounter,
    CounterError,
    EstimatingCounter,
    OverheadCounter,
    ScaledCounter,
    TokenCounter,
)
from budget.counting import count_up_to, counter_name
from tests.counters import Bounded, Characters, Recording, Words
from tests.making import drop, ids, item, pin, revived, row

FACTORS = (
    (1, Fraction(1)),
    (3, Fraction(3)),
    (1.25, Fraction(5, 4)),
    (1.1, Fraction(11, 10)),
    (0.1, Fraction(1, 10)),
    (1e-5, Fraction(1, 100_000)),
    (1.5e-7, Fraction(15, 100_000_000)),
    (1e16, Fraction(10**16)),
    (1.5e300, Fraction(15 * 10**299)),
    (5e-324, Fraction(5, 10**324)),
    (Fraction(7, 3), Fraction(7, 3)),
    (Decimal("1.1"), Fraction(11, 10)),
    (Decimal("1E+3"), Fraction(1_000)),
)


class _Printed(float):
    """A float as numeric libraries have them: another repr, the same number."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"printed({float(self)})"


@pytest.mark.parametrize(("factor", "exact"), FACTORS, ids=repr)
@pytest.mark.parametrize("length", [0, 1, 9, 10, 11, 1_000])
def test_a_factor_is_exact_and_rounds_up_once(
    factor: float | Fraction | Decimal, exact: Fraction, length: int
) -> None:
    counter = ScaledCounter(Characters(), factor)
    assert counter.count("x" * length) == ceil(length * exact)


def test_a_float_of_another_class_is_the_same_factor() -> None:
    assert ScaledCounter(Characters(), _Printed(1.1)).count("x" * 10) == 11


def test_a_margin_is_never_rounded_down() -> None:
    fours = row(*["x x x x"] * 4)
    scaled = drop(fours, 16, counter=ScaledCounter(Words(), 1.25))
    assert (ids(scaled), scaled.total_tokens) == ("a b c", 15)
    assert ids(drop(fours, 16, counter=ScaledCounter(Words(), 1.0))) == "a b c d"


def test_an_overhead_is_added_to_each_count() -> None:
    assert OverheadCounter(Characters(), 4).count("aa") == 6
    assert OverheadCounter(Characters(), 4).count("") == 4


def test_an_overhead_is_charged_once_an_item() -> None:
    parts = row("aa", "bb", "cc")
    counter = OverheadCounter(Characters(), 4)
    assert ids(drop(parts, 18, counter=counter)) == "a b c"
    assert ids(drop(parts, 17, counter=counter)) == "a b"


def test_an_overhead_of_nothing_is_allowed() -> None:
    assert OverheadCounter(Characters(), 0).count("aa") == 2


def test_the_counter_inside_is_asked_once_a_count() -> None:
    inner = Recording(Words())
    OverheadCounter(ScaledCounter(inner, 2), 1).count("one")
    assert inner.texts == ["one"]


NAMES: tuple[tuple[TokenCounter, str], ...] = (
    (ScaledCounter(Words(), 1.1), "Words x 1.1"),
    (ScaledCounter(EstimatingCounter(), Fraction(7, 3)), "estimate x 7/3"),
    (OverheadCounter(Words(), 4), "Words + 4"),
    (CachedCounter(Words(), 9), "Words"),
    (CachedCounter(OverheadCounter(ScaledCounter(Words(), 2), 4), 9), "Words x 2 + 4"),
)


@pytest.mark.parametrize(("counter", "name"), NAMES, ids=["x", "x exact", "+", "cached", "all"])
def test_a_name_says_what_counts(counter: TokenCounter, name: str) -> None:
    assert counter_name(counter) == name


def _wrappers(inner: TokenCounter) -> dict[str, TokenCounter]:
    return {
        "scaled up": ScaledCounter(inner, 1.1),
        "scaled down": ScaledCounter(inner, Fraction(1, 3)),
        "overhead": OverheadCounter(inner, 4),
        "cached": CachedCounter(inner, 100),
        "scaled overhead": ScaledCounter(OverheadCounter(inner, 4), 1.5),
        "overhead scaled": OverheadCounter(ScaledCounter(inner, 1.5), 4),
        "all": CachedCounter(OverheadCounter(ScaledCounter(inner, 0.7), 2), 100),
    }


every_wrapper = pytest.mark.parametrize("name", _wrappers(Words()))


@every_wrapper
def test_a_wrapper_has_count_within_where_the_counter_inside_has_it(name: str) -> None:
    assert hasattr(_wrappers(Bounded(Words()))[name], "count_within")
    assert not hasattr(_wrappers(Words())[name], "count_within")


@every_wrapper
def test_count_within_is_none_exactly_when_the_count_is_over(name: str) -> None:
    for length in (0, 1, 3, 10, 11):
        whole = _wrappers(Characters())[name].count("x" * length)
        for limit in range(30):
            counter = _wrappers(Bounded(Characters()))[name]
            found = count_up_to(counter, "x" * length, limit)
            assert found == (whole if whole <= limit else None)


@every_wrapper
def test_a_wrapper_pickles_and_copies_by_configuration(name: str) -> None:
    counter = _wrappers(Words())[name]
    for other in (revived(counter), copy.deepcopy(counter)):
        assert type(other) is type(counter)
        assert repr(other) == repr(counter)
        assert other.count("hello wörld 🧠") == counter.count("hello wörld 🧠")


@pytest.mark.parametrize("name", ["scaled up", "overhead", "scaled overhead"])
def test_a_frozen_wrapper_is_equal_by_value(name: str) -> None:
    assert _wrappers(Words())[name] == _wrappers(Words())[name]
    assert _wrappers(Words())[name] != _wrappers(Characters())[name]


def test_a_bounded_counter_reads_only_what_shows_that_a_text_is_over() -> None:
    inner = Bounded(Characters())
    assert count_up_to(OverheadCounter(ScaledCounter(inner, 2), 4), "x" * 1_000, 24) is None
    assert inner.characters == 11


class _Positive(Bounded):
    """Has never heard of a limit under 0."""

    def count_within(self, text: str, limit: int, /) -> int | None:
        assert limit >= 0
        return super().count_within(text, limit)


def test_an_overhead_over_the_limit_needs_no_look_at_the_text() -> None:
    inner = _Positive(Characters())
    assert count_up_to(OverheadCounter(inner, 4), "x", 3) is None
    assert inner.characters == 0


WRONG = (-1, True, "x", 1.5)


class _Liar:
    """Answers one wrong thing, whoever asks."""

    def __init__(self, answer: int) -> None:
        self.answer = answer

    def count(self, text: str, /) -> int:  # noqa: ARG002
        return self.answer

    def count_within(self, text: str, limit: int, /) -> int | None:  # noqa: ARG002
        return self.answer


class _BluntLiar(_Liar):
    """The same without the second method."""

    count_within: None = None  # type: ignore[assignment]


@every_wrapper
@pytest.mark.parametrize("answer", WRONG)
@pytest.mark.parametrize("liar", [_Liar, _BluntLiar])
def test_a_wrong_answer_inside_a_wrapper_is_refused(
    name: str, answer: int, liar: type[_Liar]
) -> None:
    with pytest.raises(CounterError) as caught:
        drop([item("a")], 9, counter=_wrappers(liar(answer))[name])
    assert (caught.value.item_id, caught.value.answer_type) == ("a", type(answer).__name__)


@every_wrapper
def test_a_wrong_answer_about_a_pinned_item_is_refused(name: str) -> None:
    with pytest.raises(CounterError, match="for item p"):
        drop([pin("p")], 9, counter=_wrappers(_Liar(-1))[name])


def test_the_error_of_a_counter_inside_is_named_once() -> None:
    inner = CallableCounter(lambda _: None)
    with pytest.raises(CounterError) as caught:
        drop([item("a")], 9, counter=OverheadCounter(ScaledCounter(inner, 2), 4))
    assert str(caught.value).startswith("the counter answered NoneType for item a,")


def test_the_class_of_a_factor_is_no_factor() -> None:
    with pytest.raises(TypeError, match="factor must be a number, got type"):
        ScaledCounter(Words(), float)  # type: ignore[arg-type]


def test_a_class_is_told_from_its_instance() -> None:
    with pytest.raises(TypeError, match="got the class Words"):
        drop([item("a")], 9, counter=Words)  # type: ignore[arg-type]


def test_the_way_to_wrap_a_function_is_told_last() -> None:
    with pytest.raises(TypeError, match=r"got builtin_function.*; wrap .* as CallableCounter"):
        drop([item("a")], 9, counter=len)  # type: ignore[arg-type]
