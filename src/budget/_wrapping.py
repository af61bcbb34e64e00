"""Counters around counters: a factor, an overhead, a memory.

Each has `count_within` exactly when the counter inside has it.
"""

from __future__ import annotations

from _thread import allocate_lock
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Protocol

from ._asking import (
    CountWithin,
    TokenCounter,
    check_counter,
    checked,
    count_within_of,
    counter_name,
)
from ._checks import check_int, refuse_type
from .errors import BudgetPolicyError


class Rational(Protocol):
    """An int, float, Fraction or Decimal."""

    def as_integer_ratio(self) -> tuple[int, int]:
        """Return numerator and denominator."""
        ...


@dataclass(frozen=True, slots=True)
class ScaledCounter:
    """Another counter's counts times a factor, each rounded up once.

    For a tokenizer of another family: with 1.25, what it undercounts by a fifth still fits.

    Args:
        counter: Asked once per count.
        factor: An int, float, Fraction or Decimal > 0. A float counts as its shortest decimal,
            exactly: 1.1 is 11/10.

    Raises:
        TypeError: If `counter` can't count or `factor` isn't a number.
        BudgetPolicyError: If `factor` isn't finite and > 0.
    """

    counter: TokenCounter
    factor: Rational
    _ratio: tuple[int, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse what can't count and what isn't a factor."""
        check_counter(self.counter)
        if isinstance(self.factor, bool | type) or not hasattr(self.factor, "as_integer_ratio"):
            raise refuse_type("factor", "a number", self.factor)
        object.__setattr__(self, "_ratio", _exact(self.factor))

    @property
    def name(self) -> str:
        """The inner name and the factor."""
        return f"{counter_name(self.counter)} x {self.factor}"

    def count(self, text: str, /) -> int:
        """Return ceil(count * factor)."""
        return self._scaled(checked(self.counter.count(text)))

    @property
    def count_within(self) -> CountWithin:
        """There exactly when the inner counter has it: asks for floor(limit / factor)."""
        within = _forwarded(self.counter)

        def scaled(text: str, limit: int, /) -> int | None:
            numerator, denominator = self._ratio
            answer = within(text, limit * denominator // numerator)
            return None if answer is None else self._scaled(answer)

        return scaled

    def _scaled(self, tokens: int) -> int:
        numerator, denominator = self._ratio
        return -(-tokens * numerator // denominator)


def _exact(factor: Rational) -> tuple[int, int]:
    try:
        numerator, denominator = (
            _shortest(factor) if isinstance(factor, float) else factor.as_integer_ratio()
        )
    except (ValueError, OverflowError):
        numerator, denominator = 0, 1
    if numerator <= 0:
        raise BudgetPolicyError(f"factor must be finite and > 0, got {factor}")
    return numerator, denominator


def _shortest(number: float) -> tuple[int, int]:
    mantissa, _, exponent = float.__repr__(number).partition("e")
    whole, _, decimals = mantissa.partition(".")
    power = int(exponent or 0) - len(decimals)
    return int(whole + decimals) * 10 ** max(power, 0), 10 ** max(-power, 0)


@dataclass(frozen=True, slots=True)
class OverheadCounter:
    """Another counter's counts plus the tokens that frame each counted text.

    Args:
        counter: Asked once per count.
        per_item: Tokens added to each count; with a separator or a render one text is counted,
            the whole, so they are added once.

    Raises:
        TypeError: If `counter` can't count or `per_item` isn't an int.
        BudgetPolicyError: If `per_item` is negative.
    """

    counter: TokenCounter
    per_item: int

    def __post_init__(self) -> None:
        """Refuse what can't count and what isn't a number of tokens."""
        check_counter(self.counter)
        check_int("per_item", self.per_item, 0)

    @property
    def name(self) -> str:
        """The inner name and the overhead."""
        return f"{counter_name(self.counter)} + {self.per_item}"

    def count(self, text: str, /) -> int:
        """Return count + per_item."""
        return checked(self.counter.count(text)) + self.per_item

    @property
    def count_within(self) -> CountWithin:
        """There exactly when the inner counter has it: asks for what the overhead leaves."""
        within = _forwarded(self.counter)

        def framed(text: str, limit: int, /) -> int | None:
            left = limit - self.per_item
            answer = within(text, left) if left >= 0 else None
            return None if answer is None else answer + self.per_item

        return framed


class CachedCounter:
    """Another counter's counts, remembered by text: an agent loop counts only what is new.

    It keeps the texts it remembers alive, up to `max_characters` of them together, and forgets
    the least recently used first. Threads may share it; two that miss the same text at once
    both count it. A pickle or a copy carries the configuration and starts empty.

    Args:
        counter: Asked once per text that isn't remembered; no lock is held meanwhile.
        max_characters: Of all remembered texts together; a longer text isn't remembered.

    Raises:
        TypeError: If `counter` can't count or `max_characters` isn't an int.
        BudgetPolicyError: If `max_characters` is under 1.
    """

    __slots__ = ("_characters", "_counts", "_lock", "counter", "hits", "max_characters", "misses")

    def __init__(self, counter: TokenCounter, max_characters: int) -> None:
        """Start empty."""
        check_counter(counter)
        check_int("max_characters", max_characters, 1)
        self.counter = counter
        self.max_characters = max_characters
        self._lock = allocate_lock()
        self.clear()

    def clear(self) -> None:
        """Forget all texts, and start `hits` and `misses` again at 0."""
        with self._lock:
            self._counts: OrderedDict[str, int] = OrderedDict()
            self._characters = 0
            self.hits = 0
            self.misses = 0

    @property
    def name(self) -> str:
        """The inner name: a remembered count is the same count."""
        return counter_name(self.counter)

    def __repr__(self) -> str:
        """Show the configuration, never a text."""
        return f"CachedCounter({self.counter!r}, {self.max_characters!r})"

    def __reduce__(self) -> tuple[type[CachedCounter], tuple[TokenCounter, int]]:
        """Pickle by configuration."""
        return type(self), (self.counter, self.max_characters)

    def count(self, text: str, /) -> int:
        """Return the remembered count, or ask the inner counter once."""
        known = self._remembered(text)
        return self._remember(text, checked(self.counter.count(text))) if known is None else known

    @property
    def count_within(self) -> CountWithin:
        """There exactly when the inner counter has it; only whole counts are remembered."""
        within = _forwarded(self.counter)

        def cached(text: str, limit: int, /) -> int | None:
            known = self._remembered(text)
            if known is None:
                answer = within(text, limit)
                return None if answer is None else self._remember(text, answer)
            return known if known <= limit else None

        return cached

    def _remembered(self, text: str) -> int | None:
        with self._lock:
            tokens = self._counts.get(text)
            if tokens is None:
                self.misses += 1
            else:
                self.hits += 1
                self._counts.move_to_end(text)
            return tokens

    def _remember(self, text: str, tokens: int) -> int:
        if len(text) <= self.max_characters:
            with self._lock:
                self._characters += 0 if text in self._counts else len(text)
                self._counts[text] = tokens
                while self._characters > self.max_characters:
                    self._characters -= len(self._counts.popitem(last=False)[0])
        return tokens


def _forwarded(counter: TokenCounter) -> CountWithin:
    # An AttributeError inside a property makes hasattr answer False: a wrapper has the method
    # exactly when the counter inside has it.
    within = count_within_of(counter)
    if within is None:
        raise AttributeError(f"{counter_name(counter)} has no count_within")

    def checked_within(text: str, limit: int, /) -> int | None:
        answer = within(text, limit)
        return None if answer is None else checked(answer)

    return checked_within
