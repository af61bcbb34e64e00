"""A window in the plainest way: all is counted first, then the pseudo-code, line by line.

What a line is within its grant is `apply_overflow`; its own oracle is another one.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from budget import (
    BudgetItem,
    BudgetLine,
    BudgetOverflowError,
    BudgetPolicy,
    FittedItem,
    OverflowResult,
    PolicyResult,
    TokenCounter,
    apply_overflow,
)

Items = Sequence[BudgetItem]
Plan = list[OverflowResult]


def oracle_policy(items: Items, policy: BudgetPolicy, counter: TokenCounter) -> PolicyResult:
    """Return what the pseudo-code leaves of the items.

    Raises:
        BudgetOverflowError: If pinned content is over, or a line that fails.
    """
    available = policy.limit - policy.reserved
    refuse_pinned(items, policy, counter, available)
    return merged(items, policy, oracle_plan(items, policy, counter, available))


def held_by(line: BudgetLine, items: Items, policy: BudgetPolicy) -> list[BudgetItem]:
    """Return the items that fall to a line."""
    own = {other.kind for other in policy.lines} - {"*"}
    return [i for i in items if i.kind == line.kind or (line.kind == "*" and i.kind not in own)]


def cost(items: Items, counter: TokenCounter) -> int:
    """Return the sum of counts."""
    return sum(counter.count(item.text) for item in items)


def pins(items: Items) -> list[BudgetItem]:
    """Return the pinned ones."""
    return [item for item in items if item.pinned]


def oracle_rights(
    items: Items, policy: BudgetPolicy, counter: TokenCounter, available: int
) -> list[int]:
    """Return what each line has a right to: pinned first, then floors, then order."""
    rights = []
    spare = available - cost(pins(items), counter)
    for line in policy.lines:
        held = held_by(line, items, policy)
        pinned = cost(pins(held), counter)
        wanted = min(line.floor, oracle_cap(line, available)) - pinned
        extra = max(min(wanted, spare, cost(held, counter) - pinned), 0)
        rights.append(pinned + extra)
        spare -= extra
    return rights


def oracle_cap(line: BudgetLine, available: int) -> int:
    """Return what a line may use at most."""
    return available if line.limit is None else min(line.limit, available)


def oracle_plan(items: Items, policy: BudgetPolicy, counter: TokenCounter, available: int) -> Plan:
    """Return the results of the lines, in the order declared."""
    rights = oracle_rights(items, policy, counter, available)
    first = [place for place, line in enumerate(policy.lines) if line.weight is None]
    then = [place for place, line in enumerate(policy.lines) if line.weight is not None]
    usable = [
        min(oracle_cap(line, available), cost(held_by(line, items, policy), counter))
        for line in policy.lines
    ]
    served: dict[int, OverflowResult] = {}
    left = available
    for place in first:
        others = sum(rights[p] for p in first + then if p not in served and p != place)
        grant = min(oracle_cap(policy.lines[place], available), left - others)
        served[place] = _fitted(policy.lines[place], items, policy, counter, grant)
        left -= served[place].total_tokens
    while then:
        grants = _fair(then, rights, left, usable, policy)
        place = then.pop(0)
        served[place] = _fitted(policy.lines[place], items, policy, counter, grants[0])
        left -= served[place].total_tokens
    return [served[place] for place in range(len(policy.lines))]


def _fair(
    places: list[int], rights: list[int], left: int, usable: list[int], policy: BudgetPolicy
) -> list[int]:
    lows, highs, weights = [], [], []
    for place in places:
        others = sum(rights[p] for p in places if p != place)
        lows.append(rights[place])
        highs.append(min(usable[place], left - others))
        weights.append(policy.lines[place].weight or 0)
    return oracle_shares(lows, highs, weights, left)


def oracle_shares(lows: list[int], highs: list[int], weights: list[int], room: int) -> list[int]:
    """Try every level at which somebody is at an end, or some of them fill what is left."""
    total = min(room, sum(highs))
    ends = list(zip(lows, highs, weights, strict=True))
    levels = {Fraction(end, weight) for low, high, weight in ends for end in (0, low, high)}
    for states in product(("low", "high", "between"), repeat=len(ends)):
        rows = list(zip(states, ends, strict=True))
        fixed = sum(
            low if state == "low" else high for state, (low, high, _) in rows if state != "between"
        )
        slope = sum(weight for state, (_, _, weight) in rows if state == "between")
        if slope and fixed <= total:
            levels.add(Fraction(total - fixed, slope))
    for level in sorted(levels):
        exact = [
            min(max(level * weight, Fraction(low)), Fraction(high)) for low, high, weight in ends
        ]
        if sum(exact) == total:
            return _rounded(exact, total)
    raise AssertionError


def _rounded(exact: list[Fraction], total: int) -> list[int]:
    whole = [int(share) for share in exact]
    for place, share in enumerate(exact):
        if sum(whole) < total and share != int(share):
            whole[place] += 1
    return whole


def _fitted(
    line: BudgetLine, items: Items, policy: BudgetPolicy, counter: TokenCounter, grant: int
) -> OverflowResult:
    held = held_by(line, items, policy)
    try:
        return apply_overflow(held, grant, line.action, counter, line.truncation)
    except BudgetOverflowError as error:
        error.lines = (line.kind,)
        raise


def refuse_pinned(
    items: Items, policy: BudgetPolicy, counter: TokenCounter, available: int
) -> None:
    """Raise where pinned content is over its line or the whole."""
    for line in policy.lines:
        pinned = pins(held_by(line, items, policy))
        needed = cost(pinned, counter)
        if line.limit is not None and needed > line.limit:
            raise over([line], pinned, counter, needed, min(line.limit, available))
    needed = cost(pins(items), counter)
    if needed > available:
        raise over(holders(items, policy), pins(items), counter, needed, available)


def holders(items: Items, policy: BudgetPolicy) -> list[BudgetLine]:
    """Return the lines that hold pinned items."""
    return [line for line in policy.lines if pins(held_by(line, items, policy))]


def over(
    lines: Sequence[BudgetLine], pinned: Items, counter: TokenCounter, needed: int, limit: int
) -> BudgetOverflowError:
    """Return the error for pinned content."""
    ranked = sorted(pinned, key=lambda i: (-counter.count(i.text), i.order, i.item_id))
    actions = [line.action for line in lines]
    error = BudgetOverflowError(
        needed,
        limit,
        actions[0] if actions.count(actions[0]) == len(actions) else None,
        tuple(item.item_id for item in ranked),
    )
    error.lines = tuple(line.kind for line in lines)
    return error


def whole(item: BudgetItem, counter: TokenCounter) -> FittedItem:
    """Return an item that is kept whole."""
    return FittedItem(item, item.text, counter.count(item.text))


def arranged(items: Items, kept: Sequence[FittedItem]) -> tuple[FittedItem, ...]:
    """Return what was kept in the order of arrival."""
    return tuple(f for item in items for f in kept if f.item_id == item.item_id)


def merged(
    items: Items, policy: BudgetPolicy, results: Plan, sent: tuple[str, int] | None = None
) -> PolicyResult:
    """Return the lines as one result."""
    kept = arranged(items, [fitted for result in results for fitted in result.kept])
    entries = {entry.item_id: entry for result in results for entry in result.diagnostics}
    ids = [item.item_id for item in items]
    return PolicyResult(
        kept=kept,
        lines=tuple((line.kind, r) for line, r in zip(policy.lines, results, strict=True)),
        limit=policy.limit - policy.reserved,
        total_tokens=sent[1] if sent else sum(fitted.tokens for fitted in kept),
        dropped=tuple(i for i in ids if i not in [fitted.item_id for fitted in kept]),
        overflowed=bool(entries),
        diagnostics=tuple(entries[item_id] for item_id in ids if item_id in entries),
        rendered=sent[0] if sent else None,
    )
