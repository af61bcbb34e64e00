"""How peers are asked to fit a history with tool calls, in the messages of chat completions.

Each is handed its own messages, made from ours before, and says by place which it kept. It counts
by the function that it is given, wherever it takes one.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Final, Protocol

from budget import CallableCounter
from budget.messages import fit_messages
from tests.bench.meter import MODEL, count, encode
from tests.messages.checker import listed
from tests.messages.plans import Message
from tests.messages.pricing import total

COUNTER: Final = CallableCounter(count, "cl100k_base")
Fit = Callable[[Sequence[Message], int], Sequence[Message]]


class HasId(Protocol):
    """A message of langchain's."""

    id: str


class HasMeta(Protocol):
    """A message of haystack's."""

    meta: dict[str, int]


def offline() -> None:
    """Ask no network for anything: the vocabulary is in llama-index-core's wheel."""
    spec = find_spec("llama_index.core")
    assert spec is not None
    assert spec.origin is not None
    os.environ["TIKTOKEN_CACHE_DIR"] = str(Path(spec.origin).parent / "_static" / "tiktoken_cache")
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"


def by_call(messages: Sequence[Message], limit: int) -> Sequence[Message]:
    """Fit by calls."""
    return fit_messages(messages, limit, COUNTER).messages


def by_turn(messages: Sequence[Message], limit: int) -> Sequence[Message]:
    """Fit by turns."""
    return fit_messages(messages, limit, COUNTER, unit="turn").messages


def langchain(**options: str) -> Fit:
    """Keep the last messages that fit, by `trim_messages`."""
    core = import_module("langchain_core.messages")

    def fit(messages: Sequence[Message], limit: int) -> Sequence[Message]:
        native = core.convert_to_messages(messages)
        for place, message in enumerate(native):
            message.id = str(place)

        def size(some: Iterable[HasId]) -> int:
            return total([messages[int(message.id)] for message in some], COUNTER)

        kept = core.trim_messages(
            native, max_tokens=limit, token_counter=size, include_system=True, **options
        )
        return [messages[int(message.id)] for message in kept]

    return fit


def litellm() -> Fit:
    """Keep the last messages that fit, and shorten others."""
    trim = import_module("litellm.utils").trim_messages

    def fit(messages: Sequence[Message], limit: int) -> Sequence[Message]:
        kept: list[Message] = trim([dict(message) for message in messages], MODEL, max_tokens=limit)
        return kept

    return fit


def llama_index() -> Fit:
    """Get what a memory buffer lets through."""
    buffer = import_module("llama_index.core.memory").ChatMemoryBuffer
    make = import_module("llama_index.core.llms").ChatMessage

    def native(place: int, message: Message) -> object:
        extra = {"place": place, "tool_calls": message.get("tool_calls")}
        made: object = make(
            role=message["role"], content=message["content"], additional_kwargs=extra
        )
        return made

    def fit(messages: Sequence[Message], limit: int) -> Sequence[Message]:
        history = [native(*each) for each in enumerate(messages)]
        memory = buffer.from_defaults(chat_history=history, token_limit=limit, tokenizer_fn=encode)
        return [messages[kept.additional_kwargs["place"]] for kept in memory.get()]

    return fit


class _HaystackCounter:
    """Counts what haystack's messages were made from."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self._messages = messages

    def count(self, messages: Iterable[HasMeta], tools: object = None) -> int:
        """Return what they cost."""
        del tools
        return total([self._messages[message.meta["place"]] for message in messages], COUNTER)


def haystack() -> Fit:
    """Compact a conversation to a sliding window."""
    classes = import_module("haystack.dataclasses")
    window = import_module("haystack.hooks.compaction").SlidingWindowCompactor(omission_note=None)
    chat = classes.ChatMessage

    def called(call: object) -> object:
        made: object = classes.ToolCall("look", {}, id=call)
        return made

    def native(place: int, message: Message) -> HasMeta:
        role, text = str(message["role"]), message["content"]
        calls = [called(call["id"]) for call in listed(message.get("tool_calls"))]
        if role == "tool":
            made = chat.from_tool(text, called(message["tool_call_id"]))
        elif role == "assistant":
            made = chat.from_assistant(text, tool_calls=calls or None)
        else:
            made = getattr(chat, f"from_{role}")(text)
        made.meta["place"] = place
        found: HasMeta = made
        return found

    def fit(messages: Sequence[Message], limit: int) -> Sequence[Message]:
        history = [native(*each) for each in enumerate(messages)]
        kept = window.compact(
            messages=history, target_tokens=limit, token_counter=_HaystackCounter(messages)
        )
        return [messages[message.meta["place"]] for message in (kept or history)]

    return fit


class _AutogenClient:
    """Counts what autogen's messages were made from."""

    def __init__(self, made_from: dict[int, list[Message]]) -> None:
        self._made_from = made_from

    def count_tokens(self, messages: Iterable[object], *, tools: object) -> int:
        """Return what they cost."""
        del tools
        groups = (self._made_from[id(each)] for each in messages)
        return total([*chain.from_iterable(groups)], COUNTER)


def autogen() -> Fit:
    """Get what a context of limited tokens lets through; it holds all answers in one message."""
    models = import_module("autogen_core.models")
    call = import_module("autogen_core").FunctionCall
    context = import_module("autogen_core.model_context").TokenLimitedChatCompletionContext

    def native(group: list[Message]) -> object:
        first = group[0]
        text, calls = first["content"], listed(first.get("tool_calls"))
        made: object
        if first["role"] == "tool":
            made = models.FunctionExecutionResultMessage(content=[])
        elif first["role"] == "assistant":
            asked = [call(id=each["id"], name="look", arguments="{}") for each in calls]
            made = models.AssistantMessage(content=asked or text, source="model")
        elif first["role"] == "system":
            made = models.SystemMessage(content=text)
        else:
            made = models.UserMessage(content=text, source="user")
        return made

    def fit(messages: Sequence[Message], limit: int) -> Sequence[Message]:
        pairs = [(native(group), group) for group in _answers_together(messages)]
        made_from = {id(made): group for made, group in pairs}
        buffer = context(_AutogenClient(made_from), token_limit=limit)

        async def kept() -> list[object]:
            for made, _ in pairs:
                await buffer.add_message(made)
            found: list[object] = await buffer.get_messages()
            return found

        return [*chain.from_iterable(made_from[id(each)] for each in asyncio.run(kept()))]

    return fit


def _answers_together(messages: Iterable[Message]) -> list[list[Message]]:
    groups: list[list[Message]] = []
    for message in messages:
        if message["role"] == "tool" and groups and groups[-1][0]["role"] == "tool":
            groups[-1].append(message)
        else:
            groups.append([message])
    return groups
