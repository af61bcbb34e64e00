"""What changed in a cached prefix between two turns, and what that costs."""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from threading import Lock
from typing import Literal

from ._checks import check_int
from .cache import Layer, cached_part, check_layers, joined
from .counting import TokenCounter, check_counter, count
from .errors import ConfigurationError

__all__ = ["Drift", "PrefixWatch"]

_Prefix = tuple[Layer, ...]


@dataclass(frozen=True, slots=True)
class Drift:
    """The first change of a cached prefix.

    Attributes:
        kind: "bytes" (a layer's text changed), "boundary" (the same bytes in other blocks),
            "layers" (one was added, removed, renamed or moved) or "ttl".
        layer: The layer of the new sequence where it begins; of the old one, if it was removed.
        byte: Of the layer's UTF-8, from 0: the first that differs; 0 for "layers" and "ttl".
        line: Of the layer, from 1: the line which that byte is in, counted by newlines.
        tokens: What is written again: everything cached behind the last marker before the
            change, without separators; 0 where no byte and no marker changed.
    """

    kind: Literal["bytes", "boundary", "layers", "ttl"]
    layer: str
    byte: int
    line: int
    tokens: int


class PrefixWatch:
    """Says, turn by turn, whether what a provider has cached for a conversation still holds.

    It works offline and for every provider, and keeps the texts of the last turn of each
    conversation alive. The least recently observed is forgotten first. Threads may share it.

    Args:
        counter: Asked once per drift, about what is written again; no lock is held meanwhile.
        max_keys: Conversations remembered.
        max_characters: Of all remembered texts together; a longer prefix isn't remembered.

    Raises:
        TypeError: For an argument of a wrong type.
        ConfigurationError: If a bound is under 1.
    """

    def __init__(
        self, counter: TokenCounter, *, max_keys: int = 1024, max_characters: int = 64_000_000
    ) -> None:
        """Start with no conversation."""
        check_counter(counter)
        check_int("max_keys", max_keys, 1, ConfigurationError)
        check_int("max_characters", max_characters, 1, ConfigurationError)
        self._counter = counter
        self._max_keys = max_keys
        self._max_characters = max_characters
        self._characters = 0
        self._known: OrderedDict[Hashable, _Prefix] = OrderedDict()
        self._lock = Lock()

    def observe(self, key: Hashable, layers: Iterable[Layer]) -> Drift | None:
        """Return the first change since the last turn of this conversation, or None.

        Name, text and ttl of the layers are compared up to the last marked one, all of them
        where none is marked. A first sight is no drift, nor is a sequence that only grew. The
        new sequence is what the next turn is compared with, whatever happens.

        Args:
            key: The conversation: two that share a key would report each other's changes.
            layers: As they are sent, for instance `CheckedSection.layers`.

        Raises:
            ConfigurationError: If two layers share a name.
            CounterError: If the counter answers something other than an int >= 0.
            TypeError: For an argument of a wrong type, such as a key that isn't hashable.
        """
        new = cached_part(check_layers(layers))
        old = self._swap(key, new)
        return None if new[: len(old)] == old else _drift(old, new, self._counter)

    def _swap(self, key: Hashable, new: _Prefix) -> _Prefix:
        """Remember the new prefix and return the old one; () at first sight."""
        size = _characters(new)
        with self._lock:
            old = self._known.pop(key, ())
            self._characters -= _characters(old)
            if size <= self._max_characters:
                self._known[key] = new
                self._characters += size
            while len(self._known) > self._max_keys or self._characters > self._max_characters:
                self._characters -= _characters(self._known.popitem(last=False)[1])
        return old


def _characters(prefix: _Prefix) -> int:
    return sum(len(layer.text) for layer in prefix)


def _drift(old: _Prefix, new: _Prefix, counter: TokenCounter) -> Drift:
    pairs = enumerate(zip(old, new, strict=False))
    first = next((n for n, (was, now) in pairs if was != now), len(new))
    tokens = _rewritten(old, new, first, counter)
    regrouped = _regrouped(old, new)
    if regrouped is not None:
        return _in_text("boundary", *regrouped, tokens)
    if first == len(new):
        return Drift("layers", old[first].name, 0, 1, tokens)
    was, now = old[first], new[first]
    if was.name != now.name:
        return Drift("layers", now.name, 0, 1, tokens)
    if was.text != now.text:
        return _in_text("bytes", was, now, tokens)
    return Drift("ttl", now.name, 0, 1, tokens)


def _rewritten(old: _Prefix, new: _Prefix, first: int, counter: TokenCounter) -> int:
    """Count what stands behind the last marker before the change; a new name costs nothing."""
    if [(layer.text, layer.ttl) for layer in old] == [(layer.text, layer.ttl) for layer in new]:
        return 0
    intact = next((n for n in range(first, 0, -1) if new[n - 1].ttl is not None), 0)
    text = joined(new[intact:], "")
    return count(counter, text, new[min(first, len(new) - 1)].name) if text else 0


def _regrouped(old: _Prefix, new: _Prefix) -> tuple[Layer, Layer] | None:
    """Return the layers in which the blocks of the same bytes part; None if it isn't that."""
    if joined(old, "") != joined(new, ""):
        return None
    texts = zip(_with_text(old), _with_text(new), strict=False)
    return next((pair for pair in texts if pair[0].text != pair[1].text), None)


def _with_text(prefix: _Prefix) -> Iterator[Layer]:
    return (layer for layer in prefix if layer.text)


def _in_text(kind: Literal["bytes", "boundary"], was: Layer, now: Layer, tokens: int) -> Drift:
    before, after = (layer.text.encode("utf-8", "surrogatepass") for layer in (was, now))
    shared = range(min(len(before), len(after)))
    byte = bisect_left(shared, 1, key=lambda n: before[: n + 1] != after[: n + 1])
    return Drift(kind, now.name, byte, after.count(b"\n", 0, byte) + 1, tokens)
