"""The survival curve as inline SVG: the limit on one axis, what survives on the other."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from ..errors import escaped
from .picture import Curve

_LEFT, _TOP, _WIDTH, _HEIGHT = 34, 18, 270, 130
_MARK_ROOM: Final = 60  # units that a label beside the mark of today's limit takes


def curve_svg(curve: Curve) -> str:
    """Return an `svg` element with a title and a description for those who don't see it."""
    most = curve.steps[-1][1]
    scale = max(curve.limit, curve.steps[-1][0], 1)
    path = " ".join(_path(curve, scale, most))
    bottom, right = _TOP + _HEIGHT, _LEFT + _WIDTH
    return (
        f'<svg viewBox="0 0 {right + 16} {bottom + 22}" role="img">'
        f"<title>{escape(_title(curve))}</title><desc>{escape(_description(curve))}</desc>"
        f'<path class="area" d="M{_LEFT} {bottom} {path} V{bottom} Z"/>'
        f'<path class="step" d="M{_LEFT} {bottom} {path}"/>'
        f'<path class="axis" d="M{_LEFT} {_TOP} V{bottom} H{right}"/>'
        f"{_mark(curve, scale)}"
        f'<text x="{_LEFT - 6}" y="{_TOP + 8}" text-anchor="end">{most:,}</text>'
        f'<text x="{_LEFT - 6}" y="{bottom}" text-anchor="end">0</text>'
        f'<text x="{_LEFT}" y="{bottom + 15}">0</text>'
        f'<text x="{right}" y="{bottom + 15}" text-anchor="end">{scale:,} tokens</text>'
        "</svg>"
    )


def survivors(curve: Curve) -> int:
    """Return how many items survive whole, under DROP, at today's limit."""
    return max((items for limit, items in curve.steps if limit <= curve.limit), default=0)


def _title(curve: Curve) -> str:
    return f"{escaped(curve.name)}: how many items survive at which limit"


def _description(curve: Curve) -> str:
    first, last = curve.steps[0], curve.steps[-1]
    return (
        f"{survivors(curve):,} of {last[1]:,} items survive whole at today's limit of"
        f" {curve.limit:,} tokens; below {first[0]:,} tokens none does, from {last[0]:,} on all do."
    )


def _path(curve: Curve, scale: int, most: int) -> Iterator[str]:
    """Yield the steps; of those that fall on one unit of the axis only the last is drawn."""
    drawn = {_LEFT + limit * _WIDTH // scale: items for limit, items in curve.steps}
    for x, items in drawn.items():
        yield f"H{x} V{_TOP + _HEIGHT - items * _HEIGHT // most}"
    yield f"H{_LEFT + _WIDTH}"


def _mark(curve: Curve, scale: int) -> str:
    x = _LEFT + curve.limit * _WIDTH // scale
    anchor = "start" if x < _LEFT + _MARK_ROOM else "end" if x > _WIDTH - _MARK_ROOM else "middle"
    return (
        f'<path class="today" d="M{x} {_TOP} V{_TOP + _HEIGHT}"/>'
        f'<text class="mark" x="{x}" y="{_TOP - 6}" text-anchor="{anchor}">'
        f"limit {curve.limit:,}</text>"
    )
