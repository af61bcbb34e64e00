"""Which answer belongs to which call.

By id over the whole list: an answer belongs to the latest unanswered call with its id, since
ids repeat in real logs. Without an id on both sides: to the earliest open call of its name in
the model message before it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from .reading import CallKey, Reading, key_of


@dataclass(slots=True)
class Call:
    """A call, where it stands, and the message that answers it."""

    index: int
    key: CallKey
    answered_by: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, where it stands, and the call that it belongs to."""

    index: int
    key: CallKey
    call: Call | None


@dataclass(frozen=True, slots=True)
class Binding:
    """All calls and all answers of a list."""

    calls: list[Call] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The messages that stand or fall together, call and answer."""
        return [(answer.call.index, answer.index) for answer in self.answers if answer.call]

    @property
    def orphans(self) -> list[tuple[int, CallKey, str]]:
        """What has no other side: the message, the key, and which side is missing."""
        calls = [
            (call.index, call.key, "answer")
            for call in self.calls
            if call.answered_by is None and not call.key.optional
        ]
        answers = [(answer.index, answer.key, "call") for answer in self.answers if not answer.call]
        return sorted(calls + answers, key=lambda orphan: orphan[0])


def bind(readings: Sequence[Reading]) -> Binding:
    """Bind every answer of a list to its call, in linear time."""
    binding = Binding()
    by_id: dict[tuple[str, str], list[Call]] = defaultdict(list)
    last: list[Call] = []
    for index, reading in enumerate(readings):
        calls = [Call(index, key_of(entry)) for entry in reading.calls]
        if reading.side == "model":
            last = calls
        binding.calls.extend(calls)
        for call in calls:
            if call.key.call_id is not None:
                by_id[call.key.kind, call.key.call_id].append(call)
        if reading.answers:
            binding.answers.extend(_answers(index, reading, by_id, last))
    return binding


def _answers(
    index: int, reading: Reading, by_id: dict[tuple[str, str], list[Call]], last: list[Call]
) -> list[Answer]:
    keys = [key_of(entry) for entry in reading.answers]
    # Ids first: an answer without one mustn't take the call of another that has one.
    found = [_by_id(index, key, by_id) for key in keys]
    return [
        Answer(index, key, call or _by_name(index, key, last))
        for key, call in zip(keys, found, strict=True)
    ]


def _by_id(index: int, key: CallKey, by_id: dict[tuple[str, str], list[Call]]) -> Call | None:
    if key.call_id is None:
        return None
    waiting = by_id[key.kind, key.call_id]
    while waiting:
        call = waiting.pop()
        if call.answered_by is None:
            call.answered_by = index
            return call
    return None


def _by_name(index: int, key: CallKey, last: list[Call]) -> Call | None:
    for call in last:
        one_sided = call.key.call_id is None or key.call_id is None
        if call.answered_by is None and call.key.name == key.name is not None and one_sided:
            call.answered_by = index
            return call
    return None
