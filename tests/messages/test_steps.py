"""Dropping in steps: where the marks stand, and how seldom the first kept message moves."""

from __future__ import annotations

from itertools import pairwise

import pytest

from budget import BudgetPolicyError, CachedCounter, EstimatingCounter
from budget.messages import fit_messages
from tests.counters import Characters, Recording
from tests.messages.making import FREE, W, says, user
from tests.messages.plans import Message

C = Characters()
TENS = [user("x" * 10) for _ in range(20)]


def first(limit: int, step: int, messages: list[Message]) -> int:
    """Return the first message that is kept."""
    return fit_messages(messages, limit, C, overhead=FREE, step=step).kept[0]


@pytest.mark.parametrize(
    ("limit", "step", "expected"),
    [
        (200, 10, 0),  # everything fits: no cut
        (199, 1, 1),  # 10 characters have to go
        (199, 2, 1),  # a mark at 8 characters stands before message 1
        (199, 5, 2),  # at 20: before message 2
        (199, 6, 3),  # at 24: before message 3
        (170, 10, 4),  # at 40: where three have to go, as where one has to
        (160, 10, 4),  # a mark that is needed is the cut
        (159, 10, 8),  # at 80
        (39, 10, 19),  # no mark before the end of what can be dropped: 16 are needed
    ],
)
def test_a_cut_moves_to_the_next_mark(limit: int, step: int, expected: int) -> None:
    assert first(limit, step, TENS) == expected


def test_no_more_goes_than_a_step_and_one_unit() -> None:
    for limit in range(10, 200):
        beyond = 10 * (first(limit, min(7, limit), TENS) - first(limit, 1, TENS))
        assert beyond <= 4 * 7 + 10


def test_a_step_over_the_limit_is_refused() -> None:
    with pytest.raises(BudgetPolicyError, match="step must be <= the limit of 10, got 11"):
        fit_messages(TENS, 10, C, step=11)


@pytest.mark.parametrize("limit", [0, 1])
def test_a_step_of_one_is_never_refused(limit: int) -> None:
    assert fit_messages([], limit, C, step=1).kept == ()


def test_the_counter_is_not_asked_for_marks() -> None:
    counters = []
    for step in (1, 10):
        counters.append(Recording(C))
        fit_messages(TENS, 100, counters[-1], overhead=FREE, step=step)
    assert counters[0].texts == counters[1].texts


def conversation(turns: int) -> list[Message]:
    """Return turns of about 80 tokens."""
    said = "some words that a person says about it " * 4
    return [
        message
        for turn in range(turns)
        for message in (user(f"turn {turn}: {said}"), says(f"so {turn} it is, {said}"))
    ]


def moves(step: int, turns: int) -> int:
    """Return how often the first kept message moves from turn to turn."""
    messages, counter = conversation(turns), CachedCounter(EstimatingCounter(), 10**7)
    firsts = [
        fit_messages(messages[: 2 * turn], 2_000, counter, step=step).kept[0]
        for turn in range(1, turns + 1)
    ]
    return sum(one != other for one, other in pairwise(firsts))


def test_over_500_turns_the_first_kept_message_moves_once_in_a_step() -> None:
    text = sum(len(str(message["content"])) for message in conversation(500))
    assert moves(500, 500) <= text // (4 * 500) + 1


def test_without_steps_it_moves_with_every_turn() -> None:
    assert moves(1, 100) >= 70


def test_words_are_counted_too() -> None:
    assert fit_messages([user("a b"), user("c d"), user("e")], 3, W, overhead=FREE).kept == (1, 2)
