"""OpenAI Responses: items of `input`, each with a `type`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from ._items import SETTINGS, TEXT_KINDS, read_item, read_part, shell_with
from .contents import content_with, read_content
from .drafts import Draft, draft_of
from .fields import field, replaced, type_of
from .reading import Message, Reading, Side

_ROLES: Final[Mapping[str, Side]] = MappingProxyType(
    {"system": "system", "developer": "system", "user": "user", "assistant": "model"}
)


class ResponsesFormat:
    """Items of `responses.create(input=...)`."""

    per_message: Final = 4
    per_request: Final = 3
    drops_groups: Final = True

    def read(self, message: object, index: int) -> Reading:
        """Return what one item holds."""
        draft = draft_of(message, index, item_kind(message))
        if draft.kind == "message":
            return _read_message(draft, message)
        read_item(draft, message)
        if draft.kind in SETTINGS:
            return draft.reading("system")
        # What the server answers itself has no id: it stands among the model's own items.
        return draft.reading("result" if draft.answers else "model")

    def rewrite(self, message: Message, results: tuple[str, ...]) -> Message:
        """Return a copy of an output with another text."""
        output, text = field(message, "output"), results[0]
        if item_kind(message) == "shell_call_output":
            return replaced(message, "output", shell_with(output, text))
        return replaced(message, "output", content_with(output, text, TEXT_KINDS))


def item_kind(item: object) -> str:
    """Return an item's type; one with a role and no type is a message, a bare id a reference."""
    kind = type_of(item)
    if kind:
        return kind
    if field(item, "role") is not None:
        return "message"
    return "item_reference" if isinstance(field(item, "id"), str) else ""


def _read_message(draft: Draft, item: object) -> Reading:
    draft.kind = draft.name("role", field(item, "role"))
    side = _ROLES.get(draft.kind)
    if side is None:
        raise draft.refuse(f"nobody knows this role; expected one of {', '.join(_ROLES)}")
    read_content(draft, field(item, "content"), read_part)
    return draft.reading(side)
