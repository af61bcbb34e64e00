from typing import Final

import pytest

from budget import (
    CallableCounter,
    OverflowAction,
    TokenCounter,
    TruncationPolicy,
    apply_overflow,
    truncate_text,
)
from tests.cases import BOUNDARIES, KEEPS, Boundary, Keep, item, kept
from tests.counters import DIPPING, NEVER_SHRINKING, Bytes, Characters, Words

COUNTERS: Final = (*NEVER_SHRINKING, *DIPPING)
LETTERS: Final = "abcdefghij"
PROSE: Final = "The cat sat. The dog ran away."
SPACED: Final = "don't stop,  now!\n\tok. Go on?  Yes\r\nor no"
LINES: Final = [f"step {number:03}: all is well" for number in range(100)]
LOG: Final = "\n".join([*LINES, "FATAL: pool is exhausted"])
LINE_COUNTER: Final = CallableCounter(lambda text: len(text.splitlines()))


def uneven(text: str) -> int:
    wide = sum(character > "\u2e7f" for character in text)
    return 2 * wide - (wide - len(text)) // 4


# TRU-01
@pytest.mark.parametrize(
    ("keep", "expected"), [("head", "abcd~"), ("tail", "~ghij"), ("both", "ab~ij")]
)
def test_the_marker_is_part_of_what_is_paid_for(keep: Keep, expected: str) -> None:
    policy = TruncationPolicy(keep=keep, marker="~")
    assert truncate_text(LETTERS, 5, Characters(), policy) == expected


# TRU-01
@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("boundary", BOUNDARIES)
@pytest.mark.parametrize("counter", COUNTERS)
def test_no_cut_is_over_the_limit_with_its_marker(
    keep: Keep, boundary: Boundary, counter: TokenCounter
) -> None:
    for marker in ("~", "[cut]", " \n… \n"):
        policy = TruncationPolicy(keep=keep, boundary=boundary, marker=marker)
        cuts = [(limit, truncate_text(SPACED, limit, counter, policy)) for limit in range(40)]
        assert all(counter.count(cut) <= limit for limit, cut in cuts if cut)
        assert all(marker in cut for _, cut in cuts if cut not in {"", SPACED})


# TRU-02
@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("boundary", BOUNDARIES)
@pytest.mark.parametrize(
    ("counter", "marker", "limit"),
    [(Characters(), "[truncated]", 3), (Bytes(), "…", 3), (Words(), " cut off here ", 3)],
)
def test_an_item_is_dropped_where_its_marker_leaves_no_room(
    keep: Keep, boundary: Boundary, counter: TokenCounter, marker: str, limit: int
) -> None:
    policy = TruncationPolicy(keep=keep, boundary=boundary, marker=marker)
    items = [item("a", "one two three four")]
    result = apply_overflow(items, limit, OverflowAction.TRUNCATE, counter, policy)
    assert (result.dropped, result.diagnostics[0].reason) == (("a",), "no-cut")


# TRU-02
@pytest.mark.parametrize("limit", range(12))
def test_a_marker_is_never_all_that_is_left(limit: int) -> None:
    policy = TruncationPolicy(marker="[truncated]")
    assert truncate_text("some text that is long", limit, Characters(), policy) == ""


# TRU-11
@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("text", ["漢" * 50 + "a" * 4_000, "a" * 4_000 + "漢" * 50])
@pytest.mark.parametrize("marker", ["", "…"])
def test_an_uneven_text_uses_what_it_is_allowed(keep: Keep, text: str, marker: str) -> None:
    policy = TruncationPolicy(keep=keep, marker=marker)
    assert 195 <= uneven(truncate_text(text, 200, CallableCounter(uneven), policy)) <= 200


# TRU-11
@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("text", ["漢" * 5_000 + "a" * 90_000, "a" * 90_000 + "漢" * 5_000])
def test_a_long_uneven_text_uses_what_it_is_allowed(keep: Keep, text: str) -> None:
    cut = truncate_text(text, 12_000, CallableCounter(uneven), TruncationPolicy(keep=keep))
    assert 11_880 <= uneven(cut) <= 12_000


# TRU-12
@pytest.mark.parametrize("boundary", BOUNDARIES)
@pytest.mark.parametrize("counter", [LINE_COUNTER, Characters(), Words()])
@pytest.mark.parametrize("keep", ["tail", "both"])
def test_the_last_line_of_a_log_is_kept_by_who_keeps_the_end(
    keep: Keep, boundary: Boundary, counter: TokenCounter
) -> None:
    policy = TruncationPolicy(keep=keep, boundary=boundary, head_share=0.6)
    limit = counter.count("\n".join(LINES[:10]))
    assert truncate_text(LOG, limit, counter, policy).endswith("FATAL: pool is exhausted")


# TRU-12
def test_a_log_cut_at_lines_has_its_marker_where_lines_are_missing() -> None:
    policy = TruncationPolicy(keep="both", boundary="line", marker="[...]\n", head_share=0.6)
    shown = truncate_text(LOG, 10, LINE_COUNTER, policy).split("\n")
    place = shown.index("[...]")
    assert shown[:place] == LINES[:place]
    assert shown[place + 1 :] == LOG.split("\n")[place + 1 - len(shown) :]
    assert place > len(shown) - place - 1 > 1


