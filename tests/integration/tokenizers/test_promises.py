"""The promises of the library with each real tokenizer, judged by that tokenizer itself."""

from __future__ import annotations

from functools import cache
from typing import Literal

import pytest

from budget import (
    BudgetItem,
    FittedItem,
    OverflowAction,
    TruncationPolicy,
    apply_overflow,
    truncate_text,
)
from tests.counters import Recording
from tests.integration.tokenizers.adapters import ITEMS, TEXTS, Adapter

SIZES = {"10 kB": 10_000, "1 MB": 1_000_000, "20 MB": 20_000_000}
KEEPS: tuple[Literal["head", "tail", "both"], ...] = ("head", "tail", "both")
LIMIT = 8_000


@cache
def text_of(size: str) -> str:
    whole = "\n\n".join(TEXTS)
    return (whole * (SIZES[size] // len(whole) + 1))[: SIZES[size]]


class _Decided(Recording):
    """Knows that the text doesn't fit, and records what else is asked."""

    def count_within(self, text: str, limit: int, /) -> int | None:
        del text, limit
        return None


@pytest.mark.parametrize("size", SIZES)
def test_a_cut_is_hard_tight_and_cheap(each: Adapter, size: str) -> None:
    text = text_of(size)
    limit = LIMIT if size != "10 kB" else each.itself(text) // 2
    for keep in KEEPS:
        counter = _Decided(each.counter)
        cut = truncate_text(text, limit, counter, TruncationPolicy(keep=keep))
        assert 0.98 * limit <= each.itself(cut) <= limit
        assert len(counter.texts) <= 40
        assert counter.characters <= 16 * len(cut) + 4_096


@pytest.mark.parametrize("action", [OverflowAction.DROP, OverflowAction.TRUNCATE])
@pytest.mark.parametrize("limit", [6_000, LIMIT])
@pytest.mark.parametrize("separator", ["", "\n", "\n\n---\n\n"])
def test_what_is_joined_and_sent_fits(
    each: Adapter, separator: str, limit: int, action: OverflowAction
) -> None:
    result = apply_overflow(ITEMS, limit, action, each.counter, separator=separator)
    assert result.rendered == separator.join(kept.text for kept in result.kept)
    assert each.itself(result.rendered) == result.total_tokens <= limit


def _tagged(kept: tuple[FittedItem, ...]) -> str:
    return "".join(f"<{f.kind} id={f.item_id}>\n{f.text}\n</{f.kind}>\n" for f in kept)


@pytest.mark.parametrize("limit", [6_000, LIMIT])
def test_what_is_rendered_and_sent_fits(each: Adapter, limit: int) -> None:
    result = apply_overflow(ITEMS, limit, OverflowAction.TRUNCATE, each.counter, render=_tagged)
    assert result.rendered == _tagged(result.kept)
    assert each.itself(result.rendered) == result.total_tokens <= limit


def test_the_sum_of_what_is_kept_fits(each: Adapter) -> None:
    items = [BudgetItem(str(at), "documents", text, at) for at, text in enumerate(TEXTS)]
    result = apply_overflow(items, LIMIT, OverflowAction.TRUNCATE, each.counter)
    assert [each.itself(kept.text) for kept in result.kept] == [f.tokens for f in result.kept]
    assert 0.98 * LIMIT <= result.total_tokens <= LIMIT
