from itertools import permutations
from typing import Final

import pytest

from budget import (
    BudgetItem,
    BudgetOverflowError,
    FittedItem,
    OverflowAction,
    TokenCounter,
    TruncationPolicy,
    apply_overflow,
    survival_limits,
    truncate_text,
)
from tests.cases import (
    ACTIONS,
    BOUNDARIES,
    KEEPS,
    LOSING,
    Boundary,
    Keep,
    item,
    kept,
    printed,
    words,
)
from tests.counters import DIPPING, NEVER_SHRINKING, Characters, Recording, Words

NEW: Final = item("new", words(3), 0)
MID: Final = item("mid", words(3), 1)
OLD: Final = item("old", words(3), 2)
EQUALS: Final = [item(name, words(2)) for name in "abcd"]


def joined(fitted: tuple[FittedItem, ...]) -> str:
    return "\n".join(one.text for one in fitted)


# ORD-01
@pytest.mark.parametrize("action", LOSING)
@pytest.mark.parametrize("arrival", [*permutations([NEW, MID, OLD])])
def test_the_order_and_never_the_arrival_says_what_is_lost(
    arrival: tuple[BudgetItem, ...], action: OverflowAction
) -> None:
    result = apply_overflow(arrival, 6, action, Words())
    assert list(kept(result)) == [one.item_id for one in arrival if one is not OLD]
    assert result.dropped == ("old",)


# ORD-01
@pytest.mark.parametrize("arrival", [*permutations([NEW, MID, OLD])])
def test_the_order_and_never_the_arrival_says_what_is_cut(arrival: tuple[BudgetItem, ...]) -> None:
    result = apply_overflow(arrival, 5, OverflowAction.TRUNCATE, Words())
    assert (result.cut, result.dropped) == ("mid", ("old",))


# ORD-01
@pytest.mark.parametrize("arrival", [*permutations([NEW, MID, OLD])])
def test_what_is_joined_stands_in_the_order_of_arrival(arrival: tuple[BudgetItem, ...]) -> None:
    texts = [item(one.item_id, one.item_id, one.order) for one in arrival]
    result = apply_overflow(texts, 7, OverflowAction.DROP, Characters(), separator=" ")
    assert result.rendered == " ".join(one.item_id for one in arrival if one is not OLD)


# ORD-02
@pytest.mark.parametrize("arrival", [*permutations(EQUALS)])
@pytest.mark.parametrize("limit", [6, 7])
def test_equal_orders_are_decided_by_id(arrival: tuple[BudgetItem, ...], limit: int) -> None:
    result = apply_overflow(arrival, limit, OverflowAction.DROP, Words())
    assert list(kept(result)) == [one.item_id for one in arrival if one.item_id != "d"]


# ORD-02
@pytest.mark.parametrize("arrival", [*permutations(EQUALS)])
def test_among_equal_orders_the_id_says_what_is_cut(arrival: tuple[BudgetItem, ...]) -> None:
    result = apply_overflow(arrival, 5, OverflowAction.TRUNCATE, Words())
    assert (result.cut, result.dropped) == ("c", ("d",))


# ORD-02
def test_ids_are_compared_as_text() -> None:
    result = apply_overflow(
        [item("m2", "two"), item("m10", "ten")], 1, OverflowAction.DROP, Words()
    )
    assert list(kept(result)) == ["m10"]


# ORD-02
@pytest.mark.parametrize("seed", ["0", "1", "42"])
@pytest.mark.parametrize("action", ["DROP", "TRUNCATE"])
def test_what_survives_is_the_same_under_every_hash_seed(seed: str, action: str) -> None:
    script = (
        "from budget import *\n"
        "items = [BudgetItem(name, 'history', 'w w') for name in {'a', 'b', 'c', 'd'}]\n"
        "counter = CallableCounter(lambda text: len(text.split()))\n"
        f"result = apply_overflow(items, 5, OverflowAction.{action}, counter)\n"
        "print(*sorted(kept.item_id + kept.text for kept in result.kept))"
    )
    cut = {"DROP": "", "TRUNCATE": " cw…"}[action]
    assert printed(script, PYTHONHASHSEED=seed, PYTHONUTF8="1") == "aw w bw w" + cut


# ORD-04
@pytest.mark.parametrize("action", LOSING)
@pytest.mark.parametrize("excess", [1, 2, 3, 4, 5])
def test_losses_are_the_end_of_the_order_without_a_hole(
    action: OverflowAction, excess: int
) -> None:
    history = [item(f"t{age}", "word", age) for age in range(6, -1, -1)]
    result = apply_overflow(history, 7 - excess, action, Words())
    assert result.dropped == tuple(f"t{age}" for age in range(6, 6 - excess, -1))


# ORD-04
@pytest.mark.parametrize("action", LOSING)
@pytest.mark.parametrize("separator", [None, "", " "])
def test_no_smaller_item_slips_into_the_room_of_one_that_did_not_fit(
    action: OverflowAction, separator: str | None
) -> None:
    items = [item("a", "aaaa"), item("b", "bbbbbbbb", 1), item("c", "c", 2)]
    policy = TruncationPolicy(min_tokens=8)
    result = apply_overflow(items, 7, action, Characters(), policy, separator=separator)
    assert result.dropped == ("b", "c")


