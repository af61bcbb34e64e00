"""Request-only: an OpenAI Agents input filter fits what a model is sent; the session stays whole.

    Runner.run(agent, question, run_config=RunConfig(call_model_input_filter=FitItems(...)))

The filter is called before every model call of a run, sync or async. A strict guard, and content
that can't be dropped and doesn't fit, raise before the model is called. Don't cut in
`session_input_callback`, which is persistent: what it rewrites is stored once more.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from agents import FunctionTool
from agents.run import CallModelData, ModelInputData

from budget import TokenCounter
from budget.hms import HmsGuard
from budget.messages import fit_messages

if TYPE_CHECKING:
    from agents import Agent

Context = TypeVar("Context")


@dataclass(frozen=True, kw_only=True)
class FitItems:
    """Checks the instructions, then lets the newest items pass that fit.

    Attributes:
        limit: Tokens of all that is sent and answered.
        answer: Tokens of that for the answer, and for tools that aren't functions.
        counter: Measures all of it.
        guard: Checks the instructions.
        step: Tokens that may go beyond need, to keep the prompt cache warm.
        tool_result_limit: Tokens that each tool result may cost; None for no ceiling.
    """

    limit: int
    answer: int
    counter: TokenCounter
    guard: HmsGuard
    step: int = 1
    tool_result_limit: int | None = None

    def __call__(self, data: CallModelData[Context]) -> ModelInputData:
        """Return what a model is sent."""
        instructions = data.model_data.instructions
        section = self.guard.check("instructions", instructions or "")
        beside = self.counter.count(section.text) + self._schemas(data.agent)
        fitted = fit_messages(
            data.model_data.input,
            self.limit,
            self.counter,
            provider="openai-responses",
            reserved=self.answer + beside,
            step=self.step,
            tool_result_limit=self.tool_result_limit,
        )
        return ModelInputData(input=fitted.messages, instructions=instructions)

    def _schemas(self, agent: Agent[Context]) -> int:
        functions = [tool for tool in agent.tools if isinstance(tool, FunctionTool)]
        schemas = [
            {
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.params_json_schema,
                "strict": tool.strict_json_schema,
            }
            for tool in functions
        ]
        return self.counter.count(json.dumps(schemas)) if schemas else 0
