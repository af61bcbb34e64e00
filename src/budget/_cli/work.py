"""What every command does: read items, and count with the counter that was asked for."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from ..counting import CachedCounter, TokenCounter
from ..items import BudgetItem
from .counters import Watched, counter_of
from .progress import Progress
from .reading import Read, read_each


class Work(NamedTuple):
    """Work that shows its progress.

    Attributes:
        counter: The counter that was asked for, watched.
        progress: What is told of the reading.
    """

    counter: TokenCounter
    progress: Progress

    def read(self, arguments: Namespace) -> Iterator[Read]:
        """Yield the items of the files that were given."""
        return read_each(arguments.files or ["-"], arguments.input, self.progress.read)

    def items(self, arguments: Namespace) -> list[BudgetItem]:
        """Return the items of the files that were given."""
        return [read.item for read in self.read(arguments)]

    def remembering(self) -> TokenCounter:
        """Return the counter with a memory for texts, for those that live anyway."""
        return CachedCounter(self.counter, sys.maxsize)


@contextmanager
def work_of(arguments: Namespace) -> Iterator[Work]:
    """Yield the work of a command; the progress line is gone behind it."""
    asked = counter_of(arguments.counter)
    with Progress() as progress:
        yield Work(Watched(asked, progress), progress)
