"""What the command line exits with."""

from __future__ import annotations

from typing import Final

DONE: Final = 0
FOUND: Final = 1  # a finding: over a limit, growth, a broken rule
UNUSABLE: Final = 2  # what can't be read, written or asked
INTERRUPTED: Final = 130
