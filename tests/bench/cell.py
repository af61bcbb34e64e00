"""One peer and one job, in a process of its own: `python -m tests.bench.cell PEER JOB SIZE`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Final

from tests.bench import ours, peers, work
from tests.bench.meter import count, encode, metered
from tests.bench.peers import Chat, Cut, Native, Pack
from tests.bench.table import OURS, Row
from tests.bench.work import LIMIT

Job = Callable[[], list[str]]
Fit = Callable[[Chat[Native], list[Native]], list[str]]

_REPEATS: Final = 15
_ENOUGH: Final = 3.0  # seconds


@dataclass(frozen=True, slots=True)
class Work:
    """A job, and the texts that it is about."""

    job: Job
    texts: list[str]


def once(chat: Chat[Native], native: list[Native]) -> list[str]:
    """Fit a history."""
    return chat.fit(native)


def each_turn(chat: Chat[Native], native: list[Native]) -> list[str]:
    """Fit a history that grows by two messages a turn, at every turn; return the last."""
    for length in range(2, len(native), 2):
        chat.fit(native[:length])
    return chat.fit(native)


def about(make: Callable[[], Chat[Native]], fit: Fit[Native], history: list[work.Message]) -> Work:
    """Return a job about a history: the peer's messages are there before the clock runs."""
    first = make()
    native = [first.native(message) for message in history]
    return Work(lambda: fit(make(), native), [message.text for message in history])


def chats(make: Callable[[], Chat[Native]]) -> dict[str, Callable[[str], Work]]:
    """Return the jobs about histories."""
    return {
        "A": lambda size: about(make, once, work.history(int(size))),
        "D": lambda size: about(make, each_turn, work.history(2 * int(size))),
        "runs": lambda size: about(make, once, work.recorded(Path(size))),
    }


def cuts(make: Callable[[], Cut]) -> dict[str, Callable[[str], Work]]:
    """Return the job of cutting a document."""

    def prepare(size: str) -> Work:
        cut, text = make(), work.document(int(size))
        return Work(lambda: cut(text), [text])

    return {"B": prepare}


def packs(make: Callable[[], Pack[Native]]) -> dict[str, Callable[[str], Work]]:
    """Return the job of packing sections: the peer's own are there before the clock runs."""

    def prepare(size: str) -> Work:
        pack, parts = make(), work.sections()[: int(size)]
        native = [pack.native(part) for part in parts]
        return Work(lambda: pack.fit(native), [part.text for part in parts])

    return {"C": prepare}


JOBS: Final = {
    "budget": chats(lambda: ours.items(ours.plain()))
    | {"D": chats(lambda: ours.items(ours.cached()))["D"]}
    | cuts(ours.cut)
    | packs(ours.pack),
    "budget.messages": chats(lambda: ours.messages(ours.plain()))
    | {"D": chats(lambda: ours.messages(ours.cached()))["D"]},
    "cendor-contextkit": chats(peers.cendor) | cuts(peers.cendor_cut) | packs(peers.cendor_pack),
    "haystack-ai": chats(peers.haystack),
    "langchain-core": chats(peers.langchain) | cuts(peers.langchain_cut),
    "litellm": chats(peers.litellm) | cuts(peers.litellm_cut),
    "llama-index-core": chats(peers.llama_index),
    "promptbudget": chats(peers.promptbudget)
    | cuts(peers.promptbudget_cut)
    | packs(peers.promptbudget_pack),
}


def timed(job: Callable[[], object]) -> float:
    """Return how long one run takes."""
    start = perf_counter()
    job()
    return perf_counter() - start


def measure(peer: str, job: str, size: str) -> Row:
    """Run a job once to see what is counted, then until there is enough to say."""
    prepared = JOBS[peer][job](size)
    start = perf_counter()
    with metered() as texts:
        kept = prepared.job()
    first, handed = perf_counter() - start, list(texts)
    if first >= _ENOUGH:
        runs, replays = [first], [0.0]
    else:
        runs, replays = _clocked(prepared.job, handed if peer in OURS else ())
    return Row(
        seconds=min(runs),
        replay=min(replays),
        share=sum(map(len, handed)) / sum(map(len, prepared.texts)),
        calls=len(handed),
        kept=len(kept),
        tokens=sum(map(count, kept)),
        newest=kept == prepared.texts[len(prepared.texts) - len(kept) :],
    )


def _clocked(job: Job, handed: Sequence[str]) -> tuple[list[float], list[float]]:
    """Run job and tokenizer by turns, so that a slow moment of the machine meets both."""
    runs, replays = list[float](), list[float]()
    while len(runs) < _REPEATS and sum(runs) < _ENOUGH:
        runs.append(timed(job))
        replays.append(timed(lambda: list(map(encode, handed))))
    return runs, replays


if __name__ == "__main__":
    who, what, how_much = sys.argv[1:]
    row = measure(who, what, how_much)
    assert row.tokens <= LIMIT or who not in OURS, row
    sys.stdout.write(json.dumps(asdict(row)) + "\n")
