"""What stands or falls together: turns, groups, and the units that they make."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from .reading import Reading

Unit = tuple[int, ...]
Pairs = Iterable[tuple[int, int]]


class Sets:
    """Messages in disjoint sets that can be joined."""

    __slots__ = ("_parents",)

    def __init__(self, size: int) -> None:
        """Put each message in a set of its own."""
        self._parents = list(range(size))

    def of(self, index: int) -> int:
        """Return the message that stands for the set of this one."""
        parents = self._parents
        while parents[index] != index:
            parents[index] = parents[parents[index]]
            index = parents[index]
        return index

    def join(self, one: int, other: int) -> None:
        """Put the sets of two messages together."""
        self._parents[self.of(one)] = self.of(other)

    def join_all(self, pairs: Pairs) -> None:
        """Put the sets of each pair together."""
        for one, other in pairs:
            self.join(one, other)


@dataclass(frozen=True, slots=True)
class Chat:
    """The messages that make turns: all that are present, but for system messages.

    Attributes:
        readings: Of the whole list.
        bodies: Indices, ascending.
        pairs: Calls and their answers.
        loose: Answers without a call; they are taken for the model's own messages.
    """

    readings: Sequence[Reading]
    bodies: list[int]
    pairs: list[tuple[int, int]]
    loose: frozenset[int]

    def opens(self, index: int) -> bool:
        """Return whether a message opens a turn."""
        return self.readings[index].side == "user"

    def speaks(self, index: int) -> bool:
        """Return whether a message is the model's side of a turn."""
        return self.readings[index].side == "model" or index in self.loose

    def turns(self) -> list[list[int]]:
        """Return the turns; one without an opener is only ever the first."""
        turns: list[list[int]] = []
        for index in self.bodies:
            if not turns or self.opens(index):
                turns.append([])
            turns[-1].append(index)
        return turns


@dataclass(frozen=True, slots=True)
class Plan:
    """The units of a chat.

    Attributes:
        droppable: In the order in which they fall.
        pinned: Messages that stay, system messages not included, ascending.
    """

    droppable: list[Unit]
    pinned: list[int]


def plan(
    chat: Chat, unit: Literal["call", "turn"], *, pin_last_user: bool, pinned: Iterable[int]
) -> Plan:
    """Return which units there are, and in which order they fall.

    Turns fall oldest first, and within a turn its groups; a unit's age is the index of its
    last message. By "call" a turn falls group by group, its user message with the last of them.
    """
    turns = chat.turns()
    whole = Sets(len(chat.readings))
    for turn in turns:
        whole.join_all(pairwise(turn))
    whole.join_all(chat.pairs)
    parts = whole if unit == "turn" else _groups(chat, turns)
    age_of = {whole.of(index): index for index in chat.bodies}
    units: dict[int, list[int]] = defaultdict(list)
    for index in chat.bodies:
        units[parts.of(index)].append(index)
    ordered = sorted(units.values(), key=lambda unit: (age_of[whole.of(unit[0])], unit[-1]))
    stay = {parts.of(index) for index in _named(chat, turns, pinned)}
    if pin_last_user and ordered:
        last = turns[-1][0] if chat.opens(turns[-1][0]) else ordered[-1][0]
        stay.add(parts.of(last))
    return Plan(
        [tuple(unit) for unit in ordered if parts.of(unit[0]) not in stay],
        [index for index in chat.bodies if parts.of(index) in stay],
    )


def runs(chat: Chat, turns: Sequence[Sequence[int]]) -> Sets:
    """Return the groups: runs of the model's messages, with all that answers a call in them."""
    sets = Sets(len(chat.readings))
    for turn in turns:
        sets.join_all(
            (one, other) for one, other in pairwise(turn) if chat.speaks(one) and chat.speaks(other)
        )
    sets.join_all(chat.pairs)
    return sets


def _groups(chat: Chat, turns: Sequence[Sequence[int]]) -> Sets:
    """Return the groups, each turn's opener joined to the last of its own."""
    sets = runs(chat, turns)
    has_opener = any(chat.opens(turn[0]) for turn in turns)
    if has_opener and not chat.opens(turns[0][0]):
        sets.join_all(pairwise(turns[0]))
    age_of = {sets.of(index): index for index in chat.bodies}
    spoken = [(turn[0], [index for index in turn if chat.speaks(index)]) for turn in turns]
    lasts = [
        (first, max(own, key=lambda index: age_of[sets.of(index)]))
        for first, own in spoken
        if own and chat.opens(first)
    ]
    sets.join_all(lasts)
    return sets


def _named(chat: Chat, turns: Sequence[Sequence[int]], pinned: Iterable[int]) -> Iterable[int]:
    """Yield the messages that are pinned by index, and their turns' openers."""
    opener_of = {index: turn[0] for turn in turns for index in turn if chat.opens(turn[0])}
    for index in pinned:
        if index in opener_of:
            yield opener_of[index]
        if chat.readings[index].side != "system":
            yield index
