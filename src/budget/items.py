"""What goes in and what comes out: items, fitted items, diagnostics and the result."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from ._checks import check_int, check_type
from .errors import BudgetPolicyError, escaped

JSON = str | int | bool | None | list["JSON"] | dict[str, "JSON"]

# One sentence a reason: each is the whole explanation that a reader of a report gets.
_SENTENCES = {
    "over": "{id}{before} was dropped: it is the first that doesn't fit",
    "after": "{id} was dropped: it comes after {blocked_by}, which doesn't fit whole",
    "no-cut": "{id}{before} was dropped: no acceptable cut of it fits",
    "too-small": "{id}{before} was dropped: its cut counts less than min_tokens",
    "cut": "{id}{before} was cut to {after}",
}


class BudgetKind(StrEnum):
    """The usual kinds of prompt content; any other non-empty string is a kind of your own."""

    INSTRUCTIONS = "instructions"
    TOOLS = "tools"
    MEMORY = "memory"
    DOCUMENTS = "documents"
    HISTORY = "history"
    USER = "user"


_USUAL_KINDS = {kind.value: kind for kind in BudgetKind}


@dataclass(frozen=True, slots=True, repr=False)
class BudgetItem:
    """One part of a prompt: what it is, never what it costs.

    There is no token field: cost is measured by the one counter of the call, so two items can't
    be measured by two rules.

    Args:
        item_id: Unique among the items of a call; ties in `order` are broken by it, as text,
            so "m10" comes before "m2".
        kind: A `BudgetKind`, its spelling, or any other non-empty string.
        text: What is sent. It comes back as the very same object unless it is cut.
        order: The highest order is dropped first. A history numbered as it was spoken would
            lose its newest turn: number it from the newest back.
        pinned: Never dropped and never cut.

    Raises:
        TypeError: For an argument of a wrong type.
        BudgetPolicyError: For an empty kind.
    """

    item_id: str
    kind: BudgetKind | str
    text: str
    order: int = 0
    pinned: bool = False

    def __post_init__(self) -> None:
        """Refuse wrong types, and turn a usual kind's spelling into the member."""
        for name in ("item_id", "kind", "text"):
            check_type(name, getattr(self, name), str)
        check_int("order", self.order)
        check_type("pinned", self.pinned, bool)
        if not self.kind:
            raise BudgetPolicyError("kind must be a BudgetKind or another non-empty string, got ''")
        object.__setattr__(self, "kind", _USUAL_KINDS.get(self.kind, self.kind))

    def __repr__(self) -> str:
        """Show everything but the text."""
        return (
            f"BudgetItem({self.item_id!r}, {str(self.kind)!r}, <{len(self.text):,} characters>,"
            f" order={self.order}, pinned={self.pinned})"
        )

    def to_dict(self, *, include_text: bool = False) -> dict[str, JSON]:
        """Return plain JSON types: the fields, and the text only if asked for."""
        fields: dict[str, JSON] = {
            "item_id": self.item_id,
            "kind": str(self.kind),
            "characters": len(self.text),
            "order": self.order,
            "pinned": self.pinned,
        }
        return fields | {"text": self.text} if include_text else fields


