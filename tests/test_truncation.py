"""How a text is cut: what stays, what the marker costs, when nothing is acceptable."""

from dataclasses import replace

import pytest

from budget import TokenCounter, TruncationPolicy, truncate_text
from tests.counters import (
    DIPPING,
    NEVER_SHRINKING,
    Bytes,
    Characters,
    Framed,
    Recording,
    Words,
    Zeroes,
)
from tests.making import BARE, drop, ids, item, revived, truncate

TEXT = "abcdefghij"
TILDE = TruncationPolicy(marker="~")
TAIL = replace(TILDE, keep="tail")
BOTH = replace(TILDE, keep="both")
WAYS = (TILDE, TAIL, BOTH)
every_way = pytest.mark.parametrize("policy", WAYS, ids=[policy.keep for policy in WAYS])
COUNTERS = (*NEVER_SHRINKING, *DIPPING)
every_counter = pytest.mark.parametrize("counter", COUNTERS, ids=repr)


@every_way
@pytest.mark.parametrize("limit", [10, 11, 1_000])
def test_a_text_that_fits_comes_back_as_the_same_object(
    policy: TruncationPolicy, limit: int
) -> None:
    assert truncate_text(TEXT, limit, Characters(), policy) is TEXT


def test_an_empty_text_fits_into_nothing() -> None:
    assert truncate_text("", 0, Characters()) == ""


def test_a_text_that_costs_nothing_fits_into_nothing() -> None:
    assert truncate_text(TEXT, 0, Zeroes()) is TEXT


@pytest.mark.parametrize(("policy", "cut"), [(TILDE, "abcd~"), (TAIL, "~ghij"), (BOTH, "ab~ij")])
def test_the_marker_stands_where_text_was_removed_and_is_paid_for(
    policy: TruncationPolicy, cut: str
) -> None:
    assert truncate_text(TEXT, 5, Characters(), policy) == cut


def test_the_default_keeps_the_head_and_marks_the_cut() -> None:
    assert truncate_text(TEXT, 5, Characters()) == "abcd…"


def test_none_is_the_default_policy() -> None:
    assert truncate_text(TEXT, 5, Characters(), None) == "abcd…"


def test_the_default_policy_is_the_documented_one() -> None:
    assert TruncationPolicy() == TruncationPolicy(
        keep="head", boundary="character", marker="…", min_tokens=1, head_share=0.5, quantum=1
    )


@every_way
@every_counter
def test_what_remains_is_an_exact_prefix_and_suffix(
    policy: TruncationPolicy, counter: TokenCounter
) -> None:
    text = "don't  stop,\tnow!\n\n ok\n then  go "
    for limit in range(counter.count(text)):
        cut = truncate_text(text, limit, counter, policy)
        head, _, tail = cut.partition("~")
        assert text.startswith(head)
        assert text.endswith(tail)
        assert counter.count(cut) <= limit or cut == ""


@every_way
@every_counter
def test_a_cut_has_its_marker_and_more_than_its_marker(
    policy: TruncationPolicy, counter: TokenCounter
) -> None:
    for limit in range(counter.count(TEXT)):
        cut = truncate_text(TEXT, limit, counter, policy)
        assert cut == "" or ("~" in cut and len(cut) > 1)


@every_way
def test_a_cut_that_is_cut_again_stays_as_it_is(policy: TruncationPolicy) -> None:
    cut = truncate_text(TEXT, 5, Characters(), policy)
    assert truncate_text(cut, 5, Characters(), policy) is cut


@every_way
def test_a_marker_over_the_limit_leaves_nothing(policy: TruncationPolicy) -> None:
    long = replace(policy, marker="[truncated]")
    assert truncate_text(TEXT * 3, 3, Characters(), long) == ""


@every_way
def test_a_marker_that_takes_all_of_the_limit_leaves_nothing(policy: TruncationPolicy) -> None:
    assert truncate_text(TEXT, 1, Characters(), policy) == ""


@every_way
def test_the_limit_0_keeps_nothing(policy: TruncationPolicy) -> None:
    assert truncate_text(TEXT, 0, Characters(), replace(policy, marker="")) == ""


def test_an_allowance_of_0_is_under_one_quantum() -> None:
    # The blanks at its start would cost nothing.
    policy = TruncationPolicy(marker="", min_tokens=0)
    assert truncate_text("   word", 0, Words(), policy) == ""


def test_a_frame_that_takes_all_of_the_limit_leaves_nothing() -> None:
    assert truncate_text(TEXT, 7, Framed(), BARE) == ""
    assert truncate_text(TEXT, 8, Framed(), BARE) == "a"


def test_a_cut_under_min_tokens_is_not_worth_its_place() -> None:
    assert truncate_text(TEXT, 4, Characters(), replace(TILDE, min_tokens=5)) == ""


