"""The one place where an action becomes a result.

Items are considered in a total order, `(order, item_id)`; pinned ones are kept, of the others
the longest prefix that fits beside them. Nothing is counted behind the first that doesn't fit,
so the work grows with the limit and not with the input.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import partial
from itertools import accumulate
from operator import attrgetter
from typing import NamedTuple, assert_never

from ._batch import Batch, kept_whole
from ._checks import check_int, refuse_class
from ._measure import Measure, Measured, Render, measure_of, settle
from ._walk import Prefix, longest_prefix
from .counting import TokenCounter, check_counter, count_each, count_each_within
from .errors import BudgetOverflowError
from .items import BudgetItem, Diagnostic, FittedItem, OverflowResult
from .truncation import TruncationPolicy, check_truncation, cut_text

_CUTS = 4  # tries of a cut that fits by its own count, but not joined to the others

_tokens_of = attrgetter("tokens")


class OverflowAction(Enum):
    """What happens to content that doesn't fit."""

    FAIL = "fail"
    DROP = "drop"
    TRUNCATE = "truncate"


def apply_overflow(  # noqa: PLR0913 - the contract's signature
    items: Iterable[BudgetItem],
    limit: int,
    action: OverflowAction,
    counter: TokenCounter,
    truncation: TruncationPolicy | None = None,
    *,
    separator: str | None = None,
    render: Render | None = None,
) -> OverflowResult:
    """Fit `items` into `limit` tokens, or refuse; what is left out is named in the result.

    If everything fits, every text comes back as the same object, whatever the action. Pinned
    items are never dropped or cut. `kept` and `dropped` list items in the order they arrived.

    Args:
        items: With unique ids. The highest `order` is dropped first, ties by id as text.
        limit: Tokens, >= 0.
        action: FAIL refuses any overflow; DROP keeps the pinned items and the longest prefix of
            the others, in total order, that fits beside them; TRUNCATE also cuts the next one
            to what is left, where an acceptable cut exists.
        counter: Asked at most once per item, in total order, and under DROP and TRUNCATE not
            beyond the first that doesn't fit (`count_within`, where it has that, so not beyond
            the part of it that shows so); then for the cut, as `truncate_text` says.
        truncation: How to cut; None means the default policy.
        separator: Measure the kept texts joined by this, as one string, instead of their sum.
        render: Measure what this returns for the kept items: whatever is really sent. At most
            one of the two is given. Either is measured at most 17 times, and once per cut
            tried, at most 4 times.

    Raises:
        BudgetOverflowError: If pinned content alone is over the limit, or under FAIL anything.
        BudgetPolicyError: If the limit is negative, two items share an id, or both `separator`
            and `render` are given.
        CounterError: If the counter answers something other than an int >= 0.
        TypeError: For an argument of a wrong type.
    """
    batch = Batch.of(items)
    check_int("limit", limit, 0)
    check_action(action)
    check_counter(counter)
    policy = check_truncation(truncation)
    measure = measure_of(batch, counter, separator, render)
    return _fit(_Call(batch, limit, action, counter, policy, measure))


def survival_limits(items: Iterable[BudgetItem], counter: TokenCounter) -> dict[str, int]:
    """Return, for each item, the smallest limit (of sums) at which it survives whole under DROP.

    Pinned items share one answer, the pinned total: below it nothing can be built. An item that
    costs nothing survives wherever the one before it does.

    Args:
        items: In any order; ids must be unique.
        counter: Called once per item.

    Raises:
        BudgetPolicyError: If two items share an id.
        CounterError: If the counter answers something other than an int >= 0.
        TypeError: For an argument of a wrong type.
    """
    batch = Batch.of(items)
    check_counter(counter)
    reached = sum(count_each(counter, batch.pinned))
    limits = dict.fromkeys((item.item_id for item in batch.pinned), reached)
    for item, tokens in zip(batch.others, count_each(counter, batch.others), strict=True):
        reached += tokens
        limits[item.item_id] = reached
    return {item_id: limits[item_id] for item_id in batch.ids}


class _Call(NamedTuple):
    """What a call was given, checked."""

    batch: Batch
    limit: int
    action: OverflowAction
    counter: TokenCounter
    truncation: TruncationPolicy
    measure: Measure


class _Counted(NamedTuple):
    """The pinned items and the prefix of the others that were counted one by one.

    Under FAIL these are all items. Otherwise the prefix ends before the first item that by its
    sum is certain not to fit.
    """

    pinned: list[FittedItem]
    others: list[FittedItem]
    prefix: Prefix
    complete: bool

    def kept(self, length: int) -> list[FittedItem]:
        """Return the pinned items and so many of the others."""
        others = self.others if length == len(self.others) else self.others[:length]
        return self.pinned + others if self.pinned else others

    def total(self, length: int) -> int:
        """Return the sum of their counts."""
        return _sum(self.pinned) + sum(self.prefix.costs[:length])