# ORD-04
def test_a_hole_in_the_arrival_is_where_the_order_says() -> None:
    history = [
        item(name, "word", order) for name, order in zip("abcde", (0, 1, 9, 2, 3), strict=True)
    ]
    result = apply_overflow(history, 4, OverflowAction.DROP, Words())
    assert list(kept(result)) == ["a", "b", "d", "e"]


# ORD-05
@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("boundary", BOUNDARIES)
@pytest.mark.parametrize("marker", ["", "…"])
@pytest.mark.parametrize("action", LOSING)
def test_a_limit_of_zero_keeps_nothing(
    keep: Keep, boundary: Boundary, marker: str, action: OverflowAction
) -> None:
    policy = TruncationPolicy(keep=keep, boundary=boundary, marker=marker)
    result = apply_overflow([item("a", "hello, you")], 0, action, Characters(), policy)
    assert (result.kept, result.dropped, result.total_tokens) == ((), ("a",), 0)


# ORD-05
@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("counter", [*NEVER_SHRINKING, *DIPPING])
def test_an_output_is_never_over_the_limit_nor_longer_than_the_input(
    keep: Keep, counter: TokenCounter
) -> None:
    text = "hello, you two"
    for limit in range(11):
        policy = TruncationPolicy(keep=keep, marker="")
        result = apply_overflow([item("a", text)], limit, OverflowAction.TRUNCATE, counter, policy)
        assert sum(counter.count(one) for one in kept(result).values()) <= limit
        assert sum(map(len, kept(result).values())) <= len(text)


# ORD-05
@pytest.mark.parametrize(("share", "expected"), [(0.0, "~hij"), (1.0, "abc~"), (0, "~hij")])
def test_a_share_of_nothing_keeps_nothing_on_that_side(share: float, expected: str) -> None:
    policy = TruncationPolicy(keep="both", head_share=share, marker="~")
    assert truncate_text("abcdefghij", 4, Characters(), policy) == expected


# ORD-05
@pytest.mark.parametrize("keep", KEEPS)
def test_an_allowance_below_one_quantum_keeps_nothing(keep: Keep) -> None:
    assert (
        truncate_text("abcdefghij", 4, Characters(), TruncationPolicy(keep=keep, quantum=5)) == ""
    )


# ORD-06
@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("limit", [9, 10, 1_000])
def test_what_fits_comes_back_as_it_was(action: OverflowAction, limit: int) -> None:
    items = [OLD, item("sys", words(0), 7, pinned=True), NEW, MID]
    counter = Recording(Words())
    result = apply_overflow(items, limit, action, counter)
    assert all(ours.item is one for ours, one in zip(result.kept, items, strict=True))
    assert all(ours.text is one.text for ours, one in zip(result.kept, items, strict=True))
    assert (result.overflowed, result.dropped, result.diagnostics) == (False, (), ())
    assert len(counter.texts) == len(items)


# ORD-06
@pytest.mark.parametrize("action", ACTIONS)
def test_what_fits_joined_comes_back_as_it_was(action: OverflowAction) -> None:
    result = apply_overflow([OLD, NEW], 6, action, Words(), render=joined)
    assert [one.text for one in result.kept] == [OLD.text, NEW.text]
    assert (result.rendered, result.overflowed) == (f"{OLD.text}\n{NEW.text}", False)


# ORD-08
@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("limit", [0, 10])
@pytest.mark.parametrize("separator", [None, "\n"])
def test_no_items_give_an_empty_result_without_a_count(
    action: OverflowAction, limit: int, separator: str | None
) -> None:
    counter = Recording(Words())
    result = apply_overflow([], limit, action, counter, separator=separator)
    assert (result.kept, result.dropped, result.total_tokens) == ((), (), 0)
    assert counter.texts == []


# ORD-08
def test_no_items_have_no_survival_limits() -> None:
    assert survival_limits([], Words()) == {}


# ORD-10
def test_a_last_message_that_may_be_lost_leaves_the_pinned_ones() -> None:
    items = [item("system", words(3), pinned=True), item("user", words(50), 1)]
    assert list(kept(apply_overflow(items, 20, OverflowAction.DROP, Words()))) == ["system"]


# ORD-10
@pytest.mark.parametrize("action", ACTIONS)
def test_a_pinned_last_message_that_cannot_fit_is_named(action: OverflowAction) -> None:
    items = [item("system", words(3), pinned=True), item("user", words(50), pinned=True)]
    with pytest.raises(BudgetOverflowError, match=r"53 tokens.*limit of 20.*user, system"):
        apply_overflow(items, 20, action, Words())


# ORD-12
@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("thing", [{"role": "user"}, "text", None, ("b", "history", "text")])
def test_what_is_no_item_is_refused_by_its_place(action: OverflowAction, thing: object) -> None:
    with pytest.raises(TypeError, match=r"items\[1\] must be"):
        apply_overflow([NEW, thing], 5, action, Words())  # type: ignore[list-item]


# ERG-08
@pytest.mark.parametrize("action", LOSING)
def test_a_superseded_read_with_a_higher_order_goes_first(action: OverflowAction) -> None:
    items = [item("first", "word", 5), item("stale", "word", 10), item("fresh", "word", 1)]
    assert apply_overflow(items, 2, action, Words()).dropped == ("stale",)
