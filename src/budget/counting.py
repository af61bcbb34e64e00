"""How tokens are counted: the protocol, the embedded estimate, and counters from anything else."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass, field
from typing import Protocol

from . import _estimate
from ._asking import (
    TokenCounter,
    check_counter,
    check_function,
    checked,
    count,
    count_each,
    count_each_within,
    count_up_to,
    counter_name,
)
from ._checks import check_type, refuse_type
from ._wrapping import CachedCounter, OverheadCounter, ScaledCounter

__all__ = [
    "CachedCounter",
    "CallableCounter",
    "EstimatingCounter",
    "OverheadCounter",
    "ScaledCounter",
    "TokenCounter",
    "check_counter",
    "check_function",
    "count",
    "count_each",
    "count_each_within",
    "count_up_to",
    "counter_name",
]


@dataclass(frozen=True, slots=True)
class EstimatingCounter:
    """The embedded default: an estimate without a vocabulary, and it says so.

    Each character weighs what its class costs in the median of o200k_base; the sum is rounded
    up. `docs/explanation/estimates.md` states its bias and spread per kind of text.

    Args:
        safe: Lean high: weights that undercount neither o200k_base nor cl100k_base on more than
            1 % of natural texts of 200 characters or more, and overestimate on average.
    """

    safe: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        """Refuse a flag that isn't a bool."""
        check_type("safe", self.safe, bool)

    @property
    def name(self) -> str:
        """What counts, and that it is an estimate."""
        return "safe estimate" if self.safe else "estimate"

    def count(self, text: str, /) -> int:
        """Return the estimated tokens of `text`, reading all of it once."""
        return _estimate.upper(text) if self.safe else _estimate.median(text)


class TextFunction(Protocol):
    """A function of one text: a count, or with `length=True` an encoding."""

    def __call__(self, text: str, /) -> object:
        """Return a count or a sequence of tokens."""
        ...


@dataclass(frozen=True, slots=True)
class CallableCounter:
    """A counter from a function, `str -> int`, or `str -> sequence` with `length=True`.

    What the function returns is never guessed from its annotations.

    Args:
        fn: Called once per count. It pickles if `fn` does: a lambda doesn't.
        name: What counts; by default the function's own name.
        length: Count the items of what `fn` returns, for a tokenizer's `encode`.

    Raises:
        TypeError: If `fn` isn't callable or is async.
    """

    fn: TextFunction
    name: str | None = None
    length: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        """Refuse what can't be called at once, and take the function's name."""
        check_function("fn", self.fn)
        check_type("length", self.length, bool)
        if self.name is None:
            own = getattr(self.fn, "__qualname__", type(self.fn).__name__)
            object.__setattr__(self, "name", own)
        check_type("name", self.name, str)

    def count(self, text: str, /) -> int:
        """Return what `fn` answers, or the length of it."""
        answer = self.fn(text)
        if not self.length:
            return checked(answer)
        if not isinstance(answer, Sized):
            raise refuse_type("fn's answer with length=True", "a sequence", answer)
        return len(answer)
