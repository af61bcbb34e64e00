"""What can't be read is an error with index and type: never a guess, never untrimmed."""

from __future__ import annotations

import pytest

from budget import BudgetPolicyError, CounterError
from budget.errors import MessageError
from budget.messages import count_messages, fit_messages, validate_messages
from tests.counters import Characters, Recording
from tests.messages.making import (
    FREE,
    W,
    calls,
    contents,
    function_call,
    function_response,
    system,
    user,
)
from tests.messages.plans import Message

DEEP: list[object] = []
for _ in range(100_000):
    DEEP = [DEEP]
LOOP: dict[str, object] = {}
LOOP["self"] = LOOP


def item(kind: str, **fields: object) -> Message:
    """Return a Responses item, or an Anthropic block."""
    return {"type": kind} | fields


def blocks(*found: object, role: str = "user") -> Message:
    """Return a message of these blocks."""
    return {"role": role, "content": list(found)}


def answer(**fields: object) -> Message:
    """Return an Anthropic tool result."""
    return item("tool_result", tool_use_id="a") | fields


BAD: list[tuple[str, object, str, str]] = [
    # provider, message, type in the error, problem
    ("openai", 5, "int", "expected a mapping or an SDK's object"),
    ("openai", None, "NoneType", "expected a mapping"),
    ("openai", "hello", "str", "expected a mapping"),
    ("openai", ["user", "hi"], "list", "expected a mapping"),
    ("openai", {}, "dict", "with a role or a type"),
    ("openai", {"role": 5}, "dict", "with a role"),
    ("openai", {"role": "robot"}, "robot", "nobody knows this role"),
    ("openai", user("x") | {"content": 5}, "user", "content must be a str or a list, got int"),
    ("openai", user("x") | {"content": {}}, "user", "content must be a str or a list, got dict"),
    ("openai", user("x") | {"name": 5}, "user", "name must be a str, got int"),
    ("openai", blocks("hi"), "str", "a block of its content must be"),
    ("openai", blocks({"text": "hi"}), "dict", "a block of its content must be"),
    ("openai", blocks(item("text", text=5)), "user", "text must be a str, got int"),
    ("openai", blocks(item("hologram")), "hologram", "nobody knows what it costs"),
    ("openai", blocks(item("file")), "file", "give block_tokens={'file': tokens}"),
    ("openai", {"role": "tool", "content": "r"}, "tool", "tool_call_id is missing"),
    ("openai", {"role": "tool", "tool_call_id": 5}, "tool", "tool_call_id must be a str, got int"),
    ("openai", {"role": "tool", "tool_call_id": "a", "content": 5}, "tool", "content must be"),
    ("openai", {"role": "function", "content": "r"}, "function", "name is missing"),
    ("openai", {"role": "assistant", "tool_calls": "x"}, "assistant", "tool_calls must be a list"),
    ("openai", {"role": "assistant", "tool_calls": [5]}, "assistant", "name is missing"),
    ("openai", {"role": "assistant", "tool_calls": [item("psychic")]}, "psychic", "nobody knows"),
    ("openai", calls("a", arguments={1: 2, "x": 3}), "assistant", "JSON (TypeError)"),
    ("openai", calls("a", arguments=b"x"), "assistant", "JSON (TypeError)"),
    ("openai", calls("a", arguments=LOOP), "assistant", "JSON (ValueError)"),
    ("openai", calls("a", arguments=DEEP), "assistant", "JSON (RecursionError)"),
    ("openai", calls("a", arguments=10**5_000), "assistant", "JSON (ValueError)"),
    ("openai-responses", {}, "dict", "with a role or a type"),
    ("openai-responses", {"role": "robot"}, "robot", "nobody knows this role"),
    ("openai-responses", item("message", role=5), "message", "role must be a str, got int"),
    ("openai-responses", item("telepathy_call"), "telepathy_call", "nobody knows what it costs"),
    ("openai-responses", {"id": "m"}, "item_reference", "nobody knows what it costs"),
    ("openai-responses", item("function_call"), "function_call", "call_id is missing"),
    ("openai-responses", item("function_call", call_id="a"), "function_call", "name is missing"),
    ("openai-responses", item("function_call_output"), "function_call_output", "call_id is miss"),
    ("openai-responses", item("reasoning", summary="x"), "reasoning", "summary must be a list"),
    ("openai-responses", item("reasoning", summary=["x"]), "str", "a block of its content must"),
    ("openai-responses", item("compaction", encrypted_content=5), "compaction", "must be a str"),
    ("openai-responses", item("code_interpreter_call", outputs=[item("x")]), "x", "nobody knows"),
    ("openai-responses", blocks(item("input_file")), "input_file", "nobody knows what it costs"),
    ("anthropic", {"role": "tool"}, "tool", "nobody knows this role"),
    ("anthropic", blocks(item("tool_result")), "user", "tool_use_id is missing"),
    ("anthropic", blocks(answer(content=5)), "user", "content must be a str or a list"),
    ("anthropic", blocks(answer(content=["x"])), "str", "a block of its content must be"),
    ("anthropic", blocks(answer(content=[item("smell")])), "smell", "nobody knows what it costs"),
    ("anthropic", blocks(item("tool_use", name="f")), "user", "tool call's id is missing"),
    ("anthropic", blocks(item("tool_use", id="a")), "user", "tool call's name is missing"),
    ("anthropic", blocks(item("container_upload")), "container_upload", "nobody knows"),
    ("anthropic", blocks(item("document")), "document", "nobody knows what it costs"),
    (
        "anthropic",
        blocks(item("web_search_tool_result", tool_use_id="s", content=DEEP)),
        "user",
        "nested too deeply",
    ),
    (
        "anthropic",
        blocks(item("web_search_tool_result", tool_use_id="s", content={1, 2})),
        "user",
        "can't be written as JSON (TypeError)",
    ),
    ("gemini", {"parts": []}, "dict", "with a role"),
    ("gemini", contents("system", {"text": "s"}), "system", "nobody knows this role"),
    ("gemini", {"role": "user", "parts": "hi"}, "user", "parts must be a list, got str"),
    ("gemini", contents("user", "hi"), "str", "a part must be a mapping or an object"),
    ("gemini", contents("user", {}), "user", "a part of it holds nothing"),
    ("gemini", contents("user", {"text": None}), "user", "a part of it holds nothing"),
    ("gemini", contents("user", {"hologram": {}}), "hologram", "nobody knows what it costs"),
    ("gemini", contents("user", {"fileData": {}}), "fileData", "nobody knows what it costs"),
    ("gemini", contents("model", {"functionCall": {}}), "model", "function's name is missing"),
    ("gemini", contents("model", function_call("f", args={1: 2, "a": 3})), "model", "JSON"),
    ("gemini", contents("user", function_response("f", {b"x": 1})), "user", "JSON (TypeError)"),
    (
        "gemini",
        contents("user", {"functionResponse": {"name": "f", "id": 5}}),
        "user",
        "id must be a str, got int",
    ),
    ("gemini", contents("model", {"text": "x", "thoughtSignature": 5}), "model", "must be a str"),
]


