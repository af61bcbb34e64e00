"""What holds for every counter around a counter."""

import math
import pickle
from decimal import Decimal
from fractions import Fraction
from typing import Final, Protocol

from hypothesis import given
from hypothesis import strategies as st

from budget import (
    CachedCounter,
    EstimatingCounter,
    OverheadCounter,
    ScaledCounter,
    TokenCounter,
)
from tests.counters import NEVER_SHRINKING, Bounded, Recording
from tests.strategies import COUNTERS, STEADY, texts


class WithinCounter(TokenCounter, Protocol):
    """A counter that can stop early."""

    def count_within(self, text: str, limit: int, /) -> int | None: ...


Factor = float | Fraction | Decimal
FLOATS: Final = (1, 3, 0.5, 1.1, 0.07, 1e-3, 2.675)
FACTORS: Final[tuple[Factor, ...]] = (*FLOATS, Fraction(1, 3), Fraction(7, 5), Decimal("1.25"))


@st.composite
def wrapped(draw: st.DrawFn) -> WithinCounter:
    """Draw one to three wrappers around a counter that can stop early."""
    counter: WithinCounter = Bounded(draw(STEADY))
    for _ in range(draw(st.integers(1, 3))):
        wrappers: tuple[WithinCounter, ...] = (
            ScaledCounter(counter, draw(st.sampled_from(FACTORS))),
            OverheadCounter(counter, draw(st.integers(0, 5))),
            CachedCounter(counter, draw(st.sampled_from((1, 10, 1_000)))),
        )
        counter = draw(st.sampled_from(wrappers))
    return counter


@given(wrapped(), texts(), st.integers(0, 60))
def test_count_within_is_none_exactly_when_the_count_is_over(
    counter: WithinCounter, text: str, limit: int
) -> None:
    tokens = counter.count(text)
    assert counter.count_within(text, limit) == (tokens if tokens <= limit else None)


@given(wrapped(), texts(), st.integers(0, 60))
def test_count_is_the_same_after_count_within(
    counter: WithinCounter, text: str, limit: int
) -> None:
    found = counter.count_within(text, limit)
    assert found is None or found == counter.count(text)


@given(wrapped(), texts(), st.integers(-2, 2))
def test_count_within_is_exact_at_the_limit(counter: WithinCounter, text: str, off: int) -> None:
    tokens = counter.count(text)
    limit = max(tokens + off, 0)
    assert counter.count_within(text, limit) == (tokens if tokens <= limit else None)


@given(COUNTERS, st.sampled_from(FACTORS), texts())
def test_a_scaled_count_is_the_ceiling_of_the_exact_product(
    counter: TokenCounter, factor: Factor, text: str
) -> None:
    exact = Fraction(str(factor)) * counter.count(text)
    assert ScaledCounter(counter, factor).count(text) == math.ceil(exact)


@given(COUNTERS, st.integers(0, 9), texts())
def test_an_overhead_is_added_to_each_count(counter: TokenCounter, extra: int, text: str) -> None:
    assert OverheadCounter(counter, extra).count(text) == counter.count(text) + extra


@given(COUNTERS, st.integers(1, 40), st.lists(texts(6), min_size=1, max_size=8))
def test_a_cached_count_is_the_count(counter: TokenCounter, room: int, seen: list[str]) -> None:
    cached = CachedCounter(counter, room)
    assert [cached.count(text) for text in seen * 2] == list(map(counter.count, seen * 2))


@given(COUNTERS, st.lists(texts(6), min_size=1, max_size=8))
def test_a_cache_with_room_asks_once_per_text(counter: TokenCounter, seen: list[str]) -> None:
    recording = Recording(counter)
    cached = CachedCounter(recording, 10_000)
    for text in seen * 2:
        cached.count(text)
    assert recording.texts == list(dict.fromkeys(seen))


FEW: Final = ("a", "bb", "cc", "ddd", "eeee", "sixsix")


@given(st.lists(st.sampled_from(FEW), min_size=1, max_size=20), st.integers(1, 12))
def test_a_cache_holds_what_was_counted_last_and_has_room(seen: list[str], room: int) -> None:
    recording = Recording(NEVER_SHRINKING[0])
    cached, remembered = CachedCounter(recording, room), list[str]()
    for text in seen:
        calls = len(recording.texts)
        cached.count(text)
        assert (len(recording.texts) == calls) == (text in remembered)
        remembered = remember(remembered, text, room)


def remember(remembered: list[str], text: str, room: int) -> list[str]:
    """Return what a cache of least recently used texts holds after one more."""
    if len(text) > room:
        return remembered
    held = [known for known in remembered if known != text] + [text]
    while sum(map(len, held)) > room:
        del held[0]
    return held


@given(wrapped(), texts())
def test_a_wrapper_pickles_by_configuration(counter: WithinCounter, text: str) -> None:
    copy: TokenCounter = pickle.loads(pickle.dumps(counter))  # noqa: S301 - our own bytes
    assert copy.count(text) == counter.count(text)


@given(st.sampled_from((EstimatingCounter(), EstimatingCounter(safe=True))), texts(), texts())
def test_an_estimate_never_shrinks_as_a_text_grows(
    estimate: EstimatingCounter, one: str, two: str
) -> None:
    assert estimate.count(one + two) >= max(estimate.count(one), estimate.count(two))
