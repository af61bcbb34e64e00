"""The report as text for a terminal."""

import re
from dataclasses import replace

import pytest

from budget import BudgetItem, BudgetPolicyError, OverflowAction, apply_overflow
from budget._report.columns import columns, padded, shortened
from budget.report import Report
from tests.counters import Words
from tests.report.results import COUNTER, ITEMS, lines, one_limit

ESCAPES = re.compile(r"\x1b\[\d+m")


def report(separator: str | None = None) -> Report:
    return Report(one_limit(13 if separator else 10, separator), ITEMS, COUNTER)


def test_a_report_of_one_limit_reads_like_this() -> None:
    assert (
        str(report())
        == """\
10 of 10 tokens; kept 2, cut 1, dropped 1; everything is 14
counted by: Words

                                                        kept  cut  free  dropped
total         █████████████████▓▓▓▓▓▓▓|░░░░░░░░░░          7    3     0        4
instructions  ███████                                      3    0     -        0
memory        ██████████                                   4    0     -        0
documents     ▓▓▓▓▓▓▓░░░░░░░░░░                            0    3     -        4
█ kept whole  ▓ kept of a cut  · free  | limit  ░ dropped or cut off

lost     line       tokens  kept at  why
report   documents       5       12  cut to 3
archive  documents       2       14  comes after report"""
    )


def test_a_report_of_a_policy_has_its_lines_and_their_limits() -> None:
    text = str(Report(lines(), ITEMS, COUNTER))
    assert [line.split()[-4:] for line in text.splitlines()[4:8]] == [
        ["8", "2", "2", "4"],
        ["3", "0", "9", "0"],
        ["5", "0", "1", "2"],
        ["0", "2", "0", "2"],
    ]


def test_what_joins_the_texts_is_told_and_drawn() -> None:
    text = str(report(separator=" und "))
    assert "joining the texts makes +2 of it; all other numbers are sums" in text
    assert "▒ between the texts" in text


def test_joins_that_save_tokens_are_told_and_not_drawn() -> None:
    result = replace(one_limit(), total_tokens=9, rendered="")
    text = str(Report(result, ITEMS, COUNTER))
    assert "joining the texts makes -1 of it" in text
    assert "▒" not in text


def test_nothing_lost_is_no_table() -> None:
    assert "lost" not in str(Report(one_limit(20), ITEMS, COUNTER))


@pytest.mark.parametrize("width", [60, 71, 80, 120, 300])
@pytest.mark.parametrize(
    "kind", ["documents", "kind-of-a-very-long-name", "文書" * 9, "e\u0301" * 30]
)
def test_no_line_is_wider_than_asked_for(width: int, kind: str) -> None:
    items = [BudgetItem(f"{kind}{n}", kind, "word " * (99 * n), n) for n in range(9)]
    result = apply_overflow(items, 999, OverflowAction.TRUNCATE, COUNTER)
    text = Report(result, items, COUNTER).text(width=width)
    wide = [line for line in text.splitlines() if columns(line) > width]
    assert wide == []


def test_wide_characters_are_aligned() -> None:
    items = [BudgetItem(name, name, "word " * 9, n) for n, name in enumerate(("規則", "ab"))]
    result = apply_overflow(items, 5, OverflowAction.DROP, COUNTER)
    table = str(Report(result, items, COUNTER)).splitlines()[-2:]
    assert table[0].startswith("規則  規則       9  ")
    assert table[1].startswith("ab    ab         9  ")


def test_colour_is_all_that_colour_adds() -> None:
    painted = report(separator=" und ").text(colour=True)
    assert "\x1b[32m█" in painted
    assert ESCAPES.sub("", painted).replace(" \n", "\n") == report(separator=" und ").text()


def test_a_part_is_seen_however_small_it_is() -> None:
    items = [BudgetItem("large", "x", "word " * 9_999), BudgetItem("small", "x", "word", 1)]
    result = apply_overflow(items, 9_999, OverflowAction.DROP, COUNTER)
    assert "|░ " in Report(result, items, COUNTER).text()


def test_of_many_losses_sixty_are_listed() -> None:
    items = [BudgetItem(f"m{n:03}", "x", "word", n) for n in range(100)]
    result = apply_overflow(items, 10, OverflowAction.DROP, COUNTER)
    text = str(Report(result, items, COUNTER))
    assert text.endswith("\nand 30 more")
    assert len(re.findall(r"^m\d", text, re.MULTILINE)) == 60


def test_ids_kinds_and_names_are_escaped() -> None:
    class Named(Words):
        name = "by\x1b[31m"

    items = [BudgetItem("a\x1b[2J\u202e", "k\n", "one two")]
    result = apply_overflow(items, 1, OverflowAction.DROP, COUNTER)
    text = str(Report(result, items, Named()))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert r"a\x1b[2J\u202e" in text
    assert r"k\n" in text
    assert r"by\x1b[31m" in text


def test_no_text_of_an_item_is_shown() -> None:
    assert not any(word in str(report()) for word in ("three", "fourth", "old"))


def test_a_width_that_is_none_is_refused() -> None:
    with pytest.raises(BudgetPolicyError, match="width must be >= 60, got 59"):
        report().text(width=59)
    with pytest.raises(TypeError, match="colour must be a bool"):
        report().text(colour=1)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "width"), [("abc", 3), ("文書", 4), ("e\u0301", 1), ("👩\u200d", 2), ("", 0)]
)
def test_wide_characters_take_two_columns_and_combining_ones_none(text: str, width: int) -> None:
    assert columns(text) == width


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("文書文書", 4, "文…"), ("文書文書", 5, "文書…")],
)
def test_a_name_is_shortened_to_its_columns(text: str, width: int, expected: str) -> None:
    assert shortened(text, width) == expected
    assert columns(padded(expected, width)) == width
