"""How often what is sent is measured, and how tight the answer is."""

from collections.abc import Callable, Sequence
from zlib import crc32

import pytest

from budget import (
    BudgetItem,
    Diagnostic,
    FittedItem,
    OverflowAction,
    OverflowResult,
    TokenCounter,
    TruncationPolicy,
    apply_overflow,
)
from tests.counters import DIPPING, NEVER_SHRINKING, Characters, Framed, Recording
from tests.making import BARE, LOSSY, drop, ids, item, pin, row, texts, truncate

every_loss = pytest.mark.parametrize("action", LOSSY, ids=lambda action: action.value)
Kept = tuple[FittedItem, ...]
Render = Callable[[Kept], str]
# Everything once, at most 16 measurements of a prefix, at most 4 of a cut.
WHOLE, PREFIXES, CUTS = 1, 16, 4
HUNDRED = [item(f"{number:03}", "x" * (number % 13), number) for number in range(200)]


class Rendering:
    """Renders as told and keeps what it was handed."""

    def __init__(self, render: Render) -> None:
        self.render = render
        self.handed: list[Kept] = []

    def __call__(self, kept: Kept, /) -> str:
        self.handed.append(kept)
        return self.render(kept)


def joined(kept: Kept) -> str:
    return "\n\n".join(fitted.text for fitted in kept)


def framed(kept: Kept) -> str:
    return f"<context>{joined(kept)}</context>"


def numbered(kept: Kept) -> str:
    return "".join(f"[{place}] {fitted.text}\n" for place, fitted in enumerate(kept))


def erratic(kept: Kept) -> str:
    text = joined(kept)
    return text + "y" * (crc32(text.encode()) % 300)


def shrinking(kept: Kept) -> str:
    return "y" * max(2_000 - 9 * len(kept), 0)


def stepping(kept: Kept) -> str:
    return "y" * (10 if len(kept) < 150 else 10_000)


RENDERS: tuple[Render, ...] = (joined, framed, numbered, erratic, shrinking, stepping)
every_render = pytest.mark.parametrize("render", RENDERS, ids=lambda render: render.__name__)


@every_render
@every_loss
@pytest.mark.parametrize("limit", [0, 20, 150, 300, 700, 1_100])
def test_what_is_sent_is_measured_at_most_16_times_and_once_before(
    action: OverflowAction, render: Render, limit: int
) -> None:
    rendering = Rendering(render)
    result = apply_overflow(HUNDRED, limit, action, Characters(), render=rendering)
    cuts = [kept for kept in rendering.handed if any(fitted.truncated for fitted in kept)]
    assert len(rendering.handed) - len(cuts) <= WHOLE + PREFIXES
    assert len(cuts) <= CUTS
    assert result.total_tokens <= limit


@pytest.mark.parametrize("render", [joined, framed, numbered], ids=lambda render: render.__name__)
@pytest.mark.parametrize("counter", [*NEVER_SHRINKING, *DIPPING], ids=repr)
def test_one_item_more_was_measured_not_to_fit(counter: TokenCounter, render: Render) -> None:
    for limit in range(30, 1_000, 97):
        rendering = Rendering(render)
        result = drop(HUNDRED, limit, counter=counter, render=rendering)
        one_more = len(result.kept) + 1
        measured = [kept for kept in rendering.handed if len(kept) == one_more]
        sums = sum(counter.count(part.text) for part in HUNDRED[:one_more])
        assert not result.overflowed or measured or sums > 4 * limit
        assert all(counter.count(render(kept)) > limit for kept in measured)


def test_when_the_measurements_run_out_the_answer_still_fits() -> None:
    def cliff(kept: Kept) -> str:
        return "y" * (1 if len(kept) < 31_111 else 80_000)

    given = [item(f"{number:05}", "x", number) for number in range(40_000)]
    rendering = Rendering(cliff)
    result = drop(given, 20_000, counter=Characters(), render=rendering)
    assert len(rendering.handed) == WHOLE + PREFIXES - 1
    assert 20_000 <= len(result.kept) < 31_111
    assert result.total_tokens == 1


def test_as_many_items_are_kept_as_fit() -> None:
    for limit in range(0, 1_800, 50):
        result = drop(HUNDRED, limit, counter=Characters(), separator="\n\n")
        fitting = [n for n in range(201) if _joined_length(HUNDRED[:n]) <= limit]
        assert len(result.kept) == max(fitting)


def _joined_length(given: Sequence[BudgetItem]) -> int:
    return len("\n\n".join(part.text for part in given))


def test_each_text_is_counted_once_beside_the_measurements() -> None:
    counter = Recording(Characters())
    rendering = Rendering(joined)
    drop(HUNDRED, 300, counter=counter, render=rendering)
    singles = len(counter.texts) - len(rendering.handed)
    # Texts up to a sum of four limits, and the one that goes beyond.
    total, expected = 0, 0
    while total <= 4 * 300 and expected < len(HUNDRED):
        total += len(HUNDRED[expected].text)
        expected += 1
    assert singles == expected