# TRU-12
def test_a_log_of_which_the_end_is_kept_begins_with_the_marker() -> None:
    policy = TruncationPolicy(keep="tail", boundary="line", marker="[...]\n")
    shown = truncate_text(LOG, 10, LINE_COUNTER, policy).split("\n")
    assert shown == ["[...]", *LINES[-8:], "FATAL: pool is exhausted"]


# TRU-13
@pytest.mark.parametrize(
    ("keep", "boundary", "limit", "expected"),
    [
        ("head", "sentence", 20, "The cat sat."),
        ("head", "word", 20, "The cat sat. The dog"),
        ("head", "line", 20, "The cat sat."),
        ("head", "word", 22, "The cat sat. The dog"),
        ("head", "sentence", 11, "The cat"),
        ("tail", "word", 15, "dog ran away."),
        ("tail", "sentence", 19, "The dog ran away."),
        ("tail", "line", 19, "The dog ran away."),
        ("tail", "sentence", 15, "dog ran away."),
    ],
)
def test_a_cut_falls_on_the_coarsest_boundary_near_it(
    keep: Keep, boundary: Boundary, limit: int, expected: str
) -> None:
    policy = TruncationPolicy(keep=keep, boundary=boundary, marker="")
    assert truncate_text(PROSE, limit, Characters(), policy) == expected


# TRU-13
@pytest.mark.parametrize(
    ("keep", "boundary", "text", "expected"),
    [
        ("head", "sentence", "Hi. " + "a" * 20, "Hi. aaaaaa"),
        ("head", "line", "Hi.\n" + "a" * 20, "Hi.\naaaaaa"),
        ("head", "word", "four " + "a" * 20, "four aaaaa"),
        ("head", "word", "fiver " + "a" * 20, "fiver"),
        ("tail", "word", "a" * 20 + " four", "aaaaa four"),
        ("tail", "word", "a" * 20 + " fiver", "fiver"),
        ("tail", "line", "a" * 20 + "\nyes", "aaaaaa\nyes"),
        ("tail", "sentence", "a" * 18 + ". yes", "aaaaa. yes"),
    ],
)
def test_a_boundary_that_would_take_more_than_half_is_left(
    keep: Keep, boundary: Boundary, text: str, expected: str
) -> None:
    policy = TruncationPolicy(keep=keep, boundary=boundary, marker="")
    assert truncate_text(text, 10, Characters(), policy) == expected


# TRU-13
@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_a_text_without_boundaries_is_cut_between_characters(
    keep: Keep, boundary: Boundary
) -> None:
    policy = TruncationPolicy(keep=keep, boundary=boundary, marker="")
    assert truncate_text("a" * 12, 5, Characters(), policy) == "aaaaa"


# TRU-16
@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("boundary", BOUNDARIES)
@pytest.mark.parametrize("counter", COUNTERS)
def test_cutting_again_changes_nothing(
    keep: Keep, boundary: Boundary, counter: TokenCounter
) -> None:
    policy = TruncationPolicy(keep=keep, boundary=boundary, marker="~")
    for limit in range(1, 40):
        once = truncate_text(SPACED, limit, counter, policy)
        assert truncate_text(once, limit, counter, policy) == once


# TRU-16
@pytest.mark.parametrize("separator", [None, "\n"])
@pytest.mark.parametrize("limit", range(4, 30, 5))
def test_fitting_again_changes_nothing(limit: int, separator: str | None) -> None:
    def fitted(texts: dict[str, str]) -> dict[str, str]:
        items = [item(name, text) for name, text in texts.items()]
        action = OverflowAction.TRUNCATE
        return kept(apply_overflow(items, limit, action, Characters(), separator=separator))

    once = fitted({"a": LETTERS, "b": PROSE, "c": LETTERS})
    assert fitted(once) == once


# TRU-17
@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("order", [-1, 0, 9])
def test_a_pinned_instruction_outlives_the_document_before_it(keep: Keep, order: int) -> None:
    items = [item("doc", "d" * 100, 1), item("ask", "Summarise.", order, pinned=True)]
    policy = TruncationPolicy(keep=keep, marker="")
    result = apply_overflow(items, 30, OverflowAction.TRUNCATE, Characters(), policy)
    assert kept(result) == {"doc": "d" * 20, "ask": "Summarise."}
    entry = result.diagnostics[0]
    assert (entry.item_id, entry.tokens_before, entry.tokens_after) == ("doc", 100, 20)


# ERG-04
@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (TruncationPolicy(), "one two…"),
        (TruncationPolicy(marker="", boundary="word"), "one two"),
        (TruncationPolicy(keep="tail"), "…two three"),
    ],
)
def test_one_text_is_cut_without_any_items(policy: TruncationPolicy, expected: str) -> None:
    assert truncate_text("one two three", 2, Words(), policy) == expected


# ERG-04
def test_one_text_that_fits_is_the_same_object() -> None:
    assert truncate_text(PROSE, 7, Words()) is PROSE
