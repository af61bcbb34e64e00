"""A whole window, declared line by line: per kind a limit, an action, a floor and a weight."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ._batch import Batch
from ._checks import check_type, refuse_class
from ._declaration import BudgetLine, BudgetPolicy
from ._measure import Measured, Render, measure_of
from ._planning import Window
from ._section import sections_of
from .counting import TokenCounter, check_counter
from .errors import BudgetPolicyError, escaped
from .items import JSON, BudgetItem, BudgetKind, Diagnostic, FittedItem, OverflowResult

__all__ = ["BudgetLine", "BudgetPolicy", "PolicyResult", "apply_policy"]


@dataclass(frozen=True, slots=True)
class PolicyResult:
    """What was kept, what was lost and why, over all lines.

    Attributes:
        kept: In the order in which the items arrived.
        lines: Per declared line, in that order, its kind and its result in sums; the limit of
            that result is what the line was granted.
        limit: Tokens that were available.
        total_tokens: What was measured: the sum of the kept counts or, with a separator or a
            render, the count of `rendered`. Never more than `limit`.
        dropped: Ids of the items that were left out, in the order in which they arrived.
        overflowed: Whether not everything fitted.
        diagnostics: One entry per line that lost something, in the order in which the items
            arrived; `why` answers for all.
        rendered: The very string that was measured; None where the sum was.
    """

    kept: tuple[FittedItem, ...]
    lines: tuple[tuple[BudgetKind | str, OverflowResult], ...]
    limit: int
    total_tokens: int
    dropped: tuple[str, ...] = ()
    overflowed: bool = False
    diagnostics: tuple[Diagnostic, ...] = ()
    rendered: str | None = field(default=None, repr=False)

    def line(self, kind: BudgetKind | str) -> OverflowResult:
        """Return the result of the line that is declared for `kind`, "*" included.

        Raises:
            BudgetPolicyError: If no line is declared for it.
        """
        check_type("kind", kind, str)
        for found, result in self.lines:
            if found == kind:
                return result
        kinds = ", ".join(escaped(found) for found, _ in self.lines)
        raise BudgetPolicyError(f"no line is declared for {escaped(kind)}; declared are {kinds}")

    def why(self, item_id: str) -> Diagnostic | None:
        """Return why an item was lost or cut; None for one that was kept whole.

        Args:
            item_id: An id of the call; for an id it never saw the answer is None too.
        """
        answers = (result.why(item_id) for _, result in self.lines)
        return next((answer for answer in answers if answer is not None), None)

    def to_dict(self, *, include_text: bool = False) -> dict[str, JSON]:
        """Return plain JSON types: the fields, and texts only if asked for, each once."""
        fields: dict[str, JSON] = {
            "kept": [fitted.to_dict(include_text=include_text) for fitted in self.kept],
            "lines": [{"kind": str(kind), **result.to_dict()} for kind, result in self.lines],
            "limit": self.limit,
            "total_tokens": self.total_tokens,
            "dropped": list(self.dropped),
            "overflowed": self.overflowed,
            "diagnostics": [diagnostic.to_dict() for diagnostic in self.diagnostics],
        }
        return fields | {"rendered": self.rendered} if include_text else fields


def apply_policy(
    items: Iterable[BudgetItem],
    policy: BudgetPolicy,
    counter: TokenCounter,
    *,
    separator: str | None = None,
    render: Render | None = None,
) -> PolicyResult:
    """Fit `items` into a window, line by line, or refuse; what is left out is named.

    Each line keeps its pinned items, then what its floor holds; then lines without a weight
    take what they need in the order declared, and weighted lines share the rest. What one
    doesn't use flows on. Within its grant a line is `apply_overflow`.

    Args:
        items: With unique ids. Within a line the highest `order` is dropped first.
        policy: The declaration.
        counter: Asked at most once per item: about pinned items, then in each line, in total
            order, not beyond the first that doesn't fit what could be granted to it; about all
            of a line that refuses. Then for cuts, as `truncate_text` says.
        separator: Measure the kept texts, of all lines, joined by this, as one string. While
            that is over, the lines are planned again within less.
        render: Measure what this returns for the kept items. At most one of the two is given;
            either is measured at most 19 times.

    Raises:
        BudgetOverflowError: If pinned content is over its line's limit or over the whole, or a
            line whose action is FAIL is over what it was granted.
        BudgetPolicyError: If a kind has no line, two items share an id, or both `separator` and
            `render` are given.
        CounterError: If the counter answers something other than an int >= 0.
        TypeError: For an argument of a wrong type.
    """
    # The kept items of all lines together are no prefix of the total order: they must not be
    # taken for one.
    batch = Batch.of(items)._replace(step=0)
    if not isinstance(policy, BudgetPolicy):
        raise refuse_class("policy", BudgetPolicy, policy)
    check_counter(counter)
    measure = measure_of(batch, counter, separator, render)
    sections = sections_of(batch.arrived, policy, counter)
    window = Window(sections, policy.available, measure)
    return _merged(batch, policy, *window.settled())


def _merged(
    batch: Batch, policy: BudgetPolicy, results: Sequence[OverflowResult], whole: Measured
) -> PolicyResult:
    """Put what the lines kept and lost back into the order of arrival."""
    kept = [fitted for result in results for fitted in result.kept]
    why = {entry.item_id: entry for result in results for entry in result.diagnostics}
    return PolicyResult(
        kept=batch.arranged(kept),
        lines=tuple(zip((line.kind for line in policy.lines), results, strict=True)),
        limit=policy.available,
        total_tokens=whole.tokens,
        dropped=batch.left_out(kept),
        overflowed=bool(why),
        diagnostics=tuple(why[item_id] for item_id in batch.ids if item_id in why),
        rendered=whole.text,
    )
