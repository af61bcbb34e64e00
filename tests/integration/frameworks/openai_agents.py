"""An agent of the OpenAI Agents SDK, with its own Responses model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agents import Agent, OpenAIResponsesModel, RunConfig, Runner, function_tool
from openai import AsyncOpenAI

from docs.examples.integrations.openai_agents_filter import FitItems
from tests.integration.frameworks import wire
from tests.integration.frameworks.measuring import ANSWER, COUNTER
from tests.integration.frameworks.wire import Case
from tests.messages.checker import listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agents import TResponseInputItem

    from tests.messages.plans import Message

ENOUGH: Final = 200


@function_tool
def look(place: str) -> str:
    """Look into a drawer."""
    return wire.look(place)


def run(case: Case) -> Sequence[TResponseInputItem]:
    """Run to the end, and return all items of the run."""
    done = Runner.run_sync(agent(case), _begin(case), max_turns=ENOUGH, run_config=config(case))
    return done.to_input_list()


async def run_async(case: Case) -> Sequence[TResponseInputItem]:
    """Run to the end, and return all items of the run."""
    done = await Runner.run(agent(case), _begin(case), max_turns=ENOUGH, run_config=config(case))
    return done.to_input_list()


def agent(case: Case) -> Agent[None]:
    client = AsyncOpenAI(api_key="none", http_client=case.wire.async_client())
    model = OpenAIResponsesModel("fake", client)
    return Agent("finder", instructions=case.system, tools=[look], model=model)


def config(case: Case) -> RunConfig:
    fitting = FitItems(
        limit=case.limit,
        answer=ANSWER,
        counter=COUNTER,
        guard=case.guard,
        tool_result_limit=case.tool_result_limit,
    )
    return RunConfig(call_model_input_filter=fitting, tracing_disabled=True)


def _begin(case: Case) -> list[TResponseInputItem]:
    items = [item for message in case.begin for item in _items(message)]
    return list(items)  # type: ignore[arg-type]  # plain dicts


def _items(message: Message) -> Iterator[Message]:
    """Yield the items that a message of chat completions is."""
    if message["role"] == "tool":
        call, output = message["tool_call_id"], message["content"]
        yield {"type": "function_call_output", "call_id": call, "output": output}
        return
    yield {"role": message["role"], "content": message["content"]}
    for called in listed(message.get("tool_calls")):
        function = called["function"]
        assert isinstance(function, dict)
        yield {"type": "function_call", "call_id": called["id"], **function}
