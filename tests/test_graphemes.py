"""Where a text may be cut: what a reader sees as one character stays whole."""

import pytest

from budget import TruncationPolicy, truncate_text
from budget.graphemes import Clusters
from tests.counters import Characters
from tests.making import BARE

# A longer character isn't searched to its end.
REACH = 65_536
BARE_TAIL = TruncationPolicy(keep="tail", marker="")

MAN, WOMAN, BOY = "\U0001f468", "\U0001f469", "\U0001f466"
FLAG_D, FLAG_E = "\U0001f1e9", "\U0001f1ea"
KA, VIRAMA, SSA, NUKTA = "\u0915", "\u094d", "\u0937", "\u093c"
MARK, ZWNJ, ZWJ = "\u0301", "\u200c", "\u200d"

# Each rule of UAX #29 with its number: what the text falls into.
RULES = {
    "GB3 CRLF": ["a", "\r\n", "b"],
    "GB4 LF CR are two": ["\n", "\r"],
    "GB4 nothing joins a control": ["\n", MARK, "a"],
    "GB4 nothing joins a NUL": ["\x00", MARK, "\x00"],
    "GB5 a control ends what stands before": ["e" + MARK, "\n"],
    "GB5 a line separator is a control": ["e", "\u2028", MARK],
    "GB6 L with V": ["\u1112\u1161", "a"],
    "GB6 L with L": ["\u1112\u1112\u1161"],
    "GB6 L with a syllable": ["\u1112\uac00", "\u1112\uac01"],
    "GB7 LV with T": ["\uac00\u11ab", "a"],
    "GB7 V with V and T": ["\u1161\u1161\u11ab"],
    "GB7 LV with V": ["\uac00\u1161"],
    "GB8 LVT with T": ["\uac01\u11ab"],
    "GB8 T with T": ["\u1112\u1161\u11ab\u11ab"],
    "no rule joins T and L": ["\u1112\u1161\u11ab", "\u1112\u1161"],
    "no rule joins LVT and V": ["\uac01", "\u1161"],
    "no rule joins two syllables": ["\uac00", "\uac01", "\uac00"],
    "GB9 a combining mark": ["e" + MARK, "x"],
    "GB9 several combining marks": ["e" + MARK * 3, "x"],
    "GB9 a mark at the start": [MARK, "x"],
    "GB9 a variation selector": ["\u2764\ufe0f", "x"],
    "GB9 a skin tone": [MAN + "\U0001f3fd", "x"],
    "GB9 a keycap": ["1\ufe0f\u20e3", "2"],
    "GB9 a joiner joins the left only": ["a" + ZWJ, "b"],
    "GB9 a tag sequence": ["\U0001f3f4\U000e0067\U000e0062\U000e007f", "x"],
    "GB9a a spacing mark": ["\u0915\u093e", "x"],
    "GB9b a prepended mark": ["\u0600a", "x"],
    "GB9b a prepended mark joins no control": ["\u0600", "\n"],
    "GB9c a conjunct": [KA + VIRAMA + SSA, KA],
    "GB9c with marks between": [KA + NUKTA + VIRAMA + ZWJ + SSA],
    "GB9c without a linker": [KA + NUKTA, SSA],
    "GB9c without a consonant before": ["x" + VIRAMA + SSA],
    "GB9c a linker that is no mark": ["x", "\u1cf5" + KA, KA],
    "GB9c a non-joiner is nothing to skip": [KA + VIRAMA + ZWNJ, SSA],
    "GB9c of three": [KA + VIRAMA + SSA + VIRAMA + KA],
    "GB11 a family": [f"{MAN}{ZWJ}{WOMAN}{ZWJ}{BOY}", "x"],
    "GB11 with a skin tone": [f"{MAN}\U0001f3fd{ZWJ}{BOY}"],
    "GB11 with a variation selector": [f"\u2764\ufe0f{ZWJ}{MAN}"],
    "GB11 with a linker": [f"{MAN}{VIRAMA}{ZWJ}{BOY}"],
    "GB11 with a non-joiner": [f"{MAN}{ZWNJ}{ZWJ}{BOY}"],
    "GB11 needs a pictograph before": ["a" + ZWJ, MAN],
    "GB11 needs something before": [ZWJ, MAN],
    "GB11 needs a joiner": [MAN, BOY],
    "GB12 flags": [FLAG_D + FLAG_E, FLAG_E + FLAG_D],
    "GB12 an odd run": [FLAG_D + FLAG_E, FLAG_D],
    "GB13 flags after something": ["x", FLAG_D + FLAG_E, FLAG_D + FLAG_E, "y"],
    "GB13 flags after a joiner": ["x" + ZWJ, FLAG_D + FLAG_E],
    "GB13 a mark ends a run": [FLAG_D + MARK, FLAG_E + FLAG_D, FLAG_E],
    "GB999 letters": ["a", "b", "é", "字", "\U0001f600"],
    "a high and a low surrogate": ["\ud83d\ude00", "\ud83d\ude00"],
    "lone surrogates": ["\ude00", "\ud83d", "\ud83d", "x"],
    "the last assigned plane": ["\U0010ffff", "\U0010ffff"],
}
every_rule = pytest.mark.parametrize("pieces", RULES.values(), ids=list(RULES))


