"""Who gets how much, by example: limits, floors, weights, and what flows on."""

import pytest

from budget import BudgetItem, BudgetKind
from tests.policy.making import cutting, dropping, failing, fitted, granted, held, used


def test_what_fits_is_kept_whole_in_the_order_of_arrival() -> None:
    items = held("b", 1, 2) + held("a", 3)
    result = fitted(items, 6, dropping("a"), dropping("b"))
    assert [kept.item for kept in result.kept] == items
    assert not result.overflowed


def test_what_arrives_in_total_order_stays_so_where_a_line_in_between_loses() -> None:
    items = [BudgetItem(f"{place}", "ab"[place % 2], "w", place) for place in range(6)]
    result = fitted(items, 9, dropping("b", limit=1), dropping("a"))
    assert [kept.item_id for kept in result.kept] == ["0", "1", "2", "4"]
    assert result.dropped == ("3", "5")


def test_the_limit_of_a_line_is_a_ceiling_however_much_is_free() -> None:
    assert used(fitted(held("a", 1, 1, 1), 100, dropping("a", limit=2))) == [2]


def test_a_limit_of_0_is_a_real_limit() -> None:
    assert used(fitted(held("a", 1), 100, dropping("a", limit=0))) == [0]


def test_the_reserve_is_taken_off_the_whole() -> None:
    result = fitted(held("a", 1, 1, 1), 5, dropping("a"), reserved=3)
    assert (result.limit, result.total_tokens) == (2, 2)


def test_an_earlier_line_takes_what_it_needs_before_a_later_one() -> None:
    result = fitted(held("a", 1, 1) + held("b", 2, 2), 4, dropping("b"), dropping("a"))
    assert used(result) == [4, 0]


def test_what_a_line_does_not_use_flows_on() -> None:
    result = fitted(held("a", 3, 9) + held("b", 1, 1, 1), 5, dropping("a"), dropping("b"))
    assert used(result) == [3, 2]


def test_a_floor_is_kept_free_for_a_later_line() -> None:
    items = held("a", 1, 1, 1, 1) + held("b", 1, 1, 1)
    assert used(fitted(items, 4, dropping("a"), dropping("b", floor=2))) == [2, 2]


def test_no_floor_is_kept_free_for_content_that_is_not_there() -> None:
    items = held("a", 1, 1, 1, 1) + held("b", 1)
    assert used(fitted(items, 4, dropping("a"), dropping("b", floor=3))) == [3, 1]


def test_a_floor_includes_pinned_content() -> None:
    items = held("a", 1, 1, 1, 1) + held("b", 2, pinned=True)
    assert granted(fitted(items, 4, dropping("a"), dropping("b", floor=2))) == [2, 2]


def test_floors_are_honoured_in_order_beside_pinned_content() -> None:
    items = held("a", 1, 1) + held("b", 1, 1) + held("c", 2, pinned=True)
    lines = dropping("c"), dropping("a", floor=2), dropping("b", floor=1)
    assert used(fitted(items, 4, *lines)) == [2, 2, 0]


def test_weighted_lines_come_after_all_without_a_weight() -> None:
    items = held("a", 1, 1, 1) + held("b", 2)
    assert used(fitted(items, 3, dropping("a", weight=9), dropping("b"))) == [1, 2]


def test_weighted_lines_share_by_their_weights() -> None:
    items = held("a", *[1] * 9) + held("b", *[1] * 9)
    assert used(fitted(items, 8, dropping("a", weight=1), dropping("b", weight=3))) == [2, 6]


def test_what_a_weighted_line_cannot_use_goes_to_the_others() -> None:
    items = held("a", 1) + held("b", *[1] * 9) + held("c", *[1] * 9)
    lines = (dropping(kind, weight=1) for kind in "abc")
    assert used(fitted(items, 9, *lines)) == [1, 4, 4]


def test_a_weighted_line_has_its_floor_before_its_share() -> None:
    items = held("a", *[1] * 9) + held("b", *[1] * 9)
    lines = dropping("a", weight=9), dropping("b", weight=1, floor=4)
    assert used(fitted(items, 10, *lines)) == [6, 4]


def test_a_share_stops_at_the_limit_of_its_line() -> None:
    items = held("a", *[1] * 9) + held("b", *[1] * 9)
    lines = dropping("a", weight=9, limit=2), dropping("b", weight=1)
    assert used(fitted(items, 10, *lines)) == [2, 8]


def test_the_tokens_lost_by_rounding_go_to_the_first_lines() -> None:
    items = [item for kind in "abc" for item in held(kind, *[1] * 9)]
    assert used(fitted(items, 11, *(dropping(kind, weight=1) for kind in "abc"))) == [4, 4, 3]


def test_a_share_that_an_item_does_not_fit_flows_on_to_the_next() -> None:
    items = held("a", 5, 5) + held("b", *[1] * 9)
    assert used(fitted(items, 8, dropping("a", weight=1), dropping("b", weight=1))) == [0, 8]


def test_a_line_that_cuts_takes_all_but_later_rights() -> None:
    items = held("a", 9) + held("b", 1, 1, 1)
    assert used(fitted(items, 6, cutting("a"), dropping("b", floor=2))) == [4, 2]


def test_a_line_that_fails_is_kept_whole_where_it_fits() -> None:
    items = held("a", 2, 1) + held("b", 1, 1)
    assert used(fitted(items, 4, failing("a"), dropping("b"))) == [3, 1]


def test_the_line_of_all_others_is_one_pool_in_total_order() -> None:
    items = [*held("a", 1), BudgetItem("late", "b", "w", 9), BudgetItem("early", "c", "w", 1)]
    result = fitted(items, 2, dropping("a"), dropping("*"))
    assert result.dropped == ("late",)


def test_an_item_of_the_kind_star_falls_to_the_line_of_all_others() -> None:
    assert used(fitted(held("*", 1), 2, dropping("*"))) == [1]


def test_a_usual_kind_and_its_spelling_are_one_line() -> None:
    items = [BudgetItem("a", BudgetKind.MEMORY, "w"), BudgetItem("b", "memory", "w")]
    assert used(fitted(items, 2, dropping("memory"))) == [2]


def test_every_declared_line_has_an_entry_also_without_items() -> None:
    result = fitted([], 5, dropping("a"), dropping("b", limit=2), dropping("c", weight=1))
    assert [(kind, part.limit, part.kept) for kind, part in result.lines] == [
        ("a", 5, ()),
        ("b", 2, ()),
        ("c", 0, ()),
    ]


def test_nothing_is_counted_where_there_are_no_items() -> None:
    assert fitted([], 0, dropping("a")).total_tokens == 0


@pytest.mark.parametrize("sizes", [(1, 1, 1), (2, 1), (0, 3)])
def test_a_window_of_0_keeps_what_costs_nothing(sizes: tuple[int, ...]) -> None:
    kept = fitted(held("a", *sizes), 0, dropping("a")).kept
    assert [fitted.tokens for fitted in kept] == [0] * (sizes[0] == 0)


def test_items_may_share_a_text() -> None:
    items = [BudgetItem(f"a{place}", "a", "w w", place) for place in range(3)]
    assert used(fitted(items, 5, dropping("a"))) == [4]
