"""What is pydantic-ai's own: requests of several parts, and a repair that would hide a bad trim."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Final

import pytest
from pydantic_ai.messages import (
    AudioUrl,
    CachePoint,
    ImageUrl,
    ModelResponse,
    NativeToolCallPart,
    RetryFeedbackPart,
    RetryInfo,
    TextContent,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from budget.errors import BudgetOverflowError, MessageError
from budget.messages import count_messages, fit_messages
from docs.examples.integrations.pydantic_ai_capability import Piece, PieceFormat
from tests.integration.frameworks import wire
from tests.integration.frameworks.measuring import SYSTEM, received
from tests.integration.frameworks.pydantic_ai import agent, run_async
from tests.integration.frameworks.wire import LONG, Case, Wire
from tests.messages.making import FREE, W

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelRequestPart

FORM: Final = PieceFormat()


async def _two_turns(case: Case) -> tuple[list[ModelMessage], list[ModelMessage]]:
    asked = agent(case)
    first = (await asked.run(f"First: {LONG * 8}")).all_messages()
    second = await asked.run(f"And now? {LONG * 4}", message_history=first)
    return first, second.all_messages()


def two_turns(case: Case) -> tuple[list[ModelMessage], list[ModelMessage]]:
    return asyncio.run(_two_turns(case))


def test_nothing_is_invented_for_a_call_that_lost_its_answer() -> None:
    case = Case(Wire(wire.chat))
    asyncio.run(run_async(case))
    assert "interrupted" not in json.dumps(case.wire.bodies)


def test_a_system_prompt_stays_where_the_question_beside_it_goes() -> None:
    case = Case(Wire(wire.chat, rounds=0))
    two_turns(case)
    said = [message["content"] for message in received(case.wire.bodies[-1], "openai")]
    assert said[0] == SYSTEM
    assert not any("First" in str(text) for text in said)
    assert str(said[-1]).startswith("And now?")


def test_the_history_of_a_run_holds_the_parts_that_were_not_sent() -> None:
    case = Case(Wire(wire.chat, rounds=0))
    first, second = two_turns(case)
    assert second[0].parts == first[0].parts
    assert len(second[0].parts) == 2


def test_what_the_framework_says_about_a_response_opens_no_turn() -> None:
    pieces = [
        Piece(0, UserPromptPart("Where is it?")),
        Piece(1, ModelResponse([TextPart("Here.")])),
        Piece(2, RetryFeedbackPart("Say more.", retry=RetryInfo("model_retry"))),
    ]
    needed = count_messages(pieces, W, provider=FORM)
    with pytest.raises(BudgetOverflowError) as refused:
        fit_messages(pieces, needed - 1, W, provider=FORM)
    assert refused.value.needed == needed


def cost(*held: ModelResponse | ModelRequestPart) -> int:
    return count_messages([Piece(0, each) for each in held], W, provider=FORM, overhead=FREE)


def test_a_call_costs_its_name_and_its_arguments() -> None:
    call = ModelResponse([ToolCallPart("look", {"place": "here"}, "c1")])
    assert cost(call) == W.count('look {"place":"here"}')


def test_thinking_costs_its_text_and_a_quarter_of_its_signature() -> None:
    assert cost(ModelResponse([ThinkingPart("a b", signature="s" * 9), TextPart("c")])) == 3 + 3


def test_a_result_that_is_no_text_costs_its_json() -> None:
    assert cost(ToolReturnPart("look", {"a": 1}, "c1")) == W.count('{"a":1}')


def test_an_image_has_a_price() -> None:
    image = ImageUrl("https://example.org/a.png")
    assert cost(UserPromptPart(["one word", image])) == 2 + 1_600


def test_a_cache_point_costs_nothing_and_tagged_text_its_text() -> None:
    assert cost(UserPromptPart(["a b", CachePoint(), TextContent("c")])) == 3


def test_what_nobody_prices_is_refused() -> None:
    with pytest.raises(MessageError, match=r"messages\[0\] \(AudioUrl\)"):
        cost(UserPromptPart([AudioUrl("https://example.org/a.wav")]))


def test_a_response_with_a_part_that_nobody_knows_is_refused() -> None:
    with pytest.raises(MessageError, match=r"messages\[0\] \(builtin-tool-call\)"):
        cost(ModelResponse([NativeToolCallPart("search", {})]))