@pytest.mark.parametrize(("provider", "message", "kind", "problem"), BAD)
def test_what_cannot_be_read_is_an_error_with_index_and_type(
    provider: str, message: object, kind: str, problem: str
) -> None:
    good = contents("user", {"text": "u"}) if provider == "gemini" else user("u")
    with pytest.raises(MessageError) as caught:
        fit_messages([good, message], 9, W, provider=provider)
    assert (caught.value.index, caught.value.kind) == (1, kind)
    assert problem in caught.value.problem


@pytest.mark.parametrize(("provider", "message", "kind", "problem"), BAD)
def test_what_cannot_be_read_is_not_counted_either(
    provider: str, message: object, kind: str, problem: str
) -> None:
    with pytest.raises(MessageError) as caught:
        count_messages([message], W, provider=provider)
    assert (caught.value.index, caught.value.kind) == (0, kind)
    assert problem in caught.value.problem


def test_what_cannot_be_read_is_an_error_where_it_would_be_dropped() -> None:
    messages = [blocks(item("hologram")), user("u")]
    with pytest.raises(MessageError, match=r"messages\[0\] \(hologram\)"):
        fit_messages(messages, 1, W, overhead=FREE)


def test_nothing_is_counted_before_everything_is_read() -> None:
    counter = Recording(W)
    with pytest.raises(MessageError):
        fit_messages([user("u"), user("v") | {"role": "robot"}], 9, counter)
    assert counter.texts == []


def test_an_error_never_quotes_a_text() -> None:
    with pytest.raises(MessageError) as caught:
        fit_messages([user("SECRET") | {"name": 5}], 9, W)
    assert "SECRET" not in str(caught.value)


def test_validating_reads_what_nobody_can_price() -> None:
    assert validate_messages([blocks(item("hologram"))]) == ()


def test_validating_refuses_what_cannot_be_read() -> None:
    with pytest.raises(MessageError, match=r"messages\[0\] \(robot\)"):
        validate_messages([{"role": "robot"}])


