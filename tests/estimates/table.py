"""The estimate held against real counts, kind by kind, as the table of the docs.

python -m tests.estimates.table
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from budget import EstimatingCounter
from tests.estimates.corpus import Row, read_rows
from tests.estimates.kinds import NATURAL, UNNATURAL

MEDIAN, SAFE = EstimatingCounter(), EstimatingCounter(safe=True)
HEAD = """\
| kind | texts | estimate: bias | spread | against cl100k: bias | safe: bias | spread |
|---|---|---|---|---|---|---|
"""


@dataclass(frozen=True, slots=True)
class Errors:
    """Signed errors in per cent of the real count."""

    values: Sequence[float]

    @property
    def bias(self) -> float:
        return sum(self.values) / len(self.values)

    @property
    def spread(self) -> str:
        return f"{min(self.values):+.0f} to {max(self.values):+.0f} %"

    @property
    def undercounts(self) -> int:
        return sum(value < 0 for value in self.values)


def estimate_errors(rows: Iterable[Row]) -> Errors:
    """Return the errors of the estimate against o200k_base."""
    return _errors((MEDIAN.count(row["text"]), row["o200k"]) for row in rows)


def foreign_errors(rows: Iterable[Row]) -> Errors:
    """Return the errors of the estimate against cl100k_base, which it isn't made for."""
    return _errors((MEDIAN.count(row["text"]), row["cl100k"]) for row in rows)


def safe_errors(rows: Iterable[Row]) -> Errors:
    """Return the errors of the safe estimate against the larger of the two counts."""
    return _errors((SAFE.count(row["text"]), max(row["o200k"], row["cl100k"])) for row in rows)


def of_kinds(*kinds: str) -> list[Row]:
    """Return the rows of these kinds."""
    return [row for row in read_rows() if row["kind"] in kinds]


def table() -> str:
    """Return the table: natural kinds, their sum, the others."""
    groups: list[tuple[str, tuple[str, ...]]] = [(kind, (kind,)) for kind in NATURAL]
    groups += [("**all of these**", NATURAL)]
    groups += [(kind, (kind,)) for kind in UNNATURAL]
    return HEAD + "".join(_line(name, of_kinds(*kinds)) for name, kinds in groups)


def _errors(pairs: Iterable[tuple[int, int]]) -> Errors:
    return Errors([100 * (estimated - real) / real for estimated, real in pairs])


def _line(name: str, rows: list[Row]) -> str:
    own, foreign, safe = estimate_errors(rows), foreign_errors(rows), safe_errors(rows)
    return (
        f"| {name} | {len(rows)} | {own.bias:+.0f} % | {own.spread} | {foreign.bias:+.0f} %"
        f" | {safe.bias:+.0f} % | {safe.spread} |\n"
    )


if __name__ == "__main__":
    print(table(), end="")  # noqa: T201 - this is its output
