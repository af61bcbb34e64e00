"""What is LangChain's own: the order of middleware, the agent's state, kinds of content."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from langchain_anthropic.middleware import AnthropicPromptCachingMiddleware
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    ChatMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)

from budget import TruncationPolicy
from budget.errors import HmsBudgetExceededError, MessageError
from budget.messages import count_messages, fit_messages
from docs.examples.integrations.langchain_middleware import LangChainFormat
from tests.integration.frameworks import wire
from tests.integration.frameworks.langchain import ENOUGH, built, fitting
from tests.integration.frameworks.measuring import COUNTER, SYSTEM, strict
from tests.integration.frameworks.wire import Case, Wire
from tests.messages.checker import listed
from tests.messages.making import FREE, W

if TYPE_CHECKING:
    from collections.abc import Callable

    from langchain.agents.middleware import InputAgentState, ModelRequest, ModelResponse

FORM = LangChainFormat()
QUESTION: InputAgentState = {"messages": [{"role": "user", "content": "Where is it?"}]}


class Stamping(AnthropicPromptCachingMiddleware):
    """Stamps, and keeps what it was asked to stamp."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[ModelRequest] = []

    def wrap_model_call(
        self, request: ModelRequest, handler: Callable[[ModelRequest], ModelResponse]
    ) -> ModelResponse:
        self.requests.append(request)
        found = super().wrap_model_call(request, handler)
        assert not isinstance(found, AIMessage)
        return found  # type: ignore[return-value]  # of a chat model's handler


def test_the_text_that_was_checked_is_the_text_that_is_stamped() -> None:
    case = Case(Wire(wire.anthropic, rounds=0))
    built(case, fitting(case), Stamping()).invoke(QUESTION, ENOUGH)
    block, *others = listed(case.wire.bodies[0]["system"])
    assert (block["text"], others) == (SYSTEM, [])
    assert "cache_control" in block
    assert case.guard.peaks == {"system": COUNTER.count(SYSTEM)}


def test_a_strict_guard_that_is_listed_first_raises_before_anything_is_stamped() -> None:
    case, stamping = Case(Wire(wire.anthropic), strict(5)), Stamping()
    with pytest.raises(HmsBudgetExceededError):
        built(case, fitting(case), stamping).invoke(QUESTION, ENOUGH)
    assert stamping.requests == []


def test_a_strict_guard_that_is_listed_last_raises_behind_the_stamp() -> None:
    case, stamping = Case(Wire(wire.anthropic), strict(5)), Stamping()
    with pytest.raises(HmsBudgetExceededError):
        built(case, stamping, fitting(case)).invoke(QUESTION, ENOUGH)
    assert len(stamping.requests) == 1


def test_the_model_gets_the_very_messages_of_the_state() -> None:
    case, stamping = Case(Wire(wire.anthropic)), Stamping()
    built(case, fitting(case), stamping).invoke(QUESTION, ENOUGH)
    last = stamping.requests[-1]
    state = {id(message) for message in last.state["messages"]}
    assert len(last.messages) < len(state)
    assert {id(message) for message in last.messages} <= state


def test_thinking_arrives_with_its_signature() -> None:
    case = Case(Wire(wire.anthropic))
    built(case, fitting(case)).invoke(QUESTION, ENOUGH)
    blocks = [
        block
        for message in listed(case.wire.bodies[-1]["messages"])
        for block in listed(message["content"])
        if block["type"] == "thinking"
    ]
    assert blocks
    assert all(block["signature"] == wire.SIGNATURE for block in blocks)


def cost(*messages: BaseMessage) -> int:
    return count_messages(messages, W, provider=FORM, overhead=FREE)


def test_a_call_costs_its_name_and_its_arguments() -> None:
    call = {"name": "look", "args": {"b": "x y", "a": 1}, "id": "c1", "type": "tool_call"}
    assert cost(AIMessage("", tool_calls=[call])) == W.count('look {"a":1,"b":"x y"}')


def test_arguments_that_a_model_broke_cost_what_they_are() -> None:
    call = {"name": "look", "args": '{"a": x y', "id": "c1", "error": None}
    broken = AIMessage("", invalid_tool_calls=[call | {"type": "invalid_tool_call"}])
    assert cost(broken) == W.count('look {"a": x y')


def test_an_image_has_a_price_and_its_base64_none() -> None:
    image = {"type": "image", "base64": "A" * 4_000, "mime_type": "image/png"}
    assert cost(HumanMessage(["one word", image])) == 2 + 1_600


def test_what_nobody_prices_is_refused() -> None:
    audio = {"type": "audio", "base64": "A" * 40, "mime_type": "audio/wav"}
    with pytest.raises(MessageError, match=r"messages\[0\] \(audio\)"):
        cost(HumanMessage([audio]))


def test_a_message_of_no_known_side_is_refused() -> None:
    with pytest.raises(MessageError, match=r"messages\[1\] \(chat\)"):
        cost(HumanMessage("a"), ChatMessage(content="b", role="critic"))


def test_a_system_message_in_the_list_stays() -> None:
    messages = [SystemMessage("a b"), HumanMessage("c d"), AIMessage("e"), HumanMessage("f")]
    fitted = fit_messages(messages, 3, W, provider=FORM, overhead=FREE)
    assert fitted.kept == (0, 3)


def test_of_a_result_in_blocks_the_texts_are_cut_and_the_image_stays() -> None:
    image = {"type": "image", "url": "https://example.org/a.png"}
    call = {"name": "look", "args": {}, "id": "c1", "type": "tool_call"}
    result = ToolMessage([{"type": "text", "text": "a b c d"}, image], tool_call_id="c1")
    fitted = fit_messages(
        [HumanMessage("look"), AIMessage("", tool_calls=[call]), result],
        2_000,
        W,
        provider=FORM,
        tool_result_limit=2,
        truncation=TruncationPolicy(marker=""),
    )
    text, kept = list(fitted.messages[-1].content)
    assert isinstance(text, dict)
    assert isinstance(kept, dict)
    assert (text["text"].split(), kept["url"]) == (["a", "b"], image["url"])
    assert result.content[0] == {"type": "text", "text": "a b c d"}
