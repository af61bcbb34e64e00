"""What stands or falls together, and in which order it falls."""

from __future__ import annotations

import pytest

from budget.messages import fit_messages
from tests.messages.making import FREE, W, calls, results, says, system, tool, user, uses
from tests.messages.plans import Message


def steps(messages: list[Message], unit: str, provider: str = "openai") -> list[list[int]]:
    """Return what is dropped at once, as room for ever fewer words is left."""
    fallen: list[list[int]] = []
    before: set[int] = set()
    for limit in range(200, -1, -1):
        fitted = fit_messages(
            messages,
            limit,
            W,
            provider=provider,
            unit="turn" if unit == "turn" else "call",
            overhead=FREE,
            pin_last_user=False,
        )
        if set(fitted.dropped) != before:
            fallen.append(sorted(set(fitted.dropped) - before))
            before = set(fitted.dropped)
    return fallen


RUN = [
    user("u1"),
    calls("a"),
    tool("a", "r"),
    says("now b"),
    calls("b", "c"),
    tool("c", "r"),
    tool("b", "r"),
    says("so it is"),
    user("u2"),
    says("bye"),
]


def test_by_call_a_turn_falls_group_by_group_its_user_with_the_last() -> None:
    assert steps(RUN, "call") == [[1, 2], [3, 4, 5, 6], [0, 7], [8, 9]]


def test_by_turn_whole_turns_fall() -> None:
    assert steps(RUN, "turn") == [[0, 1, 2, 3, 4, 5, 6, 7], [8, 9]]


@pytest.mark.parametrize("unit", ["call", "turn"])
def test_what_precedes_the_first_user_is_the_oldest_unit(unit: str) -> None:
    messages = [says("hello"), calls("a"), tool("a", "r"), user("u1"), says("bye")]
    assert steps(messages, unit) == [[0, 1, 2], [3, 4]]


def test_without_a_user_the_list_is_one_turn_of_groups() -> None:
    messages = [calls("a"), tool("a", "r"), calls("b"), tool("b", "r")]
    assert steps(messages, "turn") == [[0, 1, 2, 3]]
    assert steps(messages, "call") == [[0, 1], [2, 3]]


def test_without_a_user_the_newest_unit_is_pinned() -> None:
    messages = [calls("a"), tool("a", "r"), calls("b"), tool("b", "r")]
    assert fit_messages(messages, 3, W, overhead=FREE).kept == (2, 3)


def test_system_messages_do_not_break_a_group() -> None:
    messages = [user("u"), says("one"), system("s"), says("two"), user("v")]
    fitted = fit_messages(messages, 2, W, overhead=FREE)
    assert fitted.kept == (2, 4)
    assert [entry.item_id for entry in fitted.diagnostics] == ["messages[0]"]


def test_neighbouring_users_are_turns_of_their_own() -> None:
    assert steps([user("u1"), user("u2"), says("a")], "turn") == [[0], [1, 2]]


def test_a_user_message_with_a_result_opens_no_turn() -> None:
    messages = [user("u"), uses("t"), results(("t", "r"), text="and this"), says("ok")]
    assert steps(messages, "turn", "anthropic") == [[0, 1, 2, 3]]


def call(call_id: str) -> Message:
    """Return a Responses call."""
    return {"type": "function_call", "call_id": call_id, "name": "look", "arguments": "{}"}


def output(call_id: str) -> Message:
    """Return a Responses output."""
    return {"type": "function_call_output", "call_id": call_id, "output": "r"}


LATE = [
    user("u1"),
    call("a"),
    call("b"),
    output("b"),
    says("one"),
    user("u2"),
    says("two"),
    output("a"),
    user("u3"),
    says("three"),
]


def test_a_late_answer_belongs_to_the_group_of_its_call() -> None:
    # Its age is that of the answer: it is the last group of the first turn.
    assert steps(LATE, "call", "openai-responses") == [[4], [5, 6], [0, 1, 2, 3, 7], [8, 9]]


def test_turns_that_share_a_pair_are_one_unit() -> None:
    assert steps(LATE, "turn", "openai-responses") == [[0, 1, 2, 3, 4, 5, 6, 7], [8, 9]]


def test_a_turn_with_nothing_but_a_late_answer_is_its_user_alone() -> None:
    items = [user("u1"), call("a"), user("u2"), output("a"), user("u3")]
    assert steps(items, "call", "openai-responses") == [[2], [0, 1, 3], [4]]


def test_groups_that_share_a_pair_are_one_unit() -> None:
    messages = [
        user("u"),
        uses("a"),
        results(("a", "r")),
        uses("b"),
        uses("c"),
        results(("b", "r"), ("c", "r")),
        says("ok"),
    ]
    assert steps(messages, "call", "anthropic") == [[1, 2], [3, 4, 5], [0, 6]]


REASONED: list[Message] = [
    user("u1"),
    {"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": "hm hm"}]},
    call("a"),
    output("a"),
    says("done"),
]


def test_reasoning_falls_with_the_call_that_follows_it() -> None:
    assert steps(REASONED, "call", "openai-responses") == [[1, 2, 3], [0, 4]]


TALK = [user("u1"), says("a1"), calls("c"), tool("c", "r"), says("b1"), user("u2"), says("a2")]


def test_the_last_user_and_the_last_group_are_pinned() -> None:
    messages = [*TALK[:5], user("last"), calls("x"), tool("x", "r"), says("end")]
    assert fit_messages(messages, 2, W, overhead=FREE).kept == (5, 8)


def test_by_turn_the_whole_last_turn_is_pinned() -> None:
    messages = [*TALK[:5], user("last"), calls("x"), tool("x", "r"), says("end")]
    fitted = fit_messages(messages, 5, W, overhead=FREE, unit="turn")
    assert fitted.kept == (5, 6, 7, 8)


def test_a_pinned_index_keeps_its_unit_and_its_turns_user() -> None:
    messages = [user("u1"), calls("a"), tool("a", "r"), calls("b"), tool("b", "r"), *TALK]
    fitted = fit_messages(messages, 9, W, overhead=FREE, pinned=[2])
    assert fitted.kept == (0, 1, 2, 3, 4, 10, 11)


def test_a_pinned_index_before_the_first_user_keeps_all_that_stands_there() -> None:
    messages = [says("hello"), says("there"), *TALK]
    assert fit_messages(messages, 4, W, overhead=FREE, pinned=[1]).kept == (0, 1, 7, 8)


def test_a_pinned_system_message_pins_nothing_else() -> None:
    assert fit_messages([system("s"), *TALK], 3, W, overhead=FREE, pinned=[0]).kept == (0, 6, 7)


def test_what_is_dropped_has_one_diagnostic_a_unit() -> None:
    fitted = fit_messages(RUN, 2, W, overhead=FREE)
    assert [str(entry) for entry in fitted.diagnostics] == [
        "messages[0] (4 tokens) was dropped: it is the first that doesn't fit",
        "messages[3] was dropped: it comes after messages[0], which doesn't fit whole",
        "messages[1] was dropped: it comes after messages[0], which doesn't fit whole",
    ]
