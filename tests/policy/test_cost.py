"""How often, and on how much text, the counter is asked."""

import pytest

from budget import (
    BudgetItem,
    BudgetLine,
    BudgetOverflowError,
    BudgetPolicy,
    OverflowAction,
    apply_policy,
)
from tests.counters import Bounded, Characters, Recording, Words
from tests.making import DROP, FAIL, TRUNCATE
from tests.policy.making import cutting, dropping, failing, fitted, held

KINDS = ("memory", "documents", "history", "notes")
MANY = [
    BudgetItem(f"{kind}{place}", kind, f"{place:05} {'word ' * 80}", place)
    for place in range(10_000)
    for kind in KINDS
]


class Fours:
    """Four characters a token."""

    def count(self, text: str, /) -> int:
        return -(-len(text) // 4)


@pytest.mark.parametrize("action", [DROP, TRUNCATE])
@pytest.mark.parametrize("weights", [(None,) * 4, (1, 2, 3, 4)], ids=["in order", "by weight"])
@pytest.mark.parametrize("separator", [None, "\n\n"])
def test_40000_items_into_8000_tokens_measure_under_2_per_cent_of_the_characters(
    action: OverflowAction, weights: tuple[int | None, ...], separator: str | None
) -> None:
    recording = Recording(Fours())
    lines = tuple(
        BudgetLine(kind, action, floor=500, weight=weight)
        for kind, weight in zip(KINDS, weights, strict=True)
    )
    apply_policy(MANY, BudgetPolicy(8_000, lines), recording, separator=separator)
    assert recording.characters < 0.02 * sum(len(item.text) for item in MANY)


def test_a_line_is_not_counted_behind_the_first_item_that_does_not_fit() -> None:
    recording = Recording(Words())
    fitted(held("a", 1, 2, 3, 4), 4, dropping("a"), counter=recording)
    assert [text.count("w") for text in recording.texts] == [1, 2, 3]


def test_a_line_is_not_counted_beyond_what_earlier_lines_leave() -> None:
    recording = Recording(Words())
    items = held("a", 8) + held("b", *[1] * 20)
    fitted(items, 10, dropping("a"), dropping("b"), counter=recording)
    assert [text.count("w") for text in recording.texts] == [8, 1, 1, 1]


def test_a_weighted_line_is_not_counted_beyond_what_could_be_granted() -> None:
    recording = Recording(Words())
    items = held("a", *[1] * 50) + held("b", *[2] * 50)
    lines = dropping("a", weight=1, limit=3), dropping("b", weight=1)
    fitted(items, 10, *lines, counter=recording)
    assert [text.count("w") for text in recording.texts].count(1) == 4
    assert [text.count("w") for text in recording.texts].count(2) == 6


def test_pinned_items_come_first_and_once() -> None:
    recording = Recording(Words())
    items = held("a", 1) + held("b", 3, pinned=True)
    fitted(items, 9, dropping("a", floor=1, weight=2), dropping("b"), counter=recording)
    assert [text.count("w") for text in recording.texts] == [3, 1]


def test_a_line_that_fails_is_counted_to_its_end() -> None:
    recording = Recording(Words())
    with pytest.raises(BudgetOverflowError):
        fitted(held("a", 1, 2, 3, 4), 4, failing("a"), counter=recording)
    assert [text.count("w") for text in recording.texts] == [1, 2, 3, 4]


def test_an_item_that_does_not_fit_is_read_as_far_as_that_shows() -> None:
    bounded = Bounded(Characters())
    items = [BudgetItem("a", "a", "w" * 1_000_000), BudgetItem("b", "b", "w" * 30)]
    policy = BudgetPolicy(100, (dropping("a", floor=10), dropping("b", floor=20)))
    result = apply_policy(items, policy, bounded)
    assert result.dropped == ("a",)
    assert bounded.characters == 101 + 30


def test_a_line_that_fails_is_counted_whole_by_a_counter_that_could_stop() -> None:
    bounded = Bounded(Characters())
    items = [BudgetItem("a", "a", "w" * 1_000)]
    with pytest.raises(BudgetOverflowError) as caught:
        apply_policy(items, BudgetPolicy(100, (BudgetLine("a", FAIL),)), bounded)
    assert (caught.value.needed, bounded.characters) == (1_000, 1_000)


def test_a_cut_is_all_that_is_asked_beside_the_items() -> None:
    recording = Recording(Characters())
    items = [BudgetItem("a", "a", "w" * 100), BudgetItem("b", "b", "w" * 30)]
    policy = BudgetPolicy(90, (cutting("a"), dropping("b", floor=30)))
    result = apply_policy(items, policy, recording)
    assert result.total_tokens == 90
    assert [len(text) for text in recording.texts].count(100) == 1
    assert [len(text) for text in recording.texts].count(30) == 1


def test_planning_again_counts_no_item_again() -> None:
    recording = Recording(Words())
    items = held("a", 1, 2, 3) + held("b", 4, 5)
    fitted(items, 12, dropping("a"), dropping("b", weight=1), counter=recording, separator=" x y ")
    for item in items:
        assert recording.texts.count(item.text) <= 1


def test_the_counter_is_told_which_item_it_failed_on() -> None:
    class Broken:
        def count(self, text: str, /) -> int:
            raise LookupError(len(text))

    with pytest.raises(LookupError) as caught:
        fitted(held("a", 1), 9, dropping("a"), counter=Broken())
    assert caught.value.__notes__ == ["while counting item a1"]
