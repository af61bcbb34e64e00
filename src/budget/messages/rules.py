"""What the rules of all providers have in common: a violation, and the list they look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..errors import escaped
from .binding import Answer, Binding, Call, bind
from .reading import Reading


@dataclass(frozen=True, slots=True)
class Violation:
    """Something in a list of messages that a provider refuses.

    Attributes:
        rule: Its id, as in `docs/explanation/valid-histories.md`.
        index: The message that breaks it; None where the list as a whole does.
        message: What is wrong.
        remedy: What to do about it.
    """

    rule: str
    index: int | None
    message: str
    remedy: str

    def __str__(self) -> str:
        """Say it in one line."""
        where = "messages" if self.index is None else f"messages[{self.index}]"
        return f"{self.rule}: {where}: {self.message}; {self.remedy}"


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of messages, read and bound.

    Attributes:
        messages: The caller's.
        readings: Theirs.
        binding: Their calls and answers.
        ready: Whether it is about to be sent as it is.
    """

    messages: Sequence[object]
    readings: Sequence[Reading]
    binding: Binding
    ready: bool

    @classmethod
    def of(cls, messages: Sequence[object], readings: Sequence[Reading], *, ready: bool) -> Listing:
        """Bind what was read."""
        return cls(messages, readings, bind(readings), ready)

    def bodies(self) -> list[int]:
        """Return all messages but system messages."""
        return [index for index, found in enumerate(self.readings) if found.side != "system"]


def named(bound: Call | Answer) -> str:
    """Return how a violation names a call or an answer."""
    return escaped(str(bound.key))


def unanswered(rule: str, call: Call, where: str) -> Violation:
    """Return the violation of a call without its answer."""
    return Violation(
        rule,
        call.index,
        f"call {named(call)} isn't answered {where}",
        "add the answer or drop both",
    )


def uncalled(rule: str, answer: Answer, where: str) -> Violation:
    """Return the violation of an answer without its call."""
    return Violation(
        rule, answer.index, f"answer {named(answer)} has no call {where}", "drop it with its call"
    )


def empty(rule: str, listing: Listing) -> Iterator[Violation]:
    """Yield the violation of a list without messages."""
    if listing.ready and not listing.messages:
        yield Violation(rule, None, "the list is empty", "send at least one message")
