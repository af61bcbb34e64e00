"""What a format says about one message, and the Protocol behind which a format stands."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeVar

from .._checks import check_choice

Message = TypeVar("Message")

Side = Literal["system", "user", "model", "result"]
SIDES = ("system", "user", "model", "result")


@dataclass(frozen=True, slots=True)
class CallKey:
    """What binds a call to its answer.

    Attributes:
        call_id: Equal on both sides; None in formats, or histories, without ids.
        name: The function's, where a call without an id is found by its name.
        kind: Equal on both sides: one id may stand for calls of two kinds.
        optional: A call that may go unanswered, such as one that the provider answers itself.
    """

    call_id: str | None
    name: str | None = None
    kind: str = "call"
    optional: bool = False

    def __str__(self) -> str:
        """Return the id, or the name where there is none."""
        return self.call_id or self.name or "without id"


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a message that is priced, not counted: media and opaque fields.

    Attributes:
        kind: Its type, the key in `block_tokens`.
        value: The caller's own block, given to a price that is a function.
        tokens: The price where `block_tokens` has none; None if nobody knows it.
    """

    kind: str
    value: object = field(repr=False)
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool answered: the only text of a message that may be cut.

    Attributes:
        text: What is cut, as one text.
        sent: The texts that are counted while it is whole.
        key: A cut is sent, and counted, as a JSON object with this one key; None: as it is.
    """

    text: str = field(repr=False)
    sent: tuple[str, ...] = field(repr=False)
    key: str | None = None

    def framed(self, cut: str) -> str:
        """Return what is counted for a cut."""
        return cut if self.key is None else compact({self.key: cut})


@dataclass(frozen=True, slots=True)
class Reading:
    """One message, as far as fitting is concerned.

    Attributes:
        side: "system" is always kept, "user" opens a turn, "model" and "result" belong to one.
        texts: Counted one by one, never cut: text, names, arguments of calls, thinking.
        results: Counted too, and may be cut: a text, or a `Result` where more is to be said.
        calls: What the message calls: ids, or a `CallKey` where more is to be said.
        answers: What it answers, the same way.
        blocks: What is priced.
    """

    side: Side
    texts: tuple[str, ...] = field(repr=False)
    results: tuple[str | Result, ...] = field(default=(), repr=False)
    calls: tuple[str | CallKey, ...] = ()
    answers: tuple[str | CallKey, ...] = ()
    blocks: tuple[Block, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a side that nobody knows."""
        check_choice("side", self.side, SIDES)


class MessageFormat(Protocol[Message]):
    """How messages of one provider, or of one framework, are read.

    Attributes:
        per_message: Tokens that frame a message, where the caller gives no `Overhead`.
        per_request: Tokens that frame a request.
    """

    @property
    def per_message(self) -> int:
        """Tokens that frame a message."""
        ...

    @property
    def per_request(self) -> int:
        """Tokens that frame a request."""
        ...

    def read(self, message: Message, index: int) -> Reading:
        """Return what the message holds, or raise a `MessageError` with its index."""
        ...

    def rewrite(self, message: Message, results: tuple[str, ...]) -> Message:
        """Return a copy with these texts for its results; the message itself stays untouched.

        A text equal to the one that `read` gave is not cut: leave that result as it is.
        """
        ...


def result_of(entry: str | Result) -> Result:
    """Return a plain text as the result that it stands for."""
    return Result(entry, (entry,)) if isinstance(entry, str) else entry


def key_of(entry: str | CallKey) -> CallKey:
    """Return a plain id as the key that it stands for."""
    return CallKey(entry) if isinstance(entry, str) else entry


def compact(value: object) -> str:
    """Return a value as it is counted: a str as given, None as "", others as compact JSON.

    Raises:
        TypeError: For what isn't JSON.
        ValueError: For what contains itself, or a number too long to be written.
        RecursionError: For what is nested too deeply.
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    # Text beyond ASCII stands for itself: that is what the model reads on the other side.
    return json.dumps(
        value, ensure_ascii=False, separators=(",", ":"), sort_keys=True, default=_fields_of
    )


def _fields_of(value: object) -> dict[str, object]:
    """Return an SDK object's fields: those that are set, so that it costs what a dict costs."""
    return {name: held for name, held in vars(value).items() if held is not None}
