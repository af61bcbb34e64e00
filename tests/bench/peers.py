"""How each peer is asked to do the jobs. What a peer has no way to do, it isn't asked to.

A chat is two functions: one makes a peer's own message, before the clock runs, the other fits a
list of them and returns the texts that are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import Generic, NamedTuple, Protocol, TypeVar

from tests.bench.meter import ENCODING, MODEL, count, encode
from tests.bench.work import LIMIT, Message, Section

Native = TypeVar("Native")  # a peer's own class, or a dict


class Chat(NamedTuple, Generic[Native]):
    """How a peer fits a history."""

    native: Callable[[Message], Native]
    fit: Callable[[Sequence[Native]], list[str]]


class Pack(NamedTuple, Generic[Native]):
    """How a peer packs sections."""

    native: Callable[[Section], Native]
    fit: Callable[[Sequence[Native]], list[str]]


class HasContent(Protocol):
    """A message of langchain's."""

    content: str


class HasText(Protocol):
    """A message of haystack's."""

    text: str


Cut = Callable[[str], list[str]]


def as_dict(message: Message) -> dict[str, str]:
    """Return a message as the providers take it."""
    return {"role": message.role, "content": message.text}


def langchain() -> Chat[HasContent]:
    """Keep the last messages that fit, by `trim_messages`."""
    core = import_module("langchain_core.messages")
    kinds = {"user": core.HumanMessage, "assistant": core.AIMessage}

    def fit(messages: Sequence[HasContent]) -> list[str]:
        kept = core.trim_messages(
            messages, max_tokens=LIMIT, token_counter=_langchain_count, strategy="last"
        )
        return [message.content for message in kept]

    return Chat(lambda message: kinds[message.role](message.text), fit)


def langchain_cut() -> Cut:
    """Keep the head of one message, by `trim_messages`."""
    core = import_module("langchain_core.messages")

    def cut(text: str) -> list[str]:
        kept = core.trim_messages(
            [core.HumanMessage(text)],
            max_tokens=LIMIT,
            token_counter=_langchain_count,
            strategy="first",
            allow_partial=True,
        )
        return [message.content for message in kept]

    return cut


def _langchain_count(messages: Sequence[HasContent]) -> int:
    return sum(count(message.content) for message in messages)


def cendor() -> Chat[dict[str, str]]:
    """Peel off the oldest turns of a block."""
    block = import_module("cendor.contextkit").Block
    return Chat(
        as_dict, lambda messages: _cendor([block(messages=list(messages), evict="drop_oldest")])
    )


def cendor_cut() -> Cut:
    """Keep the head of one block."""
    block = import_module("cendor.contextkit").Block
    return lambda text: _cendor([block(text, evict="truncate")])


def cendor_pack() -> Pack[object]:
    """Admit blocks by priority."""
    block = import_module("cendor.contextkit").Block
    return Pack(lambda part: block(part.text, priority=part.priority), _cendor)


def _cendor(blocks: Iterable[object]) -> list[str]:
    context = import_module("cendor.contextkit").Context(budget_tokens=LIMIT, model=MODEL)
    for block in blocks:
        context.add(block)
    return [message["content"] for message in context.assemble()]


def promptbudget() -> Chat[object]:
    """Drop the oldest messages."""
    package = import_module("promptbudget")

    def fit(messages: Sequence[object]) -> list[str]:
        packed = package.pack_chat(messages, LIMIT, tokenizer=count)
        return [message.content for message in packed.messages]

    return Chat(lambda message: package.Message(message.role, message.text), fit)


def promptbudget_cut() -> Cut:
    """Truncate one section."""
    package = import_module("promptbudget")
    tokenizer = package.TiktokenTokenizer(encoding_name=ENCODING)

    def cut(text: str) -> list[str]:
        return [package.pack([package.Section("text", text)], LIMIT, tokenizer=tokenizer).text]

    return cut


def promptbudget_pack() -> Pack[object]:
    """Serve sections by priority; one that gets too little is truncated."""
    package = import_module("promptbudget")
    tokenizer = package.TiktokenTokenizer(encoding_name=ENCODING)

    def fit(sections: Sequence[object]) -> list[str]:
        packed = package.pack(sections, LIMIT, tokenizer=tokenizer)
        return [section.text for section in packed.sections if section.text]

    return Pack(lambda part: package.Section(part.name, part.text, part.priority), fit)


def litellm() -> Chat[dict[str, str]]:
    """Keep the last messages that fit, and shorten others."""
    trim = import_module("litellm.utils").trim_messages

    def fit(messages: Sequence[dict[str, str]]) -> list[str]:
        return [kept["content"] for kept in trim(list(messages), MODEL, max_tokens=LIMIT)]

    return Chat(as_dict, fit)


def litellm_cut() -> Cut:
    """Shorten one message, in its middle."""
    chat = litellm()
    return lambda text: chat.fit([{"role": "user", "content": text}])


def llama_index() -> Chat[object]:
    """Get what a memory buffer lets through."""
    buffer = import_module("llama_index.core.memory").ChatMemoryBuffer
    message = import_module("llama_index.core.llms").ChatMessage

    def fit(messages: Sequence[object]) -> list[str]:
        memory = buffer.from_defaults(
            chat_history=list(messages), token_limit=LIMIT, tokenizer_fn=encode
        )
        return [kept.content for kept in memory.get()]

    return Chat(lambda each: message(role=each.role, content=each.text), fit)


def haystack() -> Chat[HasText]:
    """Compact a conversation to a sliding window."""
    chat = import_module("haystack.dataclasses").ChatMessage
    make = {"user": chat.from_user, "assistant": chat.from_assistant}
    window = import_module("haystack.hooks.compaction").SlidingWindowCompactor(omission_note=None)
    counter = import_module("haystack.token_counters").TiktokenCounter(encoding=ENCODING)

    def fit(messages: Sequence[HasText]) -> list[str]:
        kept = window.compact(messages=list(messages), target_tokens=LIMIT, token_counter=counter)
        return [message.text for message in (messages if kept is None else kept)]

    return Chat(lambda message: make[message.role](message.text), fit)
