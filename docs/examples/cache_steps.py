"""Simulate what dropping in steps does to a provider's prompt cache.

    python docs/examples/cache_steps.py

A conversation of 500 turns, each of about 330 tokens, is fitted into 8,000 tokens on every turn,
behind 1,500 tokens of cached instructions. A turn reads from the cache what it shares with the
turn before, from the beginning on; all else is written. Reading costs 0.1, writing 1.25 of an
uncached token.
"""

from __future__ import annotations

import sys
from itertools import pairwise

from budget import CachedCounter, EstimatingCounter
from budget.messages import FittedMessages, count_messages, fit_messages

Message = dict[str, str]

TURNS = 500
LIMIT = 8_000
READ, WRITE = 0.1, 1.25
SYSTEM = {"role": "system", "content": "Mind what you were told at the beginning. " * 165}


def conversation() -> list[Message]:
    """Return the messages of all turns."""
    messages = [SYSTEM]
    for turn in range(TURNS):
        messages += [
            {"role": "user", "content": f"Question {turn}: " + "what about this one, then? " * 15},
            {
                "role": "assistant",
                "content": f"Answer {turn}: " + "it is much like the last. " * 31,
            },
        ]
    return messages


def fitted_turns(messages: list[Message], step: int) -> list[FittedMessages[Message]]:
    """Return what is sent on each turn."""
    counter = CachedCounter(EstimatingCounter(), 10_000_000)
    return [
        fit_messages(messages[: 2 * turn], LIMIT, counter, step=step)
        for turn in range(1, TURNS + 1)
    ]


def shared(before: FittedMessages[Message], after: FittedMessages[Message]) -> list[Message]:
    """Return the messages with which two requests begin alike."""
    pairs = zip(before.messages, after.messages, strict=False)
    size = next((place for place, (a, b) in enumerate(pairs) if a is not b), len(before.messages))
    return after.messages[:size]


def report(messages: list[Message], step: int) -> str:
    """Return one line: how much was read from the cache, how often it broke, what a turn cost."""
    counter = CachedCounter(EstimatingCounter(), 10_000_000)
    turns = fitted_turns(messages, step)
    read = sum(count_messages(shared(*pair), counter) for pair in pairwise(turns))
    sent = sum(turn.total_tokens for turn in turns)
    moves = sum(one.kept[1] != other.kept[1] for one, other in pairwise(turns))
    cost = (READ * read + WRITE * (sent - read)) / TURNS
    return f"{step:>6,} {read / sent:>10.0%} {moves:>6} {cost:>14,.0f} {sent / TURNS:>12,.0f}\n"


def main() -> None:
    """Write the table."""
    messages = conversation()
    sys.stdout.write("  step from cache  moves  cost per turn  sent tokens\n")
    for step in (1, 1_000, 2_000, 4_000):
        sys.stdout.write(report(messages, step))


if __name__ == "__main__":
    main()
