"""What messages cost, added up on plain dicts and independently of the package."""

from __future__ import annotations

import json
from collections.abc import Sequence

from budget import TokenCounter
from budget.messages import Overhead
from tests.messages.plans import Message

OVERHEAD = Overhead(4, 3)
_TEXTS = ("text", "thinking", "name")
_SEALED = ("signature", "thoughtSignature", "encrypted_content")
_IMAGES = {"image_url": 85, "input_image": 85, "image": 1_600}


def total(messages: Sequence[Message], counter: TokenCounter, overhead: Overhead = OVERHEAD) -> int:
    """Return what a request with these messages costs."""
    each = sum(overhead.per_message + cost(message, counter) for message in messages)
    return each + overhead.per_request if messages else 0


def cost(value: object, counter: TokenCounter) -> int:
    """Return what everything in a message costs, at any depth."""
    if isinstance(value, list):
        return sum(cost(entry, counter) for entry in value)
    if not isinstance(value, dict):
        return 0
    if value.get("type") in _IMAGES:
        return _IMAGES[value["type"]]
    if "inlineData" in value:
        return 1_120
    return sum(_field(name, held, counter) for name, held in value.items())


def _field(name: str, held: object, counter: TokenCounter) -> int:
    if name in {"input", "args", "arguments", "response"}:
        return counter.count(as_text(held))
    if name in _SEALED or name == "data":
        return -(-len(str(held)) // 4)
    if isinstance(held, str):
        return counter.count(held) if name in {*_TEXTS, "content", "output"} else 0
    return cost(held, counter)


def as_text(value: object) -> str:
    """Return a value as it is counted."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def result_costs(value: object, counter: TokenCounter) -> list[int]:
    """Return what the texts of each tool result cost."""
    if isinstance(value, list):
        return [found for entry in value for found in result_costs(entry, counter)]
    if not isinstance(value, dict):
        return []
    if value.get("role") == "tool" or value.get("type") == "tool_result":
        return [_texts(value.get("content"), counter)]
    if "output" in value and "call_id" in value:
        return [_texts(value["output"], counter)]
    if "functionResponse" in value:
        return [counter.count(as_text(value["functionResponse"]["response"]))]
    return [found for held in value.values() for found in result_costs(held, counter)]


def _texts(content: object, counter: TokenCounter) -> int:
    if isinstance(content, str):
        return counter.count(content)
    parts = content if isinstance(content, list) else []
    return sum(counter.count(part["text"]) for part in parts if "text" in part)
