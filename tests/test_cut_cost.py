"""How tight a cut is and how little it costs, whatever the text and the counter."""

from dataclasses import replace

import pytest

from budget import TokenCounter, TruncationPolicy, truncate_text
from tests.counters import (
    DIPPING,
    NEVER_SHRINKING,
    Bounded,
    Bytes,
    Characters,
    Dips,
    Recording,
    Words,
)
from tests.making import BARE

MILLION = 1_000_000
CALLS = 40
TEXTS = {
    "one character": "x" * MILLION,
    "one line of words": "word and " * (MILLION // 9),
    "lines": "a line of text\n" * (MILLION // 15),
    "sentences": "It is so. Is it? " * (MILLION // 17),
    "newlines": "\n" * MILLION,
    "blanks": " " * MILLION,
    "combining marks": "e\u0301" * (MILLION // 2),
    "flags": "\U0001f1e9\U0001f1ea" * (MILLION // 2),
    "lone surrogates": "\ud83d" * MILLION,
    "NUL": "\x00" * MILLION,
    "Han": "漢" * MILLION,
    "dense, then sparse": "漢" * 50 + "a" * MILLION,
    "sparse, then dense": "a" * MILLION + "漢" * 50,
    "denser and denser": "".join("a" * (400 - size) + "漢" * size for size in range(400)) * 6,
}
every_text = pytest.mark.parametrize("text", TEXTS.values(), ids=list(TEXTS))
POLICIES = tuple(
    TruncationPolicy(keep=keep, boundary=boundary)
    for keep in ("head", "tail", "both")
    for boundary in ("character", "line")
)
every_policy = pytest.mark.parametrize(
    "policy", POLICIES, ids=[f"{policy.keep} {policy.boundary}" for policy in POLICIES]
)


def _searched(counter: Recording) -> tuple[int, int]:
    """The calls beyond the one about the whole text, and their characters."""
    probes = counter.texts[1:]
    return len(probes), sum(map(len, probes))


@every_text
@every_policy
@pytest.mark.parametrize("limit", [1, 10, 1_000])
def test_a_cut_of_a_megabyte_costs_about_what_it_keeps(
    text: str, policy: TruncationPolicy, limit: int
) -> None:
    counter = Recording(Bytes())
    cut = truncate_text(text, limit, counter, policy)
    calls, characters = _searched(counter)
    assert Bytes().count(cut) <= limit
    assert calls <= CALLS
    assert characters <= 16 * len(cut) + 4_096


@every_policy
@pytest.mark.parametrize("counter", [*NEVER_SHRINKING, *DIPPING], ids=repr)
@pytest.mark.parametrize("limit", [9, 300, 20_000])
def test_a_cut_costs_about_what_it_keeps_by_any_counter(
    policy: TruncationPolicy, counter: TokenCounter, limit: int
) -> None:
    recording = Recording(counter)
    cut = truncate_text(TEXTS["sentences"][:200_000], limit, recording, policy)
    calls, characters = _searched(recording)
    assert counter.count(cut) <= limit
    assert calls <= CALLS
    assert characters <= 16 * len(cut) + 4_096


@pytest.mark.parametrize("text", ["x" * 20 * MILLION, "word\n" * 4 * MILLION], ids=["x", "words"])
@every_policy
def test_a_cut_of_twenty_megabytes_costs_the_same(text: str, policy: TruncationPolicy) -> None:
    counter = Recording(Characters())
    cut = truncate_text(text, 500, counter, policy)
    calls, characters = _searched(counter)
    assert cut.strip("…\n")
    assert calls <= CALLS
    assert characters <= 16 * len(cut) + 4_096


def test_a_bounded_counter_never_reads_the_whole_text() -> None:
    counter = Bounded(Characters())
    cut = truncate_text("x" * MILLION, 100, counter)
    assert counter.characters <= 101 + 16 * len(cut) + 4_096


@every_text
@pytest.mark.parametrize("keep", ["head", "tail"])
def test_a_small_cut_is_tight_to_the_last_character(text: str, keep: str) -> None:
    policy = BARE if keep == "head" else replace(BARE, keep="tail")
    size = len(truncate_text(text, 4_000, Bytes(), policy))
    more = text[: size + 2] if keep == "head" else text[-size - 2 :]
    assert Bytes().count(more) > 4_000


@every_text
@pytest.mark.parametrize("keep", ["head", "tail", "both"])
def test_a_large_cut_uses_all_but_a_hundredth(text: str, keep: str) -> None:
    ways = {"head": BARE, "tail": replace(BARE, keep="tail"), "both": replace(BARE, keep="both")}
    cut = truncate_text(text, 60_000, Bytes(), ways[keep])
    assert 59_400 <= Bytes().count(cut) <= 60_000


@pytest.mark.parametrize("keep", ["head", "tail"])
@pytest.mark.parametrize("limit", [20_000, 45_000, 77_777, 100_000])
def test_a_large_cut_of_uneven_text_uses_as_much(keep: str, limit: int) -> None:
    policy = BARE if keep == "head" else replace(BARE, keep="tail")
    cut = truncate_text(TEXTS["denser and denser"], limit, Bytes(), policy)
    assert 0.99 * limit <= Bytes().count(cut) <= limit


@pytest.mark.parametrize("limit", [200, 333, 1_000, 1_500])
def test_a_counter_that_dips_is_used_to_98_hundredths(limit: int) -> None:
    cut = truncate_text("word and " * 5_000, limit, Dips())
    assert 0.98 * limit <= Dips().count(cut) <= limit


class _Uneven:
    """A quarter of a token for each ASCII character, two for every other."""

    def count(self, text: str, /) -> int:
        ascii_characters = len(text.encode("ascii", "ignore"))
        return -(-ascii_characters // 4) + 2 * (len(text) - ascii_characters)


@pytest.mark.parametrize("text", ["漢" * 50 + "a" * 4_000, "a" * 4_000 + "漢" * 50], ids=range(2))
@pytest.mark.parametrize("keep", ["head", "tail"])
def test_uneven_text_is_cut_as_tightly(text: str, keep: str) -> None:
    policy = BARE if keep == "head" else replace(BARE, keep="tail")
    assert _Uneven().count(truncate_text(text, 200, _Uneven(), policy)) >= 199


def test_a_cut_that_is_bound_to_be_too_small_is_not_searched_for() -> None:
    counter = Recording(Characters())
    policy = replace(BARE, min_tokens=20_001)
    assert truncate_text("x" * MILLION, 20_000, counter, policy) == ""
    assert _searched(counter)[1] <= 4_096


def test_a_text_of_free_characters_with_one_dear_one_is_cut_before_it() -> None:
    cut = truncate_text(" " * 3_000 + "word " * 3, 1, Words(), BARE)
    assert cut == " " * 3_000 + "word "


def test_a_text_whose_only_cost_is_its_last_character_is_kept_but_for_that() -> None:
    cut = truncate_text(" " * 3_000 + "x", 0, Words(), BARE)
    assert cut == ""


@pytest.mark.parametrize("boundary", ["line", "sentence", "word"])
@pytest.mark.parametrize("text", ["x" * 6 * MILLION, "。" * MILLION, " ." * MILLION], ids=range(3))
def test_a_boundary_in_a_text_without_lines_stays_bounded(boundary: str, text: str) -> None:
    policies = {
        "line": replace(BARE, boundary="line"),
        "sentence": replace(BARE, boundary="sentence"),
        "word": replace(BARE, boundary="word"),
    }
    for keep in (policies[boundary], replace(policies[boundary], keep="tail")):
        counter = Recording(Characters())
        cut = truncate_text(text, 1_000, counter, keep)
        assert 500 <= len(cut) <= 1_000
        assert len(counter.texts) <= CALLS + 1


class _Tagged(str):
    """A string of a class of its own."""

    __slots__ = ()


def test_a_text_of_another_string_class_is_cut_as_well() -> None:
    assert truncate_text(_Tagged("abcdef"), 3, Characters(), BARE) == "abc"
