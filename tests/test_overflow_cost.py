"""What is counted, how often, and how much of it is read."""

import pytest

from budget import BudgetOverflowError, OverflowAction, apply_overflow, survival_limits
from tests.counters import Bounded, Characters, Recording, Words
from tests.making import ACTIONS, LOSSY, drop, fail, ids, item, pin, row, truncate

every_action = pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.value)
every_loss = pytest.mark.parametrize("action", LOSSY, ids=lambda action: action.value)
THOUSAND = [item(f"{number:04}", "x" * 10, number) for number in range(1_000)]


@every_action
def test_each_text_is_counted_once_when_all_fits(action: OverflowAction) -> None:
    counter = Recording(Characters())
    given = [*row("one", "two", "three"), pin("p", "pin")]
    apply_overflow(given, 100, action, counter)
    assert sorted(counter.texts) == ["one", "pin", "three", "two"]


def test_drop_stops_counting_at_the_first_that_does_not_fit() -> None:
    counter = Recording(Characters())
    result = drop(THOUSAND, 55, counter=counter)
    assert len(result.kept) == 5
    assert len(counter.texts) == 6


def test_drop_counts_in_total_order_whatever_arrives_first() -> None:
    counter = Recording(Characters())
    drop(THOUSAND[::-1], 55, counter=counter)
    assert len(counter.texts) == 6


def test_truncate_counts_beyond_that_only_what_it_cuts() -> None:
    counter = Recording(Characters())
    result = truncate(THOUSAND, 55, counter=counter)
    assert result.cut == "0005"
    assert counter.texts[:6] == ["x" * 10] * 6
    assert all(len(text) < 11 for text in counter.texts[6:])
    assert len(counter.texts) <= 6 + 40


@every_loss
def test_characters_counted_grow_with_the_limit_and_not_with_the_input(
    action: OverflowAction,
) -> None:
    counter = Recording(Characters())
    given = [pin("p", "p" * 30), *THOUSAND, item("last", "y" * 10**7, 2_000)]
    result = apply_overflow(given, 500, action, counter)
    kept = sum(len(fitted.item.text) for fitted in result.kept)
    probes = 16 * 10 + 4_096 if action is OverflowAction.TRUNCATE else 0
    assert counter.characters <= kept + 10 + probes


def test_fail_counts_everything_once() -> None:
    counter = Recording(Characters())
    with pytest.raises(BudgetOverflowError):
        fail(THOUSAND, 55, counter=counter)
    assert len(counter.texts) == 1_000


def test_fail_never_asks_for_a_part() -> None:
    counter = Bounded(Characters())
    with pytest.raises(BudgetOverflowError) as caught:
        fail(row("x" * 50, "y" * 1_000), 10, counter=counter)
    assert caught.value.needed == 1_050
    assert counter.characters == 1_050


def test_pinned_content_over_the_limit_is_found_without_counting_the_others() -> None:
    counter = Recording(Words())
    with pytest.raises(BudgetOverflowError):
        drop([*THOUSAND, pin("p", "x " * 100)], 10, counter=counter)
    assert len(counter.texts) == 1


def test_a_bounded_counter_reads_only_the_part_that_shows_that_it_does_not_fit() -> None:
    counter = Bounded(Characters())
    result = drop([pin("p", "ppp"), *row("xx", "y" * 10**5)], 10, counter=counter)
    assert ids(result) == "p a"
    assert counter.characters == 3 + 2 + 6


def test_what_was_never_counted_to_its_end_has_no_count_before() -> None:
    loss = drop(row("xx", "y" * 100), 10, counter=Bounded(Characters())).diagnostics[0]
    assert (loss.reason, loss.tokens_before) == ("over", None)


def test_what_was_cut_without_being_counted_to_its_end_has_no_count_before() -> None:
    result = truncate(row("xx", "y" * 10**5), 10, counter=Bounded(Characters()))
    loss = result.diagnostics[0]
    assert (loss.reason, loss.tokens_before, loss.tokens_after) == ("cut", None, 8)
    assert result.total_tokens == 10


@pytest.mark.parametrize("limit", range(20))
@every_loss
def test_a_bounded_counter_changes_nothing_but_the_count_before(
    action: OverflowAction, limit: int
) -> None:
    given = [*row("xx", "yyyyy", "", "zzz", "yy"), item("0", "a b c")]
    plain = apply_overflow(given, limit, action, Characters())
    bounded = apply_overflow(given, limit, action, Bounded(Characters()))
    assert (bounded.kept, bounded.dropped) == (plain.kept, plain.dropped)
    assert [loss.reason for loss in bounded.diagnostics] == [
        loss.reason for loss in plain.diagnostics
    ]


def test_a_bounded_counter_is_asked_about_what_is_left() -> None:
    asked: list[tuple[str, int]] = []

    class Asked(Bounded):
        def count_within(self, text: str, limit: int, /) -> int | None:
            asked.append((text, limit))
            return super().count_within(text, limit)

    drop([pin("p", "ppp"), *row("xx", "yyyy", "zz")], 10, counter=Asked(Characters()))
    assert asked == [("xx", 7), ("yyyy", 5), ("zz", 1)]


def test_why_and_to_dict_count_nothing() -> None:
    counter = Recording(Characters())
    result = drop(THOUSAND, 55, counter=counter)
    counter.texts.clear()
    result.why("0999")
    result.to_dict(include_text=True)
    assert counter.texts == []


def test_survival_is_the_running_total_after_the_pinned_one() -> None:
    given = [item("c", "ccc", 2), pin("p", "pp"), item("a", "a"), pin("q", "q"), item("b", "", 1)]
    found = survival_limits(given, Characters())
    assert found == {"c": 7, "p": 3, "a": 4, "q": 3, "b": 4}


def test_survival_is_told_in_the_order_of_arrival() -> None:
    given = [item("c", "ccc", 2), pin("p", "pp"), item("a", "a")]
    assert list(survival_limits(given, Characters())) == ["c", "p", "a"]


def test_survival_counts_each_text_once() -> None:
    counter = Recording(Characters())
    survival_limits([*THOUSAND, pin("p")], counter)
    assert len(counter.texts) == 1_001


def test_survival_of_nothing_is_nothing() -> None:
    assert survival_limits([], Characters()) == {}


def test_an_item_survives_at_its_limit_and_not_at_one_less() -> None:
    given = [item("c", "ccc", 2), pin("p", "pp"), item("a", "a"), item("b", "bb", 1)]
    for item_id, limit in survival_limits(given, Characters()).items():
        assert item_id in ids(drop(given, limit, counter=Characters()))
        if item_id != "p":
            assert item_id not in ids(drop(given, limit - 1, counter=Characters()))


def test_pinned_items_survive_from_their_total_on() -> None:
    given = [pin("p", "pp"), item("a", "a")]
    limit = survival_limits(given, Characters())["p"]
    with pytest.raises(BudgetOverflowError):
        drop(given, limit - 1, counter=Characters())
