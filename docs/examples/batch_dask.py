"""Fit the prompts of a corpus, on all cores of a machine or of a cluster.

    pip install 'budgetline[toktok]' dask distributed
    python docs/examples/batch_dask.py rows.jsonl fitted --limit 8000

Each line of `rows.jsonl` is `{"id": ..., "items": [...]}`, an item having the fields of
`BudgetItem`. The folder gets one file per partition, `part-00000.jsonl` and so on, with a line
per row, in the order of the input: the prompt, or why there is none. A row that can't be fitted
stops nothing. A partition that has its file is done: start it again, and it goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from distributed import Client, as_completed

from budget import BudgetError, BudgetItem, OverflowAction, TokenCounter, apply_overflow
from budget.tokenizers import counter_named


@dataclass(frozen=True, slots=True)
class Partition:
    """Some rows of a file, from a byte on, and the file that they end up in."""

    source: Path
    start: int
    rows: int
    target: Path


@dataclass(frozen=True, slots=True)
class Fitter:
    """What a worker does: plain data, which goes to any engine by plain pickle."""

    counter: TokenCounter
    limit: int

    def row(self, line: str | bytes) -> dict[str, object]:
        """Fit one row; if that can't be done, say why."""
        row_id: object = None
        try:
            row = json.loads(line)
            row_id = row["id"]
            result = apply_overflow(
                [BudgetItem(**item) for item in row["items"]],
                self.limit,
                OverflowAction.TRUNCATE,
                self.counter,
                separator="\n\n",
            )
        except (BudgetError, LookupError, TypeError, ValueError) as error:
            return {"id": row_id, "error": f"{type(error).__name__}: {error}"}
        return {
            "id": row_id,
            "prompt": result.rendered,
            "tokens": result.total_tokens,
            "cut": result.cut,
            "dropped": result.dropped,
        }

    def partition(self, part: Partition) -> tuple[int, int]:
        """Fit a partition into its file, and return how many rows it has and how many failed."""
        failed = 0
        unfinished = part.target.with_suffix(".unfinished")
        with part.source.open("rb") as source, unfinished.open("w", encoding="utf-8") as target:
            source.seek(part.start)
            for _ in range(part.rows):
                fitted = self.row(source.readline())
                failed += "error" in fitted
                target.write(json.dumps(fitted) + "\n")
        unfinished.replace(part.target)
        return part.rows, failed


def partitions(source: Path, folder: Path, size: int) -> Iterator[Partition]:
    """Yield the partitions of a file of rows."""
    with source.open("rb") as lines:
        start = position = rows = number = 0
        for line in lines:
            position += len(line)
            rows += 1
            if rows == size:
                yield Partition(source, start, rows, folder / f"part-{number:05}.jsonl")
                start, rows, number = position, 0, number + 1
        if rows:
            yield Partition(source, start, rows, folder / f"part-{number:05}.jsonl")


def by_dask(fitter: Fitter, parts: list[Partition], client: Client) -> Iterator[tuple[int, int]]:
    """Yield what came out of each partition, as they are done.

    Scattered, the fitter is unpickled once in each worker process: one counter per process.
    """
    there = client.scatter(fitter, broadcast=True)
    futures = client.map(Fitter.partition, [there] * len(parts), parts, pure=False)
    for _, counts in as_completed(futures, with_results=True):
        yield counts


def client_of(asked: argparse.Namespace) -> Client:
    """Return a running cluster, or one of this machine's processes."""
    if asked.scheduler:
        return Client(asked.scheduler)
    return Client(n_workers=asked.workers, threads_per_worker=1, dashboard_address=None)


def arguments() -> argparse.Namespace:
    """Return what was asked."""
    parser = argparse.ArgumentParser(description="Fit the prompts of a corpus.")
    parser.add_argument("source", type=Path, help="rows, as JSON Lines")
    parser.add_argument("folder", type=Path, help="of what comes out")
    parser.add_argument("--limit", type=int, required=True, help="tokens")
    parser.add_argument("--counter", default="toktok:o200k_base")
    parser.add_argument("--partition", type=int, default=1_000, help="rows")
    parser.add_argument("--workers", type=int, default=2, help="processes of this machine")
    parser.add_argument("--scheduler", help="the address of a running cluster instead")
    parser.add_argument("--serial", action="store_true", help="in this process, without Dask")
    return parser.parse_args()


def main() -> None:
    """Fit what isn't fitted yet, and say how far it is."""
    asked = arguments()
    asked.folder.mkdir(parents=True, exist_ok=True)
    every = list(partitions(asked.source.resolve(), asked.folder.resolve(), asked.partition))
    todo = [part for part in every if not part.target.exists()]
    fitter = Fitter(counter_named(asked.counter), asked.limit)
    with nullcontext() if asked.serial else client_of(asked) as client:
        fitted = map(fitter.partition, todo) if client is None else by_dask(fitter, todo, client)
        done, rows, failed = len(every) - len(todo), 0, 0
        for more, unfit in fitted:
            done, rows, failed = done + 1, rows + more, failed + unfit
            sys.stderr.write(
                f"{done} of {len(every)} partitions, {rows:,} rows, {failed:,} not fitted\n"
            )


if __name__ == "__main__":
    main()
