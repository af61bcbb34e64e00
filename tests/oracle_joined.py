"""What survives when one string is measured: every prefix is joined and counted, longest first.

Exact only for additive counters and for renders that hold every text: there no shorter prefix
can be over where a longer one fits, and no sum is more than what is sent.
"""

from collections.abc import Sequence
from typing import Literal

from budget import BudgetItem, BudgetOverflowError, Diagnostic, FittedItem, OverflowAction
from budget import OverflowResult as Result
from tests.joined import prefixes, render_of, size_of
from tests.oracle_cut import DEFAULT, oracle_cut
from tests.strategies import Case

TRIES = 4
Loss = Literal["no-cut", "too-small"]


def oracle_joined(case: Case) -> Result:
    """Return what is left, by brute force.

    Raises:
        BudgetOverflowError: If pinned content is over the limit, or anything is under FAIL.
    """
    costs = {item.item_id: case.counter.count(item.text) for item in case.items}
    if sum(costs.values()) <= 4 * case.limit and size_of(case, case.items) <= case.limit:
        return _result(case, [_whole(item, costs) for item in case.items], ())
    _refuse(case, costs)
    steps = prefixes(case.items)
    longest = max(n for n, step in enumerate(steps) if size_of(case, step) <= case.limit)
    boundary = steps[longest + 1][-1]
    kept = [_whole(item, costs) for item in steps[longest]]
    before = costs[boundary.item_id]
    if case.action is OverflowAction.DROP:
        entry = Diagnostic(boundary.item_id, "drop", before, 0, "over")
        return _result(case, kept, (entry,))
    cut = _cut(case, kept, boundary)
    if isinstance(cut, FittedItem):
        entry = Diagnostic(boundary.item_id, "truncate", before, cut.tokens, "cut")
        return _result(case, [*kept, cut], (entry,))
    return _result(case, kept, (Diagnostic(boundary.item_id, "drop", before, 0, cut),))


def _cut(case: Case, kept: Sequence[FittedItem], boundary: BudgetItem) -> FittedItem | Loss:
    """Cut to what is left; while the whole is over, to less by what it is over."""
    left = case.limit - _measured(case, kept)
    for _ in range(TRIES):
        cut = oracle_cut(boundary.text, left, case.counter, case.truncation or DEFAULT)
        if isinstance(cut, str):
            return cut
        fitted = FittedItem(boundary, *cut, truncated=True)
        over = _measured(case, [*kept, fitted]) - case.limit
        if over <= 0:
            return fitted
        left = fitted.tokens - over
    return "no-cut"


def _refuse(case: Case, costs: dict[str, int]) -> None:
    pinned = [item for item in prefixes(case.items)[0] if item.pinned]
    total, far = sum(costs[item.item_id] for item in pinned), 4 * case.limit
    needed = total if total > far else size_of(case, pinned)
    if needed > case.limit:
        largest = sorted(pinned, key=lambda item: -costs[item.item_id])
        ids = tuple(item.item_id for item in largest)
        raise BudgetOverflowError(needed, case.limit, case.action, ids)
    if case.action is OverflowAction.FAIL:
        total = sum(costs.values())
        needed = total if total > far else size_of(case, case.items)
        raise BudgetOverflowError(needed, case.limit, case.action)


def _whole(item: BudgetItem, costs: dict[str, int]) -> FittedItem:
    return FittedItem(item, item.text, costs[item.item_id])


def _arranged(case: Case, kept: Sequence[FittedItem]) -> tuple[FittedItem, ...]:
    by_id = {fitted.item_id: fitted for fitted in kept}
    return tuple(by_id[item.item_id] for item in case.items if item.item_id in by_id)


def _measured(case: Case, kept: Sequence[FittedItem]) -> int:
    return case.counter.count(_text(case, kept)) if kept else 0


def _text(case: Case, kept: Sequence[FittedItem]) -> str:
    return render_of(case)(_arranged(case, kept)) if kept else ""


def _result(case: Case, kept: Sequence[FittedItem], diagnostics: tuple[Diagnostic, ...]) -> Result:
    ids = {fitted.item_id for fitted in kept}
    return Result(
        kept=_arranged(case, kept),
        limit=case.limit,
        total_tokens=_measured(case, kept),
        dropped=tuple(item.item_id for item in case.items if item.item_id not in ids),
        overflowed=bool(diagnostics),
        diagnostics=diagnostics,
        rendered=_text(case, kept),
    )
