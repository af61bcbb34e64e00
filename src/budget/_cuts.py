"""The cuts of one text: what is kept at its head and its tail, and what a marker costs.

Every cut has a head and a tail: `keep="head"` is a share of 1 for the head, "tail" one of 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice, zip_longest
from typing import NamedTuple

from .graphemes import REACH, Clusters

# From coarse to fine. Heads are searched backwards from the cut, in the reversed text, where a
# match ends at the boundary; tails forwards, where it ends at the boundary too.
FINER = {
    "line": ("line", "sentence", "word"),
    "sentence": ("sentence", "word"),
    "word": ("word",),
    "character": (),
}
_FULL_WIDTH_ENDS = "\u3002\uff01\uff1f"  # they end a sentence without a blank
_BEFORE_A_HEAD_ENDS = {
    "line": r"(?=\n)",
    "sentence": rf"(?<=\s)(?=[.!?…])|(?=[{_FULL_WIDTH_ENDS}])",
    "word": r"(?<=\s)",
}
_BEFORE_A_TAIL_BEGINS = {
    "line": r"(?<=\n)",
    "sentence": rf"[.!?…]\s+|[{_FULL_WIDTH_ENDS}]\s*",
    "word": r"(?<=\s)",
}
# A boundary keeps less, and can still cost more: then the next one is tried.
_TRIES = 3


class Cut(NamedTuple):
    """What is kept of a text: `[:head]` and `[tail:]`."""

    head: int
    tail: int


class Cuts:
    """All cuts of one text along one share, by the characters that they may keep."""

    __slots__ = ("clusters", "count", "frame", "marker", "read", "share", "text", "top")

    def __init__(self, text: str, share: float, marker: str, count: Callable[[str], int]) -> None:
        """Look at nothing yet; `count` measures an assembled text in tokens."""
        self.text = text
        self.top = len(text)
        self.share = share
        self.marker = marker
        self.frame = len(marker)
        self.read = 0
        self.count = count
        self.clusters = Clusters(text)

    def at(self, size: int) -> Cut:
        """Return the cut that keeps at most `size` characters and breaks none."""
        head = int(size * self.share)
        return Cut(self.clusters.before(head), self.clusters.after(self.top - (size - head)))

    def assembled(self, cut: Cut) -> str:
        """Return the text with the marker where something was removed."""
        return self.text[: cut.head] + self.marker + self.text[cut.tail :]

    def snapped(self, size: int) -> int:
        """Return the smallest size that gives the same cut as `size`."""
        cut = self.at(size)
        return max(self._reaching_head(cut.head), self._reaching_tail(cut.tail))

    def above(self, size: int) -> int:
        """Return the smallest size that gives a larger cut than `size`; `top` if none does."""
        cut = self.at(size)
        return min(
            self._reaching_head(self.clusters.after(cut.head + 1)),
            self._reaching_tail(self.clusters.before(cut.tail - 1)),
        )

    def cost(self, size: int) -> int:
        """Measure the assembled text, in tokens."""
        return self.measured(self.at(size))[1]

    def measured(self, cut: Cut) -> tuple[str, int]:
        """Return the assembled text and its count."""
        text = self.assembled(cut)
        self.read += len(text)
        return text, self.count(text)

    def coarser(self, size: int, boundary: str) -> Iterator[Cut]:
        """Yield the cut moved to coarser boundaries, the best first.

        A boundary counts only in the half of the kept part nearest the cut.
        """
        cut = self.at(size)
        heads = self._heads(cut.head, FINER[boundary])
        tails = self._tails(cut.tail, FINER[boundary])
        for head, tail in islice(zip_longest(heads, tails), _TRIES):
            yield Cut(cut.head if head is None else head, cut.tail if tail is None else tail)

    def _reaching_head(self, head: int) -> int:
        if head == 0:
            return 0
        if head > self.top * self.share:
            return self.top
        size = max(int(head / self.share) - 1, 1)
        while size < self.top and int(size * self.share) < head:
            size += 1
        return size

    def _reaching_tail(self, tail: int) -> int:
        kept = self.top - tail
        if kept == 0:
            return 0
        if kept - 1 >= self.top * (1 - self.share):
            return self.top
        size = max(int((kept - 1) / (1 - self.share)) - 1, 1)
        while size < self.top and size - int(size * self.share) < kept:
            size += 1
        return size

    def _heads(self, head: int, boundaries: tuple[str, ...]) -> Iterator[int]:
        # One character beyond the cut is looked at: a word ends before a blank.
        window = self.text[(head + 1) // 2 - 1 : head + 1][::-1] if head else ""
        for name in boundaries:
            for match in re.finditer(_BEFORE_A_HEAD_ENDS[name], window):
                place = head + 1 - match.end()
                if 2 * place >= head >= place and self.clusters.is_boundary(place):
                    yield place

    def _tails(self, tail: int, boundaries: tuple[str, ...]) -> Iterator[int]:
        if tail == self.top or not boundaries:
            return
        last = tail + (self.top - tail) // 2
        start = self._sentence_end_before(tail)
        for name in boundaries:
            for match in re.compile(_BEFORE_A_TAIL_BEGINS[name]).finditer(self.text, start):
                if match.end() > last:
                    break
                if match.end() >= tail and self.clusters.is_boundary(match.end()):
                    yield match.end()

    def _sentence_end_before(self, tail: int) -> int:
        """Return where a sentence may end whose blanks reach up to `tail`."""
        lowest = max(tail - REACH, 0)
        return max(lowest + len(self.text[lowest:tail].rstrip()) - 1, 0)
