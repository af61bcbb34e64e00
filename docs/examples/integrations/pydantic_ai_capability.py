"""Request-only: a pydantic-ai capability fits what a model is sent; the run's history stays whole.

    Agent(model, instructions=..., capabilities=[FitRequest(...)])

It is called before each attempt at a request, for the model that will serve it. What is dropped
are parts, not messages: a system prompt and the first question share one request. A strict guard,
and content that can't be dropped and doesn't fit, raise before the model is called.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Final

from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import (
    CachePoint,
    ImageUrl,
    InstructionPart,
    ModelMessage,
    ModelRequestPart,
    ModelResponse,
    RetryFeedbackPart,
    SystemPromptPart,
    TextContent,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from budget import TokenCounter
from budget.errors import MessageError
from budget.hms import HmsGuard
from budget.messages import Block, Reading, fit_messages

if TYPE_CHECKING:
    from pydantic_ai import RunContext, ToolDefinition
    from pydantic_ai.models import ModelRequestContext

FRAME: Final = 4  # tokens around a piece: providers get each as a message of its own
LARGE_IMAGE: Final = 1_600


@dataclass(frozen=True, slots=True)
class Piece:
    """What can be dropped by itself: a response, or one part of a request.

    Attributes:
        place: Of its message.
        held: The caller's own object.
    """

    place: int
    held: ModelResponse | ModelRequestPart


class PieceFormat:
    """Reads pieces of pydantic-ai's messages for `fit_messages`."""

    per_message, per_request = FRAME, 3

    def read(self, piece: Piece, index: int) -> Reading:
        """Return what a piece holds."""
        held = piece.held
        if isinstance(held, ModelResponse):
            return _response(held, index)
        if isinstance(held, SystemPromptPart):
            return Reading("system", (held.content,))
        if isinstance(held, UserPromptPart):
            return _question(held)
        if isinstance(held, ToolReturnPart):
            return _return(held)
        if isinstance(held, RetryFeedbackPart):
            # Nobody asks here: it stands or falls with the response that it is about.
            return Reading("model", (held.model_response(),))
        raise MessageError(index, held.part_kind, "no side is known for it")

    def rewrite(self, piece: Piece, results: tuple[str, ...]) -> Piece:
        """Return a copy of a tool's return with another text."""
        part = replace(piece.held, content=results[0])  # type: ignore[arg-type]  # a plain return
        return replace(piece, held=part)


@dataclass(kw_only=True)
class FitRequest(AbstractCapability[object]):
    """Checks system prompt and instructions, then sends the newest pieces that fit.

    Attributes:
        limit: Tokens of all that is sent and answered.
        answer: Tokens of that for the answer, and for what the framework adds behind this seam:
            about 100 where it explains a retry.
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

    async def prepare_model_request(
        self, ctx: RunContext, request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Return the request with what fits."""
        del ctx
        pieces = _pieces(request_context.messages)
        fitted = fit_messages(
            pieces,
            self.limit,
            self.counter,
            provider=PieceFormat(),
            reserved=self.answer + self._beside(pieces, request_context),
            step=self.step,
            tool_result_limit=self.tool_result_limit,
        )
        kept = _messages(fitted.messages, request_context.messages)
        return replace(request_context, messages=kept)

    def _beside(self, pieces: Sequence[Piece], request: ModelRequestContext) -> int:
        """Check all that the model is told to be, and count what the messages don't hold."""
        parameters = request.model.customize_request_parameters(request.model_request_parameters)
        prompts = [piece.held for piece in pieces if isinstance(piece.held, SystemPromptPart)]
        instructions = InstructionPart.join(parameters.instruction_parts or []) or ""
        self.guard.check("system", "\n\n".join([*(p.content for p in prompts), instructions]))
        schemas = [_schema(tool) for tool in parameters.tool_defs.values()]
        tools = self.counter.count(json.dumps(schemas)) if schemas else 0
        return tools + (FRAME + self.counter.count(instructions) if instructions else 0)


def _schema(tool: ToolDefinition) -> dict[str, object]:
    function = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters_json_schema,
        "strict": tool.strict,
    }
    return {"type": "function", "function": function}


def _pieces(messages: Sequence[ModelMessage]) -> list[Piece]:
    return [
        Piece(place, held)
        for place, message in enumerate(messages)
        for held in ([message] if isinstance(message, ModelResponse) else message.parts)
    ]


def _messages(pieces: Sequence[Piece], given: Sequence[ModelMessage]) -> list[ModelMessage]:
    """Put pieces together again; a message that is whole comes back as the same object."""
    messages: list[ModelMessage] = []
    for place, group in groupby(pieces, lambda piece: piece.place):
        message = given[place]
        if not isinstance(message, ModelResponse):
            parts = [piece.held for piece in group if not isinstance(piece.held, ModelResponse)]
            whole = parts == list(message.parts)
            message = message if whole else replace(message, parts=parts)
        messages.append(message)
    return messages


def _response(response: ModelResponse, index: int) -> Reading:
    texts, calls, sealed = [], [], 0
    for part in response.parts:
        if isinstance(part, TextPart | ThinkingPart):
            texts.append(part.content)
            sealed += len(getattr(part, "signature", None) or "")
        elif isinstance(part, ToolCallPart):
            texts += [part.tool_name, part.args_as_json_str()]
            calls.append(part.tool_call_id)
        else:
            raise MessageError(index, part.part_kind, "nobody knows what it costs")
    blocks = (Block("signature", None, -(-sealed // 4)),)
    return Reading("model", tuple(texts), calls=tuple(calls), blocks=blocks)


def _return(part: ToolReturnPart) -> Reading:
    """Read what a tool returned: a text may be cut, all else goes as the framework writes it."""
    text, ids = part.model_response_str(), (part.tool_call_id,)
    if text == part.content:
        return Reading("result", (), (text,), answers=ids)
    return Reading("result", (text,), answers=ids, blocks=tuple(map(_media, part.files)))


def _question(prompt: UserPromptPart) -> Reading:
    content = [prompt.content] if isinstance(prompt.content, str) else prompt.content
    texts = [entry.content if isinstance(entry, TextContent) else entry for entry in content]
    media = [entry for entry in texts if not isinstance(entry, str | CachePoint)]
    return Reading(
        "user",
        tuple(text for text in texts if isinstance(text, str)),
        blocks=tuple(map(_media, media)),
    )


def _media(content: object) -> Block:
    """Return what isn't text; nobody knows what a file costs, which is an error."""
    return Block(
        type(content).__name__, content, LARGE_IMAGE if isinstance(content, ImageUrl) else None
    )
