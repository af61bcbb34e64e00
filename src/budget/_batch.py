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
        in_order: Whether all arrived in total order.
    """

    arrived: tuple[BudgetItem, ...]
    ids: list[str]
    pinned: Sequence[BudgetItem]
    others: Sequence[BudgetItem]
    in_order: bool

    @classmethod
    def of(cls, items: Iterable[BudgetItem]) -> Batch:
        """Check the items and put them in order, in linear time where they arrive so."""
        if not isinstance(items, Iterable):
            raise refuse_type("items", "an iterable of BudgetItem", items)
        arrived = tuple(items)
        ids = [item.item_id for item in arrived if type(item) is BudgetItem]
        if len(ids) < len(arrived):
            ids = _ids_of_subclasses(arrived)
        unique = _ascend(ids)
        if not unique and len(set(ids)) < len(ids):
            twice = [item_id for item_id, times in Counter(ids).items() if times > 1]
            raise BudgetPolicyError(f"items share an id: {listed(twice)}; ids must be unique")
        orders = [item.order for item in arrived if not item.pinned]
        pins = len(orders) < len(arrived)
        if pins:
            orders = [item.order for item in arrived]
        in_order = _ascend(orders) or (unique and all(map(le, orders, islice(orders, 1, None))))
        ordered = arrived if in_order else sorted(arrived, key=_total_order)
        if not pins:
            return cls(arrived, ids, (), ordered, in_order)
        pinned = [item for item in ordered if item.pinned]
        return cls(arrived, ids, pinned, [item for item in ordered if not item.pinned], in_order)

    def arranged(self, kept: Sequence[FittedItem]) -> tuple[FittedItem, ...]:
        """Return kept items, given in total order and the pinned ones first, as they arrived."""
        if self.in_order and not self.pinned:
            return tuple(kept)
        if self.in_order:
            pinned, others = iter(kept[: len(self.pinned)]), iter(kept[len(self.pinned) :])
            merged = [next(pinned) if item.pinned else next(others, None) for item in self.arrived]
            return tuple(filter(None, merged))
        by_id = {fitted.item.item_id: fitted for fitted in kept}
        return tuple(by_id[item_id] for item_id in self.ids if item_id in by_id)

    def left_out(self, kept: Sequence[FittedItem]) -> tuple[str, ...]:
        """Return the ids of all items that aren't kept, in the order they arrived."""
        if len(kept) == len(self.ids):
            return ()
        if self.in_order and not self.pinned:
            return tuple(self.ids[len(kept) :])
        kept_ids = {fitted.item.item_id for fitted in kept}
        return tuple(item_id for item_id in self.ids if item_id not in kept_ids)


def _ids_of_subclasses(arrived: Sequence[BudgetItem]) -> list[str]:
    for index, item in enumerate(arrived):
        if not isinstance(item, BudgetItem):
            raise refuse_class(f"items[{index}]", BudgetItem, item)
    return [item.item_id for item in arrived]


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
