import json
import pickle
import weakref
from collections import Counter
from typing import Final

import pytest

from budget import (
    CachedCounter,
    CallableCounter,
    EstimatingCounter,
    OverflowAction,
    OverheadCounter,
    ScaledCounter,
    TokenCounter,
    TruncationPolicy,
    apply_overflow,
    survival_limits,
    truncate_text,
)
from tests.cases import ACTIONS, BOUNDARIES, KEEPS, LOSING, Boundary, Keep, item
from tests.counters import Bounded, Bytes, Characters, Recording, Words

MEGABYTE: Final = 1_000_000
RUNS: Final = ("a", "^", " ", "\n", "\r\n", ". ", "e\u0301", "\u0301", "\U0001f1e9", "漢", "\ud83d")
MANY: Final = [item(f"m{number:04}", f"word{number}", number) for number in range(2_000)]


class Panic(BaseException):
    """What a native library raises past every `except Exception`."""


class Remembered(str):
    """A text that can tell whether it is still alive."""

    __slots__ = ("__weakref__",)


def bounded_reading(counter: Recording, text: str, kept: int) -> bool:
    """Whether no more was read than the whole text once and the cut sixteen times."""
    return len(counter.texts) <= 41 and counter.characters <= len(text) + 16 * kept + 4_096


