"""Where the tokens went, and what it would take to keep the rest: as text, as HTML, in a notebook.

Provisional in 0.x.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ._batch import Batch
from ._checks import check_int, check_type, refuse_type
from ._report.html import as_document, as_fragment
from ._report.measuring import picture_of
from ._report.picture import Picture
from ._report.text import as_text
from .counting import TokenCounter, check_counter
from .items import BudgetItem, OverflowResult
from .policy import PolicyResult

__all__ = ["Report"]

NARROWEST = 60


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """A result as text by `str()`, as HTML by `.html()`, and as a picture in a notebook.

    It shows a bar per line of a policy or, without one, per kind: what was kept, what a cut kept,
    what is free and what was left out; each item that lost something, with the reason and the
    smallest limit of its line that would have kept it whole; and how many items survive at which
    limit. These limits are those of `survival_limits`: of sums, under DROP. It holds the items,
    and shows no text of theirs unless asked for.

    All counting is done here, once; what shows it counts nothing.

    Args:
        result: Of `apply_overflow` or `apply_policy`.
        items: The items of that call.
        counter: The counter of that call. Called once per different text of the items that
            weren't kept whole: all that was left out is counted now, whole.

    Raises:
        BudgetPolicyError: If two items share an id, or the items aren't those of the result.
        CounterError: If the counter answers something other than an int >= 0.
        TypeError: For an argument of a wrong type.
    """

    result: OverflowResult | PolicyResult
    items: Iterable[BudgetItem]
    counter: TokenCounter
    _picture: Picture = field(init=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse what doesn't belong together, and count."""
        if not isinstance(self.result, OverflowResult | PolicyResult):
            raise refuse_type("result", "an OverflowResult or a PolicyResult", self.result)
        arrived = Batch.of(self.items).arrived
        check_counter(self.counter)
        object.__setattr__(self, "items", arrived)
        object.__setattr__(self, "_picture", picture_of(self.result, arrived, self.counter))

    def __repr__(self) -> str:
        """Show numbers only."""
        lost = len(self._picture.losses)
        return (
            f"Report(<{self.result.total_tokens:,} of {self.result.limit:,} tokens,"
            f" {lost:,} items lost something>)"
        )

    def __str__(self) -> str:
        """Return the text in 80 columns, without colour and without a newline at its end."""
        return self.text()

    def text(self, *, width: int = 80, colour: bool = False) -> str:
        """Return the report as lines of text, of the losses the first 60.

        Args:
            width: Columns, >= 60; wide characters take two. Numbers beyond millions may need more.
            colour: Paint the bars with the escapes of an ANSI terminal.

        Raises:
            BudgetPolicyError: If `width` is under 60.
            TypeError: For an argument of a wrong type.
        """
        check_int("width", width, NARROWEST)
        check_type("colour", colour, bool)
        return as_text(self._picture, width, colour=colour)

    def html(self, *, include_text: bool = False) -> str:
        """Return one self-contained page: no script, nothing loaded, all of it escaped.

        Of the losses it lists the first 500. Write it as UTF-8; it has no lone surrogates.

        Args:
            include_text: Show the items' texts as well: what was kept of each, and of an item
                that was left out all of it.

        Raises:
            TypeError: For an argument of a wrong type.
        """
        check_type("include_text", include_text, bool)
        return as_document(self._picture, tuple(self.items) if include_text else ())

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        return as_fragment(self._picture)
