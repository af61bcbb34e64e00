"""What holds where the results of tools are cut."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from budget import BudgetOverflowError, TokenCounter, TruncationPolicy
from budget.messages import FittedMessages, count_messages, fit_messages, validate_messages
from tests.counters import Characters, Words
from tests.messages.checker import IS_VALID
from tests.messages.histories import BUILDERS, History, histories
from tests.messages.plans import Message, Step, Turn, plans
from tests.messages.pricing import OVERHEAD, as_text, result_costs, total

MARKER = "~"
COUNTERS: st.SearchStrategy[TokenCounter] = st.sampled_from((Words(), Characters()))
POLICIES = st.builds(
    TruncationPolicy,
    keep=st.sampled_from(("head", "tail", "both")),
    marker=st.just(MARKER),
    min_tokens=st.integers(0, 3),
    quantum=st.sampled_from((1, 1, 4)),
)


@dataclass(frozen=True)
class Cut:
    """The arguments of a call that cuts, with room for all that isn't cut."""

    history: History
    counter: TokenCounter
    truncation: TruncationPolicy
    ceiling: int
    limit: int = 10**6

    def fit(self, ceiling: int | None) -> FittedMessages[Message]:
        """Make the call."""
        return fit_messages(
            self.history.messages,
            self.limit,
            self.counter,
            provider=self.history.provider,
            tool_result_limit=ceiling,
            truncation=self.truncation,
            on_pinned_overflow="cut_results",
            overhead=OVERHEAD,
        )

    def needed(self) -> int:
        """Return the least limit at which the call isn't refused."""
        try:
            replace(self, limit=0).fit(None)
        except BudgetOverflowError as error:
            return error.needed
        return 0


@st.composite
def cuts(draw: st.DrawFn) -> Cut:
    """Draw a history with results, and a ceiling under which most of them are cut."""
    counter = draw(COUNTERS)
    # A Gemini response is sent as JSON: its marker costs {"output":"~"}.
    return Cut(draw(histories()), counter, draw(POLICIES), draw(st.integers(14, 40)))


LONG = Step(
    calls=2,
    text="a",
    thinking=True,
    order=0,
    late="no",
    split=False,
    shape=0,
    answer="many words of an answer " * 3,
)


@st.composite
def over(draw: st.DrawFn) -> Cut:
    """Draw a call whose pinned part is over, by less than its results hold."""
    cut, plan = draw(cuts()), draw(plans())
    last = replace(LONG, shape=draw(st.integers(0, 1)), order=draw(st.integers(0, 1)))
    turn = Turn("u", (last,), image=False, twice=False, system=False)
    plan = replace(plan, turns=(*plan.turns, turn), open_end=True)
    history = History(cut.history.provider, BUILDERS[cut.history.provider](plan))
    cut = replace(cut, history=history)
    low, whole = cut.needed(), cut.fit(None).pinned_tokens
    assume(low < whole)
    return replace(cut, limit=draw(st.integers(low, whole - 1)))


@given(cuts())
def test_each_result_keeps_to_its_own_ceiling(cut: Cut) -> None:
    messages = cut.fit(cut.ceiling).messages
    assert all(tokens <= cut.ceiling for tokens in result_costs(messages, cut.counter))


@given(cuts())
def test_a_ceiling_drops_nothing_and_keeps_a_history_valid(cut: Cut) -> None:
    fitted = cut.fit(cut.ceiling)
    assert fitted.dropped == ()
    assert IS_VALID[cut.history.provider](fitted.messages)
    assert validate_messages(fitted.messages, cut.history.provider) == ()


@given(cuts())
def test_only_messages_with_a_cut_result_are_copies(cut: Cut) -> None:
    fitted, given_messages = cut.fit(cut.ceiling), cut.history.messages
    copies = [
        index
        for index, message in zip(fitted.kept, fitted.messages, strict=True)
        if message is not given_messages[index]
    ]
    longer = [
        index
        for index in fitted.kept
        if any(cost > cut.ceiling for cost in result_costs(given_messages[index], cut.counter))
    ]
    assert copies == list(fitted.cut) == longer


@given(cuts())
def test_the_total_after_cuts_is_what_an_independent_count_says(cut: Cut) -> None:
    fitted = cut.fit(cut.ceiling)
    assert fitted.total_tokens == total(fitted.messages, cut.counter)
    assert fitted.total_tokens == count_messages(
        fitted.messages, cut.counter, provider=cut.history.provider, overhead=OVERHEAD
    )


@given(cuts())
def test_cutting_again_changes_nothing(cut: Cut) -> None:
    once = cut.fit(cut.ceiling)
    history = replace(cut.history, messages=once.messages)
    again = replace(cut, history=history).fit(cut.ceiling)
    assert again.messages == once.messages
    assert again.cut == ()


@given(cuts())
def test_the_input_is_untouched_by_cuts(cut: Cut) -> None:
    before = json.dumps(cut.history.messages)
    cut.fit(cut.ceiling)
    assert json.dumps(cut.history.messages) == before


@given(over())
def test_a_pinned_part_that_is_over_fits_when_its_results_are_cut(cut: Cut) -> None:
    fitted = cut.fit(None)
    assert fitted.overflowed
    assert fitted.total_tokens == total(fitted.messages, cut.counter) <= cut.limit
    assert validate_messages(fitted.messages, cut.history.provider) == ()


@given(over())
def test_no_result_is_cut_that_is_shorter_than_one_left_whole(cut: Cut) -> None:
    fitted = cut.fit(None)
    before = [result_costs(cut.history.messages[index], cut.counter) for index in fitted.kept]
    after = [result_costs(message, cut.counter) for message in fitted.messages]
    pairs = [
        pair for old, new in zip(before, after, strict=True) for pair in zip(old, new, strict=True)
    ]
    whole = [old for old, new in pairs if old == new]
    shorter = [old for old, new in pairs if old != new]
    framed = cut.counter.count(as_text({"output": MARKER}))
    assert not [old for old in shorter if [one for one in whole if one > max(old, framed)]]


@given(over())
def test_all_but_results_comes_back_as_it_was(cut: Cut) -> None:
    fitted = cut.fit(None)
    for index in fitted.cut:
        now, then = fitted.messages[fitted.kept.index(index)], cut.history.messages[index]
        assert without_results(now) == without_results(then)


def without_results(value: object) -> object:
    """Return a message without the texts of its results."""
    if isinstance(value, list):
        return [without_results(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    answers = value.get("role") == "tool" or value.get("type") == "tool_result"
    gone = {"output", "response"} | ({"content"} if answers else set())
    return {name: without_results(held) for name, held in value.items() if name not in gone}


@given(over())
def test_a_refusal_names_the_least_limit_at_which_cut_results_fit(cut: Cut) -> None:
    needed = cut.needed()
    assert replace(cut, limit=needed).fit(None).total_tokens <= needed
    with pytest.raises(BudgetOverflowError) as caught:
        replace(cut, limit=needed - 1).fit(None)
    assert caught.value.needed == needed


@given(over(), st.integers(0, 40))
def test_a_higher_limit_keeps_all_that_a_lower_one_kept_beside_cut_results(
    cut: Cut, more: int
) -> None:
    assert set(cut.fit(None).kept) <= set(replace(cut, limit=cut.limit + more).fit(None).kept)
