"""Asking somebody else's tokenizer: its package, what it refuses, and its panics."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Generic, Protocol, TypeVar

from ..errors import CounterError, MissingPackageError

Count = Callable[[str], int]

_Built = TypeVar("_Built")

# What stops a program isn't a tokenizer's failure.
_STOPPING = (KeyboardInterrupt, SystemExit, GeneratorExit)


class Named(Protocol):
    """A counter."""

    @property
    def name(self) -> str:
        """What counts."""
        ...


class Lazy(Generic[_Built]):
    """A place for what is built on first use: no field, so not pickled, copied or compared."""

    __slots__ = ("_built",)

    _built: _Built


def imported(module: str, package: str, extra: str) -> ModuleType:
    """Return the module, or name the extra that installs it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingPackageError(package, extra) from error


def ask(count: Count, text: str, counter: Named) -> int:
    """Return `count(text)`, with lone surrogates replaced where the tokenizer refuses them.

    A native tokenizer's panic derives from BaseException, which no caller expects of a counter.

    Raises:
        CounterError: In the place of a panic, which is its cause.
    """
    try:
        return _with_surrogates(count, text)
    except BaseException as panic:
        if isinstance(panic, (Exception, *_STOPPING)):
            raise
        error = CounterError(None, type(panic).__name__)
        error.add_note(f"{counter.name} panicked on a text of {len(text):,} characters")
        raise error from panic


def _with_surrogates(count: Count, text: str) -> int:
    try:
        return count(text)
    except (TypeError, UnicodeEncodeError):
        readable = _readable(text)
        if readable == text:
            raise
    return count(readable)


def _readable(text: str) -> str:
    # As tiktoken does: a high and a low surrogate side by side are one character, a lone one
    # is U+FFFD.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
