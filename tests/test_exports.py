"""What `from budget import ...` gives, and what importing it does not do."""

import ast
import importlib
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

import budget

PACKAGE = Path(budget.__file__).parent
ROOT = Path(__file__).parent.parent
PUBLIC = [
    path.stem
    for path in sorted(PACKAGE.glob("*.py"))
    if not path.stem.startswith("_") and path.stem != "cli"
]
PROMISED = {
    "BudgetError", "BudgetItem", "BudgetKind", "BudgetLine", "BudgetOverflowError", "BudgetPolicy",
    "BudgetPolicyError", "CachedCounter", "CallableCounter", "CounterError", "Diagnostic",
    "EstimatingCounter", "FittedItem", "OverflowAction", "OverflowResult", "OverheadCounter",
    "PolicyResult", "ScaledCounter", "TokenCounter", "TruncationPolicy", "apply_overflow",
    "apply_policy", "survival_limits", "truncate_text",
}  # fmt: skip


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def _literal(tree: ast.Module, name: str) -> object:
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            return ast.literal_eval(node.value)
    return None


def _imported(tree: ast.Module) -> set[str]:
    froms = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    return {alias.asname or alias.name for node in froms for alias in node.names}


def test_the_exports_are_one_literal_in_order() -> None:
    names = _literal(_tree(PACKAGE / "__init__.py"), "__all__")
    assert isinstance(names, list)
    assert names == sorted(set(names))


def test_all_that_is_imported_is_exported_and_the_other_way_round() -> None:
    assert _imported(_tree(PACKAGE / "__init__.py")) == set(budget.__all__)


def test_the_exports_are_the_promised_ones() -> None:
    assert set(budget.__all__) == PROMISED


def test_the_package_itself_has_no_logic() -> None:
    kinds = {type(node) for node in _tree(PACKAGE / "__init__.py").body}
    assert kinds <= {ast.Expr, ast.ImportFrom, ast.Assign}


@pytest.mark.parametrize("name", PUBLIC)
def test_what_a_module_exports_is_a_literal_and_there(name: str) -> None:
    module: ModuleType = importlib.import_module(f"budget.{name}")
    exported = getattr(module, "__all__", [])
    literal = _literal(_tree(PACKAGE / f"{name}.py"), "__all__")
    assert literal == exported or (literal is None and exported == [])
    assert all(hasattr(module, member) for member in exported)


@pytest.mark.parametrize("name", budget.__all__)
def test_an_export_says_what_it_is(name: str) -> None:
    assert getattr(budget, name).__doc__


def test_the_version_is_a_literal_and_the_one_of_the_distribution() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert _literal(_tree(PACKAGE / "__init__.py"), "__version__") == project["version"]


def test_the_distribution_depends_on_nothing() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project.get("dependencies", []) == []


def test_the_package_is_typed() -> None:
    assert (PACKAGE / "py.typed").read_bytes() == b""
