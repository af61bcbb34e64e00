"""`budget.lock.json`: measured sizes under version control, so that growth is seen and decided on.

Provisional in 0.x.
"""

from __future__ import annotations

from ._lock.comparing import Difference, Problem, Tolerance, compare
from ._lock.entries import Entry, Lock, entry_path, located
from ._lock.files import read_lock, write_lock

__all__ = [
    "Difference",
    "Entry",
    "Lock",
    "Problem",
    "Tolerance",
    "compare",
    "entry_path",
    "located",
    "read_lock",
    "write_lock",
]
