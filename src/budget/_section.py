"""The items of one line: each counted at most once, and none before that matters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ._asking import count_within_of
from ._batch import Batch, kept_whole
from ._declaration import OTHERS, BudgetLine, BudgetPolicy
from .counting import TokenCounter, count_each, count_each_within
from .errors import BudgetOverflowError, BudgetPolicyError, listed
from .items import BudgetItem, Diagnostic, OverflowResult
from .overflow import OverflowAction, apply_overflow


class Section:
    """A line and its items.

    Attributes:
        line: As declared.
        kept: The pinned items.
        pinned: Their tokens.
    """

    __slots__ = ("_batch", "_counted", "_counter", "_most", "_uncounted", "kept", "line", "pinned")

    def __init__(
        self,
        line: BudgetLine,
        batch: Batch,
        counter: TokenCounter,
        pinned: Sequence[int],
        most: int,
    ) -> None:
        """Count nothing yet.

        Args:
            line: As declared.
            batch: Its items.
            counter: Asked at most once per unpinned item.
            pinned: The counts of the pinned items, in total order.
            most: What could be granted to the line at all. Of an item beyond that, a counter
                with `count_within` reads only what shows it.
        """
        known = {item.text: tokens for item, tokens in zip(batch.pinned, pinned, strict=True)}
        bounded = count_within_of(counter) is not None
        self.line = line
        self.kept = kept_whole(batch.pinned, pinned)
        self.pinned = sum(pinned)
        self._batch = batch
        self._most = most
        self._counted = self.pinned
        self._counter = (_RememberingWithin if bounded else _Remembering)(counter, known)
        self._uncounted = self._costs(counter)

    def content(self, room: int) -> int:
        """Return the tokens of all items, or `room` if they are more.

        Counting goes on from where it stopped, up to the first item beyond `room`.

        Args:
            room: At most what could be granted to the line.
        """
        while self._counted <= room:
            item, tokens = next(self._uncounted, (None, 0))
            if item is None:
                break
            if tokens is None:
                self._counted = self._most + 1
            else:
                self._counter.known[item.text] = tokens
                self._counted += tokens
        return min(self._counted, room)

    def fitted(self, grant: int) -> OverflowResult:
        """Return what the line's action makes of the items within `grant` tokens."""
        self.content(grant)
        line = self.line
        try:
            return apply_overflow(
                self._batch.arrived, grant, line.action, self._counter, line.truncation
            )
        except BudgetOverflowError as error:
            error.lines = (line.kind,)
            raise

    def bare(self, needed: int, limit: int) -> OverflowResult:
        """Return the pinned items alone, also where the others cost nothing.

        Raises:
            BudgetOverflowError: With these numbers, if the line may not lose the others.
        """
        if not self._batch.others:
            return self.fitted(self.pinned)
        if self.line.action is OverflowAction.FAIL:
            refusal = BudgetOverflowError(needed, limit, self.line.action)
            refusal.lines = (self.line.kind,)
            raise refusal
        first = self._batch.others[0]
        before = self._counter.known.get(first.text)
        dropped = self.line.action is OverflowAction.DROP
        why = Diagnostic(first.item_id, "drop", before, 0, "over" if dropped else "no-cut")
        return OverflowResult(
            kept=self._batch.arranged(self.kept),
            limit=self.pinned,
            total_tokens=self.pinned,
            dropped=self._batch.left_out(self.kept),
            overflowed=True,
            diagnostics=(why,),
        )

    def _costs(self, counter: TokenCounter) -> Iterator[tuple[BudgetItem, int | None]]:
        others = self._batch.others
        if self.line.action is OverflowAction.FAIL:
            return zip(others, count_each(counter, others), strict=True)
        room = self._most - self.pinned
        return zip(others, count_each_within(counter, others, room), strict=True)


class _Remembering:
    """The counter of the call, not asked again for an item that was counted."""

    __slots__ = ("counter", "known")

    def __init__(self, counter: TokenCounter, known: dict[str, int]) -> None:
        self.counter = counter
        self.known = known

    def count(self, text: str, /) -> int:
        """Return the count that is known, or ask: for cuts, and all of a line that fails."""
        tokens = self.known.get(text)
        return self.counter.count(text) if tokens is None else tokens


class _RememberingWithin(_Remembering):
    """The same for a counter that has `count_within`."""

    __slots__ = ()

    def count_within(self, text: str, limit: int, /) -> int | None:
        """Return what is known; an item that isn't is beyond what could be granted."""
        tokens = self.known.get(text)
        return tokens if tokens is not None and tokens <= limit else None


def cap(line: BudgetLine, available: int) -> int:
    """Return the most that a line may use of what is available to all."""
    return available if line.limit is None else min(line.limit, available)


def sections_of(
    items: Iterable[BudgetItem], policy: BudgetPolicy, counter: TokenCounter
) -> list[Section]:
    """Return a section per declared line, its pinned items counted.

    Raises:
        BudgetPolicyError: If a kind has no line.
    """
    batches = [Batch.of(held) for held in _by_line(items, policy)]
    pinned = [list(count_each(counter, batch.pinned)) for batch in batches]
    spare = policy.available - sum(map(sum, pinned))
    return [
        Section(line, batch, counter, costs, min(cap(line, policy.available), sum(costs) + spare))
        for line, batch, costs in zip(policy.lines, batches, pinned, strict=True)
    ]


def _by_line(items: Iterable[BudgetItem], policy: BudgetPolicy) -> list[list[BudgetItem]]:
    places = {line.kind: place for place, line in enumerate(policy.lines)}
    held: list[list[BudgetItem]] = [[] for _ in policy.lines]
    strays: list[BudgetItem] = []
    for item in items:
        place = places.get(item.kind, places.get(OTHERS))
        (strays if place is None else held[place]).append(item)
    if strays:
        kinds = sorted({item.kind for item in strays})
        ids = sorted(item.item_id for item in strays)
        raise BudgetPolicyError(
            f"no line is declared for {listed(kinds)} ({listed(ids)}); declare one, or '*' for"
            " all other kinds"
        )
    return held
