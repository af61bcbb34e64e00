"""The counter that remembers."""

import copy
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from budget import CachedCounter, CounterError
from budget.counting import count_up_to
from tests.counters import Bounded, Characters, Recording, Words
from tests.making import drop, revived, row


def test_a_remembered_text_is_not_counted_again() -> None:
    inner = Recording(Words())
    counter = CachedCounter(inner, 100)
    assert [counter.count("one two"), counter.count("one two")] == [2, 2]
    assert inner.texts == ["one two"]


def test_hits_and_misses_are_counted() -> None:
    counter = CachedCounter(Words(), 100)
    for text in ("a", "b", "a", "a"):
        counter.count(text)
    assert (counter.hits, counter.misses) == (2, 2)


def test_clear_forgets_texts_and_numbers() -> None:
    inner = Recording(Words())
    counter = CachedCounter(inner, 100)
    counter.count("a")
    counter.count("a")
    counter.clear()
    assert (counter.hits, counter.misses) == (0, 0)
    counter.count("a")
    assert inner.texts == ["a", "a"]


def test_the_least_recently_used_is_forgotten_first() -> None:
    inner = Recording(Words())
    counter = CachedCounter(inner, 3)
    for text in ("a", "b", "c", "a", "d"):
        counter.count(text)
    inner.texts.clear()
    for text in ("a", "c", "d", "b"):
        counter.count(text)
    assert inner.texts == ["b"]


def test_a_long_text_pushes_out_as_many_as_it_needs() -> None:
    inner = Recording(Words())
    counter = CachedCounter(inner, 4)
    for text in ("a", "b", "c", "xyz"):
        counter.count(text)
    inner.texts.clear()
    for text in ("xyz", "c", "b"):
        counter.count(text)
    assert inner.texts == ["b"]


def test_a_text_of_exactly_the_bound_is_remembered() -> None:
    inner = Recording(Words())
    counter = CachedCounter(inner, 4)
    counter.count("four")
    counter.count("four")
    assert inner.texts == ["four"]


def test_a_text_over_the_bound_is_counted_and_pushes_nothing_out() -> None:
    inner = Recording(Words())
    counter = CachedCounter(inner, 4)
    counter.count("four")
    assert [counter.count("fives"), counter.count("fives")] == [1, 1]
    counter.count("four")
    assert inner.texts == ["four", "fives", "fives"]


def test_the_bound_holds_over_many_texts() -> None:
    inner = Recording(Characters())
    counter = CachedCounter(inner, 100)
    for number in range(1_000):
        counter.count(f"{number:010}")
    inner.texts.clear()
    for number in range(999, -1, -1):
        counter.count(f"{number:010}")
    assert counter.hits == 10


def test_a_text_counted_within_a_limit_is_remembered_whole() -> None:
    inner = Bounded(Characters())
    counter = CachedCounter(inner, 100)
    assert count_up_to(counter, "four", 4) == 4
    assert count_up_to(counter, "four", 3) is None
    assert counter.count("four") == 4
    assert (inner.characters, counter.hits, counter.misses) == (4, 2, 1)


def test_a_text_known_only_to_be_over_is_not_remembered() -> None:
    inner = Bounded(Characters())
    counter = CachedCounter(inner, 100)
    assert count_up_to(counter, "x" * 50, 4) is None
    assert counter.count("x" * 50) == 50
    assert (counter.hits, counter.misses) == (0, 2)


def test_an_agent_loop_counts_only_what_is_new() -> None:
    inner = Recording(Words())
    counter = CachedCounter(inner, 1_000)
    turns = ["one", "two two", "three three three"]
    for turn in range(1, 4):
        drop(row(*turns[:turn]), 100, counter=counter)
    assert inner.texts == turns


def test_a_copy_starts_empty_with_the_same_bound() -> None:
    counter = CachedCounter(Words(), 7)
    counter.count("a")
    for other in (revived(counter), copy.deepcopy(counter)):
        assert (other.hits, other.misses, other.max_characters) == (0, 0, 7)
        assert other.counter == Words()
        other.count("a")
        assert (other.hits, other.misses) == (0, 1)


def test_the_repr_shows_the_configuration_and_no_text() -> None:
    counter = CachedCounter(Words(), 7)
    counter.count("private")
    assert repr(counter) == "CachedCounter(Words(), 7)"


class _Meeting:
    """Counts words once everybody has come."""

    def __init__(self, threads: int) -> None:
        self.barrier = Barrier(threads, timeout=20)

    def count(self, text: str, /) -> int:
        self.barrier.wait()
        return len(text)


def test_threads_that_miss_one_text_at_once_all_get_its_count() -> None:
    counter = CachedCounter(_Meeting(8), 10)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(counter.count, ["0123456789"] * 8)) == [10] * 8
    assert (counter.hits, counter.misses) == (0, 8)
    # Counted in once: all of it still fits the bound, so it is still there.
    assert counter.count("0123456789") == 10
    assert counter.hits == 1


def test_threads_that_push_each_other_out_lose_no_number() -> None:
    counter = CachedCounter(Characters(), 50)
    asked = ["x" * length for length in range(30)] * 20
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(counter.count, asked)) == [len(text) for text in asked]
    assert counter.hits + counter.misses == len(asked)


class _Recovering:
    """Answers wrongly once, then as it should."""

    def __init__(self, wrong: int) -> None:
        self.answers = [wrong, 3]

    def count(self, text: str, /) -> int:  # noqa: ARG002
        return self.answers.pop(0)

    def count_within(self, text: str, limit: int, /) -> int | None:  # noqa: ARG002
        return self.answers.pop(0)


@pytest.mark.parametrize("wrong", ["x", -1, True])
def test_a_wrong_answer_is_not_remembered(wrong: int) -> None:
    counter = CachedCounter(_Recovering(wrong), 10)
    with pytest.raises(CounterError):
        counter.count("a")
    assert counter.count("a") == 3


@pytest.mark.parametrize("wrong", ["x", -1, True])
def test_a_wrong_answer_within_a_limit_is_not_remembered(wrong: int) -> None:
    counter = CachedCounter(_Recovering(wrong), 10)
    with pytest.raises(CounterError):
        count_up_to(counter, "a", 9)
    assert counter.count("a") == 3
