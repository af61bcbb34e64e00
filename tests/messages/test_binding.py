"""Which answer belongs to which call."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from budget.messages import FittedMessages, fit_messages
from budget.messages.binding import bind
from budget.messages.providers import FORMATS
from tests.messages.making import (
    FREE,
    W,
    calls,
    contents,
    function_call,
    function_response,
    says,
    tool,
    user,
)
from tests.messages.plans import Message


def pairs(messages: Sequence[object], provider: str = "openai") -> list[tuple[int, int]]:
    """Return the messages that are bound, call and answer."""
    return bind([FORMATS[provider].read(one, index) for index, one in enumerate(messages)]).pairs


def test_ids_that_repeat_bind_to_the_latest_unanswered_call() -> None:
    messages = [calls("c"), tool("c", "1"), calls("c"), tool("c", "2")]
    assert pairs(messages) == [(0, 1), (2, 3)]


def test_two_open_calls_of_one_id_are_answered_the_latest_first() -> None:
    assert pairs([calls("c"), calls("c"), tool("c", "1"), tool("c", "2")]) == [(1, 2), (0, 3)]


def test_an_answer_before_its_call_is_bound_to_nothing() -> None:
    assert pairs([tool("c", "1"), calls("c")]) == []


def test_a_repeated_id_drops_the_call_that_was_answered() -> None:
    messages = [
        user("u1"),
        calls("c"),
        tool("c", "long " * 9),
        user("u2"),
        calls("c"),
        tool("c", "r"),
        user("u3"),
    ]
    fitted: FittedMessages[Message] = fit_messages(messages, 8, W, overhead=FREE)
    assert fitted.kept == (3, 4, 5, 6)


def test_calls_of_two_kinds_may_share_an_id() -> None:
    items = [
        {"type": "function_call", "call_id": "c", "name": "f", "arguments": ""},
        {"type": "custom_tool_call", "call_id": "c", "name": "g", "input": ""},
        {"type": "function_call_output", "call_id": "c", "output": ""},
        {"type": "custom_tool_call_output", "call_id": "c", "output": ""},
    ]
    assert pairs(items, "openai-responses") == [(0, 2), (1, 3)]


def gemini(call_ids: Sequence[str | None], answer_ids: Sequence[str | None]) -> list[Message]:
    """Return calls of one function and its answers, with these ids."""
    return [
        contents("model", *(function_call("f", one) for one in call_ids)),
        contents("user", *(function_response("f", {}, one) for one in answer_ids)),
    ]


@pytest.mark.parametrize(
    ("call_ids", "answer_ids", "bound"),
    [
        ((None, None), (None, None), 2),
        (("a", "b"), ("b", "a"), 2),
        (("a", "b"), (None, None), 2),
        ((None, None), ("a", "b"), 2),
        (("a", "b"), (None, "a"), 2),  # the one with an id first
        (("a",), ("b",), 0),  # ids on both sides, and not the same
        ((None,), (None, None), 1),
    ],
)
def test_without_an_id_on_both_sides_gemini_binds_by_name(
    call_ids: Sequence[str | None], answer_ids: Sequence[str | None], bound: int
) -> None:
    assert pairs(gemini(call_ids, answer_ids), "gemini") == [(0, 1)] * bound


def test_a_call_that_was_answered_by_name_is_not_answered_again_by_its_id() -> None:
    messages = [*gemini(("a",), (None,)), contents("user", function_response("f", {}, "a"))]
    assert pairs(messages, "gemini") == [(0, 1)]


def test_by_name_only_the_model_content_before_is_looked_at() -> None:
    messages = [
        contents("model", function_call("f")),
        contents("model", function_call("g")),
        contents("user", function_response("f", {})),
        contents("user", function_response("g", {})),
    ]
    assert pairs(messages, "gemini") == [(1, 3)]


def test_a_legacy_function_call_binds_by_name() -> None:
    called = says("") | {"function_call": {"name": "f", "arguments": "{}"}}
    assert pairs([called, {"role": "function", "name": "f", "content": "r"}]) == [(0, 1)]


def test_an_answer_with_an_id_is_bound_over_the_whole_list() -> None:
    items = [
        {"type": "function_call", "call_id": "a", "name": "f", "arguments": ""},
        user("u"),
        says("b"),
        {"type": "function_call_output", "call_id": "a", "output": ""},
    ]
    assert pairs(items, "openai-responses") == [(0, 3)]