def test_what_fits_is_rendered_once() -> None:
    rendering = Rendering(joined)
    drop(HUNDRED, 10_000, counter=Characters(), render=rendering)
    assert len(rendering.handed) == 1


def test_a_sum_beyond_four_limits_is_never_rendered_whole() -> None:
    rendering = Rendering(joined)
    drop(HUNDRED, 100, counter=Characters(), render=rendering)
    assert max(len(kept) for kept in rendering.handed) < 100


@every_loss
def test_each_measurement_is_of_about_the_limit(action: OverflowAction) -> None:
    counter = Recording(Characters())
    given = [item(f"{number:04}", "x" * 10, number) for number in range(10_000)]
    apply_overflow(given, 1_000, action, counter, separator="\n")
    assert max(map(len, counter.texts)) <= 5 * 1_000


def _cut(result: OverflowResult) -> str:
    return next(fitted.text for fitted in result.kept if fitted.truncated)


def test_the_cut_is_what_is_left_less_the_measured_excess() -> None:
    result = truncate(row("aaaa", "b" * 10), 10, counter=Characters(), separator="--")
    assert (result.rendered, result.total_tokens) == ("aaaa--bbb…", 10)
    assert result.why("b") == Diagnostic("b", "truncate", 10, 4, "cut")


def test_a_large_excess_is_taken_off_at_once() -> None:
    result = truncate(row("aaaa", "b" * 40), 20, counter=Characters(), separator="-" * 6)
    assert (result.rendered, result.total_tokens) == ("aaaa------bbbbbbbbb…", 20)


def test_a_cut_is_counted_by_itself_and_measured_with_the_others() -> None:
    result = truncate(row("aaaa", "b" * 10), 20, counter=Framed(), separator="--")
    assert result.total_tokens == Framed().count(str(result.rendered)) <= 20
    assert [fitted.tokens for fitted in result.kept] == [*map(Framed().count, texts(result))]


def test_a_cut_stands_where_its_item_arrived() -> None:
    given = [item("z", "z" * 20, 1), pin("p", "pp"), item("a", "aa")]
    result = truncate(given, 12, counter=Characters(), separator="|")
    assert result.rendered == "zzzzz…|pp|aa"


def test_the_first_item_is_cut_where_nothing_else_fits() -> None:
    result = truncate(row("a" * 50, "b"), 9, counter=Characters(), separator="--")
    assert (result.rendered, result.dropped) == ("a" * 8 + "…", ("b",))


def test_an_item_is_cut_though_it_would_fit_by_its_own_count() -> None:
    result = truncate(
        row("aaaa", "bbbbb"), 10, counter=Characters(), separator="--", truncation=BARE
    )
    assert (result.rendered, result.cut) == ("aaaa--bbbb", "b")


def test_a_cut_that_never_fits_is_tried_four_times_and_dropped() -> None:
    def greedy(kept: Kept) -> str:
        return "x" * (11 if any(fitted.truncated for fitted in kept) else len(joined(kept)))

    rendering = Rendering(greedy)
    result = truncate(row("aa", "b" * 30), 10, counter=Characters(), render=rendering)
    tried = [kept for kept in rendering.handed if any(fitted.truncated for fitted in kept)]
    assert len(tried) == CUTS
    assert ids(result) == "a"
    assert result.diagnostics == (Diagnostic("b", "drop", 30, 0, "no-cut"),)


def test_a_separator_that_takes_all_that_is_left_leaves_no_cut() -> None:
    result = truncate(row("aaaa", "b" * 10), 6, counter=Characters(), separator="--")
    assert result.rendered == "aaaa"
    assert result.diagnostics == (Diagnostic("b", "drop", 10, 0, "no-cut"),)


def test_a_cut_under_min_tokens_is_too_small() -> None:
    policy = TruncationPolicy(min_tokens=5)
    result = truncate(
        row("aaaa", "b" * 10), 10, counter=Characters(), truncation=policy, separator="--"
    )
    assert result.diagnostics == (Diagnostic("b", "drop", 10, 0, "too-small"),)


def test_later_losses_come_after_the_cut() -> None:
    result = truncate(row("aaaa", "b" * 10, "c"), 10, counter=Characters(), separator="--")
    assert _cut(result) == "bbb…"
    assert result.why("c") == Diagnostic("c", "drop", None, 0, "after", "b")


def test_a_prefix_cut_short_by_the_measure_still_knows_its_counts() -> None:
    result = drop(row("aa", "bb", "cc"), 7, counter=Characters(), separator="--")
    assert result.diagnostics == (Diagnostic("c", "drop", 2, 0, "over"),)
