"""OpenAI's SDK in the loop that everybody writes: ask, call the tools, append, ask again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from openai import AsyncOpenAI, OpenAI

from docs.examples.integrations.raw_openai import Window, complete, complete_async
from tests.integration.frameworks.measuring import ANSWER, COUNTER
from tests.integration.frameworks.wire import Case, look

if TYPE_CHECKING:
    from openai.types.chat import (
        ChatCompletion,
        ChatCompletionMessageParam,
        ChatCompletionToolParam,
    )

LOOK: Final[ChatCompletionToolParam] = {
    "type": "function",
    "function": {
        "name": "look",
        "description": "Look into a drawer.",
        "parameters": {"type": "object", "properties": {"place": {"type": "string"}}},
    },
}
History = list["ChatCompletionMessageParam"]


def run(case: Case) -> History:
    """Run to the end, and return the caller's history."""
    client = OpenAI(api_key="none", http_client=case.wire.client())
    history = _begin(case)
    while _goes_on(history, complete(client, _window(case), history, model="fake")):
        pass
    return history


async def run_async(case: Case) -> History:
    """Run to the end, and return the caller's history."""
    client = AsyncOpenAI(api_key="none", http_client=case.wire.async_client())
    history = _begin(case)
    while _goes_on(history, await complete_async(client, _window(case), history, model="fake")):
        pass
    return history


def _begin(case: Case) -> History:
    return list(case.begin)  # type: ignore[arg-type]  # recorded dicts


def _window(case: Case) -> Window:
    return Window(
        limit=case.limit,
        answer=ANSWER,
        system=case.system,
        tools=[LOOK],
        counter=COUNTER,
        guard=case.guard,
        tool_result_limit=case.tool_result_limit,
    )


def _goes_on(history: History, completion: ChatCompletion) -> bool:
    message = completion.choices[0].message
    history.append(message)  # type: ignore[arg-type]  # the SDK's own object, as its docs do
    for call in message.tool_calls or ():
        assert call.type == "function"
        answer = look(call.function.arguments)
        history.append({"role": "tool", "tool_call_id": call.id, "content": answer})
    return bool(message.tool_calls)