# PRF-01
@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("boundary", ["character", "line"])
@pytest.mark.parametrize("run", RUNS)
def test_a_megabyte_of_one_character_is_cut_with_little_reading(
    keep: Keep, boundary: Boundary, run: str
) -> None:
    text = run * (MEGABYTE // len(run))
    counter = Recording(EstimatingCounter())
    cut = truncate_text(text, 100, counter, TruncationPolicy(keep=keep, boundary=boundary))
    assert counter.counter.count(cut) <= 100
    assert bounded_reading(counter, text, len(cut))


# PRF-01
@pytest.mark.parametrize("action", LOSING)
@pytest.mark.parametrize("run", RUNS)
def test_a_megabyte_of_one_character_is_fitted_with_little_reading(
    action: OverflowAction, run: str
) -> None:
    text = run * (MEGABYTE // len(run))
    counter = Recording(EstimatingCounter())
    result = apply_overflow([item("a", text)], 100, action, counter)
    assert result.total_tokens <= 100
    assert bounded_reading(counter, text, sum(len(one.text) for one in result.kept))


# PRF-01
@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("raised", [Panic("panicked"), KeyboardInterrupt(), ValueError("refused")])
def test_what_a_counter_raises_arrives_as_it_is(
    action: OverflowAction, raised: BaseException
) -> None:
    def fails(_: str) -> int:
        raise raised

    for counter in (CallableCounter(fails), CachedCounter(CallableCounter(fails), 9)):
        with pytest.raises(type(raised)) as caught:
            apply_overflow([item("a", "b")], 1, action, counter)
        assert caught.value is raised
        assert caught.value.__cause__ is None


# PRF-01
@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("wrapped", [False, True])
def test_what_a_counter_raises_is_told_which_item_it_was_about(
    action: OverflowAction, *, wrapped: bool
) -> None:
    def fails(text: str) -> int:
        if text == "bad":
            raise LookupError
        return 1

    plain = CallableCounter(fails)
    counter = ScaledCounter(OverheadCounter(CachedCounter(plain, 99), 1), 2) if wrapped else plain
    with pytest.raises(LookupError) as caught:
        apply_overflow([item("fine", "good"), item("page", "bad", 1)], 99, action, counter)
    assert caught.value.__notes__ == ["while counting item page"]


# PRF-02
@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("step", [1, -1])
def test_every_text_is_counted_once_when_all_fits(action: OverflowAction, step: int) -> None:
    counter = Recording(Words())
    apply_overflow(MANY[::step], 10**9, action, counter)
    assert Counter(counter.texts) == Counter(one.text for one in MANY)


# PRF-02
@pytest.mark.parametrize("action", LOSING)
@pytest.mark.parametrize("limit", [0, 1, 500, 1_999])
def test_counting_stops_at_the_first_item_that_does_not_fit(
    action: OverflowAction, limit: int
) -> None:
    counter = Recording(Words())
    apply_overflow(MANY[::-1], limit, action, counter)
    assert Counter(counter.texts[: limit + 1]) == Counter(one.text for one in MANY[: limit + 1])
    assert len(counter.texts) - (limit + 1) <= 40 * (action is OverflowAction.TRUNCATE)


# PRF-02
@pytest.mark.parametrize("action", LOSING)
@pytest.mark.parametrize("separator", ["\n", "", " and "])
def test_what_is_joined_is_measured_a_few_times_and_not_after_each_loss(
    action: OverflowAction, separator: str
) -> None:
    counter = Recording(Characters())
    policy = TruncationPolicy(min_tokens=100)
    apply_overflow(MANY, 900, action, counter, policy, separator=separator)
    once = set(counter.texts) & {one.text for one in MANY}
    assert len(counter.texts) - len(once) <= 18 + 40
    assert counter.characters <= (2 * 4 + 18 + 4) * 900


# PRF-02
def test_a_refused_overflow_counts_every_text_once() -> None:
    counter = Recording(Words())
    with pytest.raises(Exception, match="needs 2000 tokens"):
        apply_overflow(MANY, 1_000, OverflowAction.FAIL, counter)
    assert len(counter.texts) == 2_000


# PRF-02
def test_survival_limits_count_every_text_once() -> None:
    counter = Recording(Words())
    survival_limits(MANY, counter)
    assert len(counter.texts) == 2_000


# PRF-02
@pytest.mark.parametrize("action", LOSING)
@pytest.mark.parametrize("factor", [1, 2])
def test_a_counter_that_can_stop_early_reads_no_giant_to_its_end(
    action: OverflowAction, factor: int
) -> None:
    counter = Bounded(Characters())
    items = [item("a", "a" * 50), item("giant", "b" * MEGABYTE, 1), item("c", "c", 2)]
    apply_overflow(items, 100 * factor, action, ScaledCounter(counter, factor))
    for_a_cut = 16 * 50 + 4_096 if action is OverflowAction.TRUNCATE else 0
    assert counter.characters <= 50 + 51 + for_a_cut


# PRF-05
@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("boundary", BOUNDARIES)
@pytest.mark.parametrize("counter", [Characters(), Bytes()])
def test_six_megabytes_on_one_line_are_cut_between_characters(
    keep: Keep, boundary: Boundary, counter: TokenCounter
) -> None:
    text = "x" * 6 * MEGABYTE
    asked = Recording(counter)
    cut = truncate_text(text, 1_000, asked, TruncationPolicy(keep=keep, boundary=boundary))
    assert counter.count(cut) == 1_000
    assert bounded_reading(asked, text, len(cut))


# PRF-05
@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("boundary", BOUNDARIES)
@pytest.mark.parametrize("run", [" ", "\n", ".", "\r\n", "。"])
@pytest.mark.parametrize("ends", ["", ".", "a. "])
def test_six_megabytes_of_boundaries_are_cut_with_little_reading(
    keep: Keep, boundary: Boundary, run: str, ends: str
) -> None:
    text = ends + run * (6 * MEGABYTE // len(run)) + ends
    counter = Recording(Characters())
    cut = truncate_text(text, 1_000, counter, TruncationPolicy(keep=keep, boundary=boundary))
    assert 500 <= len(cut) <= 1_000
    assert bounded_reading(counter, text, len(cut))


# PRF-06
def test_a_memory_of_counts_lets_go_of_the_oldest_texts() -> None:
    counter = CachedCounter(Words(), 400)
    alive: weakref.WeakSet[Remembered] = weakref.WeakSet()

    def count(text: Remembered) -> None:
        alive.add(text)
        counter.count(text)

    for number in range(10_000):
        count(Remembered(f"{number:04}"))
    assert sorted(alive) == [f"{number:04}" for number in range(9_900, 10_000)]


# PRF-06
def test_a_text_longer_than_the_memory_is_not_kept_alive() -> None:
    counter, text = CachedCounter(Words(), 10), Remembered("a" * 11)
    alive = weakref.ref(text)
    counter.count(text)
    del text
    assert alive() is None


# PRF-06
def test_a_text_longer_than_the_memory_pushes_no_other_out() -> None:
    counter = CachedCounter(Words(), 10)
    for text in ("short", "much longer than that", "short"):
        counter.count(text)
    assert (counter.hits, counter.misses) == (1, 2)


# PRF-06
def test_a_memory_can_be_emptied() -> None:
    counter, text = CachedCounter(Words(), 400), Remembered("word")
    alive = weakref.ref(text)
    counter.count(text)
    counter.clear()
    del text
    assert (alive(), counter.hits, counter.misses) == (None, 0, 0)


# PRF-06
@pytest.mark.parametrize("action", LOSING)
@pytest.mark.parametrize("separator", [None, "\n"])
def test_a_result_does_not_hold_what_was_dropped(
    action: OverflowAction, separator: str | None
) -> None:
    items = [item("a", "a"), item("giant", "b" * 10 * MEGABYTE, 1), item("c", "c" * MEGABYTE, 2)]
    policy = TruncationPolicy(min_tokens=50)
    result = apply_overflow(items, 40, action, Characters(), policy, separator=separator)
    assert result.dropped == ("giant", "c")
    assert len(json.dumps(result.to_dict())) < 10_000
    assert len(pickle.dumps(result)) < 10_000
