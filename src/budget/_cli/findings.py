"""What a check finds."""

from __future__ import annotations

from typing import NamedTuple

from ..items import JSON


class Finding(NamedTuple):
    """One thing that isn't as it was declared.

    Attributes:
        problem: "over", "lost", or what a lock says: "growth", "new", "missing", "counter".
        name: What it is about, escaped.
        says: What is wrong, with the numbers.
    """

    problem: str
    name: str
    says: str

    def __str__(self) -> str:
        """Say it in one line."""
        return f"{self.problem}: {self.name}: {self.says}"

    def to_dict(self) -> dict[str, JSON]:
        """Return plain JSON types."""
        return dict(self._asdict())


def over(tokens: int, limit: int) -> str:
    """Return the numbers of something over its limit."""
    return f"{tokens:,} tokens, {tokens - limit:,} over the limit of {limit:,}"
