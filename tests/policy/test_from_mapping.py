"""A policy from what TOML and JSON give."""

import json
import tomllib
from pathlib import Path

import pytest

from budget import BudgetLine, BudgetPolicy, BudgetPolicyError, TruncationPolicy
from tests.making import DROP, FAIL, TRUNCATE, Untyped

FROM: Untyped = BudgetPolicy.from_mapping

PYPROJECT = """
[project]
name = "agent"

[tool.budget]
limit = 8_000
reserved = 1_000

[[tool.budget.lines]]
kind = "instructions"
action = "fail"

[[tool.budget.lines]]
kind = "documents"
action = "truncate"
weight = 2
floor = 500
truncation = { keep = "both", boundary = "line", head_share = 0.7 }

[[tool.budget.lines]]
kind = "*"
action = "drop"
limit = 2_000
"""
POLICY = BudgetPolicy(
    8_000,
    (
        BudgetLine("instructions", FAIL),
        BudgetLine(
            "documents",
            TRUNCATE,
            weight=2,
            floor=500,
            truncation=TruncationPolicy(keep="both", boundary="line", head_share=0.7),
        ),
        BudgetLine("*", DROP, limit=2_000),
    ),
    reserved=1_000,
)
LINE = {"kind": "a", "action": "drop"}


def line(**entries: object) -> dict[str, object]:
    """Return a policy of which the third line is wrong."""
    lines = [{"kind": "b", "action": "drop"}, {"kind": "c", "action": "drop"}, LINE | entries]
    return {"limit": 9, "lines": lines}


BAD_VALUES: tuple[tuple[object, str], ...] = (
    (
        {"limit": 9, "reserve": 1, "lines": [LINE]},
        "unknown key reserve; the nearest valid one is reserved, of limit, lines, reserved",
    ),
    (
        {"limit": 9, "max_tokens": 1, "lines": [LINE]},
        "unknown key max_tokens; the nearest valid one is",
    ),
    (line(flor=3), "unknown key lines[2].flor; the nearest valid one is floor, of kind, action,"),
    (
        line(truncation={"kep": "head"}),
        "unknown key lines[2].truncation.kep; the nearest valid one is keep, of keep, boundary,",
    ),
    (line(**{"": 1}), "unknown key lines[2].; the nearest valid one is"),
    (line(**{"a\u202e\n": 1}), r"unknown key lines[2].a\u202e\n; the nearest valid one is"),
    (line(**{"f" * 5_000: 1}), f"unknown key lines[2].{'f' * 80}; the nearest valid one is floor"),
    ({"lines": [LINE]}, "limit is missing; declare it"),
    ({"limit": 9}, "lines is missing; declare it"),
    ({}, "limit is missing; declare it"),
    ({"limit": 9, "lines": [{"kind": "a"}]}, "lines[0].action is missing; declare it"),
    ({"limit": 9, "lines": [LINE, {"action": "drop"}]}, "lines[1].kind is missing; declare it"),
    ({"limit": 9, "lines": []}, "lines must hold at least one BudgetLine, got none"),
    (
        line(action="dorp"),
        "lines[2].action must be one of fail, drop, truncate, got 'dorp'",
    ),
    (line(kind=""), "lines[2].kind must be a BudgetKind or another non-empty string, got ''"),
    (line(floor=-1), "lines[2].floor must be >= 0, got -1"),
    (line(limit=-1), "lines[2].limit must be >= 0, got -1"),
    (line(weight=0), "lines[2].weight must be >= 1, got 0"),
    (line(floor=8, limit=5), "lines[2].floor must be within the limit of 5, got 8 (line a)"),
    (line(floor=10), "lines have floors of 10 tokens together, 1 over the 9 available;"),
    (line(kind="c"), "lines[1] and lines[2] are both for c; declare one line for a kind"),
    (
        line(truncation={"keep": "hed"}),
        "lines[2].truncation.keep must be one of head, tail, both, got 'hed'",
    ),
    (line(truncation={"quantum": 0}), "lines[2].truncation.quantum must be >= 1, got 0"),
    (line() | {"limit": -1}, "limit must be >= 0, got -1"),
    (line() | {"reserved": 9}, "reserved must be under the limit of 9, got 9"),
)
BAD_TYPES: tuple[tuple[object, str], ...] = (
    ([], "a policy must be a mapping, got list"),
    ("limit = 9", "a policy must be a mapping, got str"),
    (
        {"limit": 9, "lines": {"a": {"action": "drop"}}},
        "lines must be a list of mappings, got dict",
    ),
    ({"limit": 9, "lines": "a"}, "lines must be a list of mappings, got str"),
    ({"limit": 9, "lines": [LINE, "a"]}, "lines[1] must be a mapping, got str"),
    (line() | {"limit": "9"}, "limit must be an int, got str"),
    (line() | {"limit": 9.0}, "limit must be an int, got float"),
    (line(floor="3"), "lines[2].floor must be an int, got str"),
    (line(limit=True), "lines[2].limit must be an int, got bool"),
    (line(kind=None), "lines[2].kind must be a str, got NoneType"),
    (line(action=DROP), "lines[2].action must be a str, got OverflowAction"),
    (line(truncation="head"), "lines[2].truncation must be a mapping, got str"),
    (line(truncation={"marker": 3}), "lines[2].truncation.marker must be a str, got int"),
)


def named(rows: tuple[tuple[object, str], ...]) -> list[str]:
    return [f"{place} {text[:60]}" for place, (_, text) in enumerate(rows)]


def test_a_pyproject_declares_a_window() -> None:
    assert BudgetPolicy.from_mapping(tomllib.loads(PYPROJECT)["tool"]["budget"]) == POLICY


def test_a_file_of_its_own_declares_the_same(tmp_path: Path) -> None:
    file = tmp_path / "budget.toml"
    file.write_text(PYPROJECT[PYPROJECT.index("limit") :].replace("tool.budget.", ""))
    with file.open("rb") as opened:
        assert BudgetPolicy.from_mapping(tomllib.load(opened)) == POLICY


def test_json_declares_the_same_and_null_is_none() -> None:
    text = json.dumps(tomllib.loads(PYPROJECT)["tool"]["budget"])
    mapping = json.loads(text.replace('"fail"', '"fail", "limit": null, "truncation": null'))
    assert BudgetPolicy.from_mapping(mapping) == POLICY


def test_the_mapping_is_not_changed() -> None:
    mapping = tomllib.loads(PYPROJECT)["tool"]["budget"]
    BudgetPolicy.from_mapping(mapping)
    assert mapping == tomllib.loads(PYPROJECT)["tool"]["budget"]


@pytest.mark.parametrize(("mapping", "text"), BAD_VALUES, ids=named(BAD_VALUES))
def test_a_wrong_value_is_refused_and_it_says_where(mapping: object, text: str) -> None:
    with pytest.raises(BudgetPolicyError) as caught:
        FROM(mapping)
    assert str(caught.value).startswith(text)


@pytest.mark.parametrize(("mapping", "text"), BAD_TYPES, ids=named(BAD_TYPES))
def test_a_wrong_type_is_refused_and_it_says_where(mapping: object, text: str) -> None:
    with pytest.raises(TypeError) as caught:
        FROM(mapping)
    assert str(caught.value) == text
