"""A provider's end of the wire: it keeps every request, and calls tools until it is done."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import httpx2

from budget.hms import HmsGuard
from tests.integration.frameworks.measuring import LIMIT, SYSTEM, strict
from tests.messages.plans import Message

ROUNDS: Final = 24
SIGNATURE: Final = "c2ln" * 9
LONG: Final = "a pen, a key, a letter from Ghent, " * 24
QUESTION: Final[Message] = {"role": "user", "content": "Where is the letter?"}
Answer = Callable[[int, list[str]], Message]


@dataclass(slots=True)
class Wire:
    """Takes the place of a network.

    Attributes:
        answer: Makes a provider's answer, of its number and the ids of the calls that it makes.
        rounds: How many answers call tools, before one that doesn't.
        bodies: What arrived.
    """

    answer: Answer
    rounds: int = ROUNDS
    bodies: list[Message] = field(default_factory=list)

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.bodies.append(json.loads(request.content))
        number = len(self.bodies)
        last = number > self.rounds
        # Every third answer calls two tools at once.
        ids = (
            [] if last else [f"call_{number}_{call}" for call in range(2 if number % 3 == 0 else 1)]
        )
        return httpx2.Response(200, json=self.answer(number, ids))

    def client(self) -> httpx2.Client:
        return httpx2.Client(transport=httpx2.MockTransport(self))

    def async_client(self) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(transport=httpx2.MockTransport(self))


@dataclass(frozen=True, slots=True)
class Case:
    """What an agent is run with.

    Attributes:
        wire: Where its requests go.
        guard: Of its system text.
        limit: Tokens of a request and its answer.
        system: Its instructions.
        begin: What was said before, as chat completions take it.
        tool_result_limit: Tokens that each tool result may cost.
    """

    wire: Wire
    guard: HmsGuard = field(default_factory=strict)
    limit: int = LIMIT
    system: str = SYSTEM
    begin: Sequence[Message] = (QUESTION,)
    tool_result_limit: int | None = None


def said(number: int, ids: list[str]) -> str:
    """Return what the model says beside its calls."""
    return f"Step {number}: look." if ids else "It was found."


def chat(number: int, ids: list[str]) -> Message:
    """Answer as chat completions do."""
    calls = [
        {"id": call, "type": "function", "function": {"name": "look", "arguments": arguments(call)}}
        for call in ids
    ]
    message: Message = {"role": "assistant", "content": said(number, ids)}
    message |= {"tool_calls": calls} if calls else {}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if ids else "stop"}
    return {
        "id": f"chat_{number}",
        "object": "chat.completion",
        "created": 0,
        "model": "fake",
        "choices": [choice],
    }


def responses(number: int, ids: list[str]) -> Message:
    """Answer as the Responses API does, thinking before it calls."""
    thought = {"type": "reasoning", "id": f"rs_{number}", "summary": []}
    text = {"type": "output_text", "text": said(number, ids), "annotations": []}
    message = {"type": "message", "id": f"msg_{number}", "role": "assistant", "content": [text]}
    calls = [
        {
            "type": "function_call",
            "id": f"fc_{call}",
            "call_id": call,
            "name": "look",
            "arguments": arguments(call),
            "status": "completed",
        }
        for call in ids
    ]
    return {
        "id": f"resp_{number}",
        "object": "response",
        "created_at": 0,
        "model": "fake",
        "output": [thought, *calls] if ids else [message | {"status": "completed"}],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }


def anthropic(number: int, ids: list[str]) -> Message:
    """Answer as Anthropic does, thinking before it calls."""
    thought = {"type": "thinking", "thinking": f"What is in {number}?", "signature": SIGNATURE}
    blocks: list[object] = [thought] if ids else []
    blocks.append({"type": "text", "text": said(number, ids)})
    blocks += [
        {"type": "tool_use", "id": call, "name": "look", "input": json.loads(arguments(call))}
        for call in ids
    ]
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": "fake",
        "content": blocks,
        "stop_reason": "tool_use" if ids else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def arguments(call: str) -> str:
    return json.dumps({"place": f"the drawer {call}"})


def look(place: str) -> str:
    """Say what is there, at length."""
    return f"In {place}: {LONG}"
