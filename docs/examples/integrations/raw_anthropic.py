"""Request-only: a history is fitted right before Anthropic's SDK sends it; your list stays whole.

    answer = create(client, window, history, model="claude-sonnet-5")
    history.append({"role": "assistant", "content": answer.content})

The system prompt is checked as layers, and stamped from what was checked: a strict guard raises
before there is a block with a cache marker, and before anything is sent.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from anthropic import Anthropic, AsyncAnthropic, omit

from budget import TokenCounter
from budget.cache import Layer
from budget.hms import HmsGuard
from budget.messages import fit_messages

if TYPE_CHECKING:
    from anthropic.types import Message, MessageParam, TextBlockParam, ToolParam


@dataclass(frozen=True, kw_only=True)
class Window:
    """What a request may hold, and what it always holds.

    Attributes:
        limit: Tokens of all that is sent and answered.
        answer: Tokens of that for the answer.
        layers: The system prompt.
        tools: The tools' schemas.
        counter: Measures all of it.
        guard: Checks the system prompt.
        step: Tokens that may go beyond need, to keep the prompt cache warm.
        tool_result_limit: Tokens that each tool result may cost; None for no ceiling.
    """

    limit: int
    answer: int
    layers: Sequence[Layer]
    tools: Sequence[ToolParam] = ()
    counter: TokenCounter
    guard: HmsGuard
    step: int = 1
    tool_result_limit: int | None = None

    def system(self) -> list[TextBlockParam]:
        """Return the system prompt as it is sent: checked, then stamped from what was checked."""
        section = self.guard.check_layers("system", self.layers, separator="\n\n")
        return section.anthropic_blocks()  # type: ignore[return-value]  # dicts of just that shape

    def messages(
        self, blocks: Sequence[TextBlockParam], history: Iterable[MessageParam]
    ) -> list[MessageParam]:
        """Return what of the history fits beside the system prompt, the tools and the answer."""
        schemas = self.counter.count(json.dumps(self.tools)) if self.tools else 0
        system = sum(self.counter.count(block["text"]) for block in blocks)
        fitted = fit_messages(
            history,
            self.limit,
            self.counter,
            provider="anthropic",
            reserved=self.answer + system + schemas,
            step=self.step,
            tool_result_limit=self.tool_result_limit,
        )
        return fitted.messages


def create(
    client: Anthropic, window: Window, history: Iterable[MessageParam], *, model: str
) -> Message:
    """Send what fits, and return the model's message."""
    system = window.system()
    return client.messages.create(
        model=model,
        system=system,
        messages=window.messages(system, history),
        tools=window.tools or omit,
        max_tokens=window.answer,
    )


async def create_async(
    client: AsyncAnthropic, window: Window, history: Iterable[MessageParam], *, model: str
) -> Message:
    """Send what fits, and return the model's message."""
    system = window.system()
    return await client.messages.create(
        model=model,
        system=system,
        messages=window.messages(system, history),
        tools=window.tools or omit,
        max_tokens=window.answer,
    )
