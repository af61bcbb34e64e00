"""What each type of Responses item holds, as tables where they are tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from .contents import read_content, read_result
from .drafts import Draft
from .fields import entries, field, replaced
from .openai import image_tokens
from .reading import CallKey, Result

TEXT_KINDS: Final = ("input_text", "output_text", "text", "summary_text", "reasoning_text")

_Spellings = tuple[str, ...]
# Calls, and what of them is counted beside a name.
CALLS: Final[Mapping[str, _Spellings]] = MappingProxyType(
    {
        "function_call": ("arguments",),
        "custom_tool_call": ("input",),
        "computer_call": ("action", "actions"),
        "local_shell_call": ("action",),
        "shell_call": ("action",),
        "apply_patch_call": ("operation",),
        "tool_search_call": ("arguments",),
        "program": ("code",),
        "mcp_approval_request": ("arguments",),
    }
)
_NAMED: Final = ("function_call", "custom_tool_call", "mcp_approval_request")
# Answers, and the type of call that each answers.
ANSWERED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "function_call_output": "function_call",
        "custom_tool_call_output": "custom_tool_call",
        "computer_call_output": "computer_call",
        "local_shell_call_output": "local_shell_call",
        "shell_call_output": "shell_call",
        "apply_patch_call_output": "apply_patch_call",
        "tool_search_output": "tool_search_call",
        "program_output": "program",
        "mcp_approval_response": "mcp_approval_request",
    }
)
# Under which field an id stands, where it isn't `call_id`.
_IDS: Final[Mapping[str, _Spellings]] = MappingProxyType(
    {
        "mcp_approval_request": ("id",),
        "mcp_approval_response": ("approval_request_id",),
        "local_shell_call_output": ("call_id", "id"),
    }
)
# Items that ask for nothing, and the fields that are counted, each as JSON.
_COUNTED: Final[Mapping[str, _Spellings]] = MappingProxyType(
    {
        "web_search_call": ("action",),
        "file_search_call": ("queries", "results"),
        "mcp_call": ("name", "arguments", "output", "error"),
        "mcp_list_tools": ("tools", "error"),
        "additional_tools": ("tools",),
        "configuration_update": (),
        "compaction_trigger": (),
        "compaction": (),
    }
)
SETTINGS: Final = ("additional_tools", "configuration_update", "compaction_trigger")
# The provider may do these itself; then there is no id.
_MAYBE_HOSTED: Final = ("tool_search_call", "tool_search_output")


def read_item(draft: Draft, item: object) -> None:
    """Take an item that is no message; one of an unknown type is a block without a price."""
    if draft.kind in CALLS:
        _read_call(draft, item)
    elif draft.kind in ANSWERED:
        _read_answer(draft, item)
    elif draft.kind in _READERS:
        _READERS[draft.kind](draft, item)
    elif draft.kind in _COUNTED:
        _read_fields(draft, item, _COUNTED[draft.kind])
    else:
        draft.block(draft.kind, item)
    draft.opaque("encrypted_content", field(item, "encrypted_content"))
    draft.opaque("fingerprint", field(item, "fingerprint"))


def read_part(draft: Draft, kind: str, part: object) -> None:
    """Take a part of a content."""
    if kind in TEXT_KINDS:
        draft.text("text", field(part, "text"))
    elif kind == "refusal":
        draft.text("refusal", field(part, "refusal"))
    elif kind == "input_image":
        draft.block(kind, part, image_tokens(field(part, "detail")))
    else:
        draft.block(kind, part)


def shell_with(output: object, text: str) -> list[object]:
    """Return a shell's chunks with all their text in the first one's stdout."""
    chunks: list[object] = []
    for chunk in entries(output):
        stdout = replaced(chunk, "stdout", "" if chunks else text)
        chunks.append(replaced(stdout, "stderr", ""))
    return chunks


def _read_fields(draft: Draft, item: object, names: _Spellings) -> None:
    for name in names:
        value = field(item, name)
        if value is not None:
            draft.json(name, value)


def _id_of(draft: Draft, item: object) -> str | None:
    spellings = _IDS.get(draft.kind, ("call_id",))
    found = field(item, *spellings)
    if found is None and draft.kind in _MAYBE_HOSTED:
        return None
    return draft.name(spellings[0], found)


def _read_call(draft: Draft, item: object) -> None:
    call_id = _id_of(draft, item)
    if call_id is not None:
        # A program is answered only after the calls that it makes.
        optional = draft.kind == "program"
        draft.calls.append(CallKey(call_id, kind=draft.kind, optional=optional))
    if draft.kind in _NAMED:
        draft.texts.append(draft.name("name", field(item, "name")))
    draft.json(CALLS[draft.kind][0], field(item, *CALLS[draft.kind]))


def _read_answer(draft: Draft, item: object) -> None:
    call_id = _id_of(draft, item)
    if call_id is not None:
        draft.answers.append(CallKey(call_id, kind=ANSWERED[draft.kind]))
    draft.text("name", field(item, "name"))
    output = field(item, "output")
    match draft.kind:
        case "shell_call_output":
            _read_shell(draft, output)
        case "computer_call_output":
            draft.block("computer_screenshot", output, image_tokens(None))
        case "tool_search_output" | "program_output" | "mcp_approval_response":
            _read_fields(draft, item, ("tools", "result", "reason"))
        case _:
            read_result(draft, output, TEXT_KINDS, read_part)


def _read_shell(draft: Draft, output: object) -> None:
    chunks = Draft(draft.index, draft.kind)
    for chunk in draft.listed("output", output):
        chunks.text("stdout", field(chunk, "stdout"))
        chunks.text("stderr", field(chunk, "stderr"))
    draft.results.append(Result("\n".join(chunks.texts), tuple(chunks.texts)))


def _read_reasoning(draft: Draft, item: object) -> None:
    read_content(draft, draft.listed("summary", field(item, "summary")), read_part)
    read_content(draft, draft.listed("content", field(item, "content")), read_part)


def _read_code(draft: Draft, item: object) -> None:
    draft.text("code", field(item, "code"))
    for output in draft.listed("outputs", field(item, "outputs")):
        kind = draft.block_kind(output)
        if kind == "logs":
            draft.text("logs", field(output, "logs"))
        else:
            draft.block(kind, output, image_tokens(None) if kind == "image" else None)


def _read_image(draft: Draft, item: object) -> None:
    draft.text("revised_prompt", field(item, "revised_prompt"))
    draft.block(draft.kind, item, image_tokens(None))


_READERS: Final[Mapping[str, Callable[[Draft, object], None]]] = MappingProxyType(
    {
        "reasoning": _read_reasoning,
        "code_interpreter_call": _read_code,
        "image_generation_call": _read_image,
    }
)
