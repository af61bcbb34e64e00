"""What holds for every valid history, of every provider, at every limit, by both units."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Final, Literal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from budget import BudgetOverflowError, TokenCounter
from budget.messages import FittedMessages, count_messages, fit_messages, validate_messages
from tests.counters import Characters, Dips, Words
from tests.messages.checker import IS_VALID
from tests.messages.histories import History, histories
from tests.messages.plans import Message
from tests.messages.pricing import OVERHEAD, total

Unit = Literal["call", "turn"]
COUNTERS: Final[st.SearchStrategy[TokenCounter]] = st.sampled_from((Words(), Characters(), Dips()))


@dataclass(frozen=True)
class Case:
    """The arguments of one call."""

    history: History
    limit: int
    counter: TokenCounter
    unit: Unit
    step: int = 1
    pin_last_user: bool = True

    def fit(self) -> FittedMessages[Message]:
        """Make the call."""
        return fit_messages(
            self.history.messages,
            self.limit,
            self.counter,
            provider=self.history.provider,
            unit=self.unit,
            step=min(self.step, max(self.limit, 1)),
            pin_last_user=self.pin_last_user,
            overhead=OVERHEAD,
        )

    def kept(self) -> set[int]:
        """Return what is kept; nothing where the call is refused."""
        try:
            return set(self.fit().kept)
        except BudgetOverflowError:
            return set()

    def needed(self) -> int:
        """Return the least limit at which the call isn't refused."""
        try:
            replace(self, limit=0).fit()
        except BudgetOverflowError as error:
            return error.needed
        return 0


