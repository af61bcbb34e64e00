"""Where a cut falls: after a line, after a sentence, beside a word, between characters."""

from dataclasses import replace
from typing import Literal

import pytest

from budget import TokenCounter, TruncationPolicy, truncate_text
from tests.counters import Characters, Words
from tests.making import BARE

Boundary = Literal["character", "word", "sentence", "line"]
BOUNDARIES: tuple[Boundary, ...] = ("line", "sentence", "word", "character")


def _head(text: str, limit: int, boundary: Boundary) -> str:
    return truncate_text(text, limit, Characters(), replace(BARE, boundary=boundary))


def _tail(text: str, limit: int, boundary: Boundary) -> str:
    policy = replace(BARE, boundary=boundary, keep="tail")
    return truncate_text(text, limit, Characters(), policy)


CATS = "The cat sat. The dog ran away."
HEADS: tuple[tuple[Boundary, str, int, str], ...] = (
    # a line ends after its newline
    ("line", "one\ntwo\nthree\n", 10, "one\ntwo\n"),
    ("line", "one\ntwo\nthree\n", 8, "one\ntwo\n"),
    ("line", "one\ntwo\nthree\n", 7, "one\n"),
    ("line", "one\r\ntwo\r\nthree", 12, "one\r\ntwo\r\n"),
    ("line", "one\n\n\ntwo words", 9, "one\n\n\n"),
    # only in the half nearest the cut
    ("line", "ab\nde and", 6, "ab\n"),
    ("line", "ab\ndef and", 7, "ab\ndef"),
    ("line", "a\nbcdefgh. ijkl mno", 14, "a\nbcdefgh."),
    ("line", CATS, 20, "The cat sat."),
    ("line", "aaaaaaaaaaaa", 5, "aaaaa"),
    # a sentence ends after its mark, before the blank
    ("sentence", CATS, 20, "The cat sat."),
    ("sentence", CATS, 12, "The cat sat."),
    ("sentence", CATS, 11, "The cat"),
    ("sentence", "Is it? No! Well… yes", 18, "Is it? No! Well…"),
    ("sentence", "Is it? No! Well", 12, "Is it? No!"),
    ("sentence", "Is it? No! Well", 8, "Is it?"),
    ("sentence", "Wait...\nwhat now", 11, "Wait..."),
    ("sentence", "version 3.14 is out", 12, "version 3.14"),
    ("sentence", "see a.b.c.d.e.f", 12, "see a.b.c.d."),
    ("sentence", "好的。我们走吧", 5, "好的。"),
    ("sentence", "好的\uff01我们走吧", 5, "好的\uff01"),
    ("sentence", "好的\uff1f我们走吧", 5, "好的\uff1f"),
    # a newline is no sentence end, but it is a blank
    ("sentence", "one two\nthree", 9, "one two"),
    # a word ends before its blank
    ("word", CATS, 20, "The cat sat. The dog"),
    ("word", CATS, 19, "The cat sat. The"),
    ("word", "one\ttwo three", 6, "one"),
    ("word", "one\u00a0two three", 6, "one"),
    ("word", "one\u3000two three", 6, "one"),
    ("word", "one  two", 4, "one "),
    ("word", "aaaaaaaaaaaa", 5, "aaaaa"),
    ("word", "abc defghijk", 7, "abc def"),
    ("word", "abc defghijk", 6, "abc"),
    # and a character anywhere
    ("character", CATS, 18, "The cat sat. The d"),
)


@pytest.mark.parametrize(("boundary", "text", "limit", "cut"), HEADS)
def test_a_head_ends_at_its_boundary(boundary: Boundary, text: str, limit: int, cut: str) -> None:
    assert _head(text, limit, boundary) == cut


TAILS: tuple[tuple[Boundary, str, int, str], ...] = (
    # a line begins after the newline before
    ("line", "one\ntwo\nthree\n", 9, "three\n"),
    ("line", "one\ntwo\nthree\n", 10, "two\nthree\n"),
    ("line", "one\r\ntwo\r\nsix", 9, "two\r\nsix"),
    ("line", "words and ab\ncde", 6, "cde"),
    ("line", "words and ab\nc", 6, "ab\nc"),
    # a sentence begins after the blanks that follow the one before
    ("sentence", "It sat. The dog ran.", 14, "The dog ran."),
    ("sentence", "It sat. The dog ran.", 13, "The dog ran."),
    ("sentence", "It sat. The dog ran.", 12, "The dog ran."),
    ("sentence", "It sat. The dog ran.", 11, "dog ran."),
    ("sentence", "It sat.  \n The dog", 10, "The dog"),
    ("sentence", "It sat.  \n The dog", 7, "The dog"),
    ("sentence", "No! Why? Well… yes", 6, "yes"),
    ("sentence", "No! Why? Well", 7, "Well"),
    ("sentence", "好的。我们走吧", 5, "我们走吧"),
    ("sentence", "好的。 我们走吧", 4, "我们走吧"),
    ("sentence", "好的\uff1f我们走吧", 4, "我们走吧"),
    ("sentence", "pi is 3.14 or so", 10, "3.14 or so"),
    # a word begins after the blank before
    ("word", "The cat sat", 7, "cat sat"),
    ("word", "The cat sat", 6, "sat"),
    ("word", "one\ttwo", 5, "two"),
    ("word", "one two  ", 6, "two  "),
    ("word", "aaaaaaaaaaaa", 5, "aaaaa"),
    ("word", "abcdefgh ijk", 8, "efgh ijk"),
    ("word", "abcdefgh ijkl", 8, "ijkl"),
    ("character", "The cat sat", 6, "at sat"),
)