@dataclass(frozen=True, slots=True, repr=False)
class FittedItem:
    """An item that was kept, whole or cut.

    Attributes:
        item: The item as it came in.
        text: What to send: the item's own text object, or the cut, its marker included.
        tokens: The count of `text`.
        truncated: Whether `text` was cut.
    """

    item: BudgetItem
    text: str
    tokens: int
    truncated: bool = False

    @property
    def item_id(self) -> str:
        """The item's id."""
        return self.item.item_id

    @property
    def kind(self) -> BudgetKind | str:
        """The item's kind."""
        return self.item.kind

    def __repr__(self) -> str:
        """Show everything but the text."""
        return (
            f"FittedItem({self.item!r}, <{len(self.text):,} characters>, tokens={self.tokens},"
            f" truncated={self.truncated})"
        )

    def to_dict(self, *, include_text: bool = False) -> dict[str, JSON]:
        """Return plain JSON types: the item's, with the tokens, and the text only if asked for."""
        fields = self.item.to_dict() | {
            "characters": len(self.text),
            "tokens": self.tokens,
            "truncated": self.truncated,
        }
        return fields | {"text": self.text} if include_text else fields


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Why one item was lost or cut; `str()` is one sentence.

    Attributes:
        item_id: Whose loss it is.
        action: "drop" or "truncate": what was done.
        tokens_before: Its count; None where it was never counted to its end.
        tokens_after: What is left of it: 0 for a drop.
        reason: "over" (the first that didn't fit), "no-cut" (no acceptable cut existed),
            "too-small" (the cut was under `min_tokens`), "cut", or "after" (it comes after the
            one that didn't fit whole).
        blocked_by: For "after": the item that didn't fit whole.
    """

    item_id: str
    action: Literal["drop", "truncate"]
    tokens_before: int | None
    tokens_after: int
    reason: Literal["over", "after", "no-cut", "too-small", "cut"]
    blocked_by: str | None = None

    def __str__(self) -> str:
        """Say it in one sentence, ids escaped."""
        before = "" if self.tokens_before is None else f" ({self.tokens_before:,} tokens)"
        return _SENTENCES[self.reason].format(
            id=escaped(self.item_id),
            before=before,
            after=f"{self.tokens_after:,}",
            blocked_by=escaped(self.blocked_by or ""),
        )

    def to_dict(self) -> dict[str, JSON]:
        """Return plain JSON types: the fields."""
        return {
            "item_id": self.item_id,
            "action": self.action,
            "tokens_before": self.tokens_before,
            "tokens_after": self.tokens_after,
            "reason": self.reason,
            "blocked_by": self.blocked_by,
        }


class _LostIds:
    """Room for an index that is built when it is first asked for and is no part of the value."""

    __slots__ = ("_lost",)
    _lost: frozenset[str]


@dataclass(frozen=True, slots=True)
class OverflowResult(_LostIds):
    """What was kept, what was lost and why.

    Attributes:
        kept: In the order in which the items arrived.
        limit: Tokens that were allowed.
        total_tokens: What was measured: the sum of the kept counts or, with a separator or a
            render, the count of `rendered`. Never more than `limit`.
        dropped: Ids of the items that were left out, in the order in which they arrived.
        overflowed: Whether not everything fitted.
        diagnostics: One entry, for the first item that didn't fit whole; `why` answers for all.
        rendered: The very string that was measured; None where the sum was.
    """

    kept: tuple[FittedItem, ...]
    limit: int
    total_tokens: int
    dropped: tuple[str, ...] = ()
    overflowed: bool = False
    diagnostics: tuple[Diagnostic, ...] = ()
    rendered: str | None = field(default=None, repr=False)

    def why(self, item_id: str) -> Diagnostic | None:
        """Return why an item was lost or cut; None for one that was kept whole.

        Args:
            item_id: An id of the call; for an id it never saw the answer is None too.
        """
        for diagnostic in self.diagnostics:
            if diagnostic.item_id == item_id:
                return diagnostic
        if item_id not in self._lost_ids():
            return None
        blocked_by = self.diagnostics[0].item_id if self.diagnostics else None
        return Diagnostic(item_id, "drop", None, 0, "after", blocked_by)

    @property
    def cut(self) -> str | None:
        """The id of the one item that was cut, or None."""
        return next((entry.item_id for entry in self.diagnostics if entry.reason == "cut"), None)

    def to_dict(self, *, include_text: bool = False) -> dict[str, JSON]:
        """Return plain JSON types: the fields, and texts only if asked for."""
        fields: dict[str, JSON] = {
            "kept": [fitted.to_dict(include_text=include_text) for fitted in self.kept],
            "limit": self.limit,
            "total_tokens": self.total_tokens,
            "dropped": list(self.dropped),
            "overflowed": self.overflowed,
            "diagnostics": [diagnostic.to_dict() for diagnostic in self.diagnostics],
        }
        return fields | {"rendered": self.rendered} if include_text else fields

    def _lost_ids(self) -> frozenset[str]:
        try:
            return self._lost
        except AttributeError:
            object.__setattr__(self, "_lost", frozenset(self.dropped))
            return self._lost
