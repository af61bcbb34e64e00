"""Record what each text of the corpus really costs, in o200k_base and in cl100k_base.

A text is added as a line with any two counts; then the counts of all lines are written anew:

    python -m tests.integration.record_counts

Running it twice changes nothing. The tests read the recorded counts and need no tokenizer.
"""

import json

import toktok  # type: ignore[import-untyped]

from tests.estimates.corpus import CORPUS, read_rows


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