ARGUMENTS: list[tuple[dict[str, object], type[Exception], str]] = [
    ({"limit": -1}, BudgetPolicyError, "limit must be >= 0, got -1"),
    ({"limit": True}, TypeError, "limit must be an int, got bool"),
    ({"limit": None}, TypeError, "limit must be an int, got NoneType"),
    ({"counter": len}, TypeError, "CallableCounter"),
    ({"provider": "mistral"}, BudgetPolicyError, "provider must be one of openai,"),
    ({"provider": 5}, TypeError, "provider must be a name or a MessageFormat, got int"),
    ({"unit": "message"}, BudgetPolicyError, "unit must be one of call, turn"),
    ({"pin_last_user": 1}, TypeError, "pin_last_user must be a bool"),
    ({"pinned": 1}, TypeError, "pinned must be a list of indices, got int"),
    ({"pinned": "1"}, TypeError, "pinned must be a list of indices, got str"),
    ({"pinned": ["1"]}, TypeError, "pinned must be an int, got str"),
    ({"pinned": [-1]}, BudgetPolicyError, "pinned must be >= 0, got -1"),
    ({"pinned": [2]}, BudgetPolicyError, r"pinned names messages\[2\], but the list has 2"),
    ({"step": 0}, BudgetPolicyError, "step must be >= 1, got 0"),
    ({"step": 1.0}, TypeError, "step must be an int, got float"),
    ({"reserved": -1}, BudgetPolicyError, "reserved must be >= 0, got -1"),
    ({"tool_result_limit": -1}, BudgetPolicyError, "tool_result_limit must be >= 0, got -1"),
    ({"tool_result_limit": "9"}, TypeError, "tool_result_limit must be an int, got str"),
    ({"truncation": "head"}, TypeError, "truncation must be of budget.truncation"),
    ({"on_pinned_overflow": "cut"}, BudgetPolicyError, "must be one of error, cut_results"),
    ({"overhead": 4}, TypeError, "overhead must be an Overhead, got int"),
    ({"block_tokens": [("file", 1)]}, TypeError, "block_tokens must be a mapping, got list"),
    ({"block_tokens": {"file": "1"}}, TypeError, r"block_tokens\['file'\] must be an int"),
    ({"block_tokens": {"file": -1}}, BudgetPolicyError, r"block_tokens\['file'\] must be >= 0"),
    ({"messages": "hi"}, TypeError, "messages must be a list of messages, got str"),
    ({"messages": {"role": "user"}}, TypeError, "messages must be a list of messages, got dict"),
    ({"messages": 5}, TypeError, "messages must be a list of messages, got int"),
]


@pytest.mark.parametrize(("changed", "error", "problem"), ARGUMENTS)
def test_wrong_arguments_are_refused_before_anything_is_counted(
    changed: dict[str, object], error: type[Exception], problem: str
) -> None:
    counter = Recording(W)
    arguments = {"messages": [user("u"), user("v")], "limit": 9, "counter": counter} | changed
    with pytest.raises(error, match=problem):
        fit_messages(**arguments)  # type: ignore[arg-type]
    assert counter.texts == []


def test_truncation_none_means_the_default() -> None:
    assert fit_messages([user("u")], 9, W, truncation=None).kept == (0,)


def test_max_tokens_is_no_argument() -> None:
    with pytest.raises(TypeError, match="max_tokens"):
        fit_messages([user("u")], max_tokens=10, counter=W)  # type: ignore[call-arg]


def test_a_counter_that_answers_no_int_is_an_error_with_the_message() -> None:
    class Wrong:
        def count(self, text: str, /) -> int:
            return text  # type: ignore[return-value]

    with pytest.raises(CounterError, match=r"for item messages\[1\]"):
        fit_messages([system("s") | {"content": None}, user("u")], 9, Wrong())


def test_a_counters_own_error_passes_with_a_note() -> None:
    class Broken:
        def count(self, text: str, /) -> int:
            raise KeyError(len(text))

    with pytest.raises(KeyError) as caught:
        count_messages([user("u")], Broken())
    assert caught.value.__notes__ == ["while counting item messages[0]"]


@pytest.mark.parametrize("limit", [0, 4])
def test_a_reserve_over_the_limit_is_refused(limit: int) -> None:
    nothing: list[Message] = []
    with pytest.raises(Exception, match="needs 5 tokens") as caught:
        fit_messages(nothing, limit, W, reserved=5)
    assert caught.type.__name__ == "BudgetOverflowError"


def test_a_reserve_counts_as_needed() -> None:
    with pytest.raises(Exception, match=r"needs 9 tokens, 1 over the limit of 8"):
        fit_messages([user("word word")], 8, W, reserved=7, overhead=FREE)
    fitted = fit_messages([user("word word")], 9, W, reserved=7, overhead=FREE)
    assert (fitted.total_tokens, fitted.limit) == (2, 9)


def test_no_room_for_a_request_leaves_an_empty_list() -> None:
    fitted = fit_messages([user("word")], 2, Characters(), pin_last_user=False)
    assert (fitted.messages, fitted.total_tokens, fitted.pinned_tokens) == ([], 0, 0)
