"""Counting up to a limit, part by part."""

import pytest

from budget._tokenizers.parts import AT_BLANKS, AT_BLANKS_AND_LINES, count_within
from tests.counters import Characters, Recording

PART = 4_096


def parts(text: str, limit: int = 10**9) -> list[str]:
    """Return what is counted on the way to an answer."""
    counter = Recording(Characters())
    count_within(counter.count, text, limit, AT_BLANKS_AND_LINES)
    return counter.texts


@pytest.mark.parametrize("text", ["", "short", "x" * PART, "x" * 10 * PART, "word " * 10_000])
def test_parts_are_the_text(text: str) -> None:
    assert "".join(parts(text)) == text


@pytest.mark.parametrize("text", ["", "short", "word " * 800, "x" * 10 * PART])
def test_what_is_short_or_has_no_place_is_one_part(text: str) -> None:
    assert parts(text) == [text]


def test_what_is_one_part_is_the_same_object() -> None:
    text = "x" * 10 * PART
    assert parts(text)[0] is text


@pytest.mark.parametrize("line", ["word word ", "word\tword\t", "a_line\n", "字\n"])
def test_parts_are_about_4096_characters(line: str) -> None:
    found = parts(line * (10 * PART // len(line)))
    assert len(found) == 10
    assert all(PART < len(part) <= PART + len(line) for part in found[:-1])


@pytest.mark.parametrize("text", ["/\n/" * PART, " \n " * PART, "\n\r" * PART, "\n" * 3 * PART])
def test_no_part_ends_where_white_space_or_a_slash_follows_a_newline(text: str) -> None:
    assert parts(text) == [text]


@pytest.mark.parametrize("text", [" " * 3 * PART, "\u3000 " * PART])
def test_no_part_ends_inside_white_space(text: str) -> None:
    assert parts(text) == [text]


def test_gpt_2_has_no_place_at_newlines() -> None:
    counter = Recording(Characters())
    count_within(counter.count, "a_line\n" * PART, 10**9, AT_BLANKS)
    assert len(counter.texts) == 1


def test_nothing_is_read_beyond_the_part_that_is_over() -> None:
    text = "word " * 10_000
    assert len(parts(text, limit=PART - 1)) == 1
    assert len(parts(text, limit=2 * PART)) == 2


@pytest.mark.parametrize(("limit", "answer"), [(50_000, 50_000), (49_999, None), (0, None)])
def test_the_answer_is_the_count_or_none(limit: int, answer: int | None) -> None:
    counted = Characters().count
    assert count_within(counted, "word " * 10_000, limit, AT_BLANKS) == answer


@pytest.mark.parametrize(("limit", "answer"), [(0, 0), (-1, None)])
@pytest.mark.parametrize("longest", [None, 128])
def test_an_empty_text_fits_into_nothing_but_not_into_less(
    longest: int | None, limit: int, answer: int | None
) -> None:
    assert count_within(Characters().count, "", limit, AT_BLANKS, longest) == answer


def test_a_text_longer_than_the_longest_tokens_is_not_read() -> None:
    counter = Recording(Characters())
    assert count_within(counter.count, "word " * 10, 9, AT_BLANKS, 5) is None
    assert counter.texts == []
