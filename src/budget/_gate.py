"""The gate of a guard: of all its overflows, one delivers.

It is safe between threads, and in a process forked while another thread was at the gate:
nothing waits for a thread that the fork left behind.
"""

from __future__ import annotations

import os
from threading import Lock


class ProcessLock:
    """A lock for a few instructions; a forked process finds a fresh one.

    `os.register_at_fork` would keep every guard known to the whole process. This needs nothing:
    a lock that another thread held at the fork belongs to a process id that isn't ours.
    """

    __slots__ = ("_locks",)

    def __init__(self) -> None:
        """Start without a lock: it is made where it is first wanted."""
        self._locks: dict[int, Lock] = {}

    def __call__(self) -> Lock:
        """Return this process's lock; `setdefault` is one step for all threads."""
        return self._locks.setdefault(os.getpid(), Lock())


class Gate:
    """Open, firing or latched: of all calls that come to it, one delivers.

    No call waits: the one that finds the gate open is firing until it latches the gate or opens
    it again, and the others pass by. A call that fires in another process, one that this
    process was forked from, doesn't count: it will never come back here.
    """

    __slots__ = ("_firing", "_latched", "_lock")

    def __init__(self) -> None:
        """Start open."""
        self._lock = ProcessLock()
        self._firing: tuple[int, object] | None = None
        self._latched = False

    @property
    def latched(self) -> bool:
        """Whether a call has delivered."""
        return self._latched

    def enter(self, call: object) -> bool:
        """Fire if the gate is open, and say so; `call` is a fresh object that names the call."""
        with self._lock():
            fires = self._firing is not None and self._firing[0] == os.getpid()
            if self._latched or fires:
                return False
            self._firing = os.getpid(), call
            return True

    def latch(self) -> None:
        """Close the gate for good: the call that fires has delivered."""
        self._latched = True

    def reopen(self, call: object) -> None:
        """Open the gate again, if it is this call that fires."""
        with self._lock():
            if self._firing is not None and self._firing[1] is call:
                self._firing = None
