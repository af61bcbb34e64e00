"""Time over input size, as a picture: both axes are logarithmic, so a slope is a growth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import ceil, floor, log10
from typing import Final, NamedTuple

from tests.bench.table import OURS, duration

_WIDTH: Final = 760
_HEIGHT: Final = 460
_LEFT: Final = 70
_RIGHT: Final = 170
_TOP: Final = 50
_BOTTOM: Final = 50
_COLOURS: Final = ("#777777", "#b35900", "#6a3d9a", "#1b7837", "#8c510a", "#2166ac", "#c51b7d")
_STYLE: Final = 'font-family="sans-serif" font-size="13" role="img"'
_OURS: Final = "#c00000"

Point = tuple[float, float]


class Axes(NamedTuple):
    """Where values stand in the picture; limits are powers of ten."""

    sizes: tuple[int, int]
    seconds: tuple[int, int]

    def x(self, size: float) -> float:
        """Return how far to the right a size stands."""
        low, high = self.sizes
        return _LEFT + (log10(size) - low) / (high - low) * (_WIDTH - _LEFT - _RIGHT)

    def y(self, seconds: float) -> float:
        """Return how far down a time stands."""
        low, high = self.seconds
        return (
            _HEIGHT - _BOTTOM - (log10(seconds) - low) / (high - low) * (_HEIGHT - _TOP - _BOTTOM)
        )


def growth(title: str, lines: Mapping[str, Sequence[Point]]) -> str:
    """Return an SVG of one line per peer: points of (messages, seconds)."""
    axes = Axes(
        _decades([size for points in lines.values() for size, _ in points]),
        _decades([seconds for points in lines.values() for _, seconds in points]),
    )
    places = _labels({name: axes.y(points[-1][1]) for name, points in lines.items()})
    others = iter(_COLOURS)
    parts = [
        _line(axes, name, points, _OURS if name in OURS else next(others), places[name])
        for name, points in lines.items()
    ]
    return "\n".join((*_frame(title, axes), *parts, "</svg>\n"))


def _decades(values: Sequence[float]) -> tuple[int, int]:
    return floor(log10(min(values))), ceil(log10(max(values)))


def _labels(wanted: Mapping[str, float]) -> dict[str, float]:
    """Return where each name stands, none on another: pushed down where they would meet."""
    placed: dict[str, float] = {}
    last = float("-inf")
    for name, y in sorted(wanted.items(), key=lambda pair: pair[1]):
        last = max(y, last + 15)
        placed[name] = last
    return placed


def _frame(title: str, axes: Axes) -> list[str]:
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" {_STYLE}>',
        f"<title>{escape(title)}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        f'<text x="{_LEFT}" y="28" font-size="16">{escape(title)}</text>',
        f'<text x="{(_LEFT + right) / 2}" y="{_HEIGHT - 8}" text-anchor="middle">messages</text>',
    ]
    for power in range(axes.sizes[0], axes.sizes[1] + 1):
        x = axes.x(10**power)
        parts.append(f'<path d="M{x:.1f} {_TOP}V{bottom}" stroke="#dddddd"/>')
        middle = f'x="{x:.1f}" y="{bottom + 18}" text-anchor="middle"'
        parts.append(f"<text {middle}>{10**power:,}</text>")
    for power in range(axes.seconds[0], axes.seconds[1] + 1):
        y = axes.y(10.0**power)
        parts.append(f'<path d="M{_LEFT} {y:.1f}H{right}" stroke="#dddddd"/>')
        label = duration(10.0**power).replace(".0", "")
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{label}</text>')
    return parts


def _line(axes: Axes, name: str, points: Sequence[Point], colour: str, label: float) -> str:
    places = [(axes.x(size), axes.y(seconds)) for size, seconds in points]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>' for x, y in places)
    style = ' stroke-width="3"' if name in OURS else ' stroke-width="1.8"'
    return (
        f'<path d="M{path}" fill="none" stroke="{colour}"{style}/>'
        f'<g fill="{colour}">{dots}'
        f'<text x="{_WIDTH - _RIGHT + 10}" y="{label + 4:.1f}">{escape(name)}</text></g>'
    )
