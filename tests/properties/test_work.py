"""What is handed to the counter grows with the limit, never with the input."""

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final
from zlib import crc32

from hypothesis import given
from hypothesis import strategies as st

from budget import BudgetItem, BudgetKind, BudgetOverflowError, OverflowAction, TokenCounter
from tests.counters import DIPPING, NEVER_SHRINKING, Bounded, Characters, Recording
from tests.strategies import STEADY, Case, TextCase, cases, overflowing, policies, texts

FAIL, DROP, TRUNCATE = OverflowAction
CALLS = 40


@dataclass(frozen=True, slots=True)
class Erratic:
    """No rule at all, but the same answer to the same text."""

    def count(self, text: str, /) -> int:
        return crc32(text.encode("utf-8", "surrogatepass")) % 50


@dataclass(frozen=True, slots=True)
class Cliff:
    """Nearly free up to a length, then beyond any limit: no slope leads there."""

    edge: int

    def count(self, text: str, /) -> int:
        return len(text) // 1_000 if len(text) <= self.edge else 10**30


ANY: Final[st.SearchStrategy[TokenCounter]] = st.sampled_from(
    (*NEVER_SHRINKING, *DIPPING, Erratic(), Cliff(90), Cliff(3_333))
)


def allowed(kept: str) -> int:
    """Return the characters that may be handed over to find this cut."""
    return 16 * len(kept) + 4_096


def attempt(case: Case) -> None:
    """Make a call that may be refused."""
    with suppress(BudgetOverflowError):
        case.apply()


def one_item(long: TextCase) -> BudgetItem:
    """Return the text as an item."""
    return BudgetItem("long", BudgetKind.DOCUMENTS, long.text)


@st.composite
def vast(draw: st.DrawFn, among: st.SearchStrategy[TokenCounter]) -> TextCase:
    """Draw long texts whose density changes, cut from nearly nothing to nearly everything."""
    repeats = st.sampled_from((1, 30, 400, 2_000))
    blocks = draw(st.lists(st.tuples(texts(6), repeats), min_size=1, max_size=4))
    text, counter = "".join(block * times for block, times in blocks), draw(among)
    needed = counter.count(text)
    share = draw(st.sampled_from((1, 10, 500, 5_000, 9_900)))
    limits = st.sampled_from((needed * share // 10_000, needed - 1)) | st.integers(0, 60)
    # A cut may be found and then be too small: what was read for it isn't measured by nothing.
    policy = replace(draw(policies()), min_tokens=0)
    return TextCase(text, min(max(draw(limits), 0), max(needed - 1, 0)), counter, policy)


@given(vast(ANY))
def test_a_cut_reads_little_more_than_it_keeps(case: TextCase) -> None:
    recording = Recording(case.counter)
    cut = replace(case, counter=recording).cut()
    assert recording.characters - len(case.text) <= allowed(cut if cut != case.text else "")


@given(vast(ANY))
def test_a_cut_takes_few_calls(case: TextCase) -> None:
    recording = Recording(case.counter)
    replace(case, counter=recording).cut()
    assert len(recording.texts) <= CALLS + 1


@given(vast(ANY))
def test_the_limit_is_hard_for_a_long_text(case: TextCase) -> None:
    assert not (cut := case.cut()) or case.counter.count(cut) <= case.limit


@given(overflowing())
def test_dropping_counts_the_survivors_and_one_item_once(case: Case) -> None:
    recording = Recording(case.counter)
    kept = {fitted.item_id for fitted in replace(case, action=DROP, counter=recording).apply().kept}
    ranked = sorted(case.items, key=lambda item: (not item.pinned, item.order, item.item_id))
    survivors = list(takewhile(lambda item: item.item_id in kept, ranked))
    assert recording.texts == [item.text for item in ranked[: len(survivors) + 1]]


@given(overflowing())
def test_cutting_counts_the_same_before_its_probes(case: Case) -> None:
    dropping, cutting = Recording(case.counter), Recording(case.counter)
    replace(case, action=DROP, counter=dropping).apply()
    replace(case, action=TRUNCATE, counter=cutting).apply()
    assert cutting.texts[: len(dropping.texts)] == dropping.texts


@given(cases())
def test_without_cuts_nothing_is_counted_twice(case: Case) -> None:
    recording = Recording(case.counter)
    attempt(replace(case, action=DROP, counter=recording))
    assert Counter(recording.texts) <= Counter(item.text for item in case.items)


@given(cases())
def test_fail_counts_everything_once(case: Case) -> None:
    recording = Recording(case.counter)
    unpinned = tuple(replace(item, pinned=False) for item in case.items)
    attempt(replace(case, items=unpinned, action=FAIL, counter=recording))
    assert Counter(recording.texts) == Counter(item.text for item in case.items)


@given(vast(ANY))
def test_the_probes_of_a_cut_item_are_bounded(long: TextCase) -> None:
    item = one_item(long)
    recording = Recording(long.counter)
    case = Case((item,), long.limit, TRUNCATE, recording, long.truncation)
    kept = case.apply().kept
    probes = recording.characters - len(item.text)
    assert probes <= allowed("".join(fitted.text for fitted in kept if fitted.truncated))


@given(overflowing(STEADY))
def test_a_counter_that_stops_early_keeps_the_same(case: Case) -> None:
    early = replace(case, counter=Bounded(case.counter)).apply()
    assert (early.kept, early.dropped) == (case.apply().kept, case.apply().dropped)


@given(vast(st.just(Characters())))
def test_a_counter_that_stops_early_reads_no_more_than_the_limit(long: TextCase) -> None:
    bounded = Bounded(Characters())
    Case((one_item(long),), long.limit, DROP, bounded, None).apply()
    assert bounded.characters <= long.limit + 1


@given(cases(STEADY))
def test_fail_never_stops_early(case: Case) -> None:
    bounded = Bounded(case.counter)
    unpinned = tuple(replace(item, pinned=False) for item in case.items)
    attempt(replace(case, items=unpinned, action=FAIL, counter=bounded))
    assert bounded.characters == sum(len(item.text) for item in case.items)