def _sizes(pieces: list[str]) -> set[int]:
    return {len("".join(pieces[:number])) for number in range(len(pieces))}


@every_rule
def test_a_head_is_made_of_whole_characters(pieces: list[str]) -> None:
    text = "".join(pieces)
    heads = {len(truncate_text(text, limit, Characters(), BARE)) for limit in range(len(text))}
    assert heads == _sizes(pieces)


@every_rule
def test_a_tail_is_made_of_whole_characters(pieces: list[str]) -> None:
    text = "".join(pieces)
    tails = {len(truncate_text(text, limit, Characters(), BARE_TAIL)) for limit in range(len(text))}
    assert tails == _sizes(pieces[::-1])


@every_rule
def test_boundaries_are_found_in_any_sequence_of_questions(pieces: list[str]) -> None:
    text = "".join(pieces)
    expected = [index in {*_sizes(pieces), len(text)} for index in range(len(text) + 1)]
    forwards, backwards = Clusters(text), Clusters(text)
    places = range(len(text) + 1)
    assert [forwards.is_boundary(place) for place in places] == expected
    assert [backwards.is_boundary(place) for place in reversed(places)] == expected[::-1]


@every_rule
def test_the_nearest_boundaries_are_found_on_both_sides(pieces: list[str]) -> None:
    text = "".join(pieces)
    ends = sorted({*_sizes(pieces), len(text)})
    clusters = Clusters(text)
    for index in range(len(text) + 1):
        assert clusters.before(index) == max(end for end in ends if end <= index)
        assert clusters.after(index) == min(end for end in ends if end >= index)


def test_flags_pair_up_from_the_start_of_a_long_run() -> None:
    flags = "x" + FLAG_D * 20_001 + "y"
    clusters = Clusters(flags)
    assert clusters.is_boundary(20_001) is True
    assert clusters.is_boundary(20_000) is False
    assert clusters.is_boundary(1) is True
    assert clusters.is_boundary(2) is False
    assert clusters.is_boundary(20_002) is True


@pytest.mark.parametrize("first", [1, 2, 5_000, 8_192, 19_999])
@pytest.mark.parametrize("second", [3, 4_097, 12_000, 20_000])
def test_a_question_about_a_run_of_flags_does_not_depend_on_the_one_before(
    first: int, second: int
) -> None:
    clusters = Clusters("xyz" + FLAG_D * 20_000)
    for flags in (first, second, first):
        assert clusters.is_boundary(3 + flags) is (flags % 2 == 0)


def test_two_runs_of_flags_are_told_apart() -> None:
    clusters = Clusters(FLAG_D * 3 + "x" + FLAG_D * 4)
    # The second run begins after the x, at 4.
    assert [clusters.is_boundary(index) for index in (6, 2, 7, 1, 6)] == [
        True,
        True,
        False,
        False,
        True,
    ]


GIANT = "e" + MARK * (REACH + 10)


def test_a_character_within_reach_is_searched_to_its_ends() -> None:
    text = "x" + "e" + MARK * (REACH - 10) + "y"
    assert Clusters(text).before(len(text) - 2) == 1
    assert Clusters(text).after(2) == len(text) - 1


def test_a_character_beyond_reach_has_no_boundary_before() -> None:
    assert Clusters("x" + GIANT).before(len(GIANT)) == 0


def test_a_character_beyond_reach_has_no_boundary_after() -> None:
    assert Clusters(GIANT + "y").after(1) == len(GIANT) + 1


@pytest.mark.parametrize("text", [GIANT, MARK * 70_000])
@pytest.mark.parametrize("policy", [BARE, BARE_TAIL])
def test_a_text_that_is_one_giant_character_has_no_cut(text: str, policy: TruncationPolicy) -> None:
    assert truncate_text(text, 100, Characters(), policy) == ""


def test_a_pictograph_beyond_reach_joins_nothing() -> None:
    text = MAN + MARK * (REACH + 10) + ZWJ + BOY
    assert Clusters(text).is_boundary(len(text) - 1)


def test_a_text_after_a_giant_character_can_be_kept() -> None:
    policy = TruncationPolicy(keep="tail", marker="")
    assert truncate_text(GIANT + "tail", 100, Characters(), policy) == "tail"
