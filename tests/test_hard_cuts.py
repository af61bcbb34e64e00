"""Cuts of texts that mislead a search: long markers, cliffs, and a density that jumps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pytest

from budget import TruncationPolicy, truncate_text
from tests.counters import Characters, Recording

KEEPS: tuple[Literal["head", "tail", "both"], ...] = ("head", "tail", "both")


@dataclass(frozen=True, slots=True)
class Cliff:
    """Costs little up to an edge, and very much beyond it."""

    edge: int
    low: int

    def count(self, text: str, /) -> int:
        return self.low if len(text) <= self.edge else 10**6


class Dashes:
    """64 dashes cost one token, any other character three."""

    def count(self, text: str, /) -> int:
        dashes = text.count("-")
        return -(-dashes // 64) + 3 * (len(text) - dashes)


@pytest.mark.parametrize(("limit", "marker"), [(7_000, 3_000), (3_500, 3_000), (7_000, 5_000)])
def test_a_long_marker_leaves_all_the_room_beside_it(limit: int, marker: int) -> None:
    cut = truncate_text("a" * 60_000, limit, Characters(), TruncationPolicy(marker="m" * marker))
    assert len(cut) == limit


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("low", [0, 5, 5_000])
@pytest.mark.parametrize("edge", [1, 7, 300, 1_649, 2_500, 4_000])
def test_the_edge_of_a_cliff_is_found_exactly(
    edge: int, low: int, keep: Literal["head", "tail", "both"]
) -> None:
    policy = TruncationPolicy(keep=keep, marker="", min_tokens=0)
    assert len(truncate_text("x" * 9_000, max(low, 1), Cliff(edge, low), policy)) == edge


@pytest.mark.parametrize("keep", ["head", "tail"])
@pytest.mark.parametrize(("dashes", "limit"), [(10_000, 500), (5_000, 1_000), (20_000, 2_000)])
def test_a_jump_of_the_density_costs_little_of_the_allowance(
    dashes: int, limit: int, keep: Literal["head", "tail"]
) -> None:
    text = "-" * dashes + "가" * 20_000
    counter = Recording(Dashes())
    policy = TruncationPolicy(keep=keep, marker="")
    cut = truncate_text(text[:: 1 if keep == "head" else -1], limit, counter, policy)
    assert Dashes().count(cut) >= 0.98 * limit
    assert counter.characters - len(text) <= 16 * len(cut) + 4_096


def test_a_tail_sentence_begins_after_all_its_blanks() -> None:
    policy = TruncationPolicy(keep="tail", boundary="sentence", marker="|")
    assert truncate_text(".   c", 3, Characters(), policy) == "|c"


def test_any_share_above_zero_is_a_share() -> None:
    policy = TruncationPolicy(keep="both", head_share=5e-324, marker="~")
    assert truncate_text("abcdef", 3, Characters(), policy) == "~ef"


def test_both_ends_of_a_megabyte_of_flags_are_kept_whole() -> None:
    text = "\U0001f1e6" * 1_000_001
    cut = truncate_text(text, 1_001, Characters(), TruncationPolicy(keep="both", marker="~"))
    head, _, tail = cut.partition("~")
    assert (len(head) % 2, len(tail) % 2) == (0, 1)  # the last flag letter stands alone
