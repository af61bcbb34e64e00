"""With a separator or a render: what is measured is the one string that is sent."""

import pytest

from budget import (
    BudgetItem,
    BudgetOverflowError,
    FittedItem,
    OverflowAction,
    OverheadCounter,
    TokenCounter,
    apply_overflow,
)
from tests.counters import (
    DIPPING,
    NEVER_SHRINKING,
    Characters,
    Framed,
    Words,
    WordsAndLines,
)
from tests.making import (
    ACTIONS,
    BARE,
    LOSSY,
    drop,
    fail,
    ids,
    item,
    pin,
    row,
    texts,
)

every_action = pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.value)
every_loss = pytest.mark.parametrize("action", LOSSY, ids=lambda action: action.value)
every_counter = pytest.mark.parametrize("counter", [*NEVER_SHRINKING, *DIPPING], ids=repr)
Kept = tuple[FittedItem, ...]
MIXED = [item("b", "xx", 1), pin("p", "ppp"), item("a", "yyyy"), item("c", "z z", 2)]


def test_a_separator_is_measured_and_kept_with_the_texts() -> None:
    result = drop(MIXED, 18, counter=Characters(), separator="--")
    assert (result.rendered, result.total_tokens) == ("xx--ppp--yyyy--z z", 18)
    assert not result.overflowed


def test_a_separator_that_does_not_fit_costs_an_item() -> None:
    result = drop(MIXED, 17, counter=Characters(), separator="--")
    assert (result.rendered, result.total_tokens) == ("xx--ppp--yyyy", 13)
    assert result.dropped == ("c",)


def test_an_empty_separator_is_a_separator() -> None:
    result = drop(MIXED, 12, counter=Characters(), separator="")
    assert (result.rendered, result.total_tokens) == ("xxpppyyyyz z", 12)


def test_the_same_content_fits_as_a_sum() -> None:
    result = drop(MIXED, 12, counter=Characters())
    assert (result.total_tokens, result.rendered) == (12, None)


@every_loss
@every_counter
@pytest.mark.parametrize("separator", ["", "\n\n", " and "])
def test_what_was_rendered_is_what_was_counted_and_fits(
    action: OverflowAction, counter: TokenCounter, separator: str
) -> None:
    for limit in range(12, 40):
        result = apply_overflow(MIXED, limit, action, counter, separator=separator)
        assert result.rendered == separator.join(texts(result))
        assert result.total_tokens == counter.count(result.rendered) <= limit


@every_action
def test_what_fits_as_sent_comes_back_as_the_same_objects(action: OverflowAction) -> None:
    # Its sum is over the limit; joined, each text costs less.
    counter = Framed()
    given = row("aaa", "bbb", "ccc")
    result = apply_overflow(given, 18, action, counter, separator="\n")
    assert [fitted.text for fitted in result.kept] == ["aaa", "bbb", "ccc"]
    assert all(fitted.text is part.text for fitted, part in zip(result.kept, given, strict=True))
    assert (result.total_tokens, result.overflowed, result.diagnostics) == (18, False, ())


def test_counts_of_items_stay_their_own() -> None:
    result = drop(row("aaa", "bbb"), 18, counter=Framed(), separator="\n")
    assert [fitted.tokens for fitted in result.kept] == [10, 10]


def test_an_overhead_is_added_once() -> None:
    counter = OverheadCounter(Characters(), 4)
    result = drop(row("aaa", "bbb"), 11, counter=counter, separator="\n")
    assert (result.rendered, result.total_tokens) == ("aaa\nbbb", 11)


def short(kept: Kept, /) -> str:
    return "x" * len(kept)


def test_a_sum_of_four_limits_is_rendered_to_see() -> None:
    result = drop(row("a" * 10, "b" * 10), 5, counter=Characters(), render=short)
    assert (ids(result), result.total_tokens) == ("a b", 2)


def test_a_sum_beyond_four_limits_is_proof_that_not_everything_fits() -> None:
    result = drop(row("a" * 10, "b" * 11), 5, counter=Characters(), render=short)
    assert (ids(result), result.overflowed) == ("a", True)


def test_a_sum_beyond_four_limits_is_refused_under_fail_with_the_sum() -> None:
    with pytest.raises(BudgetOverflowError) as caught:
        fail(row("a" * 10, "b" * 11), 5, counter=Characters(), render=short)
    assert (caught.value.needed, caught.value.item_ids) == (21, ())


def test_fail_names_what_was_measured() -> None:
    with pytest.raises(BudgetOverflowError) as caught:
        fail(row("aaa", "bbb"), 6, counter=Characters(), separator="--")
    assert (caught.value.needed, caught.value.limit) == (8, 6)


@every_action
def test_pinned_content_is_measured_as_sent(action: OverflowAction) -> None:
    given = [pin("p", "ppp"), pin("q", "qqqq"), item("a", "aaa")]
    with pytest.raises(BudgetOverflowError) as caught:
        apply_overflow(given, 8, action, Characters(), separator="--")
    assert (caught.value.needed, caught.value.item_ids) == (9, ("q", "p"))
    assert str(caught.value).startswith("pinned content needs 9 tokens, 1 over the limit of 8")


@every_loss
def test_pinned_content_that_fits_as_sent_holds_though_its_sum_is_over(
    action: OverflowAction,
) -> None:
    given = [pin("p", "ppp"), pin("q", "qqq"), item("a", "a" * 90)]
    result = apply_overflow(given, 14, action, Framed(), BARE, separator="\n")
    assert texts(result)[:2] == ["ppp", "qqq"]
    assert result.total_tokens <= 14


@every_action
def test_pinned_content_beyond_four_limits_is_refused_with_its_sum(action: OverflowAction) -> None:
    with pytest.raises(BudgetOverflowError) as caught:
        apply_overflow([pin("p", "p" * 21)], 5, action, Characters(), render=short)
    assert (caught.value.needed, caught.value.item_ids) == (21, ("p",))


@every_loss
def test_the_limit_0_renders_nothing_that_costs(action: OverflowAction) -> None:
    result = apply_overflow(row("a", "b"), 0, action, Characters(), separator="\n")
    assert (result.rendered, result.total_tokens, result.dropped) == ("", 0, ("a", "b"))


def test_a_sum_can_be_far_from_what_is_sent() -> None:
    oks = [BudgetItem(f"{number:03}", "history", "ok", number) for number in range(600)]
    assert drop(oks, 600, counter=WordsAndLines()).total_tokens == 600
    assert drop(oks, 1_199, counter=WordsAndLines(), separator="\n").total_tokens == 1_199
    kept = drop(oks, 1_198, counter=WordsAndLines(), separator="\n")
    assert (len(kept.kept), kept.total_tokens) == (599, 1_197)


def test_words_that_merge_when_joined_make_room() -> None:
    result = drop(row("a", "b", "c", "d"), 2, counter=Words(), separator="")
    assert (result.rendered, result.total_tokens, result.overflowed) == ("abcd", 1, False)
