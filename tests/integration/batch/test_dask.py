"""The example that fits a corpus with Dask, on a cluster of two processes of this machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

import budget
from budget import (
    BudgetItem,
    CachedCounter,
    CallableCounter,
    EstimatingCounter,
    OverheadCounter,
    ScaledCounter,
    TruncationPolicy,
)
from budget.tokenizers import ToktokCounter
from tests.estimates.corpus import read_rows
from tests.making import revived

ROOT: Final = Path(__file__).parents[3]
SCRIPT: Final = ROOT / "docs" / "examples" / "batch_dask.py"
SOURCE: Final = str(Path(budget.__file__).parents[1])
ROWS: Final = 120
PARTITION: Final = 25
LIMIT: Final = 500
TOO_MUCH: Final = 7
BROKEN: Final = 60


def row(number: int) -> str:
    """Return a row of ten texts; one pins too much, one isn't even JSON."""
    if number == BROKEN:
        return "{"
    corpus = read_rows()
    items = [
        {
            "item_id": f"i{at}",
            "kind": "documents",
            "text": corpus[(number * 7 + at * 13) % len(corpus)]["text"],
            "order": at,
            "pinned": number == TOO_MUCH,
        }
        for at in range(10)
    ]
    return json.dumps({"id": number, "items": items})


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("corpus") / "rows.jsonl"
    path.write_text("\n".join(map(row, range(ROWS))) + "\n", "utf-8")
    return path


def run(source: Path, folder: Path, *options: str) -> list[str]:
    """Run the example, and return what it says on the way."""
    done = subprocess.run(
        [
            *(sys.executable, str(SCRIPT), str(source), str(folder), "--limit", str(LIMIT)),
            *("--partition", str(PARTITION), *options),
        ],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": SOURCE},
    )
    assert done.returncode == 0, done.stderr
    return done.stderr.splitlines()


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def serial(source: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("serial")
    run(source, folder, "--serial")
    return files(folder)


@pytest.fixture(scope="module")
def parallel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    folder = tmp_path_factory.mktemp("parallel")
    return folder, run(source, folder)


def test_two_processes_write_what_one_does(
    parallel: tuple[Path, list[str]], serial: dict[str, bytes]
) -> None:
    assert files(parallel[0]) == serial
    assert len(serial) == 5


def test_every_row_has_its_line_in_order(serial: dict[str, bytes]) -> None:
    lines = [json.loads(line) for file in serial.values() for line in file.splitlines()]
    assert [line["id"] for line in lines] == [*range(BROKEN), None, *range(BROKEN + 1, ROWS)]


def test_every_prompt_fits(serial: dict[str, bytes]) -> None:
    lines = [json.loads(line) for file in serial.values() for line in file.splitlines()]
    prompts = [line["prompt"] for line in lines if "prompt" in line]
    counter = ToktokCounter("o200k_base")
    assert len(prompts) == ROWS - 2
    assert all(0.98 * LIMIT <= counter.count(prompt) <= LIMIT for prompt in prompts)


def test_a_row_that_cannot_be_fitted_says_why(serial: dict[str, bytes]) -> None:
    lines = [json.loads(line) for file in serial.values() for line in file.splitlines()]
    errors = [line["error"] for line in lines if "error" in line]
    assert [error.partition(":")[0] for error in errors] == [
        "BudgetOverflowError",
        "JSONDecodeError",
    ]
    assert "over the limit of 500" in errors[0]


def test_progress_is_shown(parallel: tuple[Path, list[str]]) -> None:
    assert "5 of 5 partitions, 120 rows, 2 not fitted" in parallel[1]


def test_a_second_run_does_what_is_missing(
    source: Path, tmp_path: Path, serial: dict[str, bytes]
) -> None:
    for name, content in serial.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "part-00003.jsonl").unlink()
    (tmp_path / "part-00003.unfinished").write_text("half a ro", "utf-8")
    said = run(source, tmp_path, "--serial")
    assert said == ["5 of 5 partitions, 25 rows, 0 not fitted"]
    assert files(tmp_path) == serial


PLAIN: Final = (
    BudgetItem("a", "memory", "text"),
    TruncationPolicy(keep="both"),
    EstimatingCounter(safe=True),
    CallableCounter(len),
    ScaledCounter(EstimatingCounter(), 1.5),
    OverheadCounter(EstimatingCounter(), 4),
    CachedCounter(EstimatingCounter(), 1_000),
    ToktokCounter("o200k_base"),
)


@pytest.mark.parametrize("value", PLAIN, ids=lambda value: type(value).__name__)
def test_equal_values_hash_alike(value: object) -> None:
    tokenize = import_module("dask.base").tokenize
    assert tokenize(revived(value)) == tokenize(value)


def test_a_count_changes_no_hash() -> None:
    tokenize = import_module("dask.base").tokenize
    counter = ToktokCounter("o200k_base")
    before = tokenize(counter)
    counter.count("text")
    assert tokenize(counter) == before
