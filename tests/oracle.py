"""Which items survive, in sums, in the plainest way: try everything, take the first that holds.

Nothing here is shared with the package but its data types. Only legal input is understood.
"""

from collections.abc import Sequence
from typing import Literal

from budget import (
    BudgetItem,
    BudgetOverflowError,
    Diagnostic,
    FittedItem,
    OverflowAction,
    OverflowResult,
    TokenCounter,
    TruncationPolicy,
)
from tests.oracle_cut import DEFAULT, boundaries, oracle_cut, oracle_truncate

__all__ = ["boundaries", "oracle_apply", "oracle_cut", "oracle_survival", "oracle_truncate"]


def oracle_apply(
    items: Sequence[BudgetItem],
    limit: int,
    action: OverflowAction,
    counter: TokenCounter,
    truncation: TruncationPolicy | None = None,
) -> OverflowResult:
    """Return what the ten rules leave of the items.

    Raises:
        BudgetOverflowError: If pinned content is over the limit, or anything is under FAIL.
    """
    costs = {item.item_id: counter.count(item.text) for item in items}
    if sum(costs.values()) <= limit:
        return _result(items, limit, [_whole(item, costs) for item in items], ())
    _refuse(items, limit, action, costs)
    survivors, boundary = _longest_prefix(items, limit, costs)
    kept = [_whole(item, costs) for item in survivors]
    before = costs[boundary.item_id]
    loss: Literal["over", "no-cut", "too-small"] = "over"
    if action is OverflowAction.TRUNCATE:
        room = limit - sum(costs[item.item_id] for item in survivors)
        cut = oracle_cut(boundary.text, room, counter, truncation or DEFAULT)
        if not isinstance(cut, str):
            text, tokens = cut
            kept.append(FittedItem(boundary, text, tokens, truncated=True))
            entry = Diagnostic(boundary.item_id, "truncate", before, tokens, "cut")
            return _result(items, limit, kept, (entry,))
        loss = cut
    entry = Diagnostic(boundary.item_id, "drop", before, 0, loss)
    return _result(items, limit, kept, (entry,))


def oracle_survival(items: Sequence[BudgetItem], counter: TokenCounter) -> dict[str, int]:
    """Return the smallest limit, of all there are, at which DROP keeps each item whole."""
    smallest: dict[str, int] = {}
    for limit in range(sum(counter.count(item.text) for item in items) + 1):
        try:
            result = oracle_apply(items, limit, OverflowAction.DROP, counter)
        except BudgetOverflowError:
            continue
        for fitted in result.kept:
            smallest.setdefault(fitted.item_id, limit)
    return smallest


def _rank(item: BudgetItem) -> tuple[int, str]:
    return item.order, item.item_id


def _whole(item: BudgetItem, costs: dict[str, int]) -> FittedItem:
    return FittedItem(item, item.text, costs[item.item_id])


def _refuse(
    items: Sequence[BudgetItem], limit: int, action: OverflowAction, costs: dict[str, int]
) -> None:
    pinned = sorted((item for item in items if item.pinned), key=_rank)
    needed = sum(costs[item.item_id] for item in pinned)
    if needed > limit:
        ids = [item.item_id for item in sorted(pinned, key=lambda item: -costs[item.item_id])]
        raise BudgetOverflowError(needed, limit, action, tuple(ids))
    if action is OverflowAction.FAIL:
        raise BudgetOverflowError(sum(costs.values()), limit, action, ())


def _longest_prefix(
    items: Sequence[BudgetItem], limit: int, costs: dict[str, int]
) -> tuple[list[BudgetItem], BudgetItem]:
    pinned = [item for item in items if item.pinned]
    unpinned = sorted((item for item in items if not item.pinned), key=_rank)
    for size in range(len(unpinned) - 1, -1, -1):
        survivors = pinned + unpinned[:size]
        if sum(costs[item.item_id] for item in survivors) <= limit:
            return survivors, unpinned[size]
    raise AssertionError


def _result(
    items: Sequence[BudgetItem],
    limit: int,
    kept: Sequence[FittedItem],
    diagnostics: tuple[Diagnostic, ...],
) -> OverflowResult:
    by_id = {fitted.item_id: fitted for fitted in kept}
    return OverflowResult(
        kept=tuple(by_id[item.item_id] for item in items if item.item_id in by_id),
        limit=limit,
        total_tokens=sum(fitted.tokens for fitted in kept),
        dropped=tuple(item.item_id for item in items if item.item_id not in by_id),
        overflowed=bool(diagnostics),
        diagnostics=diagnostics,
    )