@st.composite
def cases(draw: st.DrawFn, *providers: str) -> Case:
    """Draw any call, from no room to room for everything, most of them in between."""
    history = draw(histories(*providers))
    counter = draw(COUNTERS)
    top = total(history.messages, counter)
    share = draw(st.integers(0, 16))
    limit = max(top * share // 16 + draw(st.integers(-3, 3)), 0)
    return Case(history, limit, counter, draw(st.sampled_from(("call", "turn"))))


@st.composite
def fitting(draw: st.DrawFn, *providers: str) -> Case:
    """Draw calls that aren't refused: room beside what is pinned, from none to enough."""
    case = draw(cases(*providers))
    low, top = case.needed(), total(case.history.messages, case.counter)
    return replace(case, limit=low + (top - low) * draw(st.integers(0, 16)) // 16)


def near(case: Case) -> Iterator[Case]:
    """Yield the call with limits on both sides of each place where more fits."""
    fitted, top = case.fit(), total(case.history.messages, case.counter)
    for limit in {fitted.total_tokens, case.limit, (case.limit + top) // 2, top - 1, top}:
        yield replace(case, limit=max(limit, fitted.pinned_tokens))


@given(histories())
def test_what_is_drawn_is_valid(history: History) -> None:
    assert IS_VALID[history.provider](history.messages)
    assert validate_messages(history.messages, history.provider) == ()


@given(fitting())
def test_a_valid_history_stays_valid(case: Case) -> None:
    for one in near(case):
        messages = one.fit().messages
        assert validate_messages(messages, case.history.provider) == ()
        assert IS_VALID[case.history.provider](messages)


@given(fitting())
def test_what_is_kept_are_the_same_objects_in_order(case: Case) -> None:
    fitted, given_messages = case.fit(), case.history.messages
    assert list(fitted.kept) == sorted(set(fitted.kept))
    assert [id(message) for message in fitted.messages] == [
        id(given_messages[index]) for index in fitted.kept
    ]


@given(fitting())
def test_kept_and_dropped_are_everything(case: Case) -> None:
    fitted = case.fit()
    assert sorted(fitted.kept + fitted.dropped) == list(range(len(case.history.messages)))


@given(fitting())
def test_the_limit_is_hard(case: Case) -> None:
    for one in near(case):
        assert total(one.fit().messages, case.counter) <= one.limit


@given(fitting())
def test_the_total_is_what_an_independent_count_says(case: Case) -> None:
    fitted = case.fit()
    assert fitted.total_tokens == total(fitted.messages, case.counter)


@given(cases())
def test_a_count_is_what_an_independent_count_says(case: Case) -> None:
    counted = count_messages(
        case.history.messages,
        case.counter,
        provider=case.history.provider,
        overhead=OVERHEAD,
    )
    assert counted == total(case.history.messages, case.counter)


@given(cases())
def test_a_refusal_names_the_least_limit(case: Case) -> None:
    needed = case.needed()
    fitted = replace(case, limit=needed).fit()
    assert fitted.total_tokens == fitted.pinned_tokens == needed
    with pytest.raises(BudgetOverflowError) as caught:
        replace(case, limit=needed - 1).fit()
    assert caught.value.needed == needed


@given(fitting())
def test_what_fits_is_kept_whole(case: Case) -> None:
    fitted = replace(case, limit=total(case.history.messages, case.counter)).fit()
    assert len(fitted.kept) == len(case.history.messages)
    assert not fitted.overflowed
    assert fitted.diagnostics == ()


@given(fitting())
def test_no_more_is_dropped_than_needed(case: Case) -> None:
    fitted = case.fit()
    assume(fitted.dropped)
    more = fitted.diagnostics[0].tokens_before
    assert more is not None
    before = fitted.total_tokens + more
    assert before > case.limit
    enough = replace(case, limit=before)
    assert set(enough.fit().kept) > set(fitted.kept)
    assert replace(case, limit=before - 1).fit().kept == fitted.kept


def newest_work(history: History, unit: Unit) -> set[int]:
    """Return the last user message, and what stands after it: all, or the last group."""
    messages = history.messages
    opener = max(index for index in range(len(messages)) if opens(messages[index]))
    after = range(opener, len(messages))
    if unit == "turn":
        return set(after)
    start = len(messages) - 1
    while start > opener and answers(messages[start]):
        start -= 1
    while (
        start - 1 > opener and not opens(messages[start - 1]) and not answers(messages[start - 1])
    ):
        start -= 1
    return {opener, *range(start, len(messages))}


def opens(message: Message) -> bool:
    """Return whether a message is a user's own."""
    return message.get("role") == "user" and not answers(message)


def answers(message: Message) -> bool:
    """Return whether a message holds a tool's answer."""
    return (
        message.get("role") == "tool"
        or "tool_result" in str(message.get("content"))
        or "functionResponse" in str(message.get("parts"))
    )


@given(histories("openai", "anthropic", "gemini"), st.sampled_from(("call", "turn")))
def test_the_newest_work_is_there_and_nothing_else_is_pinned(history: History, unit: Unit) -> None:
    case = Case(history, 0, Words(), unit)
    fitted = replace(case, limit=case.needed()).fit()
    systems = {
        index
        for index, message in enumerate(history.messages)
        if message["role"] in {"system", "developer"}
    }
    assert set(fitted.kept) == newest_work(history, unit) | systems


@given(fitting())
def test_system_messages_are_never_dropped(case: Case) -> None:
    roles = [case.history.messages[index].get("role") for index in case.fit().dropped]
    assert not {"system", "developer"} & set(roles)


@given(fitting("openai", "anthropic", "gemini"))
def test_every_turn_that_is_kept_starts_with_its_user_message(case: Case) -> None:
    messages, kept, opener = case.history.messages, set(case.fit().kept), -1
    for index, message in enumerate(messages):
        opener = index if opens(message) else opener
        if index in kept and message["role"] not in {"system", "developer"}:
            assert opener in kept


@given(fitting(), st.integers(0, 16))
def test_call_keeps_all_that_turn_keeps(case: Case, share: int) -> None:
    turn = replace(case, unit="turn")
    low, top = turn.needed(), total(case.history.messages, case.counter)
    limit = low + (top - low) * share // 16
    assert replace(turn, limit=limit).kept() <= replace(case, unit="call", limit=limit).kept()


@given(fitting(), st.sampled_from((1, 1, 7, 40)))
def test_fitting_again_changes_nothing(case: Case, step: int) -> None:
    once = replace(case, step=step).fit()
    again = replace(case, step=step, history=replace(case.history, messages=once.messages)).fit()
    assert again.messages == once.messages
    assert not again.overflowed


@given(cases(), st.integers(0, 60), st.sampled_from((1, 1, 7, 40)))
def test_a_higher_limit_keeps_all_that_a_lower_one_kept(case: Case, more: int, step: int) -> None:
    low = replace(case, step=min(step, max(case.limit, 1)))
    assert low.kept() <= replace(low, limit=low.limit + more).kept()


@given(fitting())
def test_the_input_is_untouched(case: Case) -> None:
    before = deepcopy(case.history.messages)
    case.fit()
    assert case.history.messages == before


@given(fitting())
def test_there_is_one_diagnostic_per_unit_and_the_first_says_why(case: Case) -> None:
    fitted = case.fit()
    names = [entry.item_id for entry in fitted.diagnostics]
    assert len(set(names)) == len(names)
    assert set(names) <= {f"messages[{index}]" for index in fitted.dropped}
    assert [entry.reason for entry in fitted.diagnostics] == ["over", "after", *(["after"] * 99)][
        : len(names)
    ]
    assert all(entry.blocked_by == names[0] for entry in fitted.diagnostics[1:])


@given(cases())
def test_without_a_pinned_user_all_but_system_messages_may_go(case: Case) -> None:
    alone = replace(case, pin_last_user=False)
    roles = [message.get("role") for message in replace(alone, limit=alone.needed()).fit().messages]
    assert set(roles) <= {"system", "developer"}
