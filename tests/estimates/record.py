"""Record what each text of ``corpus.jsonl`` really costs, in o200k_base and in cl100k_base.

A text is added as a line with any two counts; then the counts of all lines are written anew:

    pip install toktok-rs
    python tests/estimates/record.py

Running it twice changes nothing. The tests read the recorded counts and need no tokenizer.
"""

import json
from pathlib import Path
from typing import Final, TypedDict

import toktok  # type: ignore[import-untyped]

CORPUS: Final = Path(__file__).with_name("corpus.jsonl")


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


def count(texts: list[str], encoding: str) -> list[int]:
    """Return one count a text; the spelling of a control token counts as plain text."""
    counts: list[int] = toktok.batch_count(texts, encoding, threads=1, with_special=False)
    return counts


def main() -> None:
    """Count every text and write the corpus anew, one object a line."""
    rows = read_rows()
    texts = [row["text"] for row in rows]
    real = zip(rows, count(texts, "o200k_base"), count(texts, "cl100k_base"), strict=True)
    lines = [json.dumps(row | {"o200k": o, "cl100k": c}, ensure_ascii=False) for row, o, c in real]
    CORPUS.write_text("\n".join(lines) + "\n", "utf-8", newline="\n")


if __name__ == "__main__":
    main()
