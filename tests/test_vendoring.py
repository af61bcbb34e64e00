"""A copy under another name, a copy without the provisional rooms, and what importing does."""

import shutil
import subprocess
import sys
from pathlib import Path

import budget

PACKAGE = Path(budget.__file__).parent
PROVISIONAL = ("cli", "report", "lock", "tokenizers", "messages")
# Private parts of the provisional rooms, and what starts the command line.
THEIRS = ("_cli", "__main__")
USE = """
from {name} import *
import {name}, importlib, pathlib, sys
items = [BudgetItem("a", "memory", "one two"), BudgetItem("b", "tools", "three " * 50, 1)]
result = apply_overflow(items, 9, OverflowAction.TRUNCATE, EstimatingCounter())
assert result.cut == "b" and result.total_tokens <= 9, result
assert truncate_text("abcdef", 3, CallableCounter(len)) == "ab…"
assert survival_limits(items, CachedCounter(EstimatingCounter(), 10))["a"] <= 9
folder = pathlib.Path({name}.__file__).parent
for path in folder.glob("[!_]*.py"):
    importlib.import_module("{name}." + path.stem)
strangers = [module for module in sys.modules if module.partition(".")[0] == "budget"]
assert "{name}" == "budget" or not strangers, strangers
print("works")
"""


def _run(code: str, folder: Path) -> str:
    """Run code in an interpreter that sees nothing but the standard library and a folder."""
    start = f"import sys; sys.path.insert(0, {str(folder)!r}); sys.dont_write_bytecode = True\n"
    command = [sys.executable, "-I", "-S", "-W", "error", "-c", start + code]
    done = subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def _copy(target: Path) -> Path:
    shutil.copytree(PACKAGE, target, ignore=shutil.ignore_patterns("__pycache__"))
    return target


def test_a_copy_under_another_package_works_unchanged(tmp_path: Path) -> None:
    _copy(tmp_path / "app" / "_vendor" / "budget")
    assert _run(USE.format(name="app._vendor.budget"), tmp_path) == "works"


def test_the_core_works_without_the_provisional_rooms(tmp_path: Path) -> None:
    copy = _copy(tmp_path / "budget")
    for name in (*PROVISIONAL, *THEIRS):
        copy.joinpath(f"{name}.py").unlink(missing_ok=True)
        shutil.rmtree(copy / name, ignore_errors=True)
    assert _run(USE.format(name="budget"), tmp_path) == "works"


WATCHED = """
import os
events = []
before = dict(os.environ)
def watch(event, args):
    if event.startswith(("socket.", "subprocess.", "os.system", "os.exec", "urllib.")):
        events.append(event)
    if event == "open" and not str(args[0]).endswith((".py", ".pyc")):
        events.append(str(args[0]))
sys.addaudithook(watch)
import budget
assert events == [], events
assert dict(os.environ) == before
print("quiet")
"""


def test_an_import_opens_nothing_and_changes_nothing(tmp_path: Path) -> None:
    _copy(tmp_path / "budget")
    assert _run(WATCHED, tmp_path) == "quiet"


def test_an_import_brings_no_module_of_effects(tmp_path: Path) -> None:
    _copy(tmp_path / "budget")
    code = """
before = set(sys.modules)
import budget
effects = {"logging", "socket", "importlib.metadata", "asyncio", "subprocess", "argparse", "random",
           "tempfile", "urllib", "http", "ssl", "datetime", "json", "pathlib", "multiprocessing"}
print(sorted(effects & (set(sys.modules) - before)))
"""
    assert _run(code, tmp_path) == "[]"
