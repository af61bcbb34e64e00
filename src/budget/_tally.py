"""What a guard measured, so that a budget can be chosen from it."""

from __future__ import annotations

from typing import Final, TypedDict

from ._checks import check_int
from ._gate import ProcessLock
from .errors import ConfigurationError

OTHERS: Final = "(others)"
_NAMES = 256


class GuardSnapshot(TypedDict):
    """What `HmsGuard.snapshot` returns: plain data for a periodic export."""

    mode: str
    strategy: str
    budget: int
    counter: str
    peak: int
    peaks: dict[str, int]
    overflows: dict[str, int]
    latched: bool


class Tally:
    """The largest size and the number of overflows, per layer; names beyond 256 are one."""

    __slots__ = ("_lock", "_overflows", "_peaks")

    def __init__(self) -> None:
        """Start with nothing measured."""
        self._lock = ProcessLock()
        self._peaks: dict[str, int] = {}
        self._overflows: dict[str, int] = {}

    def add(self, layer_name: str, requested_tokens: int, *, over: bool) -> None:
        """Remember one measurement."""
        with self._lock():
            known = layer_name in self._peaks or len(self._peaks) < _NAMES
            name = layer_name if known else OTHERS
            self._peaks[name] = max(requested_tokens, self._peaks.get(name, 0))
            if over:
                self._overflows[name] = self._overflows.get(name, 0) + 1

    def read(self) -> tuple[dict[str, int], dict[str, int]]:
        """Return copies of peaks and overflow counts, of one moment."""
        with self._lock():
            return dict(self._peaks), dict(self._overflows)


def with_headroom(peaks: dict[str, int], headroom_percent: int) -> int:
    """Return the largest peak plus a headroom, rounded up; at least 1, the smallest budget."""
    check_int("headroom_percent", headroom_percent, 0, ConfigurationError)
    if not peaks:
        raise ConfigurationError("nothing was measured yet; check a section, then ask again")
    return max(-(-max(peaks.values()) * (100 + headroom_percent) // 100), 1)
