r"""Runs of white space that tiktoken's regular expressions can't read.

From 999,999 blanks on, `\s+(?!\S)` runs out of stack: a panic. Such a run is one piece, all of
it at the end of the text, all but its last blank before anything else, and pieces are counted
by themselves: so it is cut out, and given to an encoding with the same vocabulary and an
expression without a look ahead.

In o200k and cl100k a run that a newline follows is taken with it by `\s*[\r\n]+` and needs no
help, and newlines in front are pieces of their own; in GPT-2's expression a newline is white
space like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Protocol

from .asking import Count

# Unicode's White_Space, which is what `\s` is to tiktoken, but for the two that end a line.
_BLANK = " \t\x0b\x0c\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_LONG = 500_000

BETWEEN_LINES = re.compile(f"(?<![{_BLANK}])[{_BLANK}]{{{_LONG},}}+(?![\r\n])")
ACROSS_LINES = re.compile(f"(?<![{_BLANK}\r\n])[{_BLANK}\r\n]{{{_LONG},}}+")


class Encoding(Protocol):
    """What is used of a tiktoken.Encoding; of one that tiktoken has no name for, the first."""

    name: str

    def encode_ordinary(self, text: str) -> list[int]:
        """Return the tokens of `text`, the spelling of a control token being plain text."""
        ...

    def encode_single_token(self, text_or_bytes: bytes) -> int:
        """Return the rank of one token."""
        ...

    def token_byte_values(self) -> list[bytes]:
        """Return all tokens but the control tokens."""
        ...


class MakeEncoding(Protocol):
    """The class tiktoken.Encoding."""

    def __call__(
        self,
        name: str,
        *,
        pat_str: str,
        mergeable_ranks: dict[bytes, int],
        special_tokens: dict[str, int],
    ) -> Encoding:
        """Return an encoding of a vocabulary."""
        ...


def counting_blanks(encoding: Encoding, make: MakeEncoding, runs: re.Pattern[str]) -> Count:
    """Return what counts by `encoding`, and long `runs` of blanks by another one that can."""

    @cache
    def blanks() -> Encoding:
        tokens = encoding.token_byte_values()
        ranks = {token: encoding.encode_single_token(token) for token in tokens}
        return make("blanks", pat_str=r"\s+", mergeable_ranks=ranks, special_tokens={})

    def count(text: str) -> int:
        if len(text) < _LONG:
            return len(encoding.encode_ordinary(text))
        return sum(
            len((blanks() if blank else encoding).encode_ordinary(part))
            for part, blank in _around(text, runs)
        )

    return count


def _around(text: str, runs: re.Pattern[str]) -> Iterator[tuple[str, bool]]:
    """Yield the text between long runs, and what of each run is one piece: (part, is blank)."""
    start = 0
    for run in runs.finditer(text):
        end = run.end() if run.end() == len(text) else run.end() - 1
        yield text[start : run.start()], False
        yield text[run.start() : end], True
        start = end
    yield text[start:], False
