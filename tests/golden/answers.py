"""Prints what the package answers to all golden calls: `python -m tests.golden.answers`."""

import sys

from budget import survival_limits
from tests.golden.corpus import THEMES, Side, answered
from tests.strategies import Case, TextCase

PACKAGE = Side(Case.apply, TextCase.cut, survival_limits)

if __name__ == "__main__":
    for theme in THEMES:
        sys.stdout.buffer.write(answered(theme, PACKAGE).encode())
