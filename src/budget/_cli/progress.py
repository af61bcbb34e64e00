"""A line on a terminal that says that long work goes on; nothing in a pipe."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType
from typing import Final, Self

from .streams import is_terminal

_AFTER: Final = 1.0  # seconds until the first line
_EVERY: Final = 0.2
_CLEAR: Final = b"\r\x1b[K"


class Progress:
    """What was read and counted, shown on standard error while it takes more than a second.

    Leaving the context takes the line away, so it never stands between lines of output.
    """

    def __init__(self) -> None:
        """Start the clock, where somebody looks at it."""
        self._live = is_terminal(sys.stderr)
        self._due = monotonic() + _AFTER if self._live else 0.0
        self._shown = False
        self._bytes = 0
        self._texts = 0

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take the line away."""
        if self._shown:
            self._draw(b"")

    def read(self, size: int) -> None:
        """Note that some bytes were read."""
        self._bytes += size
        self._tick()

    def count(self) -> None:
        """Note that a text is about to be counted."""
        self._texts += 1
        self._tick()

    def _tick(self) -> None:
        if self._live and monotonic() >= self._due:
            self._due = monotonic() + _EVERY
            self._shown = True
            self._draw(f"read {self._bytes:,} bytes, counted {self._texts:,} texts".encode())

    def _draw(self, line: bytes) -> None:
        sys.stderr.buffer.write(_CLEAR + line)
        sys.stderr.flush()
