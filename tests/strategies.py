"""What properties draw from: a small alphabet full of blanks, and limits where things happen."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from typing import Final

from hypothesis import assume
from hypothesis import strategies as st

from budget import (
    BudgetItem,
    BudgetKind,
    FittedItem,
    OverflowAction,
    OverflowResult,
    TokenCounter,
    TruncationPolicy,
    apply_overflow,
    truncate_text,
)
from tests.counters import DIPPING, NEVER_SHRINKING

# Plain text comes more often than what is hard to cut, and every second piece of it has a blank.
PLAIN: Final = ("a", "b", "word", ".", "!", "。", "…", " ", "  ", " ", "\n", "\n\n", ". ", "? ")
HARD: Final = (
    "\uff1f",
    "\r\n",
    "\t",
    "\x00",
    "é",
    "e\u0301",
    "\u0308",
    "\u200d",
    "\ufe0f",
    "\u2764\ufe0f",
    "\U0001f600",
    "\U0001f468\U0001f3fd",
    "\U0001f468\u200d\U0001f469\u200d\U0001f466",
    "\U0001f1e9",
    "\U0001f1e9\U0001f1ea",
    "\u1112\u1161\u11ab",
    "\ud55c",
    "\u0915\u094d\u0937",
    "\u094d",
    "\ud83d\ude00",
    "\ud83d",
    "\ude00",
)


COUNTERS: Final[st.SearchStrategy[TokenCounter]] = st.sampled_from((*NEVER_SHRINKING, *DIPPING))
# For these, and only for these, the tightest cut is known.
STEADY: Final[st.SearchStrategy[TokenCounter]] = st.sampled_from(NEVER_SHRINKING)


# Strategies are made once: to make them anew for each draw takes longer than to draw.
@cache
def texts(max_pieces: int = 24) -> st.SearchStrategy[str]:
    """Draw texts in which a cut meets blanks, sentence ends, newlines and clusters."""
    few = st.lists(st.sampled_from(PLAIN + HARD), min_size=2, max_size=5, unique=True).map(tuple)
    alphabets = st.sampled_from((PLAIN * 4 + HARD, HARD + PLAIN)) | few
    sizes = st.sampled_from((0, 0, max_pieces // 3, max_pieces // 2))
    lists = st.tuples(alphabets, sizes).flatmap(lambda pair: _pieces(*pair, max_pieces))
    return lists.map("".join)


@cache
def _pieces(alphabet: tuple[str, ...], least: int, most: int) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(alphabet), min_size=least, max_size=most)


_IDS: Final = st.text("ab1", min_size=1, max_size=3)
_FIELDS: Final = st.tuples(
    st.sampled_from((*BudgetKind, "notes")),
    texts(12),
    st.integers(-1, 2),
    st.sampled_from((False, False, False, True)),
)


@cache
def items(max_size: int = 6) -> st.SearchStrategy[tuple[BudgetItem, ...]]:
    """Draw items with few orders, so that ids decide as well, and one in four pinned."""
    fields = st.tuples(_IDS, _FIELDS)
    drawn = st.lists(fields, max_size=max_size, unique_by=lambda pair: pair[0])
    return drawn.map(lambda pairs: tuple(BudgetItem(item_id, *rest) for item_id, rest in pairs))


@cache
def policies() -> st.SearchStrategy[TruncationPolicy]:
    """Draw over all options."""
    return st.builds(
        TruncationPolicy,
        keep=st.sampled_from(("head", "tail", "both")),
        boundary=st.sampled_from(("character", "word", "sentence", "line")),
        marker=st.sampled_from(("", "…", "[cut]", "~~")),
        min_tokens=st.sampled_from((0, 1, 0, 1, 1, 2, 4)),
        head_share=st.sampled_from((0.0, 0.25, 0.5, 0.6, 1.0)),
        quantum=st.sampled_from((1, 1, 1, 2, 3, 5)),
    )


Render = Callable[[tuple[FittedItem, ...]], str]


@dataclass(frozen=True)
class Case:
    """The arguments of one call."""

    items: tuple[BudgetItem, ...]
    limit: int
    action: OverflowAction
    counter: TokenCounter
    truncation: TruncationPolicy | None
    separator: str | None = None
    render: Render | None = None

    def apply(self) -> OverflowResult:
        """Make the call."""
        return apply_overflow(
            self.items,
            self.limit,
            self.action,
            self.counter,
            self.truncation,
            separator=self.separator,
            render=self.render,
        )


@dataclass(frozen=True)
class TextCase:
    """The arguments of one cut."""

    text: str
    limit: int
    counter: TokenCounter
    truncation: TruncationPolicy

    def cut(self) -> str:
        """Make the call."""
        return truncate_text(self.text, self.limit, self.counter, self.truncation)


@st.composite
def too_long(draw: st.DrawFn, among: st.SearchStrategy[TokenCounter] = COUNTERS) -> TextCase:
    """Draw texts that are over the limit, most of them with room for a part."""
    text, counter = draw(texts()), draw(among)
    needed = counter.count(text)
    assume(needed > 0)
    tight = st.integers(0, min(8, needed - 1))
    limit = draw(st.one_of(_between((0, needed)), st.integers(0, needed - 1), tight))
    return TextCase(text, limit, counter, draw(policies()))


@st.composite
def cases(draw: st.DrawFn, among: st.SearchStrategy[TokenCounter] = COUNTERS) -> Case:
    """Draw any call: also those that fit, and those that raise."""
    drawn, counter = draw(items()), draw(among)
    top = sum(counter.count(item.text) for item in drawn)
    limit = draw(st.integers(0, top + 2) | _near(_sums(drawn, counter), 0, top + 2))
    return _case(draw, drawn, limit, counter, tuple(OverflowAction))


@st.composite
def overflowing(draw: st.DrawFn, among: st.SearchStrategy[TokenCounter] = COUNTERS) -> Case:
    """Draw calls that are over the limit and return: DROP or TRUNCATE, the pinned part fits."""
    drawn, counter = draw(items()), draw(among)
    sums = _sums(drawn, counter)
    assume(sums[0] < sums[-1])
    limit = draw(st.one_of(_near(sums, sums[0], sums[-1] - 1), _between(sums), _between(sums)))
    actions = (OverflowAction.TRUNCATE, OverflowAction.DROP, OverflowAction.TRUNCATE)
    return _case(draw, drawn, limit, counter, actions)


@st.composite
def refused(draw: st.DrawFn, among: st.SearchStrategy[TokenCounter] = COUNTERS) -> Case:
    """Draw calls that raise: over the limit under FAIL, or pinned content over it alone."""
    drawn, counter = draw(items()), draw(among)
    sums = _sums(drawn, counter)
    assume(sums[-1] > 0)
    limit = draw(_near(sums, 0, sums[-1] - 1))
    actions = tuple(OverflowAction) if limit < sums[0] else (OverflowAction.FAIL,)
    return _case(draw, drawn, limit, counter, actions)


def _sums(drawn: Sequence[BudgetItem], counter: TokenCounter) -> list[int]:
    """The pinned total, then that with one unpinned item more at a time, in total order."""
    ranked = sorted(drawn, key=lambda item: (not item.pinned, item.order, item.item_id))
    costs = [counter.count(item.text) for item in ranked]
    pinned = sum(item.pinned for item in drawn)
    return list(accumulate(costs[pinned:], initial=sum(costs[:pinned])))


def _near(sums: Sequence[int], low: int, high: int) -> st.SearchStrategy[int]:
    """Limits at which one more item just fits or just doesn't."""
    steps = st.tuples(st.sampled_from(sums), st.integers(-2, 2))
    return steps.map(lambda pair: min(max(pair[0] + pair[1], low), high))


def _between(sums: Sequence[int]) -> st.SearchStrategy[int]:
    """Limits with room for a part of one item, from most of it to nothing."""
    pairs = [(before, after) for before, after in pairwise(sums) if before < after]
    shares = st.tuples(st.sampled_from(pairs), st.sampled_from(range(15, -1, -1)))
    return shares.map(lambda pair: pair[0][0] + (pair[0][1] - pair[0][0]) * pair[1] // 16)


def _case(
    draw: st.DrawFn,
    drawn: tuple[BudgetItem, ...],
    limit: int,
    counter: TokenCounter,
    actions: tuple[OverflowAction, ...],
) -> Case:
    declared = draw(st.sampled_from((True, True, True, True, False)))
    truncation = draw(policies()) if declared else None
    return Case(drawn, limit, draw(st.sampled_from(actions)), counter, truncation)
