"""Two copies of the package in one process: what is of the other copy is told apart."""

import importlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import budget
from budget import OverflowAction, apply_overflow
from budget.counting import counter_name
from tests.counters import Recording, Words
from tests.making import Untyped, item, row


@pytest.fixture
def vendored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Another copy of the package, as an application would carry it."""
    package = Path(budget.__file__).parent
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(package, tmp_path / "carrier" / "_vendor" / "budget", ignore=ignored)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("carrier._vendor.budget")
    for name in [name for name in sys.modules if name.startswith("carrier")]:
        del sys.modules[name]


def _mixed(vendored: ModuleType, name: str) -> object:
    foreign = {
        "action": vendored.OverflowAction.DROP,
        "items": [vendored.BudgetItem("a", "memory", "one")],
        "truncation": vendored.TruncationPolicy(),
    }
    return foreign[name]


@pytest.mark.parametrize("name", ["action", "items", "truncation"])
def test_an_object_of_a_vendored_copy_is_refused_with_both_modules(
    vendored: ModuleType, name: str
) -> None:
    counter = Recording(Words())
    call: Untyped = apply_overflow
    given = {"items": row("one"), "limit": 9, "action": OverflowAction.DROP, "counter": counter}
    with pytest.raises(TypeError, match=rf"{name}.* of budget\.\w+\.\w+, got carrier\._vendor"):
        call(**{**given, name: _mixed(vendored, name)})
    assert counter.texts == []


def test_a_counter_of_a_vendored_copy_counts(vendored: ModuleType) -> None:
    counter = vendored.EstimatingCounter()
    assert apply_overflow(row("one"), 9, OverflowAction.DROP, counter).total_tokens == 1
    assert counter_name(counter) == "estimate"


def test_a_usual_kind_of_a_vendored_copy_becomes_our_member(vendored: ModuleType) -> None:
    kind = vendored.BudgetKind.TOOLS
    assert item("a", kind=kind).kind is budget.BudgetKind.TOOLS
