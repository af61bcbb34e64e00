"""Anthropic messages: `role`, and `content` as a text or a list of blocks."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from .contents import content_with, joined_text, read_content, read_result
from .drafts import Draft, draft_of
from .fields import entries, field, replaced, type_of
from .reading import CallKey, Message, Reading, Side

_ROLES: Final[Mapping[str, Side]] = MappingProxyType(
    {"system": "system", "user": "user", "assistant": "model"}
)
TEXT_KINDS: Final = ("text",)
_SERVER: Final = "server_tool_use"
_REMOTE: Final = "mcp_tool_use"
SERVER_KINDS: Final = (_SERVER, _REMOTE)
_CLIENT: Final = "tool_use"
# About width * height / 750, capped: without its size, that of the largest.
_IMAGE: Final = 1_600
_CALLS: Final = (_CLIENT, *SERVER_KINDS)
_MEDIA: Final = ("image", "document")
# Texts of plain blocks, and what of them only the provider can read.
_TEXTS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "text": ("text",),
        "thinking": ("thinking",),
        "redacted_thinking": (),
        "compaction": ("content",),
        "search_result": ("title", "source"),
        "tool_reference": ("tool_name",),
    }
)
_SEALED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "thinking": ("signature",),
        "redacted_thinking": ("data",),
        "compaction": ("encrypted_content",),
    }
)
_OPAQUE: Final = ("encrypted_content", "encrypted_stdout", "encrypted_index", "signature")
_FREE: Final = ("type", *_OPAQUE)


class AnthropicFormat:
    """Messages of `messages.create`."""

    per_message: Final = 4
    per_request: Final = 3
    drops_groups: Final = True

    def read(self, message: object, index: int) -> Reading:
        """Return what one message holds."""
        role = field(message, "role")
        draft = draft_of(message, index, role if isinstance(role, str) else "")
        side = _ROLES.get(draft.kind)
        if side is None:
            raise draft.refuse(f"nobody knows this role; expected one of {', '.join(_ROLES)}")
        content = field(message, "content")
        read_content(draft, content, _read_block)
        if side == "user" and any(type_of(block) == "tool_result" for block in entries(content)):
            side = "result"
        return draft.reading(side)

    def rewrite(self, message: Message, results: tuple[str, ...]) -> Message:
        """Return a copy with other texts in its tool results; all other blocks are the same."""
        texts = iter(results)
        blocks = [
            _with_text(block, next(texts)) if type_of(block) == "tool_result" else block
            for block in entries(field(message, "content"))
        ]
        return replaced(message, "content", blocks)


def is_server_result(kind: str) -> bool:
    """Return whether a block's type is that of an answer which the provider gave itself."""
    return kind.endswith("_tool_result")


def _with_text(block: object, text: str) -> object:
    content = field(block, "content")
    if text == joined_text(content, TEXT_KINDS):
        return block
    return replaced(block, "content", content_with(content, text, TEXT_KINDS))


def _read_block(draft: Draft, kind: str, block: object) -> None:
    if kind in _CALLS:
        _read_call(draft, kind, block)
    elif kind == "tool_result":
        draft.answers.append(_answered(draft, block, _CLIENT))
        read_result(draft, field(block, "content"), TEXT_KINDS, _read_block)
    elif is_server_result(kind):
        answered = _REMOTE if kind == "mcp_tool_result" else _SERVER
        draft.answers.append(_answered(draft, block, answered))
        _read_tree(draft, field(block, "content"))
    else:
        _read_plain(draft, kind, block)


def _read_plain(draft: Draft, kind: str, block: object) -> None:
    if kind in _TEXTS:
        for name in _TEXTS[kind]:
            draft.text(name, field(block, name))
        for name in _SEALED.get(kind, ()):
            draft.opaque(name, field(block, name))
        if kind == "search_result":
            read_content(draft, field(block, "content"), _read_block)
    elif kind == "document":
        _read_document(draft, block)
    else:
        draft.block(kind, block, _IMAGE if kind == "image" else None)


def _read_call(draft: Draft, kind: str, block: object) -> None:
    call_id = draft.name("tool call's id", field(block, "id"))
    # What the provider runs itself is answered in its own time.
    draft.calls.append(CallKey(call_id, kind=kind, optional=kind != _CLIENT))
    draft.texts.append(draft.name("tool call's name", field(block, "name")))
    draft.json("tool call's input", field(block, "input"))


def _answered(draft: Draft, block: object, kind: str) -> CallKey:
    return CallKey(draft.name("tool_use_id", field(block, "tool_use_id")), kind=kind)


def _read_document(draft: Draft, block: object) -> None:
    for name in ("title", "context"):
        draft.text(name, field(block, name))
    source = field(block, "source")
    match type_of(source):
        case "text":
            draft.text("source's data", field(source, "data"))
        case "content":
            read_content(draft, field(source, "content"), _read_block)
        case _:
            draft.block("document", block)


def _read_tree(draft: Draft, value: object) -> None:
    """Take a server's answer: media and opaque fields at any depth, the rest as JSON."""
    try:
        rest = _pruned(draft, value)
    except RecursionError:
        raise draft.refuse("its content is nested too deeply") from None
    if rest is not None:
        draft.json("content", rest)


def _pruned(draft: Draft, value: object) -> object:
    if isinstance(value, list | tuple):
        return [_pruned(draft, entry) for entry in value]
    if type_of(value) in _MEDIA:
        _read_plain(draft, type_of(value), value)
        return None
    held: object = value if isinstance(value, Mapping) else getattr(value, "__dict__", None)
    if not isinstance(held, Mapping):
        return value
    for name in _OPAQUE:
        draft.opaque(name, held.get(name))
    return {
        name: _pruned(draft, entry)
        for name, entry in held.items()
        if name not in _FREE and entry is not None
    }
