"""The items of one call: checked, put in total order, and back in the order they arrived."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from operator import attrgetter, le, lt
from typing import NamedTuple, TypeVar

from ._checks import refuse_class, refuse_type
from .errors import BudgetPolicyError, listed
from .items import BudgetItem, FittedItem

Ordered = TypeVar("Ordered", int, str)

_text_of = attrgetter("text")
_total_order = attrgetter("order", "item_id")


class Batch(NamedTuple):
    """Items with unique ids.

    Attributes:
        arrived: As they arrived.
        ids: Theirs, in the same order.
        pinned: The pinned ones, in total order.
        others: The others, in total order.
        step: 1 where all arrived in total order; -1 where in the opposite one, as a history
            does whose newest message has the lowest order; 0 where in neither.
    """

    arrived: tuple[BudgetItem, ...]
    ids: list[str]
    pinned: Sequence[BudgetItem]
    others: Sequence[BudgetItem]
    step: int

    @classmethod
    def of(cls, items: Iterable[BudgetItem]) -> Batch:
        """Check the items and put them in order, in linear time where they arrive so."""
        if not isinstance(items, Iterable):
            raise refuse_type("items", "an iterable of BudgetItem", items)
        arrived = tuple(items)
        ids = _ids(arrived)
        ids_ascend = _ascend(ids)
        if not ids_ascend:
            _refuse_duplicates(ids)
        orders = [item.order for item in arrived if not item.pinned]
        if len(orders) == len(arrived):
            step = _step(orders, ids_ascend=ids_ascend)
            return cls(arrived, ids, (), _ordered(arrived, step), step)
        step = _step([item.order for item in arrived], ids_ascend=ids_ascend)
        ordered = _ordered(arrived, step)
        pinned = [item for item in ordered if item.pinned]
        return cls(arrived, ids, pinned, [item for item in ordered if not item.pinned], step)

    def arranged(self, kept: Sequence[FittedItem]) -> tuple[FittedItem, ...]:
        """Return kept items, given in total order and the pinned ones first, as they arrived."""
        if self.step and not self.pinned:
            return tuple(kept[:: self.step])
        if self.step == 1:
            pinned, others = iter(kept[: len(self.pinned)]), iter(kept[len(self.pinned) :])
            merged = [next(pinned) if item.pinned else next(others, None) for item in self.arrived]
            return tuple(filter(None, merged))
        by_id = {fitted.item.item_id: fitted for fitted in kept}
        return tuple(by_id[item_id] for item_id in self.ids if item_id in by_id)

    def left_out(self, kept: Sequence[FittedItem]) -> tuple[str, ...]:
        """Return the ids of all items that aren't kept, in the order they arrived."""
        lost = len(self.ids) - len(kept)
        if self.step and not self.pinned:
            return tuple(self.ids[len(kept) :] if self.step == 1 else self.ids[:lost])
        if lost == 0:
            return ()
        kept_ids = {fitted.item.item_id for fitted in kept}
        return tuple(item_id for item_id in self.ids if item_id not in kept_ids)


def _ids(arrived: Sequence[BudgetItem]) -> list[str]:
    ids = [item.item_id for item in arrived if type(item) is BudgetItem]
    if len(ids) == len(arrived):
        return ids
    for index, item in enumerate(arrived):
        if not isinstance(item, BudgetItem):
            raise refuse_class(f"items[{index}]", BudgetItem, item)
    return [item.item_id for item in arrived]


def _refuse_duplicates(ids: Sequence[str]) -> None:
    if len(set(ids)) < len(ids):
        twice = [item_id for item_id, times in Counter(ids).items() if times > 1]
        raise BudgetPolicyError(f"items share an id: {listed(twice)}; ids must be unique")


def _step(orders: Sequence[int], *, ids_ascend: bool) -> int:
    """Return whether orders, with ids where they tie, ascend (1), descend (-1) or neither (0)."""
    if _ascend(orders) or (ids_ascend and all(map(le, orders, islice(orders, 1, None)))):
        return 1
    return -1 if _ascend(orders[::-1]) else 0


def _ordered(arrived: tuple[BudgetItem, ...], step: int) -> Sequence[BudgetItem]:
    return arrived[::step] if step else sorted(arrived, key=_total_order)


def _ascend(values: Sequence[Ordered]) -> bool:
    """Return whether each value is less than the next, so that none is there twice."""
    return all(map(lt, values, islice(values, 1, None)))


class _Filled:
    """The slots of a `FittedItem`, filled without the detour that a frozen dataclass takes."""

    __slots__ = ("item", "text", "tokens", "truncated")

    def __init__(self, item: BudgetItem, text: str, tokens: int) -> None:
        self.item = item
        self.text = text
        self.tokens = tokens
        self.truncated = False


def kept_whole(items: Sequence[BudgetItem], costs: Sequence[int]) -> list[FittedItem]:
    """Return the first of `items`, one per cost, as kept whole.

    A frozen dataclass sets each field of each object through `object.__setattr__`; that would be
    most of the time of a call in which everything fits.
    """
    made = list(map(_Filled, items, map(_text_of, items), costs))
    for filled in made:
        filled.__class__ = FittedItem  # type: ignore[assignment]  # the same slots, now frozen
    return made  # type: ignore[return-value]  # which is what they are now
