"""What fitting a history returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic

from ..items import JSON, Diagnostic
from .reading import Message


@dataclass(frozen=True, slots=True)
class FittedMessages(Generic[Message]):
    """The messages to send, what was left out and why. All indices are into the input.

    Attributes:
        messages: A new list of the caller's own objects, in order; only a message whose result
            was cut is a copy.
        kept: Indices of `messages`.
        dropped: Indices of what was left out, removed orphans included.
        cut: Indices of kept messages whose result was cut.
        limit: Tokens that were allowed, the reserve included.
        total_tokens: What `messages` cost, their overhead included.
        pinned_tokens: What of that can't be dropped.
        orphans: Indices of what holds an orphan and was kept, or was removed with one.
        diagnostics: One per dropped unit, under the name of its first message: the one that
            didn't fit, then those that had to go with it, the newest first.
        overflowed: Whether not everything fitted.
    """

    messages: list[Message] = field(repr=False)
    kept: tuple[int, ...]
    dropped: tuple[int, ...]
    cut: tuple[int, ...]
    limit: int
    total_tokens: int
    pinned_tokens: int
    orphans: tuple[int, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    overflowed: bool = False

    def to_dict(self) -> dict[str, JSON]:
        """Return plain JSON types: the fields, without the messages."""
        return {
            "kept": list(self.kept),
            "dropped": list(self.dropped),
            "cut": list(self.cut),
            "limit": self.limit,
            "total_tokens": self.total_tokens,
            "pinned_tokens": self.pinned_tokens,
            "orphans": list(self.orphans),
            "diagnostics": [diagnostic.to_dict() for diagnostic in self.diagnostics],
            "overflowed": self.overflowed,
        }
