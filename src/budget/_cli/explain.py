"""`explain`: what each limit would keep, and where the tokens went."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from .._report.columns import columns, padded, shortened
from .._report.measuring import pools_of
from .._report.picture import TOTAL, Result
from ..counting import TokenCounter
from ..errors import BudgetOverflowError, escaped
from ..items import JSON, BudgetItem
from ..overflow import OverflowAction, survival_limits
from . import summary
from .arguments import Command
from .codes import DONE
from .options import add_input
from .streams import say, wants_colour, width_of, write_json, write_lines
from .window import Window, add_window, window_of, write_report
from .work import work_of

_EXAMPLES: Final = r"""  python -m budget explain turn.jsonl
  python -m budget explain --limit 8000 turn.jsonl
  python -m budget explain --policy pyproject.toml --report where.html turn.jsonl"""
_NAME_COLUMNS: Final = 32


class _Row(NamedTuple):
    """An item, the smallest limit of its line that keeps it, and how many that limit keeps."""

    line: str
    item: BudgetItem
    tokens: int
    limit: int
    keeps: int
    of: int

    def to_dict(self) -> dict[str, JSON]:
        """Return plain JSON types."""
        item: dict[str, JSON] = self.item.to_dict() | {"tokens": self.tokens}
        return item | {"line": self.line, "limit": self.limit, "keeps": self.keeps}


def _add(sub: ArgumentParser) -> None:
    add_input(sub)
    add_window(sub, ["drop", "truncate"])


def _run(arguments: Namespace) -> int:
    window = window_of(arguments, OverflowAction.DROP)
    with work_of(arguments) as work:
        items = work.items(arguments)
        counter = work.remembering()
        result, refusal = _fitted(window, items, counter)
        rows = list(_rows(result, items, counter))
        if result is not None:
            write_report(arguments.report, result, items, counter)
    if arguments.json:
        found: dict[str, JSON] = {"items": [row.to_dict() for row in rows]}
        write_json(counter, found if result is None else found | {"result": result.to_dict()})
    else:
        if result is not None:
            write_lines(_report(result, items, counter) + "\n")
        write_lines("\n".join(_table(rows)))
        say(summary.counted_by(counter))
    if refusal is not None:
        raise refusal
    return DONE


def _fitted(
    window: Window | None, items: list[BudgetItem], counter: TokenCounter
) -> tuple[Result | None, BudgetOverflowError | None]:
    """Return the result or the refusal: what it would take is told in either case."""
    try:
        return None if window is None else window.fit(items, counter), None
    except BudgetOverflowError as refusal:
        return None, refusal


def _rows(result: Result | None, items: list[BudgetItem], counter: TokenCounter) -> Iterator[_Row]:
    pools = [(TOTAL, items)] if result is None else [pool[::2] for pool in pools_of(result, items)]
    for line, pool in pools:
        limits = survival_limits(pool, counter)
        ascending = sorted(pool, key=lambda item: (limits[item.item_id], item.order, item.item_id))
        keeps = {limits[item.item_id]: place for place, item in enumerate(ascending, start=1)}
        for item in ascending:
            limit = limits[item.item_id]
            yield _Row(line, item, counter.count(item.text), limit, keeps[limit], len(pool))


def _report(result: Result, items: list[BudgetItem], counter: TokenCounter) -> str:
    from ..report import Report  # noqa: PLC0415 - few calls draw a picture

    width, colour = width_of(sys.stdout), wants_colour(sys.stdout)
    return Report(result, items, counter).text(width=width, colour=colour)


def _table(rows: Sequence[_Row]) -> Iterator[str]:
    shown = [("limit", "keeps", "tokens", "item", "line"), *map(_shown, rows)]
    widths = [max(columns(value) for value in column) for column in zip(*shown, strict=True)]
    for limit, keeps, tokens, item, line in shown:
        numbers = f"{limit:>{widths[0]}}  {keeps:>{widths[1]}}  {tokens:>{widths[2]}}"
        yield f"{numbers}  {padded(item, widths[3])}  {line}"


def _shown(row: _Row) -> tuple[str, str, str, str, str]:
    pinned = ", pinned" if row.item.pinned else ""
    line = str(row.item.kind) if row.line == TOTAL else row.line
    return (
        f"{row.limit:,}",
        f"{row.keeps:,} of {row.of:,}",
        f"{row.tokens:,}",
        shortened(escaped(row.item.item_id), _NAME_COLUMNS),
        escaped(line) + pinned,
    )


COMMAND: Final = Command(
    "print what each limit would keep and, of a limit or a policy, where the tokens went",
    _EXAMPLES,
    _add,
    _run,
)
