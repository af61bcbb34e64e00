"""What a message costs, by provider: each part with its own price."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from budget import BudgetPolicyError
from budget.errors import MessageError
from budget.messages import Overhead, count_messages
from tests.counters import Characters
from tests.messages.making import FREE, calls, contents, function_call, function_response, user
from tests.messages.plans import Message

C = Characters()
PIXEL = "data:image/png;base64," + "A" * 400_000


def cost(message: object, provider: str, **prices: int) -> int:
    """Return what one message costs, framing apart."""
    return count_messages([message], C, provider=provider, overhead=FREE, block_tokens=prices)


def assistant(**fields: object) -> Message:
    """Return an OpenAI assistant message."""
    return {"role": "assistant", "content": None} | fields


CUSTOM = {"id": "c", "type": "custom", "custom": {"name": "run", "input": "ls"}}
UNTYPED = {"id": "c", "function": {"name": "run", "arguments": None}}

CHAT = [
    ({"role": "user", "content": "four", "name": "ann"}, 7),
    ({"role": "user", "content": None}, 0),
    ({"role": "user", "content": [{"type": "text", "text": "four"}]}, 4),
    ({"role": "user", "content": ({"type": "text", "text": "four"},)}, 4),
    (user("äß"), 2),
    (assistant(content=[{"type": "refusal", "refusal": "no"}]), 2),
    (assistant(refusal="never"), 5),
    (assistant(reasoning_content="hm"), 2),
    (assistant(tool_calls=[CUSTOM, UNTYPED]), 8),
    (assistant(tool_calls=None, function_call={"name": "run", "arguments": "{}"}), 5),
    ({"role": "function", "name": "run", "content": "done"}, 7),
    ({"role": "tool", "tool_call_id": "c", "content": [{"type": "text", "text": "four"}]}, 4),
    ({"role": "tool", "tool_call_id": "c", "content": None}, 0),
]


@pytest.mark.parametrize(("message", "expected"), CHAT)
def test_chat_messages_cost_their_texts_names_and_calls(message: Message, expected: int) -> None:
    assert cost(message, "openai") == expected


@pytest.mark.parametrize(("detail", "expected"), [("low", 85), ("high", 1_445), (None, 1_445)])
def test_an_image_costs_what_its_detail_says_never_its_base64(
    detail: str | None, expected: int
) -> None:
    chat = {"type": "image_url", "image_url": {"url": PIXEL, "detail": detail}}
    responses = {"type": "input_image", "image_url": PIXEL, "detail": detail}
    assert cost({"role": "user", "content": [chat]}, "openai") == expected
    assert cost({"role": "user", "content": [responses]}, "openai-responses") == expected


def test_audio_that_was_answered_costs_what_the_caller_says() -> None:
    assert cost(assistant(audio={"id": "a"}), "openai", audio=30) == 30


def item(kind: str, **fields: object) -> Message:
    """Return a Responses item."""
    return {"type": kind} | fields


SHELL = [{"stdout": "out", "stderr": "err", "outcome": {"type": "exit", "exit_code": 0}}]
RESPONSES = [
    ({"role": "user", "content": "four"}, 4),
    (item("message", role="assistant", content=[{"type": "output_text", "text": "four"}]), 4),
    (item("message", role="assistant", content=[{"type": "refusal", "refusal": "no"}]), 2),
    (item("function_call", call_id="c", name="run", arguments='{"a":1}'), 10),
    (item("custom_tool_call", call_id="c", name="run", input="ls"), 5),
    (item("computer_call", call_id="c", action={"type": "wait"}), 15),
    (item("computer_call", call_id="c", actions=[{"x": 1}]), 9),
    (item("local_shell_call", call_id="c", action={"command": ["ls"]}), 18),
    (item("shell_call", call_id="c", action={"commands": ["ls"]}), 19),
    (item("apply_patch_call", call_id="c", operation={"path": "a"}), 12),
    (item("tool_search_call", arguments={"q": 1}), 7),
    (item("program", call_id="c", code="run()", fingerprint="f" * 9), 8),
    (item("mcp_approval_request", id="c", name="run", arguments="{}"), 5),
    (item("function_call_output", call_id="c", output="four"), 4),
    (item("function_call_output", call_id="c", output="four", name="run"), 7),
    (item("custom_tool_call_output", call_id="c", output=[{"type": "input_text", "text": "x"}]), 1),
    (item("computer_call_output", call_id="c", output={"type": "computer_screenshot"}), 1_445),
    (item("local_shell_call_output", id="c", output="four"), 4),
    (item("shell_call_output", call_id="c", output=SHELL), 6),
    (item("apply_patch_call_output", call_id="c", status="completed", output=None), 0),
    (item("tool_search_output", tools=[{"a": 1}]), 9),
    (item("program_output", call_id="c", result="four", status="completed"), 4),
    (item("mcp_approval_response", approval_request_id="c", approve=True, reason="ok"), 2),
    (item("web_search_call", id="w", action={"query": "x"}), 13),
    (item("file_search_call", id="f", queries=["q"], results=None), 5),
    (item("mcp_call", id="m", name="run", arguments="{}", output="four", server_label="s"), 9),
    (item("mcp_list_tools", id="m", tools=[{"a": 1}], server_label="s"), 9),
    (item("additional_tools", role="developer", tools=[{"a": 1}]), 9),
    (item("compaction", encrypted_content="e" * 9), 3),
    (item("compaction_trigger"), 0),
    (item("image_generation_call", id="i", result="A" * 9_999, revised_prompt="cat"), 1_448),
]


@pytest.mark.parametrize(("message", "expected"), RESPONSES)
def test_responses_items_cost_what_they_hold(message: Message, expected: int) -> None:
    assert cost(message, "openai-responses") == expected


def test_reasoning_costs_its_texts_and_its_sealed_part_by_length() -> None:
    thought = item(
        "reasoning",
        id="r",
        summary=[{"type": "summary_text", "text": "so"}],
        content=[{"type": "reasoning_text", "text": "because"}],
        encrypted_content="e" * 10,
    )
    assert cost(thought, "openai-responses") == 2 + 7 + 3


def test_a_code_interpreter_costs_its_code_its_logs_and_its_images() -> None:
    outputs = [{"type": "logs", "logs": "four"}, {"type": "image", "url": PIXEL}]
    call = item("code_interpreter_call", id="i", code="run()", outputs=outputs)
    assert cost(call, "openai-responses") == 5 + 4 + 1_445


def test_a_reference_costs_what_the_caller_says() -> None:
    assert cost({"id": "m1"}, "openai-responses", item_reference=50) == 50


def blocks(role: str, *found: object) -> Message:
    """Return an Anthropic message."""
    return {"role": role, "content": list(found)}


def server(content: object, kind: str = "web_search_tool_result") -> Message:
    """Return an Anthropic answer of a tool that the provider runs."""
    return blocks("assistant", {"type": kind, "tool_use_id": "s", "content": content})


PICTURE = {"type": "image", "source": {"type": "base64", "data": "A" * 9_999}}
FOUND = {"type": "web_search_result", "title": "t", "encrypted_content": "e" * 8}
TEXT_SOURCE = {"type": "text", "media_type": "text/plain", "data": "four"}
CONTENT_SOURCE = {"type": "content", "content": [{"type": "text", "text": "four"}, PICTURE]}
PLACE = {"type": "search_result", "title": "t", "source": "u", "content": [TEXT_SOURCE]}
ANTHROPIC = [
    (blocks("user", {"type": "text", "text": "four"}), 4),
    ({"role": "system", "content": "four"}, 4),
    (blocks("user", PICTURE), 1_600),
    (blocks("assistant", {"type": "thinking", "thinking": "hm", "signature": "s" * 5}), 4),
    (blocks("assistant", {"type": "redacted_thinking", "data": "d" * 8}), 2),
    (blocks("assistant", {"type": "compaction", "content": "so", "encrypted_content": None}), 2),
    (blocks("assistant", {"type": "tool_use", "id": "t", "name": "run", "input": {}}), 5),
    (blocks("assistant", {"type": "server_tool_use", "id": "t", "name": "run", "input": {}}), 5),
    (blocks("user", {"type": "document", "source": TEXT_SOURCE, "title": "t", "context": "c"}), 6),
    (blocks("user", {"type": "document", "source": CONTENT_SOURCE}), 1_604),
    (blocks("user", {"type": "tool_reference", "tool_name": "run"}), 3),
    (server([FOUND]), 2 + len('[{"title":"t"}]')),
    (server(None), 0),
    (server(["a", 1]), len('["a",1]')),
    (server([PICTURE, SimpleNamespace(title="t", note=None)]), 1_600 + len('[null,{"title":"t"}]')),
]


@pytest.mark.parametrize(("message", "expected"), ANTHROPIC)
def test_anthropic_blocks_cost_what_they_hold(message: Message, expected: int) -> None:
    assert cost(message, "anthropic") == expected


def test_a_search_result_costs_its_title_its_source_and_its_text() -> None:
    found = PLACE | {"content": [{"type": "text", "text": "four"}]}
    result = {"type": "tool_result", "tool_use_id": "t", "content": [found, PICTURE]}
    assert cost(blocks("user", result), "anthropic") == 6 + 1_600


def test_a_document_that_is_no_text_costs_what_the_caller_says() -> None:
    paper = {"type": "document", "source": {"type": "base64", "data": "A" * 9_999}}
    assert cost(blocks("user", paper), "anthropic", document=700) == 700


BLOB = {"mimeType": "image/png", "data": "A" * 9_999}
GEMINI = [
    (contents("user", {"text": "four"}), 4),
    (contents("user"), 0),
    (contents("user", {"inlineData": BLOB}), 1_120),
    (contents("user", {"inline_data": {"mime_type": "image/jpeg", "data": b"A"}}), 1_120),
    (contents("user", {"fileData": {"mimeType": "image/png", "fileUri": "u"}}), 1_120),
    (contents("model", {"text": "hm", "thought": True, "thoughtSignature": "s" * 8}), 4),
    (contents("model", {"text": "hm", "thought": True, "thought_signature": b"s" * 6}), 4),
    (contents("model", function_call("run", args={"b": 1, "a": "x"})), 3 + 15),
    (contents("user", function_response("run", {"output": "x"})), 3 + 14),
    (contents("function", function_response("run", None)), 3),
    (contents("model", {"executableCode": {"language": "PYTHON", "code": "run()"}}), 5),
    (contents("model", {"code_execution_result": {"outcome": "OK", "output": "four"}}), 4),
    (contents("model", {"toolCall": {"id": "t", "args": {"a": 1}}}), 7),
    (contents("model", {"toolResponse": {"id": "t", "response": {"a": 1}}}), 7),
    (contents("user", {"text": "x", "videoMetadata": {"fps": 1}, "mediaResolution": "LOW"}), 1),
]


@pytest.mark.parametrize(("message", "expected"), GEMINI)
def test_gemini_parts_cost_what_they_hold(message: Message, expected: int) -> None:
    assert cost(message, "gemini") == expected


def test_a_picture_in_a_function_response_has_a_price() -> None:
    part = {"functionResponse": {"name": "run", "response": {}, "parts": [{"inlineData": BLOB}]}}
    assert cost(contents("user", part), "gemini") == 3 + 2 + 1_120


def test_inline_data_is_an_image_only_by_its_mime_type() -> None:
    sound = contents("user", {"inlineData": {"mimeType": "audio/wav", "data": "A" * 9_999}})
    with pytest.raises(MessageError, match=r"messages\[0\] \(inlineData\)"):
        cost(sound, "gemini")
    assert cost(sound, "gemini", inlineData=32) == 32


@dataclass
class Record:
    """An SDK's object."""

    role: str
    content: object = None
    tool_calls: object = None


