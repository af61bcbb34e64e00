"""What holds for the report of every result."""

from hypothesis import given

from budget import OverflowAction, OverflowResult, apply_overflow
from budget._report.bars import longest, segments
from budget._report.curve import survivors
from budget._report.measuring import picture_of
from budget.report import Report
from tests.policy.windows import Window, holding
from tests.strategies import Case, overflowing


def dropped(case: Case, limit: int) -> OverflowResult:
    return apply_overflow(case.items, limit, OverflowAction.DROP, case.counter)


@given(overflowing())
def test_what_was_kept_is_the_total_and_what_was_not_is_the_rest(case: Case) -> None:
    result = case.apply()
    total = picture_of(result, case.items, case.counter).total
    assert total.kept + total.cut + total.joins == result.total_tokens
    assert total.free == result.limit - result.total_tokens


@given(holding())
def test_the_bars_of_a_policy_are_what_its_lines_hold(window: Window) -> None:
    result = window.apply()
    picture = picture_of(result, window.items, window.counter)
    for bar, (kind, line) in zip(picture.bars, result.lines, strict=True):
        assert (bar.name, bar.limit, bar.free) == (kind, line.limit, line.limit - line.total_tokens)


@given(holding())
def test_the_losses_are_those_of_the_result(window: Window) -> None:
    result = window.apply()
    losses = picture_of(result, window.items, window.counter).losses
    cut = {kept.item_id for kept in result.kept if kept.truncated}
    assert {loss.item.item_id for loss in losses} == cut | set(result.dropped)
    assert all(loss.why == result.why(loss.item.item_id) for loss in losses)


@given(overflowing())
def test_the_limit_of_a_loss_keeps_the_item_and_one_less_does_not(case: Case) -> None:
    for loss in picture_of(case.apply(), case.items, case.counter).losses:
        kept = [
            {each.item_id for each in dropped(case, limit).kept if not each.truncated}
            for limit in (loss.keeps, loss.keeps - 1)
        ]
        assert loss.item.item_id in kept[0]
        assert loss.item.item_id not in kept[1] or loss.tokens == 0


@given(overflowing())
def test_the_curve_passes_through_today(case: Case) -> None:
    (curve,) = picture_of(case.apply(), case.items, case.counter).curves
    assert survivors(curve) == len(dropped(case, case.limit).kept)


@given(holding())
def test_parts_of_a_bar_follow_each_other_and_none_is_lost(window: Window) -> None:
    picture = picture_of(window.apply(), window.items, window.counter)
    bars = (picture.total, *picture.bars)
    for bar in bars:
        end = 0
        for part in segments(bar, longest(bars), 40):
            assert part.start == end
            end += part.size
        assert end <= 45
        shown = {part.name for part in segments(bar, longest(bars), 40)}
        assert ("dropped" in shown) == (bar.dropped > 0)


@given(holding())
def test_every_report_can_be_shown(window: Window) -> None:
    report = Report(window.apply(), window.items, window.counter)
    assert str(report)
    assert report.html(include_text=True).encode()
