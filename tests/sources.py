"""The sources of the package, read as trees, and the room that each module belongs to."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import budget

PACKAGE: Final = Path(budget.__file__).parent
SOURCES: Final = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts): ast.parse(path.read_text("utf-8"))
    for path in sorted(PACKAGE.rglob("*.py"))
}
every_module = pytest.mark.parametrize("module", SOURCES)

# A private module is a part of one room: of its namesake, or of the one that names it here.
PARTS: Final = {
    "errors": ("_checks",),
    "counting": ("_asking", "_estimate", "_wrapping"),
    "graphemes": ("_grapheme_table",),
    "truncation": ("_cuts", "_search"),
    "overflow": ("_batch", "_measure", "_walk"),
    "policy": ("_allocation", "_declaration", "_mapping", "_planning", "_section"),
    "cache": ("_ladder", "_request"),
    "hms": ("_gate", "_settings", "_tally"),
}
WITH_EFFECTS: Final = {"tokenizers", "report", "lock", "cli", "__main__"}
NAMESAKES: Final = {"_cli", "_lock", "_messages", "_report", "_tokenizers"}


def room(module: str) -> str:
    """Return the room that a module is a part of."""
    name = module.split(".", 1)[0]
    if name in NAMESAKES:
        return name.removeprefix("_")
    return next((owner for owner, parts in PARTS.items() if name in parts), name)


def calls(module: str) -> Iterator[str]:
    """Yield the names of the plain functions that a module calls."""
    for node in ast.walk(SOURCES[module]):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id


def functions(module: str) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield all functions and methods."""
    for node in ast.walk(SOURCES[module]):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
