"""The counter that was asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol, TypeVar

from .._asking import count_within_of
from ..counting import EstimatingCounter, TokenCounter, counter_name
from ..errors import BudgetError, escaped
from .lines import InputError

Answer = TypeVar("Answer")

COUNTERS: Final[dict[str, TokenCounter]] = {
    "estimate": EstimatingCounter(),
    "safe": EstimatingCounter(safe=True),
}


class CounterFailedError(BudgetError):
    """A counter that raised; what it said may quote the text, so only its type is told."""


class Ticking(Protocol):
    """What is told that something is about to be counted."""

    def count(self) -> None:
        """Note it."""
        ...


def counter_of(name: str) -> TokenCounter:
    """Return the counter of a name: "estimate", "safe", or that of an installed tokenizer.

    Raises:
        BudgetError: If there is no such counter, or its package isn't installed.
    """
    if name in COUNTERS:
        return COUNTERS[name]
    from ..tokenizers import counter_named  # noqa: PLC0415 - most calls need no tokenizer

    try:
        return counter_named(name)
    except OSError as error:
        raise InputError(f"--counter {escaped(name)}: can't be read: {error.strerror}") from None


class Watched:
    """Another counter's counts; each is noted first, and whatever it raises becomes one line."""

    def __init__(self, counter: TokenCounter, progress: Ticking) -> None:
        """Keep both."""
        self._counter = counter
        self._progress = progress

    @property
    def name(self) -> str:
        """The inner name."""
        return counter_name(self._counter)

    def count(self, text: str, /) -> int:
        """Ask the inner counter."""
        return self._asked(lambda: self._counter.count(text))

    @property
    def count_within(self) -> Callable[[str, int], int | None]:
        """There exactly when the inner counter has it."""
        within = count_within_of(self._counter)
        if within is None:
            raise AttributeError(f"{self.name} has no count_within")
        return lambda text, limit: self._asked(lambda: within(text, limit))

    def _asked(self, ask: Callable[[], Answer]) -> Answer:
        self._progress.count()
        try:
            return ask()
        except (BudgetError, MemoryError):
            raise
        except Exception as error:
            raise CounterFailedError(
                f"{escaped(self.name)} raised {type(error).__name__}"
            ) from error