@pytest.mark.parametrize(("boundary", "text", "limit", "cut"), TAILS)
def test_a_tail_begins_at_its_boundary(boundary: Boundary, text: str, limit: int, cut: str) -> None:
    assert _tail(text, limit, boundary) == cut


def test_both_ends_fall_on_boundaries() -> None:
    policy = TruncationPolicy(keep="both", boundary="line", marker="[...]\n")
    lines = "".join(f"line {number}\n" for number in range(10, 30))
    cut = truncate_text(lines, 60, Characters(), policy)
    assert cut == "line 10\nline 11\nline 12\n[...]\nline 27\nline 28\nline 29\n"


def test_the_last_line_survives_in_a_tail_and_at_both_ends() -> None:
    lines = "".join(f"L{number:03}\n" for number in range(100)) + "FATAL: pool exhausted"
    for policy in (
        TruncationPolicy(keep="tail", boundary="line"),
        TruncationPolicy(keep="both", boundary="line", head_share=0.6),
    ):
        assert truncate_text(lines, 100, Characters(), policy).endswith("FATAL: pool exhausted")


def test_a_boundary_is_paid_for_with_its_marker() -> None:
    policy = TruncationPolicy(boundary="sentence")
    assert truncate_text(CATS, 13, Characters(), policy) == "The cat sat.…"
    assert truncate_text(CATS, 12, Characters(), policy) == "The cat…"


def test_a_boundary_never_cuts_a_character() -> None:
    # What carries a mark, or is carried, is one character with it and no place to cut.
    assert _head("one two \u0301three", 9, "word") == "one two"
    assert _head("ab\n\u0301cd ef", 5, "line") == "ab\n"
    assert _head("abcd \u0301efgh", 7, "word") == "abcd"
    assert _head("ab c\u0600 defgh", 7, "word") == "ab c\u0600 d"
    assert _head("好的。\u0301我们走吧", 5, "sentence") == "好的。\u0301我"
    assert _tail("one two \u0301six", 6, "word") == "o \u0301six"
    assert _tail("好的。\u0301我们走吧", 7, "sentence") == "的。\u0301我们走吧"


@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_the_finest_cut_is_taken_where_no_boundary_is_near(boundary: Boundary) -> None:
    assert _head("x" * 100, 33, boundary) == "x" * 33
    assert _tail("x" * 100, 33, boundary) == "x" * 33


@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_a_cut_of_one_character_stays(boundary: Boundary) -> None:
    assert _head("ab cd", 1, boundary) == "a"
    assert _tail("ab cd", 1, boundary) == "d"


@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_a_boundary_keeps_at_least_half(boundary: Boundary) -> None:
    text = "A b. Cd ef\ngh! Ij\n\nkl. mnopqrst u. vw? xy z。 end"
    for limit in range(1, len(text)):
        assert 2 * len(_head(text, limit, boundary)) >= limit
        assert 2 * len(_tail(text, limit, boundary)) >= limit


class _DearNewlines:
    """Ten tokens for a text that ends with a newline, one a character otherwise."""

    def count(self, text: str, /) -> int:
        return len(text) + 100 * text.endswith("\n")


class _DearBlanks:
    """A hundred tokens more unless the text ends with an x."""

    def count(self, text: str, /) -> int:
        return len(text) + 100 * (not text.endswith("x"))


def test_a_boundary_that_costs_more_makes_way_for_the_next() -> None:
    policy = replace(BARE, boundary="line")
    assert truncate_text("xxxx xxxx\nxxx xxxx", 12, _DearNewlines(), policy) == "xxxx xxxx"


def test_a_cut_whose_boundaries_all_cost_more_stays_where_it_is() -> None:
    policy = replace(BARE, boundary="word")
    text = "xx yy yy yy yy xxxxx"
    assert truncate_text(text, 17, _DearBlanks(), policy) == text[:17]


@pytest.mark.parametrize("counter", [Characters(), Words()], ids=repr)
def test_a_boundary_is_within_the_limit_too(counter: TokenCounter) -> None:
    text = "One two. Three four five?\nSix seven. Eight\n"
    for boundary in BOUNDARIES:
        for limit in range(1, counter.count(text)):
            policy = TruncationPolicy(boundary=boundary, keep="both")
            assert counter.count(truncate_text(text, limit, counter, policy)) <= limit
