"""A picture as HTML: one file, no script, nothing loaded."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from html import escape

from ..errors import escaped
from ..items import BudgetItem
from .bars import MEANINGS, longest, segments
from .curve import curve_svg
from .picture import Bar, Curve, Loss, Picture
from .reasons import reason
from .style import STYLE

ROWS = 500
_CELLS = 1_000
_TITLE = "Where the tokens went"
_COLUMNS = ("item", "line", "tokens", "kept at", "why")


def as_document(picture: Picture, items: Sequence[BudgetItem]) -> str:
    """Return a whole page; the texts of these items are shown in it."""
    digest = b64encode(sha256(STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_TITLE}</title>\n<style>{STYLE}</style>\n</head>\n"
        f'<body class="budget-report">\n<main>\n{_content(picture)}{_texts(picture, items)}'
        "</main>\n</body>\n</html>\n"
    )


def as_fragment(picture: Picture) -> str:
    """Return the same for a place inside another page."""
    return f'<div class="budget-report">\n<style>{STYLE}</style>\n{_content(picture)}</div>\n'


def _content(picture: Picture) -> str:
    facts = "".join(f"<p>{_safe(fact)}</p>\n" for fact in picture.facts)
    return (
        f"<h1>{_TITLE}</h1>\n{facts}<h2>Tokens per line</h2>\n{_bars(picture)}"
        f"<h2>How many items survive at which limit</h2>\n{_curves(picture.curves)}"
        f"<h2>What was lost</h2>\n{_losses(picture.losses)}"
    )


def _curves(curves: Sequence[Curve]) -> str:
    figures = "".join(
        f"<figure><figcaption><h3>{_safe(curve.name)}</h3></figcaption>{curve_svg(curve)}</figure>"
        for curve in curves
        if curve.steps
    )
    return f'<div class="curves">{figures}</div>\n' if figures else "<p>There are no items.</p>\n"


def _bars(picture: Picture) -> str:
    bars = (picture.total, *picture.bars)
    scale = longest(bars)
    shown = [name for name in MEANINGS if name != "joins" or picture.total.joins > 0]
    key = "".join(
        f'<li><svg viewBox="0 0 20 14" aria-hidden="true"><rect class="{name}"'
        f' x="{8 if name == "limit" else 1}" y="1" width="{4 if name == "limit" else 18}"'
        f' height="12"/></svg>{MEANINGS[name]}</li>'
        for name in shown
    )
    rows = "".join(_bar(bar, scale) for bar in bars)
    return f'<ul class="key">{key}</ul>\n<ul class="lines">\n{rows}</ul>\n'


def _bar(bar: Bar, scale: int) -> str:
    # The limit is drawn last: it is wider than its cell, and nothing may hide it.
    parts = sorted(segments(bar, scale, _CELLS - 20), key=lambda part: part.name == "limit")
    drawn = "".join(
        f'<rect class="{part.name}" x="{part.start}" y="0" width="{max(part.size, 4)}"'
        ' height="20"/>'
        for part in parts
    )
    numbers = _numbers(bar)
    pieces = " · ".join(f"<span>{number}</span>" for number in numbers)
    return (
        f"<li><h3>{_safe(bar.name)}</h3>"
        f'<svg viewBox="0 0 {_CELLS} 20" preserveAspectRatio="none" role="img">'
        f"<title>{_safe(bar.name)}</title><desc>{', '.join(numbers)}</desc>{drawn}</svg>"
        f'<p class="numbers">{pieces}</p></li>\n'
    )


def _numbers(bar: Bar) -> list[str]:
    said = [f"kept {bar.kept:,}", f"cut {bar.cut:,}", f"dropped {bar.dropped:,}"]
    return said if bar.limit is None else [*said, f"free {bar.free:,} of {bar.limit:,}"]


def _losses(losses: Sequence[Loss]) -> str:
    if not losses:
        return "<p>Nothing was lost.</p>\n"
    head = "".join(
        f'<th scope="col" role="columnheader"{_class_of(name)}>{name}</th>' for name in _COLUMNS
    )
    rows, more = "".join(map(_loss, losses[:ROWS])), len(losses) - ROWS
    return (
        '<table role="table">\n<caption>“Kept at” is the smallest limit of the line, in sums,'
        " that keeps the item whole.</caption>\n"
        f'<thead><tr role="row">{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n'
        f"</table>\n{f'<p>and {more:,} more</p>' if more > 0 else ''}"
    )


def _loss(loss: Loss) -> str:
    values = (loss.line, f"{loss.tokens:,}", f"{loss.keeps:,}", reason(loss.why))
    cells = "".join(
        f'<td role="cell" data-name="{name}"{_class_of(name)}>{_safe(value)}</td>'
        for name, value in zip(_COLUMNS[1:], values, strict=True)
    )
    name = f'<th scope="row" role="rowheader">{_safe(loss.item.item_id)}</th>'
    # Roles are spelt out: a narrow window shows rows as blocks, and they would lose theirs.
    return f'<tr role="row">{name}{cells}</tr>\n'


def _class_of(name: str) -> str:
    return ' class="number"' if name in {"tokens", "kept at"} else ""


def _texts(picture: Picture, items: Sequence[BudgetItem]) -> str:
    if not items:
        return ""
    kept = {fitted.item_id: fitted.text for fitted in picture.result.kept}
    return "<h2>Texts</h2>\n" + "".join(
        f"<details><summary>{_safe(item.item_id)}"
        f"{'' if item.item_id in kept else ' (dropped)'}</summary>"
        f"<pre>{_prose(kept.get(item.item_id, item.text))}</pre></details>\n"
        for item in items
    )


def _safe(text: str) -> str:
    return escape(escaped(text))


def _prose(text: str) -> str:
    """Return a text in which only line ends and tabs stay as they are."""
    return "".join(_pieces(text))


def _pieces(text: str) -> Iterator[str]:
    for piece in re.split(r"([\n\t])", text.replace("\r\n", "\n")):
        yield piece if piece in {"\n", "\t"} else _safe(piece)
