"""`python -m tests.bench.histories`: who leaves histories of tool calls valid, within a limit.

    python -m pip install -r tests/bench/histories.txt

Random valid histories and limits, the same on every run. What comes back is held against the rules
of chat completions, by the checker of the tests, and against the limit: texts, names and arguments
of calls alone, as cl100k_base counts them, without the overhead of messages.
"""

from __future__ import annotations

import argparse
import logging
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from budget.errors import BudgetOverflowError
from budget.messages import Overhead
from tests.bench import history_peers as peers
from tests.bench.history_peers import COUNTER, Fit
from tests.bench.table import table
from tests.messages.chat_history import chat_history
from tests.messages.checker import chat_is_valid
from tests.messages.plans import OPENINGS, STEPS, WORDS, Message, Plan, Step, Turn
from tests.messages.pricing import total

HISTORIES: Final = 1_000
OUTCOMES: Final = ("invalid", "over", "empty", "refused", "fine")
FREE: Final = Overhead(0, 0)
# What every peer takes: texts alone, no media, arguments that are JSON.
_STEPS: Final = [step for step in STEPS if step.shape == 0 and step.calls < 3]
_OPENINGS: Final = [turn for turn in OPENINGS if not turn.image and not turn.system]
PEERS: Final[Mapping[str, Callable[[], Fit]]] = {
    "`budget`, by call": lambda: peers.by_call,
    "`budget`, by turn": lambda: peers.by_turn,
    "autogen-core 0.7.5, TokenLimitedChatCompletionContext": peers.autogen,
    "haystack-ai 3.4.1, SlidingWindowCompactor": peers.haystack,
    "langchain-core 1.8.3, trim_messages": peers.langchain,
    'langchain-core 1.8.3, start_on="human"': lambda: peers.langchain(start_on="human"),
    "litellm 1.110.2, trim_messages": peers.litellm,
    "llama-index-core 0.14.25, ChatMemoryBuffer": peers.llama_index,
}


def cases(number: int) -> Iterator[tuple[list[Message], int]]:
    """Yield histories, each with a limit that it is over."""
    random = Random(number)  # noqa: S311 - the same histories on every run
    for _ in range(number):
        turns = [_turn(random) for _ in range(random.randint(2, 6))]
        plan = Plan(
            tuple(turns),
            ids="fresh",
            open_end=random.random() < 0.5,
            system_first=random.random() < 0.5,
        )
        messages = [_unnamed(message) for message in chat_history(plan)]
        whole = total(messages, COUNTER)
        yield messages, random.randint(whole // 4, whole - 1)


def _turn(random: Random) -> Turn:
    steps = tuple(_step(random) for _ in range(random.randint(1, 5)))
    return replace(random.choice(_OPENINGS), steps=steps)


def _step(random: Random) -> Step:
    answer = " ".join(random.choices(WORDS, k=random.randint(1, 20)))
    return replace(random.choice(_STEPS), answer=answer)


def _unnamed(message: Message) -> Message:
    return {field: value for field, value in message.items() if field != "name"}


@dataclass(slots=True)
class Tally:
    """What came of all histories.

    Attributes:
        outcomes: How often each.
        used: Tokens of what came back fine, overhead included.
        allowed: Tokens that these were allowed.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    used: int = 0
    allowed: int = 0

    def add(self, fit: Fit, messages: Sequence[Message], limit: int) -> None:
        """Fit one history more."""
        try:
            kept = fit(messages, limit)
        except BudgetOverflowError:
            self.outcomes["refused"] += 1
            return
        found = _outcome(kept, limit)
        self.outcomes[found] += 1
        if found == "fine":
            self.used += total(kept, COUNTER)
            self.allowed += limit

    def cells(self) -> Iterator[str]:
        """Yield a line of the table."""
        for name in OUTCOMES:
            yield f"{self.outcomes[name]:,}"
        yield f"{self.used / self.allowed:.0%}"


def _outcome(kept: Sequence[Message], limit: int) -> str:
    if total(kept, COUNTER, FREE) > limit:
        return "over"
    if not kept:
        return "empty"
    return "fine" if chat_is_valid(kept) else "invalid"


def tally(fit: Fit, number: int) -> Tally:
    """Fit all histories."""
    found = Tally()
    for messages, limit in cases(number):
        found.add(fit, messages, limit)
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.histories", description=__doc__)
    parser.add_argument("--number", type=int, default=HISTORIES, help="how many (default: 1000)")
    number = parser.parse_args().number
    peers.offline()
    logging.disable()
    warnings.simplefilter("ignore")
    heads = ("", *OUTCOMES, "of the limit used")
    rows = ([name, *tally(make(), number).cells()] for name, make in PEERS.items())
    sys.stdout.write(table(heads, rows) + "\n")


if __name__ == "__main__":
    main()
