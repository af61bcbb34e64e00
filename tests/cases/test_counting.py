# Postponed annotations are part of the matter: no counter may be judged by what they say.
from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final

import pytest

from budget import (
    BudgetOverflowError,
    CachedCounter,
    CallableCounter,
    CounterError,
    EstimatingCounter,
    FittedItem,
    OverflowAction,
    OverheadCounter,
    ScaledCounter,
    TokenCounter,
    TruncationPolicy,
    apply_overflow,
    survival_limits,
    truncate_text,
)
from tests.cases import ACTIONS, KEEPS, LOSING, Keep, item, kept, words
from tests.counters import Bounded, Bytes, Characters, Recording, Words

DOORS: Final[dict[str, Callable[[TokenCounter], object]]] = {
    "apply": lambda counter: apply_overflow([item("a", "b")], 9, OverflowAction.DROP, counter),
    "truncate": lambda counter: truncate_text("some text", 9, counter),
    "survival": lambda counter: survival_limits([item("a", "b")], counter),
    "scaled": lambda counter: ScaledCounter(counter, 2),
    "overhead": lambda counter: OverheadCounter(counter, 2),
    "cached": lambda counter: CachedCounter(counter, 2),
}
FOUR: Final = [item(name, words(4), order) for order, name in enumerate("abcd")]
TURNS: Final = [
    item("sys", words(4), pinned=True),
    *(item(f"m{order}", words(2), order) for order in (1, 2, 3)),
]
PAIRS: Final = [item(name, name * 2) for name in "abc"]


class Builtin:
    count = staticmethod(len)


class Wider:
    def count(self, text: object, /) -> int:
        return len(str(text))


@dataclass(frozen=True)
class Answering:
    answer: object

    def count(self, _: str, /) -> int:
        return self.answer  # type: ignore[return-value]


class Asynchronous:
    async def count(self, text: str, /) -> int:
        await asyncio.sleep(0)
        return len(text)


# CNT-10
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    "counter", [Builtin(), Wider(), CallableCounter(lambda text: len(text) + 1)]
)
def test_whatever_has_count_is_a_counter_however_it_is_annotated(
    counter: TokenCounter, door: str
) -> None:
    assert DOORS[door](counter)


# CNT-10
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("function", [lambda text: len(text) + 1, len, Wider().count])
def test_a_bare_function_is_refused_with_the_way_to_wrap_it(function: object, door: str) -> None:
    with pytest.raises(TypeError, match=r"counter must be a TokenCounter.*CallableCounter"):
        DOORS[door](function)  # type: ignore[arg-type]


# CNT-10
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("thing", [object(), None, 4, "text", ["t"], Words, Asynchronous()])
def test_what_cannot_count_is_refused_at_the_door(thing: object, door: str) -> None:
    with pytest.raises(TypeError, match=r"counter must be a TokenCounter.*count"):
        DOORS[door](thing)  # type: ignore[arg-type]


# CNT-10
@pytest.mark.parametrize("door", ["apply", "truncate", "survival"])
@pytest.mark.parametrize("answer", [-1, True, 2.0, None, "3", [1, 2]])
@pytest.mark.parametrize("wrap", [Answering, lambda answer: ScaledCounter(Answering(answer), 2)])
def test_an_answer_that_is_no_count_is_refused(
    answer: object, door: str, wrap: Callable[[object], TokenCounter]
) -> None:
    with pytest.raises(CounterError, match=f"the counter answered {type(answer).__name__}"):
        DOORS[door](wrap(answer))


