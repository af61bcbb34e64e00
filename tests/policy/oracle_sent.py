"""A window that is measured as it is sent, in the plainest way: the rounds of the pseudo-code."""

from collections.abc import Callable, Sequence

from budget import (
    BudgetLine,
    BudgetOverflowError,
    BudgetPolicy,
    Diagnostic,
    FittedItem,
    OverflowAction,
    OverflowResult,
    PolicyResult,
    TokenCounter,
)
from tests.policy.oracle import (
    Items,
    arranged,
    cost,
    held_by,
    holders,
    merged,
    oracle_plan,
    over,
    pins,
    refuse_pinned,
    whole,
)

Join = Callable[[tuple[FittedItem, ...]], str]


def oracle_sent(
    items: Items, policy: BudgetPolicy, counter: TokenCounter, join: Join
) -> PolicyResult:
    """Return what the rounds leave of the items, all of them measured as they are sent.

    Raises:
        BudgetOverflowError: If pinned content is over, or a line that fails.
    """
    available, pinned = policy.limit - policy.reserved, pins(items)
    refuse_pinned(items, policy, counter, available)
    least, within = cost(pinned, counter), available
    alone = _sent(items, [whole(item, counter) for item in pinned], counter, join)
    sent = alone
    for turn in range(18):
        try:
            results = oracle_plan(items, policy, counter, within)
        except BudgetOverflowError:
            _refuse_alone(items, policy, counter, alone[1])
            raise
        kept = [fitted for result in results for fitted in result.kept]
        sent = _sent(items, kept, counter, join)
        if sent[1] <= available:
            return merged(items, policy, results, sent)
        if within == least:
            break
        used, size = sum(result.total_tokens for result in results), sent[1]
        steps = [min(used * available // size, used - 1)] * 8 + [used - (size - available)] * 8
        within = max([*steps, 0][turn], least)
    _refuse_alone(items, policy, counter, alone[1])
    results = [_bare(line, items, policy, counter, sent[1]) for line in policy.lines]
    return merged(items, policy, results, alone)


def _refuse_alone(items: Items, policy: BudgetPolicy, counter: TokenCounter, size: int) -> None:
    available = policy.limit - policy.reserved
    if size > available:
        raise over(holders(items, policy), pins(items), counter, size, available) from None


def _bare(
    line: BudgetLine, items: Items, policy: BudgetPolicy, counter: TokenCounter, size: int
) -> OverflowResult:
    held = held_by(line, items, policy)
    pinned = pins(held)
    needed = cost(pinned, counter)
    lost = sorted((i for i in held if not i.pinned), key=lambda i: (i.order, i.item_id))
    if lost and line.action is OverflowAction.FAIL:
        limit = policy.limit - policy.reserved
        error = BudgetOverflowError(size, limit, line.action)
        error.lines = (line.kind,)
        raise error
    dropped = line.action is OverflowAction.DROP
    why = [
        Diagnostic(i.item_id, "drop", cost([i], counter), 0, "over" if dropped else "no-cut")
        for i in lost[:1]
    ]
    return OverflowResult(
        kept=tuple(whole(item, counter) for item in pinned),
        limit=needed,
        total_tokens=needed,
        dropped=tuple(item.item_id for item in held if not item.pinned),
        overflowed=bool(lost),
        diagnostics=tuple(why),
    )


def _sent(
    items: Items, kept: Sequence[FittedItem], counter: TokenCounter, join: Join
) -> tuple[str, int]:
    if not kept:
        return "", 0
    text = join(arranged(items, kept))
    return text, counter.count(text)
