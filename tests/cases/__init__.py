"""Faults that users met in other tools, each turned into the right behaviour.

The number above a test is that of the case it answers; tests that share one are siblings.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final, Literal

import budget
from budget import BudgetItem, BudgetKind, OverflowAction, OverflowResult

Keep = Literal["head", "tail", "both"]
Boundary = Literal["character", "word", "sentence", "line"]

ACTIONS: Final = tuple(OverflowAction)
LOSING: Final = (OverflowAction.DROP, OverflowAction.TRUNCATE)
KEEPS: Final[tuple[Keep, ...]] = ("head", "tail", "both")
BOUNDARIES: Final[tuple[Boundary, ...]] = ("character", "word", "sentence", "line")
SOURCE: Final = str(Path(budget.__file__).parents[1])


def item(item_id: str, text: str, order: int = 0, *, pinned: bool = False) -> BudgetItem:
    """Return an item whose kind doesn't matter."""
    return BudgetItem(item_id, BudgetKind.HISTORY, text, order, pinned=pinned)


def words(number: int) -> str:
    """Return a text of so many words."""
    return " ".join(["word"] * number)


def kept(result: OverflowResult) -> dict[str, str]:
    """Return the kept texts by id, in the order of the result."""
    return {fitted.item_id: fitted.text for fitted in result.kept}


def printed(script: str, **environment: str) -> str:
    """Return what a fresh interpreter without installed packages prints."""
    done = subprocess.run(
        [sys.executable, "-S", "-c", script],
        env=os.environ | {"PYTHONPATH": SOURCE} | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()
