"""The standard streams: bytes out, words to the reader, and what a terminal wants."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import BinaryIO, Protocol

from .._report.measuring import is_estimate
from ..counting import TokenCounter, counter_name
from ..items import JSON
from .lines import InputError, encoded

_PIPE_COLUMNS = 80
_NARROWEST = 60


class Stream(Protocol):
    """What may be a terminal."""

    def isatty(self) -> bool:
        """Return whether somebody looks at it."""
        ...

    def fileno(self) -> int:
        """Return its descriptor."""
        ...


def standard_input() -> BinaryIO:
    """Return the bytes of standard input.

    Raises:
        InputError: If there is none.
    """
    if sys.stdin is None:
        raise InputError("-: can't be read: standard input is closed")
    return sys.stdin.buffer


def write(data: bytes) -> None:
    """Write to standard output.

    Raises:
        OSError: If there is none, or it takes no more.
    """
    if sys.stdout is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    sys.stdout.buffer.write(data)


def write_lines(text: str) -> None:
    """Write a text and a line end."""
    write(encoded(text) + b"\n")


def write_json(counter: TokenCounter | None, values: Mapping[str, JSON]) -> None:
    """Write one JSON object, with which counter counted where one did."""
    told: dict[str, JSON] = {}
    if counter is not None:
        told = {"counter": counter_name(counter), "estimate": is_estimate(counter)}
    write_lines(json.dumps(told | dict(values), ensure_ascii=False))


def say(text: str) -> None:
    """Tell the reader, below what was written; where nobody can listen, that is no failure."""
    # What can't be written is told when the command ends.
    with suppress(OSError):
        if sys.stdout is not None:
            sys.stdout.flush()
    if sys.stderr is not None:
        sys.stderr.buffer.write(encoded(text) + b"\n")
        sys.stderr.flush()


def is_terminal(stream: Stream | None) -> bool:
    """Return whether it is a terminal that understands escapes."""
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"


def wants_colour(stream: Stream | None) -> bool:
    """Return whether it is such a terminal and NO_COLOR doesn't forbid it (no-color.org)."""
    return is_terminal(stream) and not os.environ.get("NO_COLOR")


def width_of(stream: Stream | None) -> int:
    """Return the columns of a terminal; 80 where it is none or says nothing."""
    if stream is None or not stream.isatty():
        return _PIPE_COLUMNS
    try:
        found = os.get_terminal_size(stream.fileno()).columns
    except OSError:
        return _PIPE_COLUMNS
    return max(found, _NARROWEST) if found else _PIPE_COLUMNS
