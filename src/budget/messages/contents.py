"""A content that is a text or a list of blocks: how it is read, and how its text is replaced."""

from __future__ import annotations

from collections.abc import Callable, Collection

from .drafts import Draft
from .fields import entries, field, replaced, type_of
from .reading import Result

ReadBlock = Callable[[Draft, str, object], None]


def read_content(draft: Draft, content: object, read_block: ReadBlock) -> None:
    """Take a content's text, or each of its blocks."""
    if isinstance(content, str):
        draft.texts.append(content)
    elif content is not None and not isinstance(content, list | tuple):
        raise draft.refuse_type("content", "a str or a list", content)
    for block in entries(content):
        read_block(draft, draft.block_kind(block), block)


def read_result(
    draft: Draft, content: object, text_kinds: Collection[str], read_block: ReadBlock
) -> None:
    """Take a tool's answer: its text may be cut, blocks of other kinds stay."""
    if isinstance(content, str):
        draft.results.append(Result(content, (content,)))
        return
    outer, draft.texts = draft.texts, []
    others = [block for block in entries(content) if type_of(block) not in text_kinds]
    texts = [block for block in entries(content) if type_of(block) in text_kinds]
    read_content(draft, texts if isinstance(content, list | tuple) else content, read_block)
    parts, draft.texts = tuple(draft.texts), outer
    read_content(draft, others, read_block)
    draft.results.append(Result("\n".join(parts), parts))


def content_with(content: object, text: str, text_kinds: Collection[str]) -> object:
    """Return a content whose text is this one; a list keeps its shape and its other blocks.

    Several texts become one, in the place of the first; a blank one is left out: providers
    refuse blank blocks.
    """
    if not isinstance(content, list | tuple):
        return text
    blocks: list[object] = []
    left = text if text.strip() else None
    for block in content:
        if type_of(block) not in text_kinds:
            blocks.append(block)
        elif left is not None:
            blocks.append(replaced(block, "text", left))
            left = None
    return blocks


def joined_text(content: object, text_kinds: Collection[str]) -> str:
    """Return the text of a content as `read_result` gives it."""
    if isinstance(content, str):
        return content
    texts = [field(block, "text") for block in entries(content) if type_of(block) in text_kinds]
    return "\n".join(text for text in texts if isinstance(text, str))
