"""What a model received, held against the rules and the limit, independently of the package."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from budget import EstimatingCounter
from budget.hms import HmsConfig, HmsGuard
from budget.messages import validate_messages
from tests.messages.checker import IS_VALID, listed
from tests.messages.plans import Message
from tests.messages.pricing import total

COUNTER: Final = EstimatingCounter()
LIMIT: Final = 2_000
ANSWER: Final = 200
SYSTEM: Final = "You find things in drawers. Look again before you say that nothing is there."

_LISTS: Final[Mapping[str, str]] = {
    "openai": "messages",
    "openai-responses": "input",
    "anthropic": "messages",
}
_BESIDE: Final = ("system", "instructions")


def strict(budget: int = 50) -> HmsGuard:
    """Return a guard that lets the system text pass, unless its budget is smaller."""
    config = HmsConfig(hms_budget_mode="strict", hms_system_prompt_token_budget=budget)
    return HmsGuard(config, COUNTER)


def received(body: Message, provider: str) -> list[Message]:
    """Return the messages of a request."""
    return listed(body[_LISTS[provider]])


def is_valid(body: Message, provider: str) -> bool:
    """Return whether the provider would take it, by two checkers that share nothing."""
    messages = received(body, provider)
    return IS_VALID[provider](messages) and not validate_messages(messages, provider)


def size(body: Message, provider: str) -> int:
    """Return what a request costs: messages, what stands beside them, tools and the answer."""
    beside = sum(_text_size(body.get(name)) for name in _BESIDE)
    # A cache marker is no text.
    schemas = [_unmarked(tool) for tool in listed(body.get("tools"))]
    tools = COUNTER.count(json.dumps(schemas)) if schemas else 0
    return total(received(body, provider), COUNTER) + beside + tools + ANSWER


def _unmarked(block: Message) -> Message:
    return {name: value for name, value in block.items() if name != "cache_control"}


def holds(body: Message, call: str) -> bool:
    """Return whether a call's id is anywhere in a request."""
    return f'"{call}"' in json.dumps(body)


def _text_size(value: object) -> int:
    if isinstance(value, str):
        return COUNTER.count(value)
    return sum(COUNTER.count(str(block["text"])) for block in listed(value))
