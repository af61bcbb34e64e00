"""TRUNCATE: the one item that is cut, or why it was not."""

import pytest

from budget import Diagnostic, EstimatingCounter, TokenCounter, TruncationPolicy, truncate_text
from tests.counters import DIPPING, NEVER_SHRINKING, Characters, Framed, Words
from tests.making import BARE, drop, ids, item, pin, row, texts, truncate


def test_the_first_that_does_not_fit_is_cut_to_what_is_left() -> None:
    result = truncate(row("xxxx", "yyyyyyyy", "z"), 9, counter=Characters())
    assert texts(result) == ["xxxx", "yyyy…"]
    assert (result.total_tokens, result.dropped, result.cut) == (9, ("c",), "b")


def test_a_cut_item_says_so() -> None:
    cut = truncate(row("xxxx", "yyyyyyyy"), 9, counter=Characters()).kept[1]
    assert (cut.tokens, cut.truncated) == (5, True)
    assert cut.item.text == "yyyyyyyy"


def test_a_whole_item_says_so() -> None:
    whole = truncate(row("xxxx", "yyyyyyyy"), 9, counter=Characters()).kept[0]
    assert (whole.tokens, whole.truncated) == (4, False)


def test_a_cut_is_diagnosed_with_both_counts() -> None:
    result = truncate(row("xxxx", "yyyyyyyy", "z"), 9, counter=Characters())
    assert result.diagnostics == (Diagnostic("b", "truncate", 8, 5, "cut"),)
    assert result.why("c") == Diagnostic("c", "drop", None, 0, "after", "b")


def test_at_most_one_item_is_cut() -> None:
    for limit in range(40):
        result = truncate(row("a" * 12, "b" * 12, "c" * 12), limit, counter=Characters())
        assert sum(fitted.truncated for fitted in result.kept) <= 1


def test_a_cut_stands_where_its_item_arrived() -> None:
    given = [item("z", "zzzzzzzz", 1), pin("p", "pp"), item("a", "aa")]
    result = truncate(given, 8, counter=Characters())
    assert texts(result) == ["zzz…", "pp", "aa"]


def test_whole_items_are_the_same_under_drop_and_truncate() -> None:
    given = [*row("xxxx", "yyyyyyyy", "z"), pin("p", "pp")]
    for limit in range(2, 16):
        dropped = drop(given, limit, counter=Characters())
        cut = truncate(given, limit, counter=Characters())
        assert dropped.kept == tuple(part for part in cut.kept if not part.truncated)


def test_where_nothing_is_left_no_cut_exists() -> None:
    result = truncate(row("xxxx", "yyyy"), 4, counter=Characters())
    assert ids(result) == "a"
    assert result.diagnostics == (Diagnostic("b", "drop", 4, 0, "no-cut"),)


def test_where_only_the_marker_would_fit_no_cut_exists() -> None:
    result = truncate(row("xxxx", "yyyy"), 5, counter=Characters())
    assert result.diagnostics == (Diagnostic("b", "drop", 4, 0, "no-cut"),)


def test_where_the_frame_takes_all_no_cut_exists() -> None:
    result = truncate(row("y" * 9), 8, counter=Framed())
    assert result.diagnostics == (Diagnostic("a", "drop", 16, 0, "no-cut"),)


def test_what_is_left_under_one_quantum_allows_no_cut() -> None:
    policy = TruncationPolicy(quantum=5)
    result = truncate(row("xxxx", "yyyyyyyy"), 8, counter=Characters(), truncation=policy)
    assert result.diagnostics == (Diagnostic("b", "drop", 8, 0, "no-cut"),)


def test_a_cut_under_min_tokens_is_too_small() -> None:
    policy = TruncationPolicy(min_tokens=6)
    result = truncate(row("xxxx", "yyyyyyyy"), 9, counter=Characters(), truncation=policy)
    assert ids(result) == "a"
    assert result.diagnostics == (Diagnostic("b", "drop", 8, 0, "too-small"),)


def test_a_cut_of_min_tokens_is_large_enough() -> None:
    policy = TruncationPolicy(min_tokens=5)
    result = truncate(row("xxxx", "yyyyyyyy"), 9, counter=Characters(), truncation=policy)
    assert result.cut == "b"


def test_everything_after_a_dropped_cut_is_dropped_too() -> None:
    result = truncate(row("xxxx", "yyyy", "", "z"), 5, counter=Characters())
    assert result.dropped == ("b", "c", "d")
    assert result.why("d") == Diagnostic("d", "drop", None, 0, "after", "b")


def test_a_cut_follows_the_policy() -> None:
    policy = TruncationPolicy(keep="tail", boundary="word", marker="> ")
    given = row("one two three four")
    result = truncate(given, 14, counter=Characters(), truncation=policy)
    assert texts(result) == ["> three four"]


def test_a_document_is_cut_so_that_the_instruction_stays() -> None:
    given = [item("doc", "d" * 100, 1), pin("ask", "Summarise.")]
    result = truncate(given, 30, counter=Characters(), truncation=BARE)
    assert texts(result) == ["d" * 20, "Summarise."]
    assert result.why("doc") == Diagnostic("doc", "truncate", 100, 20, "cut")


@pytest.mark.parametrize("keep", ["head", "tail", "both"])
def test_keeping_the_last_zero_keeps_nothing(keep: str) -> None:
    ways = (TruncationPolicy(), TruncationPolicy(keep="tail"), TruncationPolicy(keep="both"))
    policy = next(way for way in ways if way.keep == keep)
    assert truncate(row("hello"), 0, counter=Characters(), truncation=policy).kept == ()


@pytest.mark.parametrize(
    "counter", [*NEVER_SHRINKING, *DIPPING, EstimatingCounter(), EstimatingCounter(safe=True)]
)
def test_the_cut_is_the_one_of_the_text_alone(counter: TokenCounter) -> None:
    text = "Some words, and more. Then 漢字 and e\u0301 too.\n" * 5
    policy = TruncationPolicy(keep="both", boundary="sentence", quantum=3)
    for limit in range(counter.count(text)):
        alone = truncate_text(text, limit, counter, policy)
        result = truncate(row(text), limit, counter=counter, truncation=policy)
        assert texts(result) == [alone] * (alone != "")


def test_a_cut_that_costs_nothing_is_kept_where_min_tokens_allows_it() -> None:
    policy = TruncationPolicy(marker="", min_tokens=0)
    result = truncate(row("x", "   y y"), 2, counter=Words(), truncation=policy)
    assert texts(result) == ["x", "   y "]
