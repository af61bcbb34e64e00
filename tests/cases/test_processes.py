import copy
import pickle
from fractions import Fraction
from typing import Final

import pytest

from budget import (
    BudgetOverflowError,
    BudgetPolicyError,
    CachedCounter,
    CallableCounter,
    CounterError,
    EstimatingCounter,
    OverflowAction,
    OverheadCounter,
    ScaledCounter,
    TokenCounter,
    TruncationPolicy,
    apply_overflow,
)
from tests.cases import item, printed, words
from tests.counters import Words

COUNTERS: Final[tuple[TokenCounter, ...]] = (
    Words(),
    EstimatingCounter(),
    EstimatingCounter(safe=True),
    CallableCounter(len),
    CallableCounter(str.split, length=True, name="words"),
    ScaledCounter(Words(), 1.1),
    ScaledCounter(Words(), Fraction(4, 3)),
    OverheadCounter(Words(), 4),
    CachedCounter(EstimatingCounter(), 1_000),
    ScaledCounter(OverheadCounter(CachedCounter(Words(), 10), 1), 2),
)
LONG: Final = [item("a", words(9)), item("b", "word", 1)]
RUN: Final = """
import socket, sys
before = set(sys.modules)

def refuse(event, arguments):
    if event.startswith(("socket.", "urllib.", "subprocess.")):
        raise OSError(event)
    if ready and event == "open":
        raise OSError(event)

ready = False
sys.addaudithook(refuse)
from budget import *
ready = True
items = [BudgetItem(name, "history", "some words. " * 99) for name in "abc"]
for action in OverflowAction.DROP, OverflowAction.TRUNCATE:
    apply_overflow(items, 700, action, EstimatingCounter(), TruncationPolicy(boundary="line"))
loaded = {name.partition(".")[0] for name in set(sys.modules) - before}
print(sorted(loaded - sys.stdlib_module_names))
"""


def copies(value: object) -> list[object]:
    protocols = range(2, pickle.HIGHEST_PROTOCOL + 1)
    pickled = [pickle.loads(pickle.dumps(value, protocol)) for protocol in protocols]  # noqa: S301
    return [*pickled, copy.copy(value), copy.deepcopy(value)]


# CON-04
@pytest.mark.parametrize("counter", COUNTERS)
def test_a_copied_counter_counts_the_same(counter: TokenCounter) -> None:
    text = "hello wörld 🧠, and once more"
    for other in copies(counter):
        assert isinstance(other, type(counter))
        assert other.count(text) == counter.count(text)
        assert repr(other) == repr(counter)


# CON-04
@pytest.mark.parametrize(
    "value",
    [
        item("a", "hello 🧠", 3, pinned=True),
        TruncationPolicy(keep="both", boundary="line", marker="[...]", quantum=8),
        OverflowAction.TRUNCATE,
        apply_overflow(LONG, 5, OverflowAction.DROP, Words()),
        apply_overflow(LONG, 5, OverflowAction.TRUNCATE, Words()),
        apply_overflow(LONG, 99, OverflowAction.FAIL, Words(), separator="\n"),
    ],
)
def test_a_copied_value_is_equal(value: object) -> None:
    assert copies(value) == [value] * len(copies(value))


# CON-04
@pytest.mark.parametrize(
    "error",
    [
        BudgetOverflowError(16, 10, OverflowAction.DROP, ("ctx", "sys")),
        BudgetOverflowError(16, 10, OverflowAction.FAIL),
        BudgetPolicyError("limit must be >= 0, got -1"),
        CounterError("a", "float", 1.5),
        CounterError(None, "list"),
    ],
)
def test_a_copied_error_says_and_carries_the_same(error: Exception) -> None:
    for other in copies(error):
        assert isinstance(other, type(error))
        assert (str(other), vars(other)) == (str(error), vars(error))


# CON-07
def test_the_core_needs_no_network_no_file_and_no_other_package() -> None:
    assert printed(RUN) == "['budget']"
