"""What a person reads about a call: who was kept, cut or dropped, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from .._report.columns import columns, padded, shortened
from .._report.measuring import counted_by as named
from .._report.reasons import reason
from ..counting import TokenCounter
from ..errors import escaped
from ..items import BudgetItem, Diagnostic, OverflowResult
from ..policy import PolicyResult

ROWS = 60
_NAME_COLUMNS = 32


def counted_by(counter: TokenCounter) -> str:
    """Return which counter counted, and that an estimate is one."""
    return f"counted by: {named(counter)}"


def counts(rows: Sequence[tuple[str, int]]) -> str:
    """Return a line for each name with its tokens, and the total."""
    total = sum(tokens for _, tokens in rows)
    width = len(f"{total:,}")
    lines = [f"{tokens:>{width},}  {escaped(name)}" for name, tokens in rows]
    return "\n".join([*lines, f"{total:>{width},}  total\n"])


def cuts(texts: Sequence[tuple[BudgetItem, str]], limit: int, counter: TokenCounter) -> str:
    """Return who was cut, and who was lost because no acceptable cut exists."""
    lost = [escaped(item.item_id) for item, text in texts if item.text and not text]
    cut = sum(text is not item.text for item, text in texts) - len(lost)
    whole = len(texts) - cut - len(lost)
    lines = [f"{name}: dropped, no acceptable cut fits" for name in lost]
    totals = f"whole {whole:,}, cut {cut:,}, dropped {len(lost):,}; at most {limit:,} tokens each"
    return "\n".join([*lines, totals, counted_by(counter)])


def fit(
    items: Sequence[BudgetItem], result: OverflowResult | PolicyResult, counter: TokenCounter
) -> str:
    """Return the table of a result: all rows of a short one, the losses of a long one."""
    rows = list(_rows(items, result))
    if len(rows) > ROWS:
        rows = [row for row in rows if row[3] != "kept"]
    head = ("item", "kind", "tokens", "", "why")
    more = [f"and {len(rows) - ROWS:,} more"] if len(rows) > ROWS else []
    table = _aligned([head, *rows[:ROWS]])
    cut = sum(fitted.truncated for fitted in result.kept)
    totals = (
        f"kept {len(result.kept) - cut:,}, cut {cut:,}, dropped {len(result.dropped):,};"
        f" {result.total_tokens:,} of {result.limit:,} tokens"
    )
    return "\n".join([*table, *more, *_lines(result), totals, counted_by(counter)])


def _lines(result: OverflowResult | PolicyResult) -> Iterator[str]:
    if isinstance(result, PolicyResult):
        for kind, line in result.lines:
            yield f"line {escaped(kind)}: {line.total_tokens:,} of {line.limit:,} tokens"


def _rows(
    items: Iterable[BudgetItem], result: OverflowResult | PolicyResult
) -> Iterator[tuple[str, ...]]:
    kept = {fitted.item_id: fitted for fitted in result.kept}
    for item in items:
        fitted, why = kept.get(item.item_id), result.why(item.item_id)
        tokens = "-" if fitted is None else f"{fitted.tokens:,}"
        outcome = "dropped" if fitted is None else "cut" if fitted.truncated else "kept"
        yield escaped(item.item_id), escaped(str(item.kind)), tokens, outcome, _reason(why)


def _reason(why: Diagnostic | None) -> str:
    if why is None:
        return ""
    before = "" if why.tokens_before is None else f", {why.tokens_before:,} tokens whole"
    return reason(why, min_tokens="--min-tokens", after="what was left") + before


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    names = [shortened(row[0], _NAME_COLUMNS) for row in rows]
    kinds = [shortened(row[1], _NAME_COLUMNS) for row in rows]
    name_width, kind_width = max(map(columns, names)), max(map(columns, kinds))
    token_width = max(len(row[2]) for row in rows)
    return [
        f"{padded(name, name_width)}  {padded(kind, kind_width)}"
        f"  {tokens:>{token_width}}  {outcome:<7}  {why}".rstrip()
        for name, kind, (_, _, tokens, outcome, why) in zip(names, kinds, rows, strict=True)
    ]
