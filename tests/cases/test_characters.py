from typing import Final

import pytest

from budget import TokenCounter, TruncationPolicy, truncate_text
from tests.cases import BOUNDARIES, KEEPS, Boundary, Keep
from tests.counters import DIPPING, NEVER_SHRINKING, Bytes, Characters, Words

COUNTERS: Final = (*NEVER_SHRINKING, *DIPPING)
HALVES: Final = ("\ud83d", "\ude00")
SPACED: Final = "don't stop,  now!\n\tok. Go on?  Yes\r\nor no"
FAMILY: Final = "\U0001f468\u200d\U0001f469\u200d\U0001f466"
CLUSTERS: Final = (
    FAMILY,
    "e\u0301",
    "\U0001f1e9\U0001f1ea",
    "\r\n",
    "\u0915\u094d\u0937",
    "\u1112\u1161\u11ab",
    "🧠",
)


# TRU-05
@pytest.mark.parametrize(
    ("keep", "text", "expected"),
    [
        ("head", "hi 🧠!", {4: "hi ", 5: "hi ", 6: "hi ", 7: "hi 🧠"}),
        ("tail", "!🧠 hi", {4: " hi", 5: " hi", 6: " hi", 7: "🧠 hi"}),
        ("both", "🧠-🧠", {3: "", 4: "🧠", 5: "🧠", 7: "🧠"}),
    ],
)
def test_a_character_that_fits_only_in_part_is_left_out(
    keep: Keep, text: str, expected: dict[int, str]
) -> None:
    policy = TruncationPolicy(keep=keep, marker="", head_share=0.7)
    assert {limit: truncate_text(text, limit, Bytes(), policy) for limit in expected} == expected


# TRU-05
@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("cluster", CLUSTERS)
@pytest.mark.parametrize("counter", [Characters(), Bytes()])
def test_only_whole_characters_are_kept_at_every_limit(
    keep: Keep, cluster: str, counter: TokenCounter
) -> None:
    text = f"a{cluster * 3}b"
    for limit in range(counter.count(text)):
        cut = truncate_text(text, limit, counter, TruncationPolicy(keep=keep, marker=""))
        assert cut.strip("ab").replace(cluster, "") == ""


# TRU-07
@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_a_character_spelled_as_two_surrogates_is_kept_or_left_as_one(
    keep: Keep, boundary: Boundary
) -> None:
    pair = "\ud83d\ude00"
    policy = TruncationPolicy(keep=keep, boundary=boundary, marker="")
    cuts = [truncate_text(pair * 5, limit, Characters(), policy) for limit in range(10)]
    assert all(cut == pair * (len(cut) // 2) for cut in cuts)
    assert keep == "both" or [len(cut) for cut in cuts] == [0, 0, 2, 2, 4, 4, 6, 6, 8, 8]


# TRU-07
@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("half", HALVES)
def test_a_lone_surrogate_is_a_character_like_any_other(keep: Keep, half: str) -> None:
    policy = TruncationPolicy(keep=keep, marker="")
    assert len(truncate_text(half * 10, 4, Characters(), policy)) == 4


# TRU-09
@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("boundary", BOUNDARIES)
@pytest.mark.parametrize("counter", COUNTERS)
def test_what_remains_is_the_text_itself_to_the_last_blank(
    keep: Keep, boundary: Boundary, counter: TokenCounter
) -> None:
    policy = TruncationPolicy(keep=keep, boundary=boundary, marker="§")
    for limit in range(counter.count(SPACED)):
        head, marker, tail = truncate_text(SPACED, limit, counter, policy).partition("§")
        assert SPACED.startswith(head)
        assert SPACED.endswith(tail)
        assert (marker == "") == (head + tail == "")


# TRU-09
@pytest.mark.parametrize(
    ("limit", "expected"), [(2, "don't stop,  "), (3, "don't stop,  now!\n\t")]
)
def test_blanks_and_punctuation_stay_where_they_were(limit: int, expected: str) -> None:
    policy = TruncationPolicy(marker="")
    assert truncate_text("don't stop,  now!\n\tok", limit, Words(), policy) == expected
