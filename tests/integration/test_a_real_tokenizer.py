"""The promises with a real tokenizer, whose counts neither add up nor only grow."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import toktok  # type: ignore[import-untyped]

from budget import BudgetItem, OverflowAction, TruncationPolicy, apply_overflow, truncate_text
from tests.estimates.corpus import read_rows

TURN = Path(__file__).parents[2] / "docs" / "examples" / "agent-turn.jsonl"
ITEMS = [BudgetItem(**json.loads(line)) for line in TURN.read_text("utf-8").splitlines()]
PROSE = "\n\n".join(row["text"] for row in read_rows() if row["kind"] in {"prose-en", "python"})
MIXED = "\n\n".join(row["text"] for row in read_rows())
TEXTS = {
    "10 kB": PROSE[:10_000],
    "1 MB": (MIXED * 12)[:1_000_000],
    "20 MB": (MIXED * 230)[:20_000_000],
}
KEEPS = ("head", "tail", "both")


@dataclass(slots=True)
class O200k:
    """Counts by o200k_base, and records how often and how much."""

    calls: int = 0
    characters: int = 0
    counted: dict[str, int] = field(default_factory=dict)

    def count(self, text: str, /) -> int:
        self.calls += 1
        self.characters += len(text)
        if text not in self.counted:
            found: list[int] = toktok.batch_count([text], "o200k_base", threads=1)
            self.counted[text] = found[0]
        return self.counted[text]


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("limit", [200, 1_000, 8_000])
@pytest.mark.parametrize("size", TEXTS)
def test_a_cut_is_tight_hard_and_cheap(size: str, limit: int, keep: str) -> None:
    text, counter = TEXTS[size], O200k()
    if counter.count(text) <= limit:
        limit = counter.count(text) // 2
    counter.calls = counter.characters = 0
    cut = truncate_text(text, limit, counter, TruncationPolicy(keep=keep))  # type: ignore[arg-type]
    calls, characters = counter.calls - 1, counter.characters - len(text)
    assert 0.98 * limit <= O200k().count(cut) <= limit
    assert calls <= 40
    assert characters <= 16 * (len(cut) - 1) + 4_096


@pytest.mark.parametrize("action", [OverflowAction.DROP, OverflowAction.TRUNCATE])
@pytest.mark.parametrize("limit", [2_000, 5_000, 8_000, 12_000])
@pytest.mark.parametrize("separator", ["", "\n", "\n\n", "\n\n---\n\n"])
def test_what_is_sent_fits(separator: str, limit: int, action: OverflowAction) -> None:
    result = apply_overflow(ITEMS, limit, action, O200k(), separator=separator)
    assert result.rendered == separator.join(kept.text for kept in result.kept)
    assert O200k().count(result.rendered) == result.total_tokens <= limit


def test_a_rendered_prompt_fits_with_its_tags() -> None:
    result = apply_overflow(
        ITEMS,
        8_000,
        OverflowAction.TRUNCATE,
        O200k(),
        render=lambda kept: "".join(
            f"<{f.kind} id={f.item_id}>\n{f.text}\n</{f.kind}>\n" for f in kept
        ),
    )
    assert result.rendered is not None
    assert 7_900 <= O200k().count(result.rendered) <= 8_000


def test_a_spelled_control_token_is_text() -> None:
    assert O200k().count("<|endoftext|>") > 1
