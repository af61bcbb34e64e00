"""`explain` and `--report`: what each limit would keep, and where the tokens went."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from budget import BudgetItem, EstimatingCounter, OverflowAction, apply_overflow, survival_limits
from budget.report import Report
from tests.cli.conftest import TURN, Run

ITEMS = [BudgetItem(**json.loads(line)) for line in TURN.read_text("utf-8").splitlines()]
COUNTER = EstimatingCounter()
POLICY = '[[lines]]\nkind = "memory"\naction = "drop"\nlimit = 40\n[[lines]]\nkind = "*"\n'


def test_every_item_has_its_limit_and_how_many_that_keeps(run: Run) -> None:
    rows = json.loads(run("explain", "--json", str(TURN)).out)["items"]
    limits = survival_limits(ITEMS, COUNTER)
    assert {row["item_id"]: row["limit"] for row in rows} == limits
    for row in rows:
        kept = apply_overflow(ITEMS, row["limit"], OverflowAction.DROP, COUNTER).kept
        assert row["keeps"] == len(kept)


def test_the_table_has_the_pinned_first_and_what_goes_first_last(run: Run) -> None:
    table = run("explain", str(TURN)).out.decode().splitlines()
    assert table[0].split() == ["limit", "keeps", "tokens", "item", "line"]
    assert table[1] == " 1,345   4 of 42     435  system-rules              instructions, pinned"
    assert table[-1] == "18,800  42 of 42      70  doc-shift-note-0311       documents"


def test_with_a_limit_it_is_a_report_before(run: Run) -> None:
    found = run("explain", "--limit", "8000", "--action", "truncate", str(TURN))
    result = apply_overflow(ITEMS, 8_000, OverflowAction.TRUNCATE, COUNTER)
    assert found.out.decode().startswith(f"{Report(result, ITEMS, COUNTER)}\n\n limit")
    assert found.code == 0


def test_with_a_policy_limits_are_those_of_the_lines(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_text(f'limit = 9000\n{POLICY}action = "drop"\n')
    values = json.loads(run("explain", "--policy", str(path), "--json", str(TURN)).out)
    memory = survival_limits([item for item in ITEMS if item.kind == "memory"], COUNTER)
    rows = [row for row in values["items"] if row["line"] == "memory"]
    assert {row["item_id"]: row["limit"] for row in rows} == memory
    assert {row["line"] for row in values["items"]} == {"memory", "*"}
    assert values["result"]["limit"] == 9_000


def test_what_does_not_fit_at_all_is_explained_all_the_same(run: Run) -> None:
    found = run("explain", "--limit", "9", str(TURN))
    assert found.code == 1
    assert found.out.startswith(b" limit")
    assert "budget: pinned content needs 1,345 tokens" in found.err


def test_nothing_can_be_explained(run: Run) -> None:
    found = run("explain", "--input", "items")
    assert (found.code, found.out) == (0, b"limit  keeps  tokens  item  line\n")


def test_each_text_is_counted_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def count(_: EstimatingCounter, text: str, /) -> int:
        asked.append(text)
        return len(text)

    monkeypatch.setattr(EstimatingCounter, "count", count)
    run("explain", "--limit", "50000", str(TURN))
    assert sorted(asked) == sorted(item.text for item in ITEMS)


@pytest.mark.parametrize("name", ["r.html", "r.htm", "r.txt", "r"])
def test_a_report_is_a_page_or_text_by_its_name(run: Run, tmp_path: Path, name: str) -> None:
    result = apply_overflow(ITEMS, 8_000, OverflowAction.DROP, COUNTER)
    report, path = Report(result, ITEMS, COUNTER), tmp_path / name
    call = ("--limit", "8000", "--action", "drop", "--report", str(path), str(TURN))
    assert run("fit", *call).code == 0
    assert path.read_text("utf-8") == (report.html() if ".htm" in name else f"{report}\n")


def test_a_report_that_cannot_be_written_is_told(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "none" / "r.html"
    found = run("explain", "--limit", "8000", "--report", str(path), str(TURN))
    assert (found.code, found.err) == (
        2,
        f"budget: {path}: can't be written: No such file or directory\n",
    )


def test_no_report_has_a_text(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "r.html"
    line = b'{"item_id": "a", "kind": "x", "text": "s3cret"}'
    run("explain", "--limit", "0", "--report", str(path), stdin=line)
    assert "s3cret" not in path.read_text("utf-8")
