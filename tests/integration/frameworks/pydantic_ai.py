"""A pydantic-ai agent with its own model for OpenAI's chat completions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from openai import AsyncOpenAI
from pydantic_ai import Agent, UsageLimits
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from docs.examples.integrations.pydantic_ai_capability import FitRequest
from tests.integration.frameworks import wire
from tests.integration.frameworks.measuring import ANSWER, COUNTER
from tests.integration.frameworks.wire import Case

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic_ai.messages import ModelMessage

ENOUGH: Final = UsageLimits(request_limit=200)


def look(place: str) -> str:
    """Look into a drawer."""
    return wire.look(place)


def run(case: Case) -> Sequence[ModelMessage]:
    """Run to the end, and return all messages of the run."""
    return agent(case).run_sync(_question(case), usage_limits=ENOUGH).all_messages()


async def run_async(case: Case) -> Sequence[ModelMessage]:
    """Run to the end, and return all messages of the run."""
    return (await agent(case).run(_question(case), usage_limits=ENOUGH)).all_messages()


def _question(case: Case) -> str:
    return str(case.begin[-1]["content"])


def agent(case: Case) -> Agent:
    client = AsyncOpenAI(api_key="none", http_client=case.wire.async_client())
    fitting = FitRequest(
        limit=case.limit,
        answer=ANSWER,
        counter=COUNTER,
        guard=case.guard,
        tool_result_limit=case.tool_result_limit,
    )
    return Agent(
        OpenAIChatModel("fake", provider=OpenAIProvider(openai_client=client)),
        system_prompt=case.system,
        instructions="Be brief.",
        tools=[look],
        capabilities=[fitting],
    )
