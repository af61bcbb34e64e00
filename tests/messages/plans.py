"""What a conversation is about, for all providers alike; and strategies that draw it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations, product
from typing import Final, Literal

from hypothesis import strategies as st

Message = dict[str, object]
Late = Literal["no", "next step", "next turn"]
Ids = Literal["fresh", "repeated", "none", "mixed"]

PROVIDERS: Final = ("openai", "openai-responses", "anthropic", "gemini")
WORDS: Final = ("a", "b c", "d e f", "g", "one two three four five six", "h\ni j", "é ß", "k " * 12)


@dataclass(frozen=True)
class Step:
    """What the model does at once: thinking, text, calls; and what is answered."""

    calls: int
    text: str
    thinking: bool
    order: int
    late: Late
    split: bool
    shape: int
    answer: str


@dataclass(frozen=True)
class Turn:
    """A user's message, and the steps that follow."""

    text: str
    steps: tuple[Step, ...]
    image: bool
    twice: bool
    system: bool


@dataclass(frozen=True)
class Plan:
    """A conversation."""

    turns: tuple[Turn, ...]
    ids: Ids
    open_end: bool
    system_first: bool


def _steps() -> Iterator[Step]:
    """Yield every shape of a step, plain ones first; texts and orders take their turns."""
    late: tuple[Late, ...] = ("no", "next step", "next turn")
    shapes = product(range(4), late, (False, True), (False, True), range(4))
    for place, (number, when, thinking, split, shape) in enumerate(shapes):
        yield Step(
            calls=number,
            text=WORDS[place % len(WORDS)],
            thinking=thinking,
            order=place % 6,
            late=when,
            split=split,
            shape=shape,
            answer=WORDS[place // 7 % len(WORDS)],
        )


def _openings() -> Iterator[Turn]:
    """Yield every shape of a turn's beginning."""
    shapes = product((False, True), (False, True), (False, True))
    for place, (image, twice, system) in enumerate(shapes):
        yield Turn(WORDS[place], (), image=image, twice=twice, system=system)


# Drawn whole, one draw a step: drawing field by field takes most of a law's time.
STEPS: Final = tuple(_steps())
OPENINGS: Final = tuple(_openings())


def turns() -> st.SearchStrategy[Turn]:
    """Draw a turn of up to four steps."""
    steps = st.lists(st.sampled_from(STEPS), max_size=4).map(tuple)
    pairs = st.tuples(st.sampled_from(OPENINGS), steps)
    return pairs.map(lambda pair: replace(pair[0], steps=pair[1]))


def plans() -> st.SearchStrategy[Plan]:
    """Draw a conversation of up to five turns."""
    return st.builds(
        Plan,
        turns=st.lists(turns(), min_size=1, max_size=5).map(tuple),
        ids=st.sampled_from(("fresh", "repeated", "none", "mixed")),
        open_end=st.booleans(),
        system_first=st.booleans(),
    )


def shuffled(step: Step) -> tuple[int, ...]:
    """Return the order in which the calls of a step are answered."""
    orders = list(permutations(range(step.calls)))
    return orders[step.order % len(orders)]


def call_id(plan: Plan, turn: int, step: int, call: int) -> str:
    """Return an id that is new, or one that comes again in every step."""
    return f"c{call}" if plan.ids == "repeated" else f"c{turn}.{step}.{call}"


def arguments(step: Step, call: int) -> str:
    """Return a call's arguments as a model writes them, or breaks them."""
    return ('{"q": "x y"}', "{}", '{"broken', "")[(step.shape + call) % 4]
