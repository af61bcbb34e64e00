"""Nothing is held between calls, and nothing is long: read from the sources."""

import ast
import re
from typing import Final

from tests.sources import SOURCES, WITH_EFFECTS, every_module, functions, room

GENERATED: Final = {"_grapheme_table"}
CONSTANT: Final = re.compile(r"_?[A-Z][A-Za-z0-9_]*|__all__|__version__")
MUTATING: Final = {
    "add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove",
    "setdefault", "sort", "reverse", "update", "appendleft", "popleft",
}  # fmt: skip


def module_names(module: str) -> dict[str, ast.expr | None]:
    """Return the names that a module binds to values, with what they are bound to."""
    bound: dict[str, ast.expr | None] = {}
    for node in SOURCES[module].body:
        if isinstance(node, ast.Assign):
            bound |= {ast.unparse(target): node.value for target in node.targets}
        elif isinstance(node, ast.AnnAssign):
            bound[ast.unparse(node.target)] = node.value
    return bound


@every_module
def test_a_value_of_a_module_is_a_constant(module: str) -> None:
    # An attrgetter is a function by another spelling, and named as one.
    variables = [
        name
        for name, value in module_names(module).items()
        if not all(CONSTANT.fullmatch(part) for part in name.strip("()").split(", "))
        and not ast.unparse(value or ast.Constant(None)).startswith("attrgetter(")
    ]
    assert variables == []


@every_module
def test_no_function_changes_a_value_of_its_module(module: str) -> None:
    names = set(module_names(module))
    changed = [
        ast.unparse(node)
        for function in functions(module)
        for node in ast.walk(function)
        if isinstance(node, ast.Global) or _changed(node) in names
    ]
    assert changed == []


def _changed(node: ast.AST) -> str | None:
    """Return the name of the object that a statement or a call changes in place."""
    if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(
        node.ctx, ast.Store | ast.Del
    ):
        return ast.unparse(node.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return ast.unparse(node.func.value) if node.func.attr in MUTATING else None
    return None


@every_module
def test_nothing_is_remembered_between_calls_by_a_decorator(module: str) -> None:
    marks = [mark for function in functions(module) for mark in function.decorator_list]
    remembering = [mark for mark in marks if "cache" in ast.unparse(mark)]
    assert room(module) in WITH_EFFECTS or remembering == []


@every_module
def test_a_module_has_at_most_250_lines(module: str) -> None:
    lines = max((getattr(node, "end_lineno", 0) for node in SOURCES[module].body), default=0)
    assert module in GENERATED or lines <= 250


@every_module
def test_a_function_body_has_at_most_40_lines(module: str) -> None:
    long = []
    for function in functions(module):
        body = function.body[1:] if ast.get_docstring(function) else function.body
        if body and (body[-1].end_lineno or 0) - body[0].lineno >= 40:
            long.append(function.name)
    assert long == []