def check_action(action: object) -> None:
    """Refuse a string, and the member of a vendored copy's enum."""
    if not isinstance(action, OverflowAction):
        error = refuse_class("action", OverflowAction, action)
        valid = ", ".join(f"OverflowAction.{member.name}" for member in OverflowAction)
        raise TypeError(f"{error}; give one of {valid}")


def _fit(call: _Call) -> OverflowResult:
    counted = _count(call)

    def measure(length: int) -> Measured:
        return call.measure(counted.kept(length), counted.total(length))

    everything = len(counted.others)
    whole = measure(everything) if counted.complete else None
    if whole is not None and whole.tokens <= call.limit:
        return _result(call, counted.kept(everything), whole)
    alone = measure(0)
    _refuse(call, counted, alone, whole)
    sums = list(accumulate(counted.prefix.costs, initial=_sum(counted.pinned)))
    length, fits = settle(sums, call.limit, measure, alone, whole)
    before = (*counted.prefix.costs, counted.prefix.over)[length]
    return _lose(call, counted.kept(length), fits, call.batch.others[length], before)


def _count(call: _Call) -> _Counted:
    batch = call.batch
    pinned = kept_whole(batch.pinned, list(count_each(call.counter, batch.pinned)))
    room = call.measure.far * call.limit - _sum(pinned)
    if room < 0:
        raise _pinned_error(call, pinned, _sum(pinned))
    match call.action:
        case OverflowAction.FAIL:
            costs = list(count_each(call.counter, batch.others))
            prefix = Prefix(costs, room - sum(costs), None)
        case OverflowAction.DROP | OverflowAction.TRUNCATE:
            prefix = longest_prefix(count_each_within(call.counter, batch.others, room), room)
        case _:
            assert_never(call.action)
    complete = len(prefix.costs) == len(batch.others) and prefix.left >= 0
    return _Counted(pinned, kept_whole(batch.others, prefix.costs), prefix, complete)


def _refuse(call: _Call, counted: _Counted, alone: Measured, whole: Measured | None) -> None:
    """Raise where not fitting is an error: pinned content first, then the action."""
    if alone.tokens > call.limit:
        raise _pinned_error(call, counted.pinned, alone.tokens)
    if call.action is OverflowAction.FAIL:
        needed = counted.total(len(counted.others)) if whole is None else whole.tokens
        raise BudgetOverflowError(needed, call.limit, call.action)


def _pinned_error(call: _Call, pinned: list[FittedItem], needed: int) -> BudgetOverflowError:
    largest_first = sorted(pinned, key=_tokens_of, reverse=True)
    ids = tuple(fitted.item_id for fitted in largest_first)
    return BudgetOverflowError(needed, call.limit, call.action, ids)


def _lose(
    call: _Call, kept: list[FittedItem], fits: Measured, item: BudgetItem, before: int | None
) -> OverflowResult:
    """Cut the first item that doesn't fit whole, where that is asked for, or drop it."""
    dropped = partial(Diagnostic, item.item_id, "drop", before, 0)
    if call.action is OverflowAction.DROP:
        return _result(call, kept, fits, dropped("over"))
    left = call.limit - fits.tokens
    for _ in range(_CUTS):
        cut = cut_text(item.text, left, call.counter, call.truncation, item.item_id)
        if cut is None:
            break
        text, tokens = cut
        if tokens < call.truncation.min_tokens:
            return _result(call, kept, fits, dropped("too-small"))
        with_cut = [*kept, FittedItem(item, text, tokens, truncated=True)]
        measured = call.measure(with_cut, _sum(with_cut))
        if measured.tokens <= call.limit:
            why = Diagnostic(item.item_id, "truncate", before, tokens, "cut")
            return _result(call, with_cut, measured, why)
        left = tokens - (measured.tokens - call.limit)
    return _result(call, kept, fits, dropped("no-cut"))


def _sum(kept: Iterable[FittedItem]) -> int:
    return sum(map(_tokens_of, kept))


def _result(
    call: _Call, kept: list[FittedItem], measured: Measured, why: Diagnostic | None = None
) -> OverflowResult:
    return OverflowResult(
        kept=call.batch.arranged(kept),
        limit=call.limit,
        total_tokens=measured.tokens,
        dropped=call.batch.left_out(kept),
        overflowed=why is not None,
        diagnostics=() if why is None else (why,),
        rendered=measured.text,
    )
