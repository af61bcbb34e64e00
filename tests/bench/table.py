"""What is measured by whom, and the tables that it ends up in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tests.bench.work import LIMIT

ABOUT: Final = {
    "A": "A: keep the newest of {} messages of about 60 tokens",
    "B": "B: cut {} MB of text",
    "C": "C: fit {} sections of mixed size by priority",
    "D": "D: fit a history at each of {} turns, two messages a turn",
    "runs": "The newest messages of a recorded run: {}",
}
SIZES: Final = {"A": ("200", "2000", "20000"), "B": ("1", "20"), "C": ("50",), "D": ("500",)}
_HISTORIES: Final = {"A", "D", "runs"}
# The first is what the targets are about.
OURS: Final = ("budget", "budget.messages")
JOBS_OF: Final = {
    "budget": ("A", "B", "C", "D", "runs"),
    "budget.messages": ("A", "D", "runs"),
    "cendor-contextkit": ("A", "B", "C", "D", "runs"),
    "haystack-ai": ("A", "D", "runs"),
    "langchain-core": ("A", "B", "D", "runs"),
    "litellm": ("A", "B", "D", "runs"),
    "llama-index-core": ("A", "D", "runs"),
    "promptbudget": ("A", "B", "C", "D", "runs"),
}
IMPORTS: Final = {
    "budget": "budget",
    "budget.tokenizers": "budget.tokenizers",
    "cendor-contextkit": "cendor.contextkit",
    "haystack-ai": "haystack.hooks.compaction.sliding_window",
    "langchain-core": "langchain_core.messages",
    "litellm": "litellm",
    "llama-index-core": "llama_index.core.memory",
    "promptbudget": "promptbudget",
}


@dataclass(frozen=True, slots=True)
class Row:
    """What a peer did with a job.

    Attributes:
        seconds: Of the run that was disturbed least.
        replay: What the tokenizer alone takes for the texts that it was handed; ours only.
        share: Characters handed to the tokenizer, by those of the input.
        calls: Of the tokenizer.
        kept: Texts.
        tokens: Of all that is kept, counted by the tokenizer itself.
        newest: Whether what is kept are the last texts, whole and in order.
    """

    seconds: float
    replay: float
    share: float
    calls: int
    kept: int
    tokens: int
    newest: bool


# Of a job at a size, by peer; None: it took longer than it may.
Rows = Mapping[str, Row | None]
Results = Mapping[tuple[str, str], Rows]


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return Markdown; all columns but the first are aligned to the right."""
    lines = [heads, ["---", *("--:" for _ in heads[1:])], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def duration(seconds: float) -> str:
    """Return a duration that can be compared at a glance."""
    return f"{seconds:,.1f} s" if seconds >= 1 else f"{seconds * 1_000:,.1f} ms"


def times(ratio: float) -> str:
    """Return a ratio with as many digits as mean anything."""
    return f"{ratio:,.0f} x" if ratio >= 100 else f"{ratio:.3g} x"


def job_table(job: str, rows: Rows, cap: float) -> str:
    """Return what came out of one job; only histories have a newest part."""
    heads = ("", "time", "ratio", "characters", "calls", "kept", "tokens", "newest kept")
    wide = len(heads) if job in _HISTORIES else len(heads) - 1
    first = rows[OURS[0]]
    assert first is not None
    lines = (_line(peer, row, first, cap)[:wide] for peer, row in rows.items())
    return table(heads[:wide], lines)


def _line(peer: str, row: Row | None, first: Row, cap: float) -> list[str]:
    if row is None:
        return [peer, f"> {cap:.0f} s", f"> {times(cap / first.seconds)}", *("" for _ in range(5))]
    over = " (over)" if row.tokens > LIMIT else ""
    return [
        peer,
        duration(row.seconds),
        times(row.seconds / first.seconds),
        times(row.share),
        f"{row.calls:,}",
        f"{row.kept:,}",
        f"{row.tokens:,}{over}",
        "yes" if row.newest else "no",
    ]


@dataclass(frozen=True, slots=True)
class Target:
    """A figure to reach."""

    what: str
    measured: float
    bound: float
    at_most: bool = True

    def cells(self) -> tuple[str, str, str, str]:
        """Return the line of the table of targets."""
        reached = self.measured <= self.bound if self.at_most else self.measured >= self.bound
        sign = "<=" if self.at_most else ">="
        return (
            self.what,
            f"{sign} {self.bound:g}",
            f"{self.measured:.3g}",
            "yes" if reached else "NO",
        )


def targets(results: Results, engine: Mapping[str, float]) -> list[Target]:
    """Return what is to be reached, and what was."""
    ours = {key: row for key, rows in results.items() if (row := rows[OURS[0]]) is not None}
    whole, sections = ours["A", "20000"], ours["C", "50"]
    return [
        Target("A, 20,000 messages: share of the characters", whole.share, 0.01),
        _faster("A, 20,000 messages", results["A", "20000"], in_order=True),
        Target("B, 1 MB: share of the characters", ours["B", "1"].share, 0.25),
        Target("B, 20 MB: share of the characters", ours["B", "20"].share, 0.02),
        _faster("B, 1 MB", results["B", "1"]),
        _faster("B, 20 MB", results["B", "20"]),
        Target("C: share of the characters", sections.share, 0.4),
        Target("C: overhead by the tokenizer's time", sections.seconds / sections.replay - 1, 0.1),
        Target("D: share of the characters", ours["D", "500"].share, 1.0),
        _faster("D", results["D", "500"], bound=100),
        Target("engine, everything fits: times a bare loop", engine["everything fits"], 12),
        Target("engine, 8,000 tokens fit: times a bare loop", engine["8,000 tokens fit"], 4),
    ]


def _faster(what: str, rows: Rows, *, in_order: bool = False, bound: float | None = None) -> Target:
    """Compare with the fastest peer, of those that keep the newest in order if that is asked."""
    peers = [
        row.seconds
        for peer, row in rows.items()
        if peer not in OURS and row is not None and (row.newest or not in_order)
    ]
    first = rows[OURS[0]]
    assert first is not None
    goal = bound or (30 if in_order else 10)
    return Target(
        f"{what}: times as fast as the next", min(peers) / first.seconds, goal, at_most=False
    )
