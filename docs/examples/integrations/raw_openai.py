"""Request-only: a history is fitted right before OpenAI's SDK sends it; your list stays whole.

    answer = complete(client, window, history, model="gpt-5-mini")
    history.append(answer.choices[0].message)

`history` may hold dicts and the SDK's own objects side by side. A strict guard, and content that
can't be dropped and doesn't fit, raise before anything is sent.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from openai import AsyncOpenAI, OpenAI, omit

from budget import TokenCounter
from budget.hms import HmsGuard
from budget.messages import fit_messages

if TYPE_CHECKING:
    from openai.types.chat import (
        ChatCompletion,
        ChatCompletionMessageParam,
        ChatCompletionToolParam,
    )


@dataclass(frozen=True, kw_only=True)
class Window:
    """What a request may hold, and what it always holds.

    Attributes:
        limit: Tokens of all that is sent and answered.
        answer: Tokens of that for the answer.
        system: The system text.
        tools: The tools' schemas.
        counter: Measures all of it.
        guard: Checks the system text.
        step: Tokens that may go beyond need, to keep the prompt cache warm.
        tool_result_limit: Tokens that each tool result may cost; None for no ceiling.
    """

    limit: int
    answer: int
    system: str
    tools: Sequence[ChatCompletionToolParam] = ()
    counter: TokenCounter
    guard: HmsGuard
    step: int = 1
    tool_result_limit: int | None = None

    def messages(
        self, history: Iterable[ChatCompletionMessageParam]
    ) -> list[ChatCompletionMessageParam]:
        """Return what is sent: the system text, and what fits of the history."""
        section = self.guard.check("system", self.system)
        system: ChatCompletionMessageParam = {"role": "system", "content": section.text}
        schemas = self.counter.count(json.dumps(self.tools)) if self.tools else 0
        fitted = fit_messages(
            [system, *history],
            self.limit,
            self.counter,
            reserved=self.answer + schemas,
            step=self.step,
            tool_result_limit=self.tool_result_limit,
        )
        return fitted.messages


def complete(
    client: OpenAI, window: Window, history: Iterable[ChatCompletionMessageParam], *, model: str
) -> ChatCompletion:
    """Send what fits, and return the completion."""
    return client.chat.completions.create(
        model=model,
        messages=window.messages(history),
        tools=window.tools or omit,
        max_completion_tokens=window.answer,
    )


async def complete_async(
    client: AsyncOpenAI,
    window: Window,
    history: Iterable[ChatCompletionMessageParam],
    *,
    model: str,
) -> ChatCompletion:
    """Send what fits, and return the completion."""
    return await client.chat.completions.create(
        model=model,
        messages=window.messages(history),
        tools=window.tools or omit,
        max_completion_tokens=window.answer,
    )
