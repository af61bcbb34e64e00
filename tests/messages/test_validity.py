"""Each rule, by lists that break it and lists that don't."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from budget import BudgetPolicyError
from budget.messages import Violation, validate_messages
from tests.messages.making import (
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


def found(messages: list[Message], provider: str, *, ready: bool = True) -> list[tuple[str, int]]:
    """Return which rules are broken, and where."""
    violations = validate_messages(messages, provider, ready_to_send=ready)
    return [(one.rule, -1 if one.index is None else one.index) for one in violations]


CHAT: list[tuple[list[Message], list[tuple[str, int]]]] = [
    ([system("s"), user("u")], []),
    ([user("u"), calls("a", "b"), tool("b", "r"), tool("a", "r"), says("ok")], []),
    ([user("u"), calls("a"), tool("a", "r"), calls("a"), tool("a", "r")], []),
    ([], [("OC6", -1)]),
    ([user("u"), calls("a")], [("OC1", 1)]),
    ([user("u"), calls("a", "b"), tool("a", "r"), user("v")], [("OC1", 1)]),
    ([user("u"), calls("a"), user("v"), tool("a", "r")], [("OC1", 1)]),
    ([user("u"), calls("a"), system("s"), tool("a", "r")], [("OC1", 1)]),
    ([calls("a"), calls("b"), tool("a", "r"), tool("b", "r")], [("OC1", 0)]),
    ([user("u"), tool("z", "r")], [("OC2", 1)]),
    ([calls("a"), tool("a", "r"), tool("a", "r")], [("OC2", 2)]),
    ([user("u"), {"role": "assistant", "content": "x", "tool_calls": []}], [("OC3", 1)]),
    ([calls("a", "a"), tool("a", "r"), tool("a", "r")], [("OC4", 0)]),
    ([user("u"), {"role": "assistant", "content": None}], [("OC5", 1)]),
    ([user("u"), {"role": "assistant", "content": []}], [("OC5", 1)]),
    ([user("u"), says("")], []),
    ([user("u"), {"role": "assistant", "refusal": "no"}], []),
]


@pytest.mark.parametrize(("messages", "expected"), CHAT)
def test_chat_completions(messages: list[Message], expected: list[tuple[str, int]]) -> None:
    assert found(messages, "openai") == expected


def item(kind: str, **fields: object) -> Message:
    """Return a Responses item."""
    return {"type": kind} | fields


CALL = item("function_call", call_id="a", name="f", arguments="{}")
OUTPUT = item("function_call_output", call_id="a", output="r")
THOUGHT = item("reasoning", id="r1", summary=[])
PROGRAM = item("program", call_id="p", code="run()")
RESPONSES: list[tuple[list[Message], list[tuple[str, int]]]] = [
    ([user("u"), THOUGHT, CALL, OUTPUT, says("ok")], []),
    ([CALL, user("u"), OUTPUT], []),
    ([user("u"), PROGRAM, CALL, OUTPUT], []),
    ([], [("OR0", -1)]),
    ([user("u"), OUTPUT], [("OR1", 1)]),
    ([CALL, OUTPUT | {"type": "custom_tool_call_output"}], [("OR1", 1), ("OR2", 0)]),
    ([OUTPUT, CALL], [("OR1", 0), ("OR2", 1)]),
    ([user("u"), CALL], [("OR2", 1)]),
    ([user("u"), THOUGHT], [("OR3", 1)]),
    ([user("u"), THOUGHT, user("v")], [("OR3", 1)]),
    ([user("u"), CALL, THOUGHT, OUTPUT], [("OR3", 2)]),
    ([user("u"), THOUGHT, THOUGHT | {"id": "r2"}, says("ok")], []),
    ([user("u"), says("a") | {"id": "m"}, says("b") | {"id": "m"}], [("OR5", 2)]),
    ([user("u"), says("a") | {"id": "m"}, item("item_reference", id="m")], []),
]


@pytest.mark.parametrize(("messages", "expected"), RESPONSES)
def test_responses(messages: list[Message], expected: list[tuple[str, int]]) -> None:
    assert sorted(found(messages, "openai-responses")) == expected


def says_blocks(*blocks: object) -> Message:
    """Return an Anthropic assistant message."""
    return {"role": "assistant", "content": list(blocks)}


SEARCH = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
SEARCHED = {"type": "web_search_tool_result", "tool_use_id": "s", "content": []}
BLANK = {"type": "text", "text": " \n"}
ASK: Message = {"role": "user", "content": [{"type": "text", "text": "also"}]}
ANTHROPIC: list[tuple[list[Message], list[tuple[str, int]]]] = [
    ([user("u"), uses("a"), results(("a", "r"), text="and"), says("ok"), user("v")], []),
    ([user("u"), system("s"), uses("a", "b"), results(("b", "r")), results(("a", "r"))], []),
    ([user("u"), says("hm"), uses("a"), results(("a", None)), user("v")], []),
    ([user("u"), says_blocks(SEARCH, SEARCHED), says("so"), user("v")], []),
    ([user("u"), says_blocks(SEARCH), says_blocks(SEARCHED), user("v")], []),
    ([user("u"), says_blocks(SEARCH), user("v")], []),
    ([user("u"), results(("a", [])), user("v")], [("AN6", 1)]),
    ([], [("AN0", -1)]),
    ([says("hi"), user("u")], [("AN1", 0)]),
    ([system("s"), says("hi"), user("u")], [("AN1", 1)]),
    ([user("u"), says("ok")], [("AN2", 1)]),
    ([user("")], [("AN3", 0)]),
    ([{"role": "user", "content": []}], [("AN3", 0)]),
    ([{"role": "user"}], [("AN3", 0)]),
    ([user("  ")], [("AN4", 0)]),
    ([user("u"), says_blocks(BLANK), user("v")], [("AN4", 1)]),
    ([user("u"), uses("a"), results(("a", [BLANK]))], [("AN4", 2)]),
    ([user("u"), uses("a"), user("v")], [("AN5", 1)]),
    ([user("u"), uses("a", "b"), results(("a", "r"))], [("AN5", 1)]),
    ([user("u"), uses("a"), user("v"), says("x"), results(("a", "r"))], [("AN5", 1), ("AN6", 4)]),
    ([user("u"), results(("z", "r"))], [("AN6", 1), ("AN8", 1)]),
    ([user("u"), uses("a"), ASK, results(("a", "r"))], [("AN8", 3)]),
    ([user("u"), says_blocks(SEARCHED), user("v")], [("AN9", 1)]),
    ([user("u"), says_blocks(SEARCH), user("v"), says_blocks(SEARCHED), user("w")], [("AN9", 3)]),
]


@pytest.mark.parametrize(("messages", "expected"), ANTHROPIC)
def test_anthropic(messages: list[Message], expected: list[tuple[str, int]]) -> None:
    got = found(messages, "anthropic")
    assert [pair for pair in got if pair[0] in {rule for rule, _ in expected}] == expected
    assert bool(got) == bool(expected)


ASKED = contents("user", {"text": "u"})
CALLED = contents("model", function_call("f"))
ANSWERED = contents("user", function_response("f", {}))
SAID = contents("model", {"text": "ok"})
GEMINI: list[tuple[list[Message], list[tuple[str, int]]]] = [
    ([ASKED, CALLED, ANSWERED, SAID, ASKED], []),
    ([ASKED, CALLED, ANSWERED, CALLED, ANSWERED], []),
    ([], [("GE0", -1)]),
    ([SAID, ASKED], [("GE1", 0)]),
    ([ASKED, SAID], [("GE2", 1)]),
    ([ASKED, SAID, CALLED, ANSWERED], [("GE4", 2)]),
    ([CALLED, ANSWERED], [("GE1", 0), ("GE4", 0)]),
    ([ASKED, ANSWERED], [("GE5", 1)]),
    ([ASKED, CALLED, ASKED, ANSWERED], [("GE5", 3), ("GE6", 1)]),
    ([ASKED, CALLED, ASKED], [("GE6", 1)]),
    ([ASKED, contents("model", function_call("f"), function_call("f")), ANSWERED], [("GE6", 1)]),
    ([ASKED, contents("model", function_call("g")), ANSWERED], [("GE5", 2), ("GE6", 1)]),
]


@pytest.mark.parametrize(("messages", "expected"), GEMINI)
def test_gemini(messages: list[Message], expected: list[tuple[str, int]]) -> None:
    assert sorted(found(messages, "gemini")) == expected


@pytest.mark.parametrize(
    ("messages", "provider"),
    [
        ([], "openai"),
        ([], "openai-responses"),
        ([], "anthropic"),
        ([], "gemini"),
        ([user("u"), says("ok")], "anthropic"),
        ([ASKED, SAID], "gemini"),
    ],
)
def test_a_history_to_which_something_is_appended_may_end_anywhere(
    messages: list[Message], provider: str
) -> None:
    assert validate_messages(messages, provider) != ()
    assert validate_messages(messages, provider, ready_to_send=False) == ()


def test_objects_are_validated_like_mappings() -> None:
    message = SimpleNamespace(role="assistant", content=None, tool_calls=None)
    assert [one.rule for one in validate_messages([message])] == ["OC5"]


def test_violations_stand_in_the_order_of_the_messages() -> None:
    messages = [tool("z", "r"), says("") | {"content": None}, user("u"), calls("a")]
    assert [one.index for one in validate_messages(messages)] == [0, 1, 3]


def test_a_violation_says_where_what_and_what_to_do() -> None:
    (violation,) = validate_messages([user("u"), calls("a\n")])
    assert violation == Violation(
        "OC1",
        1,
        r"call a\n isn't answered directly after its message",
        "add the answer or drop both",
    )
    assert str(violation) == (
        r"OC1: messages[1]: call a\n isn't answered directly after its message;"
        " add the answer or drop both"
    )


def test_a_violation_of_the_whole_list_has_no_index() -> None:
    assert str(validate_messages([])[0]) == (
        "OC6: messages: the list is empty; send at least one message"
    )


def test_a_provider_that_nobody_knows_is_refused() -> None:
    with pytest.raises(BudgetPolicyError, match="provider must be one of openai, openai-responses"):
        validate_messages([], "mistral")


def test_ready_to_send_is_a_bool() -> None:
    with pytest.raises(TypeError, match="ready_to_send must be a bool, got int"):
        validate_messages([], ready_to_send=1)  # type: ignore[arg-type]
