"""The architecture, read from the sources: who sees whom, who prints, who touches what."""

import ast
from collections.abc import Iterator
from typing import Final

from tests.sources import SOURCES, WITH_EFFECTS, calls, every_module, room

GROUND: Final = {"errors", "items", "counting", "graphemes", "truncation"}
# What each room sees, beside itself. Nothing sees cli but what starts it.
SEES: Final = {
    "errors": set[str](),
    "items": {"errors"},
    "counting": {"errors", "items"},
    "graphemes": set[str](),
    "cache": {"errors"},
    "truncation": {"errors", "items", "counting", "graphemes"},
    "overflow": GROUND,
    "policy": {*GROUND, "overflow"},
    "messages": {*GROUND, "overflow"},
    "hms": {"errors", "cache", "counting"},
    "watch": {"errors", "cache", "counting"},
    "tokenizers": {"errors", "counting"},
    "report": {"errors", "items", "counting", "overflow", "policy"},
    "lock": {"errors", "items", "counting"},
    "cli": {*GROUND, "overflow", "policy", "cache", "hms", "watch"}
    | {"messages", "tokenizers", "report", "lock", "__version__"},
    "__init__": {"errors", "items", "counting", "truncation", "overflow", "policy"},
    "__main__": {"cli"},
    "__version__": set[str](),
}
# No clock, no files, no network, no randomness, no process, no interpreter's own tables of Unicode.
PURE: Final = {
    "__future__", "_thread", "abc", "bisect", "collections", "collections.abc", "contextlib",
    "copy", "dataclasses", "decimal", "difflib", "enum", "fractions", "functools", "heapq",
    "inspect", "itertools",
    "json", "math", "operator", "re", "string", "threading", "types", "typing",
}  # fmt: skip
MORE: Final = {"hms": {"logging", "os"}}
OF_FILES: Final = {"tokenizers", "lock", "cli", "__main__"}
FILES: Final = {"io", "os", "pathlib", "shutil", "tempfile", "glob", "fileinput", "mmap"}
FORKS: Final = {"register_at_fork", "getpid"}


def imports(module: str) -> Iterator[tuple[int, str]]:
    """Yield level and name of each module that is imported, and of each name in `from . import`."""
    for node in ast.walk(SOURCES[module]):
        if isinstance(node, ast.Import):
            yield from ((0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names = [node.module] if node.module else [alias.name for alias in node.names]
            yield from ((node.level, name) for name in names)


def depth(module: str) -> int:
    """Return how many dots lead from a module to the package."""
    return module.count(".") + 1


def test_there_are_modules_to_look_at() -> None:
    assert {"__init__", "errors", "overflow"} <= set(SOURCES)


@every_module
def test_a_module_is_a_part_of_a_declared_room(module: str) -> None:
    assert room(module) in SEES


@every_module
def test_a_module_of_the_package_is_imported_relatively(module: str) -> None:
    own = {name.split(".", 1)[0] for name in (*SOURCES, "budget")} - {"__init__", "__main__"}
    absolute = {name.split(".", 1)[0] for level, name in imports(module) if level == 0}
    assert absolute & own - {"json"} == set()


@every_module
def test_imports_point_one_way(module: str) -> None:
    here = depth(module)
    # A module of a package reaches its neighbours with fewer dots than the package's modules.
    seen = {room(name) for level, name in imports(module) if level == here}
    assert seen - {room(module)} <= SEES[room(module)]


@every_module
def test_no_import_leaves_the_package(module: str) -> None:
    assert all(level <= depth(module) for level, _ in imports(module))


def test_what_is_seen_makes_no_circle() -> None:
    settled: set[str] = set()
    for _ in SEES:
        settled |= {name for name, seen in SEES.items() if seen <= settled}
    assert settled == set(SEES)


@every_module
def test_only_cli_prints(module: str) -> None:
    prints = {"print", "input"} & set(calls(module))
    streams = {
        node.attr
        for node in ast.walk(SOURCES[module])
        if isinstance(node, ast.Attribute) and node.attr in {"stdout", "stderr", "stdin"}
    }
    assert room(module) in {"cli", "__main__"} or not prints | streams


@every_module
def test_only_cli_lock_and_tokenizers_touch_files(module: str) -> None:
    touched = {name.split(".", 1)[0] for level, name in imports(module) if level == 0} & FILES
    assert room(module) in OF_FILES or touched <= MORE.get(room(module), set())
    assert room(module) in OF_FILES or "open" not in set(calls(module))


@every_module
def test_of_the_operating_system_only_forks_are_asked(module: str) -> None:
    asked = {
        node.attr
        for node in ast.walk(SOURCES[module])
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "os"
    }
    assert room(module) in OF_FILES or asked <= FORKS


@every_module
def test_the_core_imports_nothing_that_has_effects(module: str) -> None:
    foreign = {name for level, name in imports(module) if level == 0}
    allowed = PURE | MORE.get(room(module), set())
    assert room(module) in WITH_EFFECTS or foreign <= allowed


@every_module
def test_only_hms_logs(module: str) -> None:
    assert room(module) == "hms" or "logging" not in {name for _, name in imports(module)}


@every_module
def test_nothing_is_evaluated_or_imported_by_name(module: str) -> None:
    forbidden = {"eval", "exec", "compile", "__import__", "breakpoint", "globals"}
    assert not forbidden & set(calls(module))
