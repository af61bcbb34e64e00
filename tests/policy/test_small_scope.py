"""Every window of a small scope, against the oracle.

Faults of an allocation show with two or three lines and a handful of tokens.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from budget import (
    BudgetItem,
    BudgetLine,
    BudgetOverflowError,
    BudgetPolicy,
    FittedItem,
    OverflowAction,
    apply_policy,
)
from budget._allocation import Claim, shares
from tests.counters import Words
from tests.policy.oracle import oracle_policy, oracle_shares
from tests.policy.oracle_sent import oracle_sent
from tests.strategies import Render

DROP, TRUNCATE, FAIL = OverflowAction.DROP, OverflowAction.TRUNCATE, OverflowAction.FAIL
WORDS = Words()

# Words per item, in total order; a pinned item comes first and is written as a negative number.
Content = tuple[int, ...]
Calls = Iterator[tuple[list[BudgetItem], BudgetPolicy]]


def holding(kind: str, content: Content) -> list[BudgetItem]:
    return [
        BudgetItem(f"{kind}{place}", kind, "w " * abs(size), place, size < 0)
        for place, size in enumerate(content)
    ]


def windows(
    lines: Sequence[Sequence[BudgetLine]], contents: Sequence[Content], limits: Sequence[int]
) -> Calls:
    """Yield every window of one line each, with every content in each, under every limit."""
    for declared in product(*lines):
        for held in product(contents, repeat=len(declared)):
            items = [
                item
                for line, content in zip(declared, held, strict=True)
                for item in holding(line.kind, content)
            ]
            for limit in limits:
                if sum(line.floor for line in declared) <= limit:
                    yield items, BudgetPolicy(limit, declared)


def found(items: list[BudgetItem], policy: BudgetPolicy, render: Render | None) -> object:
    try:
        return apply_policy(items, policy, WORDS, render=render)
    except BudgetOverflowError as error:
        return *error.args, error.lines


def expected(items: list[BudgetItem], policy: BudgetPolicy, render: Render | None) -> object:
    try:
        if render is None:
            return oracle_policy(items, policy, WORDS)
        return oracle_sent(items, policy, WORDS, render)
    except BudgetOverflowError as error:
        return *error.args, error.lines


def wrong(calls: Calls, render: Render | None = None) -> list[tuple[object, ...]]:
    return [call for call in calls if found(*call, render) != expected(*call, render)]


def headed_each(kept: tuple[FittedItem, ...]) -> str:
    """A word before each text: small texts cost twice what they count."""
    return "".join(f"item {fitted.text}" for fitted in kept)


def waning(kept: tuple[FittedItem, ...]) -> str:
    """Less of it, the more is kept: a measure that no sum foretells."""
    return "w " * (6 // len(kept))


def declared(
    kind: str,
    actions: Sequence[OverflowAction],
    limits: Sequence[int | None],
    floors: Sequence[int],
    weights: Sequence[int | None],
) -> list[BudgetLine]:
    return [
        BudgetLine(kind, action, limit=limit, floor=floor, weight=weight)
        for action, limit, floor, weight in product(actions, limits, floors, weights)
        if limit is None or floor <= limit
    ]


def test_two_lines_with_limits_and_floors() -> None:
    one = declared("a", (DROP, TRUNCATE), (None, 2), (0, 1, 2), (None,))
    other = declared("b", (DROP,), (None, 1), (0, 1), (None,))
    assert not wrong(windows((one, other), ((), (1, 1), (2, 1), (-1, 2)), (0, 2, 3, 4)))


def test_two_lines_with_weights() -> None:
    one = declared("a", (DROP, TRUNCATE), (None, 2), (0, 2), (1, 2))
    other = declared("b", (DROP,), (None,), (0, 1), (None, 1, 3))
    assert not wrong(windows((one, other), ((), (1, 1, 1), (3, 1), (-1, 1)), (1, 2, 3, 5)))


def test_two_lines_of_which_one_fails() -> None:
    one = declared("a", (FAIL,), (None, 1), (0, 1), (None, 1))
    other = declared("b", (DROP, FAIL), (None, 2), (0, 1), (None, 2))
    assert not wrong(windows((one, other), ((), (1,), (0, 2), (-1, 1)), (0, 1, 2, 3)))


def test_three_lines_that_share() -> None:
    lines = [declared(kind, (DROP,), (None,), (0, 1), (1, 2)) for kind in "abc"]
    assert not wrong(windows(lines, ((1,), (1, 1, 1), (2, 2)), (3, 5)))


def test_two_lines_that_are_sent_with_headings() -> None:
    one = declared("a", (DROP, TRUNCATE), (None, 2), (0, 1), (None, 1))
    other = declared("b", (DROP, FAIL), (None,), (0, 1), (None, 1))
    contents = ((), (1, 1, 1), (0, 2), (-1, 0, 1))
    assert not wrong(windows((one, other), contents, (1, 3, 6)), headed_each)


def test_two_lines_that_are_sent_as_less_the_more_there_is() -> None:
    one = declared("a", (DROP, TRUNCATE), (None, 2), (0,), (None, 1))
    other = declared("b", (DROP, FAIL), (None,), (0,), (None,))
    contents = ((), (1, 1, 1), (0, 2), (-1, 0, 1))
    assert not wrong(windows((one, other), contents, (1, 2, 3, 4)), waning)


def test_three_claims_share_in_every_way() -> None:
    ends = [(low, high) for low in range(3) for high in (low, low + 1, 4)]
    wrong = [
        (lows, highs, weights, room)
        for (lows, highs) in (zip(*three, strict=True) for three in product(ends, repeat=3))
        for weights in ((1, 1, 1), (1, 2, 3), (3, 1, 1))
        for room in (sum(lows), sum(lows) + 1, sum(lows) + 4)
        if shares([Claim(*claim) for claim in zip(lows, highs, weights, strict=True)], room)
        != oracle_shares(list(lows), list(highs), list(weights), room)
    ]
    assert not wrong
