"""The texts of `corpus.jsonl`, and what two tokenizers really count for each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypedDict

CORPUS = Path(__file__).with_name("corpus.jsonl")


class Row(TypedDict):
    """One line of the corpus: a text, its kind and its two counts."""

    kind: str
    text: str
    o200k: int
    cl100k: int


def read_rows() -> list[Row]:
    """Return the lines of the corpus, in their order."""
    # No splitlines(): a text may hold a line separator that JSON leaves as it is.
    return [json.loads(line) for line in CORPUS.read_text("utf-8").split("\n") if line]