# CNT-12
@pytest.mark.parametrize(("factor", "ids"), [(1.25, "abc"), (1.0, "abcd"), (1, "abcd")])
def test_a_scaled_count_decides_what_fits(factor: float, ids: str) -> None:
    result = apply_overflow(FOUR, 16, OverflowAction.DROP, ScaledCounter(Words(), factor))
    assert "".join(kept(result)) == ids
    assert result.total_tokens == sum(-(-4 * factor // 1) for _ in ids)


# CNT-12
@pytest.mark.parametrize("factor", [1.25, 1.001, 1.1, Fraction(10, 9), Decimal("1.2")])
def test_a_scaled_count_is_rounded_up(factor: float | Fraction | Decimal) -> None:
    assert [ScaledCounter(Words(), factor).count(words(n)) for n in (0, 1, 3)] == [0, 2, 4]


# CNT-12
def test_a_scaled_count_that_is_whole_is_not_rounded_further_up() -> None:
    assert ScaledCounter(Words(), 1.1).count(words(30)) == 33


# CNT-12
@pytest.mark.parametrize("keep", KEEPS)
def test_a_cut_is_measured_by_the_scaled_counter(keep: Keep) -> None:
    counter = ScaledCounter(Characters(), 1.25)
    cut = truncate_text("abcdefghijklmnopqrst", 10, counter, TruncationPolicy(keep=keep))
    assert (len(cut), counter.count(cut)) == (8, 10)


# CNT-12
@pytest.mark.parametrize("limit", range(22))
def test_scaling_a_counter_that_stops_early_decides_the_same(limit: int) -> None:
    early = ScaledCounter(Bounded(Words()), 1.25)
    for action in LOSING:
        plain = apply_overflow(FOUR, limit, action, ScaledCounter(Words(), 1.25))
        assert kept(apply_overflow(FOUR, limit, action, early)) == kept(plain)


# CNT-12
def test_the_name_of_a_scaled_counter_says_what_is_scaled_and_by_how_much() -> None:
    assert ScaledCounter(EstimatingCounter(), 1.25).name == "estimate x 1.25"


# CNT-13
@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("counter", [Words(), CachedCounter(Words(), 99), Bounded(Words())])
def test_pinned_content_is_charged_once_when_all_fits(
    counter: TokenCounter, action: OverflowAction
) -> None:
    result = apply_overflow(TURNS, 10, action, counter)
    assert (len(result.kept), result.total_tokens, result.dropped) == (4, 10, ())


# CNT-13
@pytest.mark.parametrize("separator", [None, " "])
def test_pinned_content_is_charged_once_when_one_too_many_is_there(separator: str | None) -> None:
    result = apply_overflow(TURNS, 9, OverflowAction.DROP, Words(), separator=separator)
    assert (result.dropped, result.total_tokens) == (("m3",), 8)


# CNT-13
def test_pinned_content_is_charged_once_when_the_rest_is_cut() -> None:
    result = apply_overflow(TURNS, 9, OverflowAction.TRUNCATE, Words())
    assert (result.cut, result.total_tokens, result.dropped) == ("m3", 9, ())


# CNT-13
def test_pinned_content_is_charged_once_when_overflow_is_refused() -> None:
    with pytest.raises(BudgetOverflowError) as caught:
        apply_overflow(TURNS, 9, OverflowAction.FAIL, Words())
    assert caught.value.needed == 10


# CNT-14
@pytest.mark.parametrize(("limit", "dropped", "total"), [(18, (), 18), (17, ("c",), 12)])
def test_an_overhead_per_item_is_added_once_per_item(
    limit: int, dropped: tuple[str, ...], total: int
) -> None:
    result = apply_overflow(PAIRS, limit, OverflowAction.DROP, OverheadCounter(Characters(), 4))
    assert (result.dropped, result.total_tokens) == (dropped, total)


# CNT-14
@pytest.mark.parametrize(("limit", "dropped", "total"), [(21, (), 21), (20, ("c",), 15)])
def test_an_overhead_per_request_is_added_once_to_what_is_rendered(
    limit: int, dropped: tuple[str, ...], total: int
) -> None:
    def render(fitted: tuple[FittedItem, ...]) -> str:
        return "".join(f"<p>{one.text}>" for one in fitted)

    counter = OverheadCounter(Characters(), 3)
    result = apply_overflow(PAIRS, limit, OverflowAction.DROP, counter, render=render)
    assert (result.dropped, result.total_tokens) == (dropped, total)


# CNT-14
def test_an_overhead_is_part_of_what_a_cut_costs() -> None:
    assert truncate_text("abcdefgh", 7, OverheadCounter(Characters(), 4)) == "ab…"


# CNT-14
@pytest.mark.parametrize("counter", [Words(), Bytes(), EstimatingCounter()])
def test_nothing_is_added_that_was_not_asked_for(counter: TokenCounter) -> None:
    asked = Recording(counter)
    result = apply_overflow(PAIRS, 100, OverflowAction.DROP, asked)
    assert result.total_tokens == sum(map(counter.count, asked.texts))
