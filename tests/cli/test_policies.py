"""`--policy`: a whole window from a TOML file, and what is told where it can't be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from budget import BudgetItem, BudgetPolicy, EstimatingCounter, apply_policy
from budget.cli import main
from tests.cli.conftest import TURN, Run

ITEMS = [BudgetItem(**json.loads(line)) for line in TURN.read_text("utf-8").splitlines()]
LINES: list[dict[str, object]] = [
    {"kind": "instructions", "action": "fail"},
    {"kind": "tools", "action": "drop", "limit": 1_500},
    {"kind": "documents", "action": "truncate", "weight": 2, "truncation": {"boundary": "line"}},
    {"kind": "*", "action": "drop", "weight": 1, "floor": 200},
]
POLICY = BudgetPolicy.from_mapping({"limit": 8_000, "reserved": 1_000, "lines": LINES})
TABLE = """\
limit = 8000
reserved = 1000

[[lines]]
kind = "instructions"
action = "fail"

[[lines]]
kind = "tools"
action = "drop"
limit = 1500

[[lines]]
kind = "documents"
action = "truncate"
weight = 2
truncation = { boundary = "line" }

[[lines]]
kind = "*"
action = "drop"
weight = 1
floor = 200
"""
LINE = '[[lines]]\nkind = "memory"\naction = "drop"\n'


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    path = tmp_path / "window.toml"
    path.write_text(TABLE, "utf-8")
    return path


def test_fit_keeps_what_the_library_keeps(run: Run, policy: Path) -> None:
    found = run("fit", "--policy", str(policy), "--separator", r"\n", "--json", str(TURN))
    expected = apply_policy(ITEMS, POLICY, EstimatingCounter(), separator="\n")
    assert json.loads(found.out) == {
        "counter": "estimate",
        "estimate": True,
        **expected.to_dict(include_text=True),
    }


def test_fit_tells_what_each_line_was_granted(run: Run, policy: Path) -> None:
    result = apply_policy(ITEMS, POLICY, EstimatingCounter())
    told = run("fit", "--policy", str(policy), str(TURN)).err.splitlines()[-6:-2]
    assert told == [
        f"line {kind}: {line.total_tokens:,} of {line.limit:,} tokens"
        for kind, line in result.lines
    ]


def test_a_pyproject_declares_it_in_its_own_table(run: Run, policy: Path) -> None:
    pyproject = policy.with_name("pyproject.toml")
    table = TABLE.replace("[[lines]]", "[[tool.budget.lines]]")
    pyproject.write_text(f"[project]\nname = 'x'\n[tool.budget]\n{table}", "utf-8")
    answers = [run("fit", "--policy", str(path), str(TURN)).out for path in (policy, pyproject)]
    assert answers[0] == answers[1]


BAD = {
    "not TOML": ("limit = = 5\n", ":1:9: not TOML: Invalid value"),
    "not TOML to its end": ('limit = 5\nx = "', ":2:6: not TOML: "),
    "not TOML on a later line": ("limit = 5\n\n[[lines\n", ":3:8: not TOML: "),
    "a key twice": ("limit = 5\nlimit = 6\n", ":2:10: not TOML: Cannot overwrite a value"),
    "control characters": ("\x1b = 1", ":1:1: not TOML: Invalid statement"),
    "deep": ("x = " + "[" * 50_000, "nested too deeply"),
    "many digits": ("limit = " + "9" * 5_000, "a number has too many digits"),
    "empty": ("", "limit is missing; declare it"),
    "no line": ("limit = 5\nlines = []", "lines must hold at least one BudgetLine, got none"),
    "lines": ("limit = 5\nlines = 5", "lines must be a list of mappings, got int"),
    "two lines": (f"limit = 5\n{LINE}{LINE}", "lines[0] and lines[1] are both for memory"),
    "floor": (f"limit = 5\n{LINE}limit = 3\nfloor = 4\n", "floor must be within the limit of 3"),
    "floors": (f"limit = 5\n{LINE}floor = 9\n", "4 over the 5 available"),
    "reserve": (f"limit = 5\nreserved = 5\n{LINE}", "reserved must be under the limit of 5"),
    "negative": (f"limit = -5\n{LINE}", "limit must be >= 0, got -5"),
    "a string": (f'limit = "5"\n{LINE}', "limit must be an int, got str"),
    "misspelt": (
        f"limit = 5\n{LINE}flor = 4\n",
        "unknown key lines[0].flor; the nearest valid one is floor",
    ),
    "action": (
        'limit = 5\n[[lines]]\nkind = "a"\naction = "dorp"\n',
        "lines[0].action must be one of",
    ),
    "cut": (
        f'limit = 5\n{LINE}truncation = {{ keep = "x" }}\n',
        "lines[0].truncation.keep must be one of",
    ),
    "other tool": ("limit = 5\n[tool.black]\nx = 1\n", "no table [tool.budget]; declare limit"),
}


@pytest.mark.parametrize("command", ["fit", "check", "explain"])
@pytest.mark.parametrize(("text", "message"), BAD.values(), ids=BAD)
def test_a_policy_that_cannot_be_is_one_line_with_its_place(
    run: Run, policy: Path, command: str, text: str, message: str
) -> None:
    policy.write_text(text, "utf-8")
    found = run(command, "--policy", str(policy), str(TURN))
    assert (found.code, found.out) == (2, b"")
    assert found.err.startswith(f"budget: {policy}:")
    assert message in found.err
    assert found.err.count("\n") == 1


def test_a_pyproject_without_its_table_is_told(run: Run, policy: Path) -> None:
    pyproject = policy.with_name("pyproject.toml")
    pyproject.write_text("", "utf-8")
    assert "no table [tool.budget]" in run("fit", "--policy", str(pyproject), str(TURN)).err


def test_a_policy_that_cannot_be_read_is_told(run: Run, policy: Path) -> None:
    missing = policy.with_name("missing.toml")
    assert run("fit", "--policy", str(missing)).err.endswith("No such file or directory\n")
    assert run("fit", "--policy", "a\0b").err.endswith("can't be read: not a path\n")
    policy.write_bytes(b"\xff")
    assert run("fit", "--policy", str(policy)).err.endswith("not UTF-8 from byte 0 on\n")


def test_a_kind_without_a_line_is_told(run: Run, policy: Path) -> None:
    policy.write_text(f"limit = 50000\n{LINE}", "utf-8")
    found = run("fit", "--policy", str(policy), str(TURN))
    assert found.code == 2
    assert "instructions" in found.err


def test_pinned_content_over_its_line_is_a_finding(run: Run, policy: Path) -> None:
    policy.write_text(TABLE.replace('action = "fail"\n', 'action = "fail"\nlimit = 9\n'), "utf-8")
    found = run("fit", "--policy", str(policy), str(TURN))
    assert found.code == 1
    assert "line instructions: pinned content needs 1,182 tokens" in found.err


@pytest.mark.parametrize(
    ("options", "name"),
    [
        (("--limit", "5"), "--limit"),
        (("--action", "drop"), "--action"),
        (("--head-share", "0.5"), "--head-share"),
        (("--marker", ""), "--marker"),
    ],
)
def test_what_the_lines_declare_is_not_declared_beside_them(
    policy: Path,
    capsys: pytest.CaptureFixture[str],
    options: tuple[str, ...],
    name: str,
) -> None:
    with pytest.raises(SystemExit):
        main(("fit", "--policy", str(policy), *options))
    assert f"{name} can't stand beside --policy" in capsys.readouterr().err
