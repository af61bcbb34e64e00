import copy
import pickle
from typing import Final

import pytest

from budget import (
    BudgetError,
    BudgetItem,
    BudgetKind,
    BudgetOverflowError,
    BudgetPolicyError,
    OverflowAction,
    TokenCounter,
    TruncationPolicy,
    apply_overflow,
    truncate_text,
)
from tests.cases import ACTIONS, KEEPS, LOSING, Keep, item, kept, words
from tests.counters import DIPPING, NEVER_SHRINKING, Characters, Recording, Words

TWO_PINNED: Final = [
    item("sys", words(7), pinned=True),
    item("ctx", words(9), pinned=True),
    item("q", "why"),
]
RULES: Final = [item("rules", "RULES:abcdef", pinned=True), item("rest", "zzzz", 1)]
FULL: Final = [item("p", words(10), pinned=True), item("n1", "one", 1), item("n2", "two", 2)]
SIX: Final = [item("p", words(5), pinned=True), *(item(name, words(2)) for name in "abcde")]


def copies(error: BaseException) -> list[BaseException]:
    protocols = range(2, pickle.HIGHEST_PROTOCOL + 1)
    pickled = [pickle.loads(pickle.dumps(error, protocol)) for protocol in protocols]  # noqa: S301
    return [*pickled, copy.copy(error), copy.deepcopy(error)]


def refusal(
    items: list[BudgetItem], limit: int, action: OverflowAction, separator: str | None = None
) -> BudgetOverflowError:
    with pytest.raises(BudgetOverflowError) as caught:
        apply_overflow(items, limit, action, Words(), separator=separator)
    return caught.value


# PIN-01
@pytest.mark.parametrize("action", LOSING)
@pytest.mark.parametrize("kind", [BudgetKind.INSTRUCTIONS, BudgetKind.TOOLS, "persona"])
@pytest.mark.parametrize("place", [0, 7, 20])
def test_pinned_content_stays_while_old_turns_go(
    action: OverflowAction, kind: str, place: int
) -> None:
    items = [item(f"turn{age:02}", words(2), age) for age in range(19, -1, -1)]
    items.insert(place, BudgetItem("rules", kind, words(9), 99, pinned=True))
    texts = kept(apply_overflow(items, 13, action, Words()))
    assert set(texts) == {"rules", "turn00", "turn01"}
    assert texts["rules"] is items[place].text


# PIN-02
@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("separator", [None, " "])
@pytest.mark.parametrize("limit", [10, 60, 99])
def test_pinned_content_alone_over_the_limit_fails_at_once(
    action: OverflowAction, separator: str | None, limit: int
) -> None:
    items = [item("sys", words(100), pinned=True)]
    items += [item(f"m{number}", "word", number) for number in range(50)]
    before = copy.deepcopy(items)
    counter = Recording(Words())
    with pytest.raises(BudgetOverflowError, match=r"100 tokens.* over the limit.*\(sys\)"):
        apply_overflow(items, limit, action, counter, separator=separator)
    assert len(counter.texts) <= 51 + 2 * (separator is not None)
    assert items == before


# PIN-04
@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("separator", [None, " "])
def test_a_pinned_overflow_carries_its_numbers_and_names(
    action: OverflowAction, separator: str | None
) -> None:
    for error in copies(refusal(TWO_PINNED, 10, action, separator)):
        assert isinstance(error, BudgetOverflowError)
        assert (error.needed, error.limit, error.action) == (16, 10, action)
        assert error.item_ids == ("ctx", "sys")


# PIN-04
@pytest.mark.parametrize("action", ACTIONS)
def test_a_pinned_overflow_says_its_numbers_and_names(action: OverflowAction) -> None:
    for error in copies(refusal(TWO_PINNED, 10, action)):
        assert all(part in str(error) for part in ("16", "10", "6 over", "ctx", "sys"))


# PIN-04
def test_a_refused_overflow_carries_the_whole_total() -> None:
    for error in copies(refusal(TWO_PINNED, 16, OverflowAction.FAIL)):
        assert isinstance(error, BudgetOverflowError)
        assert (error.needed, error.limit, error.item_ids) == (17, 16, ())
        assert "content needs 17 tokens but the budget is 16" in str(error)


# PIN-04
def test_many_pinned_ids_are_named_largest_first_and_then_numbered() -> None:
    items = [item(f"part{size}", words(size), pinned=True) for size in range(1, 9)]
    message = str(refusal(items, 10, OverflowAction.DROP))
    assert "part8, part7, part6, part5, part4 and 3 more" in message


