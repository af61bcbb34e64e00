"""OpenAI chat completions: `role`, `content`, `tool_calls`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from .contents import content_with, read_content, read_result
from .drafts import Draft, draft_of
from .fields import field, replaced, type_of
from .reading import CallKey, Message, Reading, Side

_SIDES: Final[Mapping[str, Side]] = MappingProxyType(
    {
        "system": "system",
        "developer": "system",
        "user": "user",
        "assistant": "model",
        "tool": "result",
        "function": "result",
    }
)
_TEXT_KINDS: Final = ("text",)
# Tiles cost 170 tokens each beside 85; the largest image has eight of them.
_LOW_DETAIL: Final = 85
_IMAGE: Final = 85 + 8 * 170


class ChatFormat:
    """Messages of `chat.completions.create`."""

    per_message: Final = 4
    per_request: Final = 3
    drops_groups: Final = False

    def read(self, message: object, index: int) -> Reading:
        """Return what one message holds."""
        role = field(message, "role")
        draft = draft_of(message, index, role if isinstance(role, str) else "")
        side = _SIDES.get(draft.kind)
        if side is None:
            raise draft.refuse(f"nobody knows this role; expected one of {', '.join(_SIDES)}")
        draft.text("name", field(message, "name"))
        if side == "result":
            _read_answer(draft, message)
        else:
            read_content(draft, field(message, "content"), _read_part)
        if side == "model":
            _read_model(draft, message)
        return draft.reading(side)

    def rewrite(self, message: Message, results: tuple[str, ...]) -> Message:
        """Return a copy of a tool message with another text."""
        content = field(message, "content")
        return replaced(message, "content", content_with(content, results[0], _TEXT_KINDS))


def image_tokens(detail: object) -> int:
    """Return the default price of an image: its size isn't known, so that of the largest."""
    return _LOW_DETAIL if detail == "low" else _IMAGE


def _read_part(draft: Draft, kind: str, part: object) -> None:
    match kind:
        case "text":
            draft.text("text", field(part, "text"))
        case "refusal":
            draft.text("refusal", field(part, "refusal"))
        case "image_url":
            draft.block(kind, part, image_tokens(field(field(part, "image_url"), "detail")))
        case _:
            draft.block(kind, part)


def _read_answer(draft: Draft, message: object) -> None:
    if draft.kind == "tool":
        draft.answers.append(CallKey(draft.name("tool_call_id", field(message, "tool_call_id"))))
    else:
        draft.answers.append(CallKey(None, draft.name("name", field(message, "name"))))
    read_result(draft, field(message, "content"), _TEXT_KINDS, _read_part)


def _read_model(draft: Draft, message: object) -> None:
    draft.text("refusal", field(message, "refusal"))
    draft.text("reasoning_content", field(message, "reasoning_content"))
    audio = field(message, "audio")
    if audio is not None:
        draft.block("audio", audio)
    for call in draft.listed("tool_calls", field(message, "tool_calls")):
        _read_call(draft, call)
    function = field(message, "function_call")
    if function is not None:
        draft.calls.append(CallKey(None, _read_function(draft, function, "arguments")))


def _read_call(draft: Draft, call: object) -> None:
    match type_of(call) or "function":
        case "function":
            _read_function(draft, field(call, "function"), "arguments")
        case "custom":
            _read_function(draft, field(call, "custom"), "input")
        case kind:
            raise draft.refuse("nobody knows this type of tool call", kind)
    draft.calls.append(CallKey(draft.name("tool call's id", field(call, "id"))))


def _read_function(draft: Draft, function: object, arguments: str) -> str:
    name = draft.name("tool call's name", field(function, "name"))
    draft.texts.append(name)
    draft.json("tool call's arguments", field(function, arguments))
    return name
