"""A LangChain agent with Anthropic's own chat model, and its caching middleware behind ours."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from anthropic import Anthropic, AsyncAnthropic
from langchain.agents import create_agent
from langchain_anthropic import ChatAnthropic
from langchain_anthropic.middleware import AnthropicPromptCachingMiddleware
from langchain_core.tools import tool

from docs.examples.integrations.langchain_middleware import FitMessages
from tests.integration.frameworks import wire
from tests.integration.frameworks.measuring import ANSWER, COUNTER
from tests.integration.frameworks.wire import Case, Wire

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain.agents.middleware import (
        AgentMiddleware,
        AgentState,
        InputAgentState,
        OutputAgentState,
    )
    from langchain_core.messages import BaseMessage
    from langchain_core.runnables import RunnableConfig
    from langgraph.graph.state import CompiledStateGraph

    Built = CompiledStateGraph[AgentState, None, InputAgentState, OutputAgentState]

ENOUGH: Final[RunnableConfig] = {"recursion_limit": 200}


@tool
def look(place: str) -> str:
    """Look into a drawer."""
    return wire.look(place)


def run(case: Case) -> Sequence[BaseMessage]:
    """Run to the end, and return the messages of the agent's state."""
    found: Sequence[BaseMessage] = _built(case).invoke(_begin(case), ENOUGH)["messages"]
    return found


async def run_async(case: Case) -> Sequence[BaseMessage]:
    """Run to the end, and return the messages of the agent's state."""
    done = await _built(case).ainvoke(_begin(case), ENOUGH)
    found: Sequence[BaseMessage] = done["messages"]
    return found


def fitting(case: Case) -> FitMessages:
    """Return the middleware that this is about."""
    return FitMessages(
        limit=case.limit,
        answer=ANSWER,
        counter=COUNTER,
        guard=case.guard,
        tool_result_limit=case.tool_result_limit,
    )


def built(case: Case, *middleware: AgentMiddleware) -> Built:
    """Return an agent."""
    return create_agent(
        offline(case.wire), [look], system_prompt=case.system, middleware=middleware
    )


def _built(case: Case) -> Built:
    return built(case, fitting(case), AnthropicPromptCachingMiddleware())


def _begin(case: Case) -> InputAgentState:
    return {"messages": list(case.begin)}


def offline(given: Wire) -> ChatAnthropic:
    """Return the real chat model, on a wire that leads nowhere."""

    class Offline(ChatAnthropic):
        @cached_property
        def _client(self) -> Anthropic:
            return Anthropic(api_key="none", http_client=given.client())

        @cached_property
        def _async_client(self) -> AsyncAnthropic:
            return AsyncAnthropic(api_key="none", http_client=given.async_client())

    return Offline.model_validate({"model": "fake", "api_key": "none", "max_tokens": ANSWER})