# PIN-05
@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("items", [[], [item("a", "word")]])
def test_a_negative_limit_is_refused_at_the_door(
    items: list[BudgetItem], action: OverflowAction
) -> None:
    counter = Recording(Words())
    with pytest.raises(BudgetPolicyError, match="limit must be >= 0, got -5"):
        apply_overflow(items, -5, action, counter)
    assert counter.texts == []


# PIN-05
@pytest.mark.parametrize("text", ["", "word"])
def test_a_negative_limit_of_one_text_is_refused_too(text: str) -> None:
    with pytest.raises(ValueError, match="limit must be >= 0, got -1"):
        truncate_text(text, -1, Words())


# PIN-05
@pytest.mark.parametrize("action", ACTIONS)
def test_less_room_than_pinned_content_is_an_overflow_and_no_negative_size(
    action: OverflowAction,
) -> None:
    items = [item("sys", words(1_600), pinned=True), item("doc", words(10), 1)]
    error = refusal(items, 2_048 - 512, action)
    assert (error.needed, error.limit) == (1_600, 1_536)


# PIN-06
@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("items", [RULES, RULES[::-1]])
def test_the_unpinned_item_is_cut_and_the_pinned_one_never(
    items: list[BudgetItem], keep: Keep
) -> None:
    policy = TruncationPolicy(keep=keep, marker="")
    texts = kept(apply_overflow(items, 13, OverflowAction.TRUNCATE, Characters(), policy))
    assert texts["rules"] is RULES[0].text
    assert texts["rest"] == "z"


# PIN-06
@pytest.mark.parametrize(("limit", "marker"), [(12, ""), (13, "…"), (13, "[cut]"), (15, "[..]")])
def test_only_the_pinned_item_stays_where_no_cut_fits_beside_it(limit: int, marker: str) -> None:
    policy = TruncationPolicy(marker=marker)
    result = apply_overflow(RULES, limit, OverflowAction.TRUNCATE, Characters(), policy)
    assert kept(result) == {"rules": "RULES:abcdef"}


# PIN-06
@pytest.mark.parametrize("action", ACTIONS)
def test_a_pinned_item_one_over_the_limit_is_not_shortened(action: OverflowAction) -> None:
    with pytest.raises(BudgetOverflowError, match="12 tokens, 1 over the limit of 11"):
        apply_overflow(RULES, 11, action, Characters())


# PIN-06
@pytest.mark.parametrize("counter", [*NEVER_SHRINKING, *DIPPING])
def test_pinned_texts_are_untouched_by_every_counter(counter: TokenCounter) -> None:
    limit = counter.count(RULES[0].text) + 1
    result = apply_overflow(RULES, limit, OverflowAction.TRUNCATE, counter)
    assert kept(result)["rules"] is RULES[0].text


# PIN-08
@pytest.mark.parametrize("action", LOSING)
def test_pins_that_fill_the_limit_leave_nothing_else_and_the_result_says_so(
    action: OverflowAction,
) -> None:
    result = apply_overflow(FULL, 10, action, Words())
    assert (list(kept(result)), result.dropped) == (["p"], ("n1", "n2"))
    assert sum(one.tokens for one in result.kept if one.item.pinned) == result.limit
    assert [why.reason for why in map(result.why, ("n1", "n2")) if why][1] == "after"


# PIN-08
def test_pins_that_fill_the_limit_beside_more_are_an_overflow_of_everything() -> None:
    error = refusal(FULL, 10, OverflowAction.FAIL)
    assert (error.needed, error.item_ids) == (12, ())


# PIN-09
@pytest.mark.parametrize("first", ACTIONS)
@pytest.mark.parametrize("second", ACTIONS)
def test_a_failed_call_leaves_nothing_behind(first: OverflowAction, second: OverflowAction) -> None:
    refusal(SIX, 4, first)
    result = apply_overflow(SIX, 100, second, Words())
    assert [one.text for one in result.kept] == [one.text for one in SIX]


# PIN-09
@pytest.mark.parametrize("action", LOSING)
def test_a_call_that_lost_much_leaves_nothing_behind(action: OverflowAction) -> None:
    apply_overflow(SIX, 6, action, Words())
    assert len(apply_overflow(SIX, 15, action, Words()).kept) == 6


# ERG-03
def test_every_overflow_can_be_caught_apart_from_other_errors() -> None:
    for error in (refusal(SIX, 4, OverflowAction.DROP), refusal(SIX, 6, OverflowAction.FAIL)):
        assert isinstance(error, BudgetError)
        assert not isinstance(error, ValueError)
