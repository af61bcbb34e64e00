"""What messages cost: each text is counted once, and only when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic

from ..counting import count, count_up_to
from .cutting import Cutter, common_cap
from .prices import BlockTokens, Overhead, price
from .reading import Message, MessageFormat, Reading, Result, result_of


@dataclass(slots=True, repr=False)
class Ledger(Generic[Message]):
    """The messages of one call, what they cost, and the copies of those that were cut.

    Attributes:
        given: The caller's own messages.
        readings: Theirs.
        form: Their format.
        overhead: Tokens around texts.
        block_tokens: Prices of blocks.
        cutter: How results are cut; its counter counts all else too.
        ceiling: Of each result; None has none.
        copies: Of messages that were cut, by index.
    """

    given: Sequence[Message]
    readings: Sequence[Reading]
    form: MessageFormat[Message]
    overhead: Overhead
    block_tokens: BlockTokens
    cutter: Cutter
    ceiling: int | None = None
    copies: dict[int, Message] = field(default_factory=dict)
    _sizes: dict[int, list[int]] = field(default_factory=dict)
    _cut_readings: dict[int, Reading] = field(default_factory=dict)

    def exact(self, index: int) -> int:
        """Return the tokens of a message, counted to its end, and remember its results'."""
        reading, name = self.readings[index], name_of(index)
        sizes = self._results(index)
        self._sizes[index] = sizes
        return self._frame(index) + self._count(reading.texts, name) + sum(sizes)

    def within(self, unit: Iterable[int], room: int) -> int | None:
        """Return the tokens of a unit; None where it is known only to be over `room`."""
        spent = 0
        for index in unit:
            spent += self._frame(index)
            for text in self._asked(index):
                tokens = count_up_to(
                    self.cutter.counter, text, max(room - spent, 0), name_of(index)
                )
                if tokens is None:
                    return None
                spent += tokens
            if self.ceiling is not None:
                spent += sum(self._capped(index, self.ceiling))
        return spent

    def characters(self, unit: Iterable[int]) -> int:
        """Return the characters of all texts of a unit, as they were given."""
        return sum(
            sum(map(len, self.readings[index].texts))
            + sum(len(text) for result in self._given_results(index) for text in result.sent)
            for index in unit
        )

    def now(self, index: int) -> Message:
        """Return the caller's own message, or the copy with cut results."""
        return self.copies.get(index, self.given[index])

    def cut_together(self, indices: Sequence[int], over: int) -> int:
        """Cut results to their largest common cap, `over` tokens less; return what that saves.

        0 if they can't be cut so far; then nothing was cut. The cuts are made from the original
        texts, also of results that were cut to their own ceiling before.
        """
        if self.saved_at_most(indices) < over:
            return 0
        floors = {index: self._markers(index) for index in indices}
        sizes = [size for index in indices for size in self._sizes[index]]
        markers = [marker for index in indices for marker in floors[index]]
        quantum = self.cutter.policy.quantum
        cap = common_cap(sizes, markers, sum(sizes) - over) // quantum * quantum
        for index in indices:
            caps = [max(cap, marker) for marker in floors[index]]
            self._sizes[index] = self._shortened(index, self._sizes[index], caps)
        return sum(sizes) - sum(size for index in indices for size in self._sizes[index])

    def saved_at_most(self, indices: Iterable[int]) -> int:
        """Return what cutting all results to their markers would save."""
        return sum(
            max(size - marker, 0)
            for index in indices
            for size, marker in zip(self._sizes[index], self._markers(index), strict=True)
        )

    def _frame(self, index: int) -> int:
        blocks = self.readings[index].blocks
        prices = sum(price(block, self.block_tokens, index) for block in blocks)
        return self.overhead.per_message + prices

    def _count(self, texts: Iterable[str], name: str) -> int:
        return sum(count(self.cutter.counter, text, name) for text in texts)

    def _given_results(self, index: int) -> list[Result]:
        return [result_of(entry) for entry in self.readings[index].results]

    def _asked(self, index: int) -> Iterator[str]:
        """Yield what is counted up to the room that is left: all, unless results have a ceiling."""
        yield from self.readings[index].texts
        if self.ceiling is None:
            for result in self._given_results(index):
                yield from result.sent

    def _results(self, index: int) -> list[int]:
        if self.ceiling is not None:
            return self._capped(index, self.ceiling)
        name = name_of(index)
        return [self._count(result.sent, name) for result in self._given_results(index)]

    def _capped(self, index: int, ceiling: int) -> list[int]:
        """Return what each result costs, cut to the ceiling where it is over."""
        sizes = [self._up_to(result, ceiling, index) for result in self._given_results(index)]
        return self._shortened(index, sizes, [ceiling] * len(sizes))

    def _up_to(self, result: Result, ceiling: int, index: int) -> int:
        size = 0
        for text in result.sent:
            tokens = count_up_to(self.cutter.counter, text, max(ceiling - size, 0), name_of(index))
            if tokens is None:
                return ceiling + 1
            size += tokens
        return size

    def _shortened(self, index: int, sizes: list[int], caps: list[int]) -> list[int]:
        """Cut the results that are over their caps, in a copy; return what each costs now."""
        over = [size > cap for size, cap in zip(sizes, caps, strict=True)]
        if not any(over):
            return sizes
        now = [result_of(entry) for entry in self._reading_now(index).results]
        given, name = self._given_results(index), name_of(index)
        texts = [
            self.cutter.cut(given[place], caps[place], name) if is_over else now[place].text
            for place, is_over in enumerate(over)
        ]
        copied = self.form.rewrite(self.given[index], tuple(texts))
        self.copies[index] = copied
        self._cut_readings[index] = self.form.read(copied, index)
        # What is sent is what is counted: the copy is read again.
        cut = [result_of(entry) for entry in self._cut_readings[index].results]
        return [
            self._count(cut[place].sent, name) if is_over else sizes[place]
            for place, is_over in enumerate(over)
        ]

    def _reading_now(self, index: int) -> Reading:
        return self._cut_readings.get(index, self.readings[index])

    def _markers(self, index: int) -> list[int]:
        name = name_of(index)
        return [self.cutter.marker_cost(result, name) for result in self._given_results(index)]


def name_of(index: int) -> str:
    """Return the name by which errors and diagnostics know a message."""
    return f"messages[{index}]"
