"""The engine alone: items that cost nothing to count, against a bare counting loop."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Final

from budget import BudgetItem, OverflowAction, apply_overflow

ITEMS: Final = 200_000
_RUNS: Final = 9


@dataclass(frozen=True, slots=True)
class Lengths:
    """A token a character."""

    def count(self, text: str, /) -> int:
        return len(text)


def ratios() -> dict[str, float]:
    """Return how many times the bare loop's time a call takes, by what fits."""
    items = [BudgetItem(f"i{at:06}", "history", "word", at) for at in range(ITEMS)]
    counter = Lengths()

    def bare() -> int:
        total = 0
        for item in items:
            total += counter.count(item.text)
        return total

    def fit(limit: int) -> Callable[[], object]:
        return lambda: apply_overflow(items, limit, OverflowAction.DROP, counter)

    whole = bare()
    limits = {"everything fits": whole, "half fits": whole // 2, "8,000 tokens fit": 8_000}
    return {name: _ratio(fit(limit), bare) for name, limit in limits.items()}


def _ratio(job: Callable[[], object], bare: Callable[[], object]) -> float:
    """Compare the best of several runs, taken by turns; the collector is off."""
    gc.collect()
    gc.disable()
    try:
        pairs = [(_seconds(job), _seconds(bare)) for _ in range(_RUNS)]
    finally:
        gc.enable()
    return min(first for first, _ in pairs) / min(second for _, second in pairs)


def _seconds(job: Callable[[], object]) -> float:
    start = perf_counter()
    job()
    return perf_counter() - start
