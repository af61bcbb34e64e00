"""Calls without an answer and answers without a call."""

from __future__ import annotations

import pytest

from budget import BudgetPolicyError
from budget.errors import MessageError
from budget.messages import fit_messages, validate_messages
from tests.messages.making import (
    FREE,
    W,
    calls,
    contents,
    function_call,
    function_response,
    results,
    says,
    system,
    tool,
    user,
    uses,
)
from tests.messages.plans import Message


def dropped(messages: list[Message], provider: str) -> list[int]:
    """Return what goes with the orphans."""
    fitted = fit_messages(messages, 1_000, W, provider=provider, on_orphan="drop")
    assert fitted.orphans == fitted.dropped
    assert not fitted.overflowed
    assert validate_messages(fitted.messages, provider) == ()
    return list(fitted.dropped)


def test_a_call_goes_with_the_answers_of_its_message() -> None:
    messages = [user("u"), says("so"), calls("a", "b"), tool("a", "r"), user("v")]
    assert dropped(messages, "openai") == [2, 3]


def test_an_answer_goes_alone() -> None:
    messages = [user("u"), calls("a"), tool("a", "r"), tool("z", "r"), says("so"), user("v")]
    assert dropped(messages, "openai") == [3]


def test_in_responses_the_group_goes() -> None:
    messages: list[Message] = [
        user("u"),
        {"type": "reasoning", "id": "r", "summary": []},
        {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"},
        {"type": "function_call", "call_id": "b", "name": "f", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "a", "output": "r"},
        says("so it is"),
        user("v"),
    ]
    assert dropped(messages, "openai-responses") == [1, 2, 3, 4]


def test_in_responses_an_output_goes_alone() -> None:
    messages: list[Message] = [
        user("u"),
        {"type": "function_call_output", "call_id": "a", "output": "r"},
        says("so it is"),
        user("v"),
    ]
    assert dropped(messages, "openai-responses") == [1]


def test_in_anthropic_the_group_goes_with_the_text_beside_its_results() -> None:
    messages = [
        user("u"),
        says("let me see"),
        uses("a", "b"),
        results(("a", "r"), text="also do this"),
        says("ok"),
        user("v"),
    ]
    assert dropped(messages, "anthropic") == [1, 2, 3]


def test_in_anthropic_a_result_goes_with_the_call_of_another_in_its_message() -> None:
    messages = [user("u"), uses("a"), results(("a", "r"), ("z", "r")), user("v")]
    assert dropped(messages, "anthropic") == [1, 2]


def test_in_gemini_the_message_goes_with_its_answers() -> None:
    messages = [
        contents("user", {"text": "u"}),
        contents("model", function_call("f"), function_call("g")),
        contents("user", function_response("f", {})),
        contents("user", {"text": "v"}),
    ]
    assert dropped(messages, "gemini") == [1, 2]


def test_what_is_removed_is_not_counted() -> None:
    messages = [user("u"), calls("a", content="word " * 99), user("v")]
    fitted = fit_messages(messages, 2, W, overhead=FREE, on_orphan="drop")
    assert (fitted.kept, fitted.total_tokens) == ((0, 2), 2)


def test_what_is_left_is_fitted() -> None:
    messages = [user("u"), says("x"), calls("a"), user("v")]
    fitted = fit_messages(messages, 1, W, overhead=FREE, on_orphan="drop")
    assert (fitted.kept, fitted.dropped, fitted.orphans) == ((3,), (0, 1, 2), (2,))
    assert [entry.item_id for entry in fitted.diagnostics] == ["messages[0]"]


def test_all_may_go() -> None:
    fitted = fit_messages([tool("z", "r")], 100, W, on_orphan="drop")
    assert (fitted.messages, fitted.total_tokens, fitted.orphans) == ([], 0, (0,))


def test_a_kept_orphan_is_named() -> None:
    messages = [user("u"), calls("a", "b"), tool("a", "r"), tool("z", "r"), user("v")]
    fitted = fit_messages(messages, 100, W, on_orphan="keep")
    assert (fitted.dropped, fitted.orphans) == ((), (1, 3))


def test_outputs_alone_are_the_newest_work_of_a_stored_response() -> None:
    outputs = [
        {"type": "function_call_output", "call_id": call, "output": "one two"} for call in "ab"
    ]
    fitted = fit_messages(
        outputs, 4, W, provider="openai-responses", overhead=FREE, on_orphan="keep"
    )
    assert fitted.kept == (0, 1)


def test_an_answer_whose_call_may_wait_is_no_orphan() -> None:
    server = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    messages = [user("u"), {"role": "assistant", "content": [server]}, user("v")]
    assert fit_messages(messages, 100, W, provider="anthropic").orphans == ()


def test_a_server_answer_without_its_call_is_an_orphan() -> None:
    found = {"type": "mcp_tool_result", "tool_use_id": "s", "content": "r"}
    messages = [user("u"), {"role": "assistant", "content": [found]}, user("v")]
    with pytest.raises(MessageError, match="its answer s has no call"):
        fit_messages(messages, 100, W, provider="anthropic")


def test_the_error_names_the_first_and_says_how_many_more() -> None:
    messages = [user("u"), calls("a", "b\n"), user("v")]
    with pytest.raises(MessageError) as caught:
        fit_messages(messages, 100, W)
    assert str(caught.value) == (
        "messages[1] (model): its call a has no answer (1 more in this list);"
        " add it, or give on_orphan"
    )
    assert caught.value.index == 1


def test_the_name_in_an_error_is_escaped() -> None:
    with pytest.raises(MessageError, match=r"its answer b\\n has no call;"):
        fit_messages([tool("b\n", "r"), user("v")], 100, W)


def test_an_answer_without_id_is_named_by_its_function() -> None:
    with pytest.raises(MessageError, match="its answer f has no call"):
        fit_messages([contents("user", function_response("f", {}))], 9, W, provider="gemini")


def test_a_pinned_orphan_is_not_removed_in_silence() -> None:
    messages = [user("u"), calls("a"), user("v")]
    with pytest.raises(MessageError, match=r"messages\[1\] \(model\): it is pinned"):
        fit_messages(messages, 100, W, on_orphan="drop", pinned=[1])


def test_a_pinned_message_beside_orphans_stays() -> None:
    messages = [system("s"), user("u"), calls("a"), user("v")]
    fitted = fit_messages(messages, 2, W, overhead=FREE, on_orphan="drop", pinned=[0])
    assert fitted.kept == (0, 3)


def test_an_unknown_way_with_orphans_is_refused() -> None:
    with pytest.raises(BudgetPolicyError, match="on_orphan must be one of error, drop, keep"):
        fit_messages([user("u")], 9, W, on_orphan="mend")  # type: ignore[arg-type]
