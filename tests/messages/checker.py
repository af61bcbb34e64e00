"""What providers demand, checked on plain dicts and independently of the package."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tests.messages.plans import Message


def listed(value: object) -> list[Message]:
    """Return the entries of a list; none for anything else."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def chat_is_valid(messages: Sequence[Message]) -> bool:
    """Answers stand directly after the message that calls, one for each call."""
    waiting: list[object] = []
    for message in messages:
        if message["role"] == "tool":
            if message["tool_call_id"] not in waiting:
                return False
            waiting.remove(message["tool_call_id"])
            continue
        if waiting:
            return False
        waiting = [call["id"] for call in listed(message.get("tool_calls"))]
    return bool(messages) and not waiting


def responses_are_valid(items: Sequence[Message]) -> bool:
    """Every output has an earlier call of its type, every call an output, thoughts a follower."""
    waiting: list[tuple[str, object]] = []
    for place, item in enumerate(items):
        kind = str(item.get("type", "message"))
        if kind.endswith("_output"):
            pair = (kind.removesuffix("_output"), item["call_id"])
            if pair not in waiting:
                return False
            waiting.remove(pair)
        elif "call_id" in item:
            waiting.append((kind, item["call_id"]))
        elif kind == "reasoning":
            after = items[place + 1] if place + 1 < len(items) else {}
            if after.get("role") != "assistant" and not str(after.get("type")).endswith("_call"):
                return False
    return bool(items) and not waiting


def anthropic_is_valid(messages: Sequence[Message]) -> bool:
    """Turns alternate from user to user, and results open the turn after their calls."""
    turns = merged(messages)
    if not turns or turns[0][0] != "user" or turns[-1][0] != "user":
        return False
    waiting: list[str] = []
    for role, blocks in turns:
        if not opens_with(blocks, waiting):
            return False
        waiting = [str(block["id"]) for block in blocks if block["type"] == "tool_use"]
        if waiting and role == "user":
            return False
    return all(
        block["type"] != "text" or str(block["text"]).strip()
        for _, blocks in turns
        for block in blocks
    )


def merged(messages: Sequence[Message]) -> list[tuple[object, list[Message]]]:
    """Return the blocks of each turn; neighbours of one role are one turn."""
    turns: list[tuple[object, list[Message]]] = []
    for message in messages:
        if message["role"] == "system":
            continue
        if not turns or turns[-1][0] != message["role"]:
            turns.append((message["role"], []))
        content = message["content"]
        turns[-1][1].extend(listed(content) or [{"type": "text", "text": content}])
    return turns


def opens_with(blocks: Sequence[Message], waiting: Sequence[str]) -> bool:
    """Return whether the first blocks, and only these, are the results that are waited for."""
    answered = [str(b["tool_use_id"]) for b in blocks if b["type"] == "tool_result"]
    first = [block["type"] for block in blocks[: len(answered)]]
    return sorted(answered) == sorted(waiting) and set(first) <= {"tool_result"}


def gemini_is_valid(contents: Sequence[Message]) -> bool:
    """Calls follow a user, and are answered, all of them, in the next content."""
    waiting: list[object] = []
    before = "model"
    for content in contents:
        parts = listed(content["parts"])
        calls = [name(part["functionCall"]) for part in parts if "functionCall" in part]
        answered = [name(part["functionResponse"]) for part in parts if "functionResponse" in part]
        if sorted(map(str, answered)) != sorted(map(str, waiting)):
            return False
        if calls and before != "user":
            return False
        waiting, before = calls, str(content["role"])
    return bool(contents) and not waiting and contents[0]["role"] == before == "user"


def name(part: object) -> object:
    """Return the name in a function call or a function response."""
    return part.get("name") if isinstance(part, dict) else None


IS_VALID: Final[Mapping[str, Callable[[Sequence[Message]], bool]]] = {
    "openai": chat_is_valid,
    "openai-responses": responses_are_valid,
    "anthropic": anthropic_is_valid,
    "gemini": gemini_is_valid,
}
