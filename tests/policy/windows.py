"""Windows to draw: a few lines, floors and limits where things happen, content around them."""

from dataclasses import dataclass, replace
from typing import Final

from hypothesis import assume
from hypothesis import strategies as st

from budget import (
    BudgetItem,
    BudgetLine,
    BudgetPolicy,
    FittedItem,
    OverflowAction,
    OverflowResult,
    PolicyResult,
    TokenCounter,
    TruncationPolicy,
    apply_policy,
)
from tests.joined import SEPARATORS, headed, joiner, tagged, waning
from tests.policy.oracle import cost, held_by, pins
from tests.strategies import COUNTERS, Render

KINDS: Final = ("memory", "documents", "notes", "tools")
LOSSY: Final = (OverflowAction.DROP, OverflowAction.TRUNCATE)
ALL: Final = (*LOSSY * 3, OverflowAction.FAIL)
TEXTS: Final = st.text("ab\u0301 .\n", max_size=14)
CUTS: Final = (
    None,
    TruncationPolicy(marker=""),
    TruncationPolicy(keep="both", boundary="word", marker="~~"),
    TruncationPolicy(keep="tail", boundary="line", min_tokens=3, quantum=2),
)


@dataclass(frozen=True)
class Window:
    """The arguments of one call."""

    items: tuple[BudgetItem, ...]
    policy: BudgetPolicy
    counter: TokenCounter
    separator: str | None = None
    render: Render | None = None

    def apply(self) -> PolicyResult:
        """Make the call."""
        return apply_policy(
            self.items, self.policy, self.counter, separator=self.separator, render=self.render
        )

    @property
    def join(self) -> Render:
        """What the whole is sent as."""
        return self.render or joiner(self.separator or "")

    def held(self) -> list[tuple[BudgetLine, list[BudgetItem], OverflowResult]]:
        """Return each line, its items and its result."""
        results = [result for _, result in self.apply().lines]
        return [
            (line, held_by(line, self.items, self.policy), result)
            for line, result in zip(self.policy.lines, results, strict=True)
        ]


@st.composite
def windows(
    draw: st.DrawFn,
    among: st.SearchStrategy[TokenCounter] = COUNTERS,
    actions: tuple[OverflowAction, ...] = ALL,
) -> Window:
    """Draw any call: also those that fit, and those that raise."""
    counter = draw(among)
    kinds = draw(st.lists(st.sampled_from((*KINDS, "*")), min_size=1, max_size=4, unique=True))
    items = draw(_items(KINDS if "*" in kinds else tuple(kinds)))
    costs = sorted({0, 1, *(counter.count(item.text) for item in items)})
    total = cost(items, counter)
    limit = draw(st.sampled_from((total, total - 1, total * 3 // 4, total // 2, total // 4)))
    reserved = draw(st.sampled_from((0, 0, 3)))
    available = max(limit, 0)
    lines, spare = [], available
    for kind in kinds:
        line = draw(_lines(kind, costs, spare, actions))
        lines.append(line)
        spare -= line.floor
    reserved = reserved if available else 0
    return Window(
        items, BudgetPolicy(available + reserved, tuple(lines), reserved=reserved), counter
    )


@st.composite
def holding(draw: st.DrawFn, among: st.SearchStrategy[TokenCounter] = COUNTERS) -> Window:
    """Draw calls that return: nothing fails and all that is pinned fits; most lose something."""
    window = draw(windows(among, LOSSY))
    policy, counter = window.policy, window.counter
    assume(cost(pins(window.items), counter) <= policy.available)
    for line in policy.lines:
        pinned = cost(pins(held_by(line, window.items, policy)), counter)
        assume(line.limit is None or pinned <= line.limit)
    return window


@st.composite
def sent(draw: st.DrawFn, among: st.SearchStrategy[TokenCounter] = COUNTERS) -> Window:
    """Draw calls with a separator or a render."""
    window = draw(windows(among))
    if draw(st.booleans()):
        return replace(window, separator=draw(st.sampled_from(SEPARATORS)))
    return replace(window, render=draw(st.sampled_from((tagged, headed, waning))))


@st.composite
def _items(draw: st.DrawFn, kinds: tuple[str, ...]) -> tuple[BudgetItem, ...]:
    ids = draw(
        st.lists(st.text("ab1", min_size=1, max_size=3), min_size=2, max_size=8, unique=True)
    )
    return tuple(
        BudgetItem(
            item_id=item_id,
            kind=draw(st.sampled_from(kinds)),
            text=draw(TEXTS),
            order=draw(st.integers(-1, 2)),
            pinned=draw(st.sampled_from((False,) * 9 + (True,))),
        )
        for item_id in ids
    )


@st.composite
def _lines(
    draw: st.DrawFn, kind: str, costs: list[int], spare: int, actions: tuple[OverflowAction, ...]
) -> BudgetLine:
    limit = draw(st.sampled_from((None, None, None, 3, 8, *costs[-2:])))
    most = spare if limit is None else min(spare, limit)
    return BudgetLine(
        kind,
        draw(st.sampled_from(actions)),
        limit=limit,
        floor=min(draw(st.sampled_from((0, 1, 3, 8))), most),
        weight=draw(st.sampled_from((None, None, 1, 1, 2, 3, 7))),
        truncation=draw(st.sampled_from(CUTS)),
    )


def kept_ids(result: PolicyResult | OverflowResult) -> set[str]:
    """Return the ids of what survives, whole or cut."""
    return {fitted.item_id for fitted in result.kept}


def tokens(kept: tuple[FittedItem, ...], counter: TokenCounter) -> int:
    """Count again what was kept."""
    return sum(counter.count(fitted.text) for fitted in kept)
