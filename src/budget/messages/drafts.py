"""A reading in the making: each part is checked, and refused with the message's index."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..errors import MessageError
from . import fields
from .reading import Block, CallKey, Reading, Result, Side, compact

_CHARACTERS_A_TOKEN = 4  # of opaque fields: nobody knows what they hold


@dataclass(slots=True)
class Draft:
    """What was found in one message so far.

    Attributes:
        index: Where the message stands.
        kind: Its role or type, for errors.
    """

    index: int
    kind: str
    texts: list[str] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    calls: list[CallKey] = field(default_factory=list)
    answers: list[CallKey] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)

    def reading(self, side: Side) -> Reading:
        """Return what was found."""
        return Reading(
            side,
            tuple(self.texts),
            tuple(self.results),
            tuple(self.calls),
            tuple(self.answers),
            tuple(self.blocks),
        )

    def refuse(self, problem: str, kind: str | None = None) -> MessageError:
        """Return the error for something in this message."""
        return MessageError(self.index, self.kind if kind is None else kind, problem)

    def refuse_type(self, what: str, expected: str, value: object) -> MessageError:
        """Return the error for a field of a wrong type."""
        return self.refuse(f"its {what} must be {expected}, got {type(value).__name__}")

    def text(self, what: str, value: object) -> None:
        """Take a text; None is nothing."""
        if value is None:
            return
        if not isinstance(value, str):
            raise self.refuse_type(what, "a str", value)
        self.texts.append(value)

    def json(self, what: str, value: object) -> None:
        """Take whatever stands there, as it is counted."""
        self.texts.append(self.as_json(what, value))

    def as_json(self, what: str, value: object) -> str:
        """Return a value as it is counted, or refuse what isn't JSON."""
        try:
            return compact(value)
        except (TypeError, ValueError, RecursionError) as error:
            problem = f"its {what} can't be written as JSON ({type(error).__name__})"
            raise self.refuse(problem) from None

    def opaque(self, kind: str, value: object) -> None:
        """Take a field that only the provider can read, at a price by its length."""
        if value is None:
            return
        if isinstance(value, bytes):  # on the wire it is base64
            length = -(-len(value) // 3) * 4
        elif isinstance(value, str):
            length = len(value)
        else:
            raise self.refuse_type(kind, "a str", value)
        self.blocks.append(Block(kind, value, -(-length // _CHARACTERS_A_TOKEN)))

    def block(self, kind: str, value: object, tokens: int | None = None) -> None:
        """Take a part that is priced."""
        self.blocks.append(Block(kind, value, tokens))

    def listed(self, what: str, value: object) -> list[object]:
        """Return the entries of a list; None has none."""
        if value is not None and not isinstance(value, list | tuple):
            raise self.refuse_type(what, "a list", value)
        return fields.entries(value)

    def name(self, what: str, value: object) -> str:
        """Return an id or a name, which has to be there."""
        if value is None:
            raise self.refuse(f"its {what} is missing")
        if not isinstance(value, str):
            raise self.refuse_type(what, "a str", value)
        return value

    def block_kind(self, block: object) -> str:
        """Return the type of a block in a content list."""
        kind = fields.type_of(block)
        if not kind:
            problem = "a block of its content must be a mapping or an object with a type"
            raise self.refuse(problem, type(block).__name__)
        return kind


def draft_of(message: object, index: int, kind: str) -> Draft:
    """Return an empty draft, or refuse what has neither a role nor a type."""
    if not kind:
        problem = "expected a mapping or an SDK's object with a role or a type"
        raise MessageError(index, type(message).__name__, problem)
    return Draft(index, kind)
