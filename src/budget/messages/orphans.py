"""Calls without an answer and answers without a call: what is done about them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from ..errors import MessageError, escaped
from .binding import Binding
from .reading import Reading
from .units import Chat, Sets, runs

OnOrphan = Literal["error", "drop", "keep"]


@dataclass(frozen=True, slots=True)
class Settled:
    """A list whose orphans were dealt with.

    Attributes:
        chat: What is left, for units to be made of.
        removed: Indices, ascending.
        orphans: What was removed, or holds an orphan and was kept; ascending.
    """

    chat: Chat
    removed: list[int]
    orphans: list[int]


def settle(
    readings: Sequence[Reading],
    binding: Binding,
    on_orphan: OnOrphan,
    pinned: Collection[int],
    *,
    whole_groups: bool,
) -> Settled:
    """Refuse orphans, remove them with all that hangs on them, or take them as they are.

    Args:
        readings: Of the whole list.
        binding: Its calls and answers.
        on_orphan: What to do.
        pinned: Indices that can't be removed.
        whole_groups: Remove the group of a message, not only what it shares a pair with.

    Raises:
        MessageError: For an orphan, with "error"; for one that is pinned, with "drop".
    """
    holding = [index for index, _, _ in binding.orphans]
    bodies = [index for index, reading in enumerate(readings) if reading.side != "system"]
    chat = Chat(readings, bodies, binding.pairs, frozenset())
    if holding and on_orphan == "error":
        raise _error(readings, binding)
    if on_orphan == "keep" or not holding:
        results = {index for index in bodies if readings[index].side == "result"}
        loose = frozenset(results.difference(answer for _, answer in chat.pairs))
        return Settled(Chat(readings, bodies, chat.pairs, loose), [], sorted(set(holding)))
    removed = _hanging_on(chat, holding, whole_groups=whole_groups)
    _check_pinned(removed & set(pinned), readings)
    left = [index for index in bodies if index not in removed]
    pairs = [pair for pair in chat.pairs if pair[0] not in removed]
    return Settled(Chat(readings, left, pairs, frozenset()), sorted(removed), sorted(removed))


def _hanging_on(chat: Chat, holding: Collection[int], *, whole_groups: bool) -> set[int]:
    sets = Sets(len(chat.readings))
    sets.join_all(chat.pairs)
    if whole_groups:
        sets = runs(chat, chat.turns())
    lost = {sets.of(index) for index in holding}
    return {index for index in chat.bodies if sets.of(index) in lost}


def _error(readings: Sequence[Reading], binding: Binding) -> MessageError:
    index, key, missing = binding.orphans[0]
    what = "call" if missing == "answer" else "answer"
    more = len(binding.orphans) - 1
    others = f" ({more:,} more in this list)" if more else ""
    problem = f"its {what} {escaped(str(key))} has no {missing}{others}; add it, or give on_orphan"
    return MessageError(index, readings[index].side, problem)


def _check_pinned(removed: Collection[int], readings: Sequence[Reading]) -> None:
    if removed:
        index = min(removed)
        problem = "it is pinned, and would be removed with an orphan; unpin it or keep orphans"
        raise MessageError(index, readings[index].side, problem)
