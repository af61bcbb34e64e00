"""Calls whose measure is one string: what joins the texts, and limits around what it costs."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from hypothesis import assume
from hypothesis import strategies as st

from budget import BudgetItem, FittedItem, TokenCounter
from tests.strategies import COUNTERS, Case, Render, cases, overflowing

SEPARATORS: Final = ("", "\n", "\n\n", " ", "--", "\u0301")


def tagged(kept: tuple[FittedItem, ...]) -> str:
    """Each text between tags: a frame that grows with the items."""
    return "".join(f"<{fitted.item_id}>{fitted.text}</{fitted.item_id}>" for fitted in kept)


def headed(kept: tuple[FittedItem, ...]) -> str:
    """A heading before them all: a frame that is paid once."""
    return "# Notes\n" + "\n".join(fitted.text for fitted in kept)


def waning(kept: tuple[FittedItem, ...]) -> str:
    """More items make less of it: a measure that no sum foretells."""
    return "." * (24 // len(kept))


def joiner(separator: str) -> Render:
    """Return the render that a separator stands for."""
    return lambda kept: separator.join(fitted.text for fitted in kept)


def render_of(case: Case) -> Render:
    """Return what the case measures."""
    return case.render or joiner(case.separator or "")


def size_of(case: Case, kept: Iterable[BudgetItem]) -> int:
    """Return what these items cost as they would be sent, whole."""
    ids = {item.item_id for item in kept}
    whole = tuple(
        FittedItem(item, item.text, case.counter.count(item.text))
        for item in case.items
        if item.item_id in ids
    )
    return case.counter.count(render_of(case)(whole)) if whole else 0


def prefixes(items: Sequence[BudgetItem]) -> list[list[BudgetItem]]:
    """Return the pinned items, then those and one more at a time, in total order."""
    ranked = sorted(items, key=lambda item: (not item.pinned, item.order, item.item_id))
    pinned = sum(item.pinned for item in items)
    return [ranked[:size] for size in range(pinned, len(ranked) + 1)]


@st.composite
def joined(
    draw: st.DrawFn,
    among: st.SearchStrategy[TokenCounter] = COUNTERS,
    renders: tuple[Render, ...] = (tagged, headed, waning),
) -> Case:
    """Draw any call with a separator or a render, most of them near where it overflows."""
    case = _with_join(draw, draw(cases(among)), renders)
    size = draw(st.sampled_from([size_of(case, prefix) for prefix in prefixes(case.items)]))
    return replace(case, limit=max(size + draw(st.integers(-4, 4)), 0))


@st.composite
def losing(draw: st.DrawFn) -> Case:
    """Draw calls with a separator or a render that measure the whole and lose some of it."""
    case = _with_join(draw, draw(overflowing()), (tagged, headed, waning))
    costs = [case.counter.count(item.text) for item in case.items]
    steps = [size_of(case, prefix) for prefix in prefixes(case.items)]
    lowest, highest = max(steps[0], -(-sum(costs) // 4)), steps[-1] - 1
    assume(lowest <= highest)
    near = draw(st.sampled_from(steps)) + draw(st.integers(-4, 4))
    return replace(case, limit=min(max(near, lowest), highest))


def _with_join(draw: st.DrawFn, case: Case, renders: tuple[Render, ...]) -> Case:
    if draw(st.sampled_from((True, False))):
        return replace(case, separator=draw(st.sampled_from(SEPARATORS)))
    return replace(case, render=draw(st.sampled_from(renders)))