def test_objects_cost_what_mappings_cost() -> None:
    function = SimpleNamespace(name="add", arguments='{"a":1}')
    call = SimpleNamespace(id="c1", type="function", function=function)
    assert cost(Record("assistant", None, [call]), "openai") == cost(
        calls("c1", arguments='{"a":1}'), "openai"
    )


def test_an_objects_arguments_cost_the_fields_that_are_set() -> None:
    action = SimpleNamespace(type="wait", x=None)
    call = SimpleNamespace(type="computer_call", call_id="c", action=action)
    assert cost(call, "openai-responses") == len('{"type":"wait"}')


def test_a_price_may_be_a_function_of_the_block() -> None:
    part = {"type": "file", "file": {"pages": 3}}
    seen: list[object] = []

    def by_pages(block: object) -> int:
        seen.append(block)
        return 300

    counted = count_messages(
        [{"role": "user", "content": [part]}], C, overhead=FREE, block_tokens={"file": by_pages}
    )
    assert counted == 300
    assert seen == [part]


def test_a_price_of_the_callers_goes_before_the_default() -> None:
    assert cost({"role": "user", "content": [{"type": "image_url"}]}, "openai", image_url=7) == 7


@pytest.mark.parametrize("answer", [-1, 1.5, True, None])
def test_a_price_that_is_no_number_of_tokens_is_refused(answer: object) -> None:
    message = {"role": "user", "content": [{"type": "file"}]}
    with pytest.raises(MessageError, match="its price must be an int >= 0"):
        count_messages([message], C, block_tokens={"file": lambda _: answer})  # type: ignore[dict-item,return-value]


def test_each_message_and_the_request_are_framed() -> None:
    messages = [user("four"), user("four")]
    assert count_messages(messages, C, overhead=Overhead(5, 7)) == 2 * (4 + 5) + 7


@pytest.mark.parametrize("provider", ["openai", "openai-responses", "anthropic"])
def test_the_default_frame_is_four_a_message_and_three_a_request(provider: str) -> None:
    assert count_messages([user("four")], C, provider=provider) == 4 + 4 + 3


def test_no_messages_cost_nothing() -> None:
    nothing: list[Message] = []
    assert count_messages(nothing, C) == 0


@pytest.mark.parametrize(("each", "once"), [(-1, 0), (0, -1)])
def test_an_overhead_is_never_negative(each: int, once: int) -> None:
    with pytest.raises(BudgetPolicyError, match="must be >= 0, got -1"):
        Overhead(each, once)


def test_a_count_never_raises_on_size() -> None:
    assert count_messages([user("x" * 10**6)], C) == 10**6 + 7
