"""How much of the allowance a cut uses, for counters that never shrink as a text grows."""

from typing import Final

from hypothesis import assume, given
from hypothesis import strategies as st

from budget import TokenCounter, TruncationPolicy
from tests.strategies import STEADY, TextCase

EXACT: Final = 4_096
# Each is one character to a reader, whatever stands beside it: all places are boundaries.
SINGLES: Final = ("a", "b", "word", ".", " ", "  ", "\n", "é", "。", "\U0001f600", "\ud55c")


@st.composite
def plain(draw: st.DrawFn, smallest: int, largest: int) -> TextCase:
    """Draw a long text without clusters, and a limit with room for about so many characters."""
    pieces = st.lists(st.sampled_from(SINGLES), min_size=1, max_size=6).map("".join)
    blocks = st.tuples(pieces, st.sampled_from((3, 100, 1_000)))
    text = "".join(block * times for block, times in draw(st.lists(blocks, max_size=4)))
    text += draw(pieces) * 6_000
    counter: TokenCounter = draw(STEADY)
    policy = TruncationPolicy(
        keep=draw(st.sampled_from(("head", "tail", "both"))),
        marker=draw(st.sampled_from(("", "…", "[cut]"))),
        min_tokens=0,
        head_share=draw(st.sampled_from((0.0, 0.25, 0.5, 0.6, 1.0))),
    )
    size = draw(st.integers(smallest, min(largest, len(text) - 1)))
    limit = counter.count(text[:size] if policy.keep == "head" else text[-size:])
    assume(0 < limit < counter.count(text))
    return TextCase(text, limit, counter, policy)


def assembled(case: TextCase, size: int) -> str:
    """Return the text of which `size` characters are kept."""
    policy, text = case.truncation, case.text
    head = int(size * {"head": 1.0, "tail": 0.0, "both": policy.head_share}[policy.keep])
    return text[:head] + policy.marker + text[len(text) - (size - head) :]


def kept(case: TextCase) -> int:
    """Return how many characters of the text the cut keeps."""
    cut = case.cut()
    return len(cut) - len(case.truncation.marker) if cut else 0


@given(plain(1, EXACT))
def test_no_further_character_would_have_fitted(case: TextCase) -> None:
    assume(kept(case) <= EXACT)
    assert case.counter.count(assembled(case, kept(case) + 1)) > case.limit


@given(plain(1, 8_000))
def test_a_cut_along_the_line_is_what_is_returned(case: TextCase) -> None:
    assert case.cut() == (assembled(case, kept(case)) if kept(case) else "")


@given(plain(EXACT, 40_000))
def test_a_large_cut_uses_nearly_all_of_the_allowance(case: TextCase) -> None:
    assume(kept(case) > EXACT)
    assert 100 * case.counter.count(case.cut()) >= 99 * case.limit
