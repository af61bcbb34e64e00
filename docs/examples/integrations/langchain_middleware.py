"""Request-only: a LangChain middleware fits what a model is sent; the agent's state stays whole.

    create_agent(model, tools, middleware=[FitMessages(...), AnthropicPromptCachingMiddleware()])

List it first: the first middleware is the outermost, so the guard checks the system prompt before
a caching middleware stamps it. A strict guard, and content that can't be dropped and doesn't fit,
raise before the model is called.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.utils.function_calling import convert_to_openai_tool

from budget import TokenCounter
from budget.errors import MessageError
from budget.hms import HmsGuard
from budget.messages import Block, CallKey, Reading, fit_messages

if TYPE_CHECKING:
    from langchain.agents.middleware import ModelRequest, ModelResponse

Held = TypeVar("Held", bound=BaseMessage)

LARGE_IMAGE: Final = 1_600


class LangChainFormat:
    """Reads LangChain's messages for `fit_messages`."""

    per_message, per_request = 4, 3

    def read(self, message: BaseMessage, index: int) -> Reading:
        """Return what a message holds."""
        texts, blocks = tuple(_texts(message)), tuple(_blocks(message))
        if isinstance(message, ToolMessage):
            return Reading("result", (), texts, answers=(message.tool_call_id,), blocks=blocks)
        if isinstance(message, AIMessage):
            asked = [*message.tool_calls, *message.invalid_tool_calls]
            calls = tuple(CallKey(call["id"], call["name"]) for call in asked)
            named = (text for call in asked for text in (call["name"] or "", _json(call["args"])))
            return Reading("model", (*texts, *named), calls=calls, blocks=blocks)
        if message.type in {"human", "system"}:
            return Reading("user" if message.type == "human" else "system", texts, blocks=blocks)
        raise MessageError(index, message.type, "no side is known for it")

    def rewrite(self, message: Held, results: tuple[str, ...]) -> Held:
        """Return a copy of a tool message with other texts."""
        if isinstance(message.content, str):
            return message.model_copy(update={"content": results[0]})
        left = iter(results)
        content = [
            {**block, "text": next(left)} if block["type"] == "text" else block
            for block in message.content_blocks
        ]
        return message.model_copy(update={"content": content})


@dataclass(kw_only=True, eq=False)
class FitMessages(AgentMiddleware):
    """Checks the system prompt, then sends the newest messages that fit.

    Attributes:
        limit: Tokens of all that is sent and answered.
        answer: Tokens of that for the answer.
        counter: Measures all of it.
        guard: Of this agent.
        step: Tokens that may go beyond need, to keep the prompt cache warm.
        tool_result_limit: Tokens that each tool result may cost; None for no ceiling.
    """

    limit: int
    answer: int
    counter: TokenCounter
    guard: HmsGuard
    step: int = 1
    tool_result_limit: int | None = None

    def wrap_model_call(
        self, request: ModelRequest, handler: Callable[[ModelRequest], ModelResponse]
    ) -> ModelResponse:
        """Call the model with what fits."""
        return handler(self._fitted(request))

    async def awrap_model_call(
        self, request: ModelRequest, handler: Callable[[ModelRequest], Awaitable[ModelResponse]]
    ) -> ModelResponse:
        """Call the model with what fits."""
        return await handler(self._fitted(request))

    def _fitted(self, request: ModelRequest) -> ModelRequest:
        section = self.guard.check("system", request.system_prompt or "")
        schemas = [json.dumps(convert_to_openai_tool(tool)) for tool in request.tools]
        beside = sum(map(self.counter.count, [section.text, *schemas]))
        fitted = fit_messages(
            request.messages,
            self.limit,
            self.counter,
            provider=LangChainFormat(),
            reserved=self.answer + beside,
            step=self.step,
            tool_result_limit=self.tool_result_limit,
        )
        return request.override(messages=fitted.messages)


def _texts(message: BaseMessage) -> Iterator[str]:
    """Yield what the model reads, or has thought."""
    for block in message.content_blocks:
        if block["type"] == "text":
            yield block["text"]
        elif block["type"] == "reasoning":
            yield block.get("reasoning", "")


def _blocks(message: BaseMessage) -> Iterator[Block]:
    """Yield what has a price: media, and signatures by a quarter of their length."""
    for block in message.content_blocks:
        if block["type"] == "reasoning":
            signature = str(block.get("extras", {}).get("signature", ""))
            yield Block("reasoning", block, -(-len(signature) // 4))
        elif block["type"] not in {"text", "tool_call", "invalid_tool_call"}:
            yield Block(block["type"], block, LARGE_IMAGE if block["type"] == "image" else None)


def _json(arguments: object) -> str:
    if isinstance(arguments, str):
        return arguments
    return json.dumps(arguments, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
