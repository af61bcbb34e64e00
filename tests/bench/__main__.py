"""`python -m tests.bench`: run the package and its peers side by side, and print what came out.

`python -m tests.bench engine` measures the engine alone, in the interpreter that runs it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench import engine, picture, work
from tests.bench.environment import Environment
from tests.bench.table import (
    ABOUT,
    IMPORTS,
    JOBS_OF,
    OURS,
    SIZES,
    Results,
    Rows,
    duration,
    job_table,
    table,
    targets,
    times,
)


def arguments() -> argparse.Namespace:
    """Return what was asked."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("part", nargs="?", choices=("all", "engine"), default="all")
    parser.add_argument("--environment", type=Path, help="keep the peers here (default: nowhere)")
    parser.add_argument("--runs", type=Path, help="a folder of recorded runs, OpenAI's messages")
    parser.add_argument("--cap", type=float, default=60, help="seconds for one peer and one job")
    parser.add_argument("--picture", type=Path, help="write the growth of job A as SVG")
    return parser.parse_args()


def main() -> None:
    """Measure and print."""
    asked = arguments()
    if asked.part == "engine":
        _show("The engine alone, 200,000 items, by a bare counting loop", _engine(engine.ratios()))
        return
    with tempfile.TemporaryDirectory() as folder:
        place = Environment(asked.environment or Path(folder))
        results: dict[tuple[str, str], Rows] = {}
        for (job, size), rows in _measured(place, asked):
            results[job, size] = rows
            _show(ABOUT[job].format(_named(job, size)), job_table(job, rows, asked.cap))
        _show("Import", _imports(place))
        ratios = place.engine()
        _show("The engine alone, 200,000 items, by a bare counting loop", _engine(ratios))
        reached = (target.cells() for target in targets(results, ratios))
        _show("Targets", table(("", "to reach", "measured", "reached"), reached))
    if asked.picture:
        asked.picture.write_text(_growth(results), "utf-8")


def _measured(
    place: Environment, asked: argparse.Namespace
) -> Iterator[tuple[tuple[str, str], Rows]]:
    found = sorted(asked.runs.glob("*.json")) if asked.runs else []
    runs = [path for path in found if work.recorded(path)]
    sizes = SIZES | {"runs": tuple(str(path.resolve()) for path in runs)}
    for job, several in sizes.items():
        for size in several:
            peers = [peer for peer, jobs in JOBS_OF.items() if job in jobs]
            sys.stderr.write(f"{job} {size}\n")
            yield (job, size), {peer: place.row(peer, job, size, asked.cap) for peer in peers}


def _named(job: str, size: str) -> str:
    return Path(size).name if job == "runs" else f"{int(size):,}"


def _imports(place: Environment) -> str:
    seconds = {name: place.import_seconds(module) for name, module in IMPORTS.items()}
    first = seconds[OURS[0]]
    lines = ((name, duration(each), times(each / first)) for name, each in seconds.items())
    return table(("", "time", "ratio"), lines)


def _engine(ratios: dict[str, float]) -> str:
    return table(("", "ratio"), ((what, times(ratio)) for what, ratio in ratios.items()))


def _growth(results: Results) -> str:
    lines = {
        peer: [
            (int(size), row.seconds)
            for size in SIZES["A"]
            if (row := results["A", size][peer]) is not None
        ]
        for peer, jobs in JOBS_OF.items()
        if "A" in jobs
    }
    title = "Keep the newest messages within 8,000 tokens"
    return picture.growth(title, {peer: points for peer, points in lines.items() if points})


def _show(title: str, text: str) -> None:
    sys.stdout.write(f"\n### {title}\n\n{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
