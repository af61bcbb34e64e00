"""Measures what a result and its items say together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from ..counting import TokenCounter, counter_name
from ..errors import BudgetPolicyError, escaped
from ..items import BudgetItem, FittedItem, OverflowResult
from ..overflow import survival_limits
from .picture import TOTAL, Bar, Curve, Loss, Picture, Result

OTHERS = "*"  # the line of all kinds that have none of their own


def counted_by(counter: TokenCounter) -> str:
    """Return the counter's name, and that an estimate is one."""
    hint = ", not a tokenizer's count" if is_estimate(counter) else ""
    return escaped(counter_name(counter)) + hint


def is_estimate(counter: TokenCounter) -> bool:
    """Return whether it is one: its name says so, also through a counter around it."""
    return "estimate" in counter_name(counter)


def picture_of(result: Result, items: Sequence[BudgetItem], counter: TokenCounter) -> Picture:
    """Return the numbers; the counter is asked once per text that wasn't kept whole.

    Raises:
        BudgetPolicyError: If the items aren't those of the result.
    """
    fitted = {kept.item_id: kept for kept in result.kept}
    _check_same(result, items, fitted)
    known = _Known(counter, result.kept)
    pools = pools_of(result, items)
    keeps = [survival_limits(pool.items, known) for pool in pools]
    sizes = _Sizes(fitted, {item.item_id: known.count(item.text) for item in items})
    total = sizes.bar(TOTAL, items, result.limit)
    return Picture(
        result=result,
        counter=counted_by(counter),
        total=total._replace(joins=result.total_tokens - total.kept - total.cut),
        bars=tuple(_bars(result, pools, sizes)),
        curves=tuple(map(_curve, pools, keeps)),
        losses=tuple(
            loss
            for pool, limits in zip(pools, keeps, strict=True)
            for loss in _losses(result, pool, sizes, limits)
        ),
    )


class Pool(NamedTuple):
    """Items that share a limit, under the name of their line."""

    name: str
    limit: int
    items: Sequence[BudgetItem]


def pools_of(result: Result, items: Sequence[BudgetItem]) -> list[Pool]:
    """Return the pools of a result: one per line or, without lines, one."""
    if isinstance(result, OverflowResult):
        return [Pool(TOTAL, result.limit, items)]
    held: dict[str, list[BudgetItem]] = {kind: [] for kind, _ in result.lines}
    for item in items:
        held[item.kind if item.kind in held else OTHERS].append(item)
    return [Pool(str(kind), line.limit, held[kind]) for kind, line in result.lines]


class _Sizes(NamedTuple):
    """The count of every whole text, and what was kept."""

    fitted: Mapping[str, FittedItem]
    whole: Mapping[str, int]

    def kept(self, item: BudgetItem) -> int:
        """Return the count of what was kept of an item."""
        found = self.fitted.get(item.item_id)
        return 0 if found is None else found.tokens

    def bar(self, name: str, items: Iterable[BudgetItem], limit: int | None = None) -> Bar:
        """Add up some items."""
        kept = cut = dropped = 0
        for item in items:
            found = self.fitted.get(item.item_id)
            tokens = self.kept(item)
            if found is not None and found.truncated:
                cut += tokens
            else:
                kept += tokens
            dropped += max(self.whole[item.item_id] - tokens, 0)
        return Bar(name, limit, kept, cut, 0, dropped)


class _Known:
    """A counter that remembers what the result says of the texts that were kept whole."""

    def __init__(self, counter: TokenCounter, kept: Iterable[FittedItem]) -> None:
        self._counter = counter
        self._tokens = {fitted.text: fitted.tokens for fitted in kept if not fitted.truncated}

    def count(self, text: str, /) -> int:
        """Return what is known, or ask."""
        tokens = self._tokens.get(text)
        if tokens is None:
            tokens = self._tokens[text] = self._counter.count(text)
        return tokens


def _check_same(
    result: Result, items: Sequence[BudgetItem], fitted: Mapping[str, FittedItem]
) -> None:
    given, named = {item.item_id for item in items}, fitted.keys() | set(result.dropped)
    if given != named:
        raise BudgetPolicyError(
            f"items must be those of the result; {len(given - named):,} aren't in it and"
            f" {len(named - given):,} of it are missing"
        )


def _bars(result: Result, pools: Iterable[Pool], sizes: _Sizes) -> Iterator[Bar]:
    if not isinstance(result, OverflowResult):
        yield from (sizes.bar(pool.name, pool.items, pool.limit) for pool in pools)
        return
    kinds: dict[str, list[BudgetItem]] = {}
    for item in chain.from_iterable(pool.items for pool in pools):
        kinds.setdefault(item.kind, []).append(item)
    yield from (sizes.bar(str(kind), items) for kind, items in kinds.items())


def _curve(pool: Pool, limits: Mapping[str, int]) -> Curve:
    steps = {limit: place for place, limit in enumerate(sorted(limits.values()), start=1)}
    return Curve(pool.name, pool.limit, tuple(steps.items()))


def _losses(result: Result, pool: Pool, sizes: _Sizes, limits: Mapping[str, int]) -> Iterator[Loss]:
    for item in sorted(pool.items, key=attrgetter("order", "item_id")):
        why = result.why(item.item_id)
        if why is not None:
            line = item.kind if isinstance(result, OverflowResult) else pool.name
            tokens, kept = sizes.whole[item.item_id], sizes.kept(item)
            yield Loss(item, str(line), tokens, kept, limits[item.item_id], why)
