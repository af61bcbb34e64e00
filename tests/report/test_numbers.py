"""The numbers of a report are the numbers of its result."""

import copy
import pickle

import pytest

from budget import (
    BudgetItem,
    BudgetPolicyError,
    CachedCounter,
    CounterError,
    EstimatingCounter,
    OverflowAction,
    ScaledCounter,
    apply_overflow,
)
from budget._report.measuring import counted_by, picture_of
from budget._report.picture import Bar
from budget.report import Report
from tests.counters import Recording, Words
from tests.report.results import COUNTER, ITEMS, lines, one_limit


def test_a_bar_adds_up_what_was_kept_cut_and_dropped() -> None:
    picture = picture_of(one_limit(), ITEMS, COUNTER)
    assert picture.total == Bar("total", 10, kept=7, cut=3, joins=0, dropped=4)


def test_without_lines_there_is_a_bar_per_kind_without_a_limit() -> None:
    picture = picture_of(one_limit(), ITEMS, COUNTER)
    assert picture.bars == (
        Bar("instructions", None, kept=3, cut=0, joins=0, dropped=0),
        Bar("memory", None, kept=4, cut=0, joins=0, dropped=0),
        Bar("documents", None, kept=0, cut=3, joins=0, dropped=4),
    )


def test_a_policy_has_a_bar_per_line_against_its_grant() -> None:
    picture = picture_of(lines(), ITEMS, COUNTER)
    assert picture.bars == (
        Bar("instructions", 12, kept=3, cut=0, joins=0, dropped=0),
        Bar("documents", 6, kept=5, cut=0, joins=0, dropped=2),
        Bar("*", 2, kept=0, cut=2, joins=0, dropped=2),
    )


def test_what_joins_the_texts_is_no_text() -> None:
    result = one_limit(13, separator=" und ")
    total = picture_of(result, ITEMS, COUNTER).total
    assert result.total_tokens == total.kept + total.cut + total.joins
    assert total.joins == len(result.kept) - 1


def test_free_is_what_nothing_uses() -> None:
    assert picture_of(one_limit(20), ITEMS, COUNTER).total.free == 6
    assert picture_of(one_limit(20), ITEMS, COUNTER).bars[0].free == 0


def test_a_loss_has_its_reason_and_the_limit_that_keeps_it() -> None:
    losses = picture_of(one_limit(), ITEMS, COUNTER).losses
    assert [
        (loss.item.item_id, loss.line, loss.tokens, loss.kept, loss.keeps) for loss in losses
    ] == [("report", "documents", 5, 3, 12), ("archive", "documents", 2, 0, 14)]
    assert [loss.why.reason for loss in losses] == ["cut", "after"]


def test_a_loss_of_a_line_is_kept_by_a_limit_of_that_line() -> None:
    losses = picture_of(lines(), ITEMS, COUNTER).losses
    assert [(loss.item.item_id, loss.line, loss.keeps) for loss in losses] == [
        ("archive", "documents", 7),
        ("note", "*", 4),
    ]


def test_a_curve_climbs_at_every_limit_that_keeps_more() -> None:
    (curve,) = picture_of(one_limit(), ITEMS, COUNTER).curves
    assert (curve.limit, curve.steps) == (10, ((3, 1), (7, 2), (12, 3), (14, 4)))


def test_a_line_without_items_has_an_empty_curve() -> None:
    result = lines()
    items = [item for item in ITEMS if item.kind != "memory"]
    kept = tuple(kept for kept in result.kept if kept.item_id != "note")
    without = picture_of(
        type(result)(kept, result.lines, result.limit, 8, result.dropped), items, COUNTER
    )
    assert [len(curve.steps) for curve in without.curves] == [1, 2, 0]


def test_only_what_was_not_kept_whole_is_counted_once_per_text() -> None:
    result = one_limit()
    counter = Recording(Words())
    report = Report(result, ITEMS, counter)
    report.text()
    report.html(include_text=True)
    assert sorted(counter.texts) == sorted(item.text for item in ITEMS[2:])


def test_an_estimate_says_that_it_is_one_also_inside_another_counter() -> None:
    estimate = EstimatingCounter()
    hint = ", not a tokenizer's count"
    assert counted_by(estimate) == "estimate" + hint
    assert counted_by(CachedCounter(ScaledCounter(estimate, 2), 9)) == "estimate x 2" + hint
    assert counted_by(COUNTER) == "Words"


def test_items_of_another_call_are_refused() -> None:
    with pytest.raises(BudgetPolicyError, match="1 aren't in it and 2 of it are missing"):
        Report(one_limit(), [*ITEMS[:2], BudgetItem("other", "memory", "")], COUNTER)


def test_two_items_with_one_id_are_refused() -> None:
    with pytest.raises(BudgetPolicyError, match="items share an id"):
        Report(one_limit(), [*ITEMS, ITEMS[0]], COUNTER)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("a result", ITEMS, COUNTER), "result must be an OverflowResult or a PolicyResult"),
        ((one_limit(), 5, COUNTER), "items must be an iterable of BudgetItem"),
        ((one_limit(), ITEMS, len), "counter must be a TokenCounter"),
    ],
)
def test_a_wrong_type_is_named(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        Report(*arguments)  # type: ignore[arg-type]


def test_a_counter_that_answers_nonsense_is_named_with_the_item() -> None:
    class Nonsense:
        def count(self, text: str, /) -> int:
            return -len(text)

    with pytest.raises(CounterError, match="for item report"):
        Report(one_limit(), ITEMS, Nonsense())


def test_a_report_is_a_value() -> None:
    report = Report(one_limit(), iter(ITEMS), COUNTER)
    assert report == Report(one_limit(), ITEMS, COUNTER) == copy.deepcopy(report)
    assert pickle.loads(pickle.dumps(report)).text() == report.text()  # noqa: S301 - our own


def test_a_repr_has_numbers_and_no_text() -> None:
    assert repr(Report(one_limit(), ITEMS, COUNTER)) == (
        "Report(<10 of 10 tokens, 2 items lost something>)"
    )


def test_nothing_at_all_can_be_reported() -> None:
    result = apply_overflow([], 0, OverflowAction.DROP, COUNTER)
    report = Report(result, [], COUNTER)
    assert str(report).startswith("0 of 0 tokens; kept 0, cut 0, dropped 0; everything is 0\n")
    assert "There are no items." in report.html()
    assert "Nothing was lost." in report.html()
