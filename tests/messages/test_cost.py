"""What is counted, and how often."""

from __future__ import annotations

from budget import (
    CachedCounter,
)
from budget.messages import fit_messages
from tests.counters import Bounded, Characters, Recording, Words
from tests.messages.making import FREE, calls, says, system, tool, user
from tests.messages.plans import Message


def numbered(size: int) -> list[Message]:
    """Return that many user messages, each of ten characters."""
    return [user(f"{place:010}") for place in range(size)]


def test_only_what_is_kept_and_the_first_that_does_not_fit_are_counted() -> None:
    counter, messages = Recording(Characters()), numbered(20_000)
    fitted = fit_messages(messages, 105, counter, overhead=FREE)
    assert len(fitted.kept) == 10
    assert counter.texts == [f"{place:010}" for place in range(19_999, 19_988, -1)]


def test_of_the_first_that_does_not_fit_only_a_part_is_counted_where_that_is_enough() -> None:
    counter = Bounded(Characters())
    fitted = fit_messages([user("x" * 100_000), user("y" * 10)], 30, counter, overhead=FREE)
    assert fitted.diagnostics[0].tokens_before is None
    assert counter.characters < 100


def test_a_long_unit_is_not_read_behind_the_text_that_is_over() -> None:
    counter = Bounded(Characters())
    messages = [
        user("u"),
        calls("a", content="x" * 50),
        tool("a", "y" * 99_999),
        says("b"),
        user("v"),
    ]
    fitted = fit_messages(messages, 40, counter, overhead=FREE)
    assert fitted.kept == (0, 3, 4)
    assert counter.characters < 300


def test_system_messages_are_counted_once_wherever_they_stand() -> None:
    counter = Recording(Characters())
    messages = [system("one"), user("two"), system("three"), user("four")]
    fit_messages(messages, 1_000, counter)
    assert sorted(counter.texts) == ["four", "one", "three", "two"]


def test_a_loop_of_500_turns_counts_each_text_once() -> None:
    inside = Recording(Words())
    counter, messages = CachedCounter(inside, 10**7), [user("a long run")]
    for turn in range(500):
        arguments = f'{{"q":{turn}}}'
        messages += [
            calls(f"c{turn}", content=f"let me see {turn}", arguments=arguments),
            tool(f"c{turn}", f"result {turn}"),
        ]
        fit_messages(messages, 300, counter, step=50)
    assert len(inside.texts) == len(set(inside.texts)) == 3 * 500 + 2
