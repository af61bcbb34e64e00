r"""Where a text can be split so that its count is exactly the sum of its parts' counts.

A byte-level BPE tokenizer first cuts the text into pieces by a regular expression, each piece
the first match from where the last one ended, and counts every piece by itself. Counts add up
at a place i, count(t) = count(t[:i]) + count(t[i:]), if the pieces of t are those of t[:i]
followed by those of t[i:]. None of the expressions looks behind, so from i on this holds as
soon as a piece of t ends at i. It is left to show that none reaches across i, and that none
before i would end elsewhere if the text ended at i. Only `(?!\S)` and `$` look at what they
don't take, and they stand behind `\s+` alone.

A blank (space or tab) after anything but white space: in no alternative can a blank follow
such a character, it can only be the first of a piece. A run of white space that ends at i
doesn't exist, so nothing before i looks beyond it. This holds for all expressions named here.

A newline before anything but white space and "/": behind a newline an alternative takes more
white space, "\r", "\n" and, in o200k, "/", nothing else. A run of white space that ends at i
holds the newline before i, and ends there as one piece either way: in t by `\s*[\r\n]+`, which
comes before `\s+(?!\S)`, in t[:i] by the same or by `\s++$`. GPT-2's expression has no such
alternative, and there "\n\na" has two pieces before the letter and "\n\n" is one.

Lone surrogates become U+FFFD, which is no white space, and a pair of them doesn't meet a blank
or a newline in its middle: parts are made readable as the whole would be. Python's `\s` holds
all that `\s` holds in the tokenizers' expressions, so what isn't one here isn't one there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .asking import Count

# The text is split after the first character of a match.
AT_BLANKS = re.compile(r"\S[ \t]")
AT_BLANKS_AND_LINES = re.compile(r"\S[ \t]|\n[^\s/]")

# No token of tiktoken's vocabularies is longer, in bytes: `longest` where they count.
LONGEST = 128

# Characters. Half a prompt is read too much at worst, and a call costs next to nothing.
_PART = 4_096


def count_within(
    count: Count, text: str, limit: int, splits: re.Pattern[str], longest: int | None = None
) -> int | None:
    """Return the count if it is <= limit, else None, reading little more than shows that.

    Args:
        count: Called for parts of about 4,096 characters, from the start, until they are over.
        text: Where it can't be split, it is counted whole.
        limit: Tokens.
        splits: Where it can be split.
        longest: No token takes more characters than this; None: unknown.
    """
    if longest is not None and len(text) > limit * longest:
        return None
    total = 0
    for part in _parts(text, splits):
        total += count(part)
        if total > limit:
            return None
    return total


def _parts(text: str, splits: re.Pattern[str]) -> Iterator[str]:
    start = 0
    while match := splits.search(text, start + _PART):
        end = match.start() + 1
        yield text[start:end]
        start = end
    yield text[start:]
