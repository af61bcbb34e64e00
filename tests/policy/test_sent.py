"""A window of which the whole is measured as it is sent."""

from budget import FittedItem
from tests.policy.making import cutting, dropping, failing, fitted, granted, held, used


def named(kept: tuple[FittedItem, ...]) -> str:
    """Each text under a heading of three words."""
    return "\n".join(f"# on {fitted.item_id}:\n{fitted.text}" for fitted in kept)


def headed(kept: tuple[FittedItem, ...]) -> str:
    """One heading of two words before them all."""
    return "a heading " + " ".join(fitted.text for fitted in kept)


def test_what_was_measured_is_what_is_rendered() -> None:
    result = fitted(held("a", 1, 2), 9, dropping("a"), separator=" and ")
    assert (result.rendered, result.total_tokens) == ("w and w w", 4)


def test_the_lines_are_sums() -> None:
    assert used(fitted(held("a", 1, 2), 9, dropping("a"), separator=" and ")) == [3]


def test_the_lines_come_in_the_order_of_arrival() -> None:
    items = held("b", 1) + held("a", 2) + held("c", 3)
    result = fitted(items, 9, *(dropping(kind) for kind in "abc"), separator="|")
    assert result.rendered == "w|w w|w w w"


def test_the_lines_are_planned_again_within_less_while_the_whole_is_over() -> None:
    items = held("a", 1, 1, 1) + held("b", 1, 1, 1)
    result = fitted(items, 8, dropping("a"), dropping("b"), render=named)
    assert result.total_tokens == 8
    assert used(result) == [2, 0]


def test_the_limit_of_the_whole_stays_what_is_available() -> None:
    result = fitted(held("a", 1, 1, 1), 9, dropping("a"), reserved=1, render=named)
    assert (result.limit, granted(result)) == (8, [2])


def test_after_a_first_guess_the_rounds_go_on() -> None:
    # 12 words in 5 items are sent as 27; within 12 * 12 // 27 = 5 are 4 items, sent as 16;
    # within 4 * 12 // 16 = 3 are 3, sent as 12.
    items = held("a", 1, 1, 1, 1, 8)
    result = fitted(items, 12, dropping("a"), render=named)
    assert (used(result), result.total_tokens) == ([3], 12)


def test_a_pinned_part_is_never_planned_within_less_than_it_needs() -> None:
    items = held("a", 1, pinned=True) + held("b", *[1] * 9)
    result = fitted(items, 5, dropping("b"), dropping("a"), render=named)
    assert [kept.item_id for kept in result.kept] == ["a1"]


def test_what_costs_nothing_by_itself_is_lost_where_the_whole_is_over() -> None:
    result = fitted(held("a", 0, 0), 1, dropping("a"), render=headed)
    assert (result.kept, result.rendered, result.total_tokens) == ((), "", 0)
    found = [(entry.item_id, entry.reason, entry.tokens_before) for entry in result.diagnostics]
    assert found == [("a1", "over", 0)]


def test_a_line_that_cuts_has_no_cut_for_what_costs_nothing() -> None:
    result = fitted(held("a", 0), 1, cutting("a"), render=headed)
    assert [entry.reason for entry in result.diagnostics] == ["no-cut"]


def test_the_pinned_part_stays_where_nothing_else_may() -> None:
    items = held("a", 0, 0) + held("b", 1, pinned=True) + held("c")
    lines = dropping("a"), failing("b"), failing("c")
    result = fitted(items, 3, *lines, render=lambda kept: headed(kept) + " end" * (len(kept) > 1))
    assert (result.rendered, result.dropped) == ("a heading w", ("a1", "a2"))
    assert granted(result) == [0, 1, 0]


def test_render_is_not_called_where_nothing_is_kept() -> None:
    result = fitted([], 9, dropping("a"), render=headed)
    assert (result.rendered, result.total_tokens) == ("", 0)


def rounds(size: int) -> list[int]:
    """Return how many of 100 items each render got whose text is too large for a limit of 100."""
    seen: list[int] = []

    def stubborn(kept: tuple[FittedItem, ...]) -> str:
        seen.append(len(kept))
        return "w " * size

    assert fitted(held("a", *[1] * 100), 100, dropping("a"), render=stubborn).kept == ()
    return seen


def test_eight_rounds_in_proportion_come_before_those_by_the_excess() -> None:
    assert rounds(110) == [100, 90, 81, 73, 66, 60, 54, 49, 44, 34, 24, 14, 4]


def test_after_sixteen_rounds_only_the_pinned_part_is_left() -> None:
    assert rounds(101) == list(range(100, 83, -1))
