"""Counters made to lead the search of a cut astray: the limit stays hard, the work bounded."""

from zlib import crc32

import pytest

from budget import TokenCounter, TruncationPolicy, truncate_text
from tests.counters import Recording

MILLION = 1_000_000
CALLS = 40
POLICIES = tuple(
    TruncationPolicy(keep=keep, boundary=boundary, min_tokens=0)
    for keep in ("head", "tail", "both")
    for boundary in ("character", "line")
)


class _Random:
    """No order at all, but the same answer for the same text."""

    def count(self, text: str, /) -> int:
        return crc32(text.encode("utf-8", "surrogatepass")) % 1_000


class _Contrary:
    """The longer, the cheaper."""

    def count(self, text: str, /) -> int:
        return max(2 * MILLION - len(text), 0)


class _Cliff:
    """Free up to a length, then beyond any limit."""

    def __init__(self, edge: int) -> None:
        self.edge = edge

    def count(self, text: str, /) -> int:
        return 0 if len(text) <= self.edge else 10**30


class _DearLines(_Cliff):
    """The same, and dear where a long text ends with a line."""

    def count(self, text: str, /) -> int:
        dear = text.endswith("\n") and 5 * len(text) > 3 * self.edge
        return 10**30 if dear else super().count(text)


class _Full:
    """Everything costs the same, too much."""

    def count(self, text: str, /) -> int:  # noqa: ARG002
        return 10**9


class _WholeOnly:
    """Only the whole text is dear."""

    def count(self, text: str, /) -> int:
        return 10**6 if len(text) == MILLION else 1


ADVERSARIES = {
    "random": _Random(),
    "contrary": _Contrary(),
    "cliff": _Cliff(3_333),
    "high cliff": _Cliff(700_000),
    "full": _Full(),
    "only the whole": _WholeOnly(),
}


@pytest.mark.parametrize(
    "policy", POLICIES, ids=[f"{policy.keep} {policy.boundary}" for policy in POLICIES]
)
@pytest.mark.parametrize("counter", ADVERSARIES.values(), ids=list(ADVERSARIES))
@pytest.mark.parametrize("limit", [1, 7, 500, 100_000])
def test_an_adversary_gets_a_hard_limit_and_bounded_work(
    policy: TruncationPolicy, counter: TokenCounter, limit: int
) -> None:
    recording = Recording(counter)
    cut = truncate_text("x" * MILLION, limit, recording, policy)
    probes = recording.texts[1:]
    assert cut == "" or counter.count(cut) <= limit
    assert len(probes) <= CALLS
    assert sum(map(len, probes)) <= 16 * len(cut) + 4_096


@pytest.mark.parametrize("edge", [5_000, 300_000])
def test_dear_boundaries_are_tried_no_longer_than_was_promised(edge: int) -> None:
    policy = TruncationPolicy(marker="", boundary="line", min_tokens=0)
    size = len(truncate_text("x" * MILLION, 1, _Cliff(edge), policy))
    text = bytearray(b"x" * MILLION)
    # Two dear lines shortly before the cut, a cheap one at half of it.
    for line_end in (size - 3, size - 4, size // 2 + 1):
        text[line_end - 1 : line_end] = b"\n"
    counter = Recording(_DearLines(edge))
    cut = truncate_text(text.decode(), 1, counter, policy)
    probes = counter.texts[1:]
    assert len(cut) in (size, size // 2 + 1)
    assert len(probes) <= CALLS
    assert sum(map(len, probes)) <= 16 * len(cut) + 4_096
