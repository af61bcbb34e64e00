"""Gemini contents: `role`, and `parts` of which each holds one thing."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from .drafts import Draft, draft_of
from .fields import entries, field, replaced, spelling
from .reading import CallKey, Message, Reading, Result, Side, compact

_ROLES: Final[Mapping[str, Side]] = MappingProxyType(
    {"user": "user", "model": "model", "function": "result"}
)
_IMAGE: Final = 1_120  # at the default resolution of the newer models
_CALL: Final = ("functionCall", "function_call")
_RESPONSE: Final = ("functionResponse", "function_response")
_SIGNATURE: Final = ("thoughtSignature", "thought_signature")
_MEDIA: Final = (("inlineData", "inline_data"), ("fileData", "file_data"))
# What the provider runs itself, and what of it is counted.
_SERVER_SIDE: Final = (
    (("executableCode", "executable_code"), "code"),
    (("codeExecutionResult", "code_execution_result"), "output"),
    (("toolCall", "tool_call"), "args"),
    (("toolResponse", "tool_response"), "response"),
)
_KNOWN: Final = frozenset(
    {"text", "thought", *_CALL, *_RESPONSE, *_SIGNATURE}
    | {name for spellings in _MEDIA for name in spellings}
    | {name for spellings, _ in _SERVER_SIDE for name in spellings}
)
# They say how another field is to be taken, and cost nothing.
_NOTES: Final = ("metadata", "mediaresolution", "media_resolution", "media_processing")
_WHOLE: Final = "output"  # the key of a cut response that held more than one text


class GeminiFormat:
    """Contents of `models.generate_content`."""

    per_message: Final = 4
    per_request: Final = 3
    drops_groups: Final = False

    def read(self, message: object, index: int) -> Reading:
        """Return what one content holds."""
        role = field(message, "role")
        draft = draft_of(message, index, role if isinstance(role, str) else "")
        side = _ROLES.get(draft.kind)
        if side is None:
            raise draft.refuse(f"nobody knows this role; expected one of {', '.join(_ROLES)}")
        for part in draft.listed("parts", field(message, "parts")):
            _read_part(draft, part)
        return draft.reading("result" if draft.answers and side == "user" else side)

    def rewrite(self, message: Message, results: tuple[str, ...]) -> Message:
        """Return a copy with other texts in its function responses."""
        texts = iter(results)
        parts = [
            part if field(part, *_RESPONSE) is None else _with_text(part, next(texts))
            for part in entries(field(message, "parts"))
        ]
        return replaced(message, "parts", parts)


def _with_text(part: object, text: str) -> object:
    response = field(part, *_RESPONSE)
    value = field(response, "response")
    result = _result(value, compact(value))
    if text == result.text:
        return part
    cut = replaced(response, "response", {result.key: text})
    return replaced(part, spelling(part, *_RESPONSE), cut)


def _result(response: object, whole: str) -> Result:
    """Return a response as a result: what is cut is its one text, or the JSON of the whole."""
    if isinstance(response, Mapping) and len(response) == 1:
        ((key, text),) = response.items()
        if isinstance(key, str) and isinstance(text, str):
            return Result(text, (whole,), key)
    return Result(whole, (whole,), _WHOLE)


def _read_part(draft: Draft, part: object) -> None:
    _check_part(draft, part)
    draft.text("text", field(part, "text"))
    draft.opaque(_SIGNATURE[0], field(part, *_SIGNATURE))
    call, response = field(part, *_CALL), field(part, *_RESPONSE)
    if call is not None:
        draft.calls.append(_key(draft, call))
        draft.json("function call's args", field(call, "args"))
    if response is not None:
        _read_response(draft, response)
    _read_media(draft, part)
    for spellings, counted in _SERVER_SIDE:
        held = field(field(part, *spellings), counted)
        if held is not None:
            draft.json(counted, held)


def _check_part(draft: Draft, part: object) -> None:
    """Refuse what is no part; a field that nobody knows is a block without a price."""
    held: object = part if isinstance(part, Mapping) else getattr(part, "__dict__", None)
    if not isinstance(held, Mapping):
        problem = "a part must be a mapping or an object with a part's fields"
        raise draft.refuse(problem, type(part).__name__)
    names = [name for name, value in held.items() if value is not None]
    if not names:
        raise draft.refuse("a part of it holds nothing")
    for name in names:
        if name not in _KNOWN and not str(name).lower().endswith(_NOTES):
            draft.block(str(name), part)


def _key(draft: Draft, pair: object) -> CallKey:
    call_id, name = field(pair, "id"), draft.name("function's name", field(pair, "name"))
    draft.texts.append(name)
    return CallKey(None if call_id is None else draft.name("id", call_id), name)


def _read_response(draft: Draft, response: object) -> None:
    draft.answers.append(_key(draft, response))
    value = field(response, "response")
    draft.results.append(_result(value, draft.as_json("function response", value)))
    for part in draft.listed("function response's parts", field(response, "parts")):
        _read_media(draft, part)


def _read_media(draft: Draft, part: object) -> None:
    for spellings in _MEDIA:
        media = field(part, *spellings)
        mime = field(media, "mimeType", "mime_type")
        if media is not None:
            is_image = isinstance(mime, str) and mime.startswith("image/")
            draft.block(spellings[0], media, _IMAGE if is_image else None)
