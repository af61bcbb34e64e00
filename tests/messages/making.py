"""Small messages for examples, and the counters they are read with."""

from __future__ import annotations

from typing import Final

from budget.messages import Overhead
from tests.counters import Words
from tests.messages.plans import Message

W: Final = Words()
FREE: Final = Overhead(0, 0)


def system(text: str) -> Message:
    """Return an OpenAI system message."""
    return {"role": "system", "content": text}


def user(text: str) -> Message:
    """Return a user message, of OpenAI or Anthropic."""
    return {"role": "user", "content": text}


def says(text: str) -> Message:
    """Return an assistant message, of OpenAI or Anthropic."""
    return {"role": "assistant", "content": text}


def calls(*ids: str, content: object = None, arguments: object = "{}") -> Message:
    """Return an OpenAI assistant message that calls `add`."""
    return {
        "role": "assistant",
        "content": content,
        "tool_calls": [
            {"id": call, "type": "function", "function": {"name": "add", "arguments": arguments}}
            for call in ids
        ],
    }


def tool(call: str, content: object) -> Message:
    """Return an OpenAI tool message."""
    return {"role": "tool", "tool_call_id": call, "content": content}


def uses(*ids: str, text: str = "look") -> Message:
    """Return an Anthropic assistant message that uses tools."""
    blocks: list[object] = [{"type": "text", "text": text}]
    blocks += [{"type": "tool_use", "id": call, "name": "add", "input": {}} for call in ids]
    return {"role": "assistant", "content": blocks}


def results(*pairs: tuple[str, object], text: str | None = None) -> Message:
    """Return an Anthropic user message with tool results, and a text after them."""
    blocks: list[object] = [
        {"type": "tool_result", "tool_use_id": call, "content": content} for call, content in pairs
    ]
    blocks += [] if text is None else [{"type": "text", "text": text}]
    return {"role": "user", "content": blocks}


def contents(role: str, *parts: object) -> Message:
    """Return a Gemini content."""
    return {"role": role, "parts": list(parts)}


def function_call(name: str, call: str | None = None, args: object = None) -> Message:
    """Return a Gemini part that calls."""
    return {"functionCall": {"name": name, "args": args} | ({} if call is None else {"id": call})}


def function_response(name: str, response: object, call: str | None = None) -> Message:
    """Return a Gemini part that answers."""
    return {
        "functionResponse": {"name": name, "response": response}
        | ({} if call is None else {"id": call})
    }
