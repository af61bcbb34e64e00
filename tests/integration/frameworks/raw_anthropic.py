"""Anthropic's SDK in the loop that everybody writes: ask, call the tools, append, ask again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from anthropic import Anthropic, AsyncAnthropic

from budget.cache import Layer
from docs.examples.integrations.raw_anthropic import Window, create, create_async
from tests.integration.frameworks.measuring import ANSWER, COUNTER
from tests.integration.frameworks.wire import Case, look

if TYPE_CHECKING:
    from anthropic.types import Message, MessageParam, ToolParam, ToolResultBlockParam

LOOK: Final[ToolParam] = {
    "name": "look",
    "description": "Look into a drawer.",
    "input_schema": {"type": "object", "properties": {"place": {"type": "string"}}},
}
History = list["MessageParam"]


def run(case: Case) -> History:
    """Run to the end, and return the caller's history."""
    client = Anthropic(api_key="none", http_client=case.wire.client())
    history = _begin(case)
    while _goes_on(history, create(client, _window(case), history, model="fake")):
        pass
    return history


async def run_async(case: Case) -> History:
    """Run to the end, and return the caller's history."""
    client = AsyncAnthropic(api_key="none", http_client=case.wire.async_client())
    history = _begin(case)
    while _goes_on(history, await create_async(client, _window(case), history, model="fake")):
        pass
    return history


def _begin(case: Case) -> History:
    return list(case.begin)  # type: ignore[arg-type]  # plain dicts


def _window(case: Case) -> Window:
    return Window(
        limit=case.limit,
        answer=ANSWER,
        layers=[Layer("kernel", case.system, ttl="1h"), Layer("clock", "It is Tuesday.")],
        tools=[LOOK],
        counter=COUNTER,
        guard=case.guard,
        tool_result_limit=case.tool_result_limit,
    )


def _goes_on(history: History, message: Message) -> bool:
    history.append({"role": "assistant", "content": message.content})
    results: list[ToolResultBlockParam] = [
        {
            "type": "tool_result",
            "tool_use_id": block.id,
            "content": look(str(block.input)),
        }
        for block in message.content
        if block.type == "tool_use"
    ]
    if results:
        history.append({"role": "user", "content": results})
    return bool(results)
