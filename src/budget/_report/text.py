"""A picture as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from ..errors import escaped
from .bars import MEANINGS, longest, segments
from .columns import columns, padded, shortened
from .picture import Bar, Loss, Picture
from .reasons import reason

ROWS = 60
_NAME_COLUMNS = 28
_NARROWEST_NAME = 6
_BAR_COLUMNS = 10
_WHY_COLUMNS = 16
_GAPS = 4  # blanks between three columns
_MARKS = {"kept": "█", "cut": "▓", "joins": "▒", "free": "·", "limit": "|", "dropped": "░"}
_COLOURS = {"kept": 32, "cut": 33, "joins": 36, "free": 90, "limit": 1, "dropped": 31}
_NUMBERS = ("kept", "cut", "free", "dropped")


def as_text(picture: Picture, width: int, *, colour: bool) -> str:
    """Return the report, without a newline at its end."""
    facts = [line for fact in picture.facts for line in wrap(fact, width)]
    blocks = [facts, [*_bars(picture, width, colour=colour)]]
    if picture.losses:
        blocks.append([*_losses(picture, width)])
    return "\n\n".join("\n".join(line.rstrip() for line in block) for block in blocks)


def _bars(picture: Picture, width: int, *, colour: bool) -> Iterator[str]:
    bars = (picture.total, *picture.bars)
    head, *numbers = _numbers(bars)
    room = width - len(head) - _GAPS
    names = _fitted([bar.name for bar in bars], room - _BAR_COLUMNS)
    taken = columns(names[0])
    cells = max(room - taken, _BAR_COLUMNS)
    # A bar can be five cells longer than its scale.
    scale, scaled = longest(bars), cells - len(_MARKS) + 1
    yield f"{' ' * (taken + cells + _GAPS)}{head}"
    for name, bar, line in zip(names, bars, numbers, strict=True):
        parts = list(segments(bar, scale, scaled))
        drawn = "".join(_painted(part.name, part.size, colour=colour) for part in parts)
        yield f"{name}  {drawn}{' ' * (cells - sum(part.size for part in parts))}  {line}"
    yield from _key(picture, width, colour=colour)


def _key(picture: Picture, width: int, *, colour: bool) -> Iterator[str]:
    line, taken = "", 0
    for mark, meaning in MEANINGS.items():
        if mark == "joins" and picture.total.joins <= 0:
            continue
        size = len(meaning) + 4
        if taken + size > width:
            yield line
            line, taken = "", 0
        line += f"{_painted(mark, 1, colour=colour)} {meaning}  "
        taken += size
    yield line


def _numbers(bars: Sequence[Bar]) -> list[str]:
    rows = [_NUMBERS]
    for bar in bars:
        free = "-" if bar.limit is None else f"{bar.free:,}"
        rows.append((f"{bar.kept:,}", f"{bar.cut:,}", free, f"{bar.dropped:,}"))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(f"{value:>{size}}" for value, size in zip(row, widths, strict=True))
        for row in rows
    ]


def _painted(name: str, size: int, *, colour: bool) -> str:
    drawn = _MARKS[name] * size
    return f"\x1b[{_COLOURS[name]}m{drawn}\x1b[0m" if colour else drawn


def _losses(picture: Picture, width: int) -> Iterator[str]:
    shown = picture.losses[:ROWS]
    rows = [("lost", "line", "tokens", "kept at"), *map(_row, shown)]
    sizes = [max(len(row[place]) for row in rows) for place in (2, 3)]
    lines = _fitted([row[1] for row in rows], width // 5)
    room = width - columns(lines[0]) - sum(sizes) - 2 * _GAPS
    names = _fitted([row[0] for row in rows], room - _WHY_COLUMNS)
    reasons = ["why", *(reason(loss.why) for loss in shown)]
    for name, line, row, why in zip(names, lines, rows, reasons, strict=True):
        numbers = f"{row[2]:>{sizes[0]}}  {row[3]:>{sizes[1]}}"
        yield f"{name}  {line}  {numbers}  {shortened(why, room - columns(name))}"
    if len(picture.losses) > ROWS:
        yield f"and {len(picture.losses) - ROWS:,} more"


def _row(loss: Loss) -> tuple[str, str, str, str]:
    return loss.item.item_id, loss.line, f"{loss.tokens:,}", f"{loss.keeps:,}"


def _fitted(names: Sequence[str], width: int) -> list[str]:
    """Return the names, escaped, in one width: that of the widest, but hardly over `width`."""
    most = max(min(width, _NAME_COLUMNS), _NARROWEST_NAME)
    short = [shortened(escaped(name), most) for name in names]
    common = max(map(columns, short))
    return [padded(name, common) for name in short]
