"""A result in numbers: what there is to draw, whatever it is drawn with."""

from __future__ import annotations

from typing import NamedTuple

from ..items import BudgetItem, Diagnostic, OverflowResult
from ..policy import PolicyResult

Result = OverflowResult | PolicyResult

TOTAL = "total"


class Bar(NamedTuple):
    """Tokens of one line, or of everything.

    Attributes:
        name: The line, the kind or "total".
        limit: What was granted; None for a kind that has no limit of its own.
        kept: Of items that were kept whole.
        cut: Of what was kept of a cut item.
        joins: What joining the texts added (or saved), where the whole was measured as one.
        dropped: Of what isn't sent: dropped items, and what a cut removed.
    """

    name: str
    limit: int | None
    kept: int
    cut: int
    joins: int
    dropped: int

    @property
    def free(self) -> int:
        """Tokens of the limit that nothing uses."""
        used = self.kept + self.cut + self.joins
        return 0 if self.limit is None else self.limit - used


class Loss(NamedTuple):
    """An item that lost something.

    Attributes:
        item: The item.
        line: Its line or, without lines, its kind.
        tokens: The count of its whole text.
        kept: The count of what was kept of it.
        keeps: The smallest limit of its line, in sums, that keeps it whole.
        why: The reason.
    """

    item: BudgetItem
    line: str
    tokens: int
    kept: int
    keeps: int
    why: Diagnostic


class Curve(NamedTuple):
    """How many items survive at which limit.

    Attributes:
        name: The line or "total".
        limit: Today's.
        steps: Limits in ascending order, each with the items that survive whole from there on.
    """

    name: str
    limit: int
    steps: tuple[tuple[int, int], ...]


class Picture(NamedTuple):
    """All numbers of a report.

    Attributes:
        result: What they are the numbers of.
        counter: The counter's name, and that an estimate is one.
        total: Everything against the limit.
        bars: One per line or, without lines, per kind.
        curves: One per line or, without lines, one.
        losses: Line by line, the item that is easiest to keep first.
    """

    result: Result
    counter: str
    total: Bar
    bars: tuple[Bar, ...]
    curves: tuple[Curve, ...]
    losses: tuple[Loss, ...]

    @property
    def needed(self) -> int:
        """The sum of the counts of all items."""
        return self.total.kept + self.total.dropped + self.total.cut

    @property
    def facts(self) -> tuple[str, ...]:
        """What there is to say in sentences, each a line or a paragraph."""
        cut = sum(loss.kept > 0 for loss in self.losses)
        whole = len(self.result.kept) - cut
        result, bar = self.result, self.total
        facts = [
            (
                f"{result.total_tokens:,} of {result.limit:,} tokens; kept {whole:,}, cut {cut:,},"
                f" dropped {len(result.dropped):,}; everything is {self.needed:,}"
            ),
            f"counted by: {self.counter}",
        ]
        if result.rendered is not None:
            joins = f"joining the texts makes {bar.joins:+,} of it"
            facts.append(f"{joins}; all other numbers are sums of the texts' own counts")
        return tuple(facts)
