"""What a person reads about a call: who was kept, cut or dropped, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from unicodedata import east_asian_width

from ..counting import EstimatingCounter, TokenCounter, counter_name
from ..errors import escaped
from ..items import BudgetItem, Diagnostic, OverflowResult

ROWS = 60
_REASONS = {
    "over": "the first that didn't fit",
    "after": "comes after {after}",
    "no-cut": "no acceptable cut fits",
    "too-small": "its cut would be under --min-tokens",
    "cut": "cut to what was left",
}
_NAME_COLUMNS = 32


def counted_by(counter: TokenCounter) -> str:
    """Return which counter counted, and that an estimate is one."""
    hint = ", not a tokenizer's count" if isinstance(counter, EstimatingCounter) else ""
    return f"counted by: {counter_name(counter)}{hint}"


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


def fit(items: Sequence[BudgetItem], result: OverflowResult, counter: TokenCounter) -> str:
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
    return "\n".join([*table, *more, totals, counted_by(counter)])


def _rows(items: Iterable[BudgetItem], result: OverflowResult) -> Iterator[tuple[str, ...]]:
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
    return _REASONS[why.reason].format(after=escaped(why.blocked_by or "")) + before


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    names = [_shortened(row[0]) for row in rows]
    kinds = [_shortened(row[1]) for row in rows]
    name_width, kind_width = max(map(columns, names)), max(map(columns, kinds))
    token_width = max(len(row[2]) for row in rows)
    return [
        f"{_padded(name, name_width)}  {_padded(kind, kind_width)}"
        f"  {tokens:>{token_width}}  {outcome:<7}  {why}".rstrip()
        for name, kind, (_, _, tokens, outcome, why) in zip(names, kinds, rows, strict=True)
    ]


def columns(text: str) -> int:
    """Return how many columns of a terminal the text takes: wide characters take two."""
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def _shortened(text: str) -> str:
    return text if len(text) <= _NAME_COLUMNS else text[: _NAME_COLUMNS - 1] + "…"


def _padded(text: str, width: int) -> str:
    return text + " " * (width - columns(text))