def test_a_cut_of_min_tokens_with_its_marker_is() -> None:
    assert truncate_text(TEXT, 5, Characters(), replace(TILDE, min_tokens=5)) == "abcd~"


def test_a_text_under_min_tokens_that_fits_is_no_cut() -> None:
    assert truncate_text("ab", 2, Characters(), replace(TILDE, min_tokens=5)) == "ab"


def test_min_tokens_0_allows_a_cut_that_costs_nothing() -> None:
    policy = TruncationPolicy(marker="", min_tokens=0)
    assert truncate_text("   x y", 1, Words(), policy) == "   x "
    assert truncate_text("     word", 1, Framed(), policy) == ""


@pytest.mark.parametrize("limit", [5, 6, 7, 8, 9])
def test_an_allowance_is_rounded_down_to_the_quantum(limit: int) -> None:
    assert truncate_text(TEXT, limit, Characters(), replace(TILDE, quantum=5)) == "abcd~"


def test_whether_a_text_fits_is_decided_on_the_exact_limit() -> None:
    assert truncate_text(TEXT, 10, Characters(), replace(TILDE, quantum=7)) is TEXT


def test_an_allowance_under_one_quantum_leaves_nothing() -> None:
    assert truncate_text(TEXT, 6, Characters(), replace(TILDE, quantum=7)) == ""


SHARES = ((0, "~fghij"), (0.2, "a~ghij"), (0.5, "ab~hij"), (0.6, "abc~ij"), (1, "abcde~"))


@pytest.mark.parametrize(("share", "cut"), SHARES)
def test_the_head_share_is_one_of_kept_characters(share: float, cut: str) -> None:
    policy = replace(BOTH, head_share=share)
    assert truncate_text(TEXT, 6, Characters(), policy) == cut


@pytest.mark.parametrize("limit", range(10))
def test_a_head_share_of_1_or_0_is_a_head_or_a_tail(limit: int) -> None:
    for share, keep in ((1.0, TILDE), (0.0, TAIL)):
        policy = replace(BOTH, head_share=share)
        assert truncate_text(TEXT, limit, Characters(), policy) == truncate_text(
            TEXT, limit, Characters(), keep
        )


def test_the_head_share_matters_only_to_both_ends() -> None:
    assert truncate_text(TEXT, 5, Characters(), replace(TILDE, head_share=0)) == "abcd~"


@pytest.mark.parametrize("limit", range(1, 10))
def test_one_character_more_would_not_have_fitted(limit: int) -> None:
    assert truncate_text(TEXT, limit, Characters(), BARE) == TEXT[:limit]


@pytest.mark.parametrize("limit", range(1, 16))
def test_both_ends_grow_along_the_share(limit: int) -> None:
    text = "0123456789abcdef"
    policy = replace(BARE, keep="both", head_share=0.25)
    cut = truncate_text(text, limit, Characters(), policy)
    head = limit // 4
    assert cut == text[:head] + text[16 - limit + head :]


@pytest.mark.parametrize(("limit", "cut"), [(4, "hi "), (5, "hi "), (6, "hi "), (7, "hi 🧠")])
def test_a_character_of_several_tokens_is_kept_whole_or_not_at_all(limit: int, cut: str) -> None:
    assert truncate_text("hi 🧠!", limit, Bytes(), BARE) == cut


@pytest.mark.parametrize("keep", ["head", "tail"])
def test_a_pair_of_surrogates_is_not_split(keep: str) -> None:
    pairs = "\ud83d\ude00" * 5
    policy = BARE if keep == "head" else replace(BARE, keep="tail")
    assert truncate_text(pairs, 3, Characters(), policy) == "\ud83d\ude00"


@every_way
@pytest.mark.parametrize("character", ["\x00", "\ud83d", " ", "\n", "a", "漢"])
def test_any_character_can_be_cut_after(policy: TruncationPolicy, character: str) -> None:
    cut = truncate_text(character * 100, 51, Characters(), policy)
    assert cut.replace("~", "") == character * 50


def test_a_cut_is_not_stripped() -> None:
    assert truncate_text("ab   cd", 4, Characters(), BARE) == "ab  "


def test_a_policy_pickles_and_is_equal_by_value() -> None:
    assert revived(BOTH) == BOTH
    assert BOTH != TAIL


def test_the_whole_text_is_counted_once_when_it_fits() -> None:
    counter = Recording(Characters())
    truncate_text(TEXT, 10, counter)
    assert counter.texts == [TEXT]


def test_one_item_is_cut_as_its_text_is() -> None:
    for limit in range(10):
        cut = truncate_text(TEXT, limit, Characters(), BOTH)
        result = truncate([item("a", TEXT)], limit, counter=Characters(), truncation=BOTH)
        assert [fitted.text for fitted in result.kept] == ([cut] if cut else [])


def test_a_policy_is_looked_at_only_by_a_cut() -> None:
    assert ids(drop([item("a", TEXT)], 5, counter=Characters(), truncation=BOTH)) == ""
