"""The formats by name, and a list of messages read by one of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Generic, Protocol

from .._checks import check_choice, check_int, refuse_type
from .anthropic import AnthropicFormat
from .gemini import GeminiFormat
from .openai import ChatFormat
from .prices import BlockTokens, Overhead, check_priced
from .reading import Message, MessageFormat, Reading
from .responses import ResponsesFormat


class _BuiltIn(Protocol):
    """A format that reads whatever it is given."""

    @property
    def per_message(self) -> int: ...

    @property
    def per_request(self) -> int: ...

    def read(self, message: object, index: int) -> Reading: ...

    def rewrite(self, message: Message, results: tuple[str, ...]) -> Message: ...


FORMATS: Final[Mapping[str, _BuiltIn]] = MappingProxyType(
    {
        "openai": ChatFormat(),
        "openai-responses": ResponsesFormat(),
        "anthropic": AnthropicFormat(),
        "gemini": GeminiFormat(),
    }
)


def format_of(provider: str | MessageFormat[Message]) -> MessageFormat[Message]:
    """Return the format of a provider, or one of the caller's own.

    Raises:
        BudgetPolicyError: For a name that nobody knows.
        TypeError: For what is neither a name nor a format.
    """
    if isinstance(provider, str):
        check_choice("provider", provider, FORMATS)
        return FORMATS[provider]
    for method in ("read", "rewrite"):
        if isinstance(provider, type) or not callable(getattr(provider, method, None)):
            raise refuse_type("provider", "a name or a MessageFormat", provider)
    check_int("provider.per_message", provider.per_message, 0)
    check_int("provider.per_request", provider.per_request, 0)
    return provider


def overhead_of(form: MessageFormat[Message], overhead: Overhead | None) -> Overhead:
    """Return the caller's overhead, or the format's own."""
    if overhead is None:
        return Overhead(form.per_message, form.per_request)
    if not isinstance(overhead, Overhead):
        raise refuse_type("overhead", "an Overhead", overhead)
    return overhead


@dataclass(frozen=True, slots=True)
class History(Generic[Message]):
    """A list of messages, and what each of them holds."""

    messages: tuple[Message, ...]
    readings: list[Reading]
    form: MessageFormat[Message]


def listed(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Return the messages of a list, or refuse what is none, such as a single message."""
    if isinstance(messages, str | bytes | Mapping) or not isinstance(messages, Iterable):
        raise refuse_type("messages", "a list of messages", messages)
    return tuple(messages)


def read_history(
    messages: Iterable[Message], provider: str | MessageFormat[Message], block_tokens: BlockTokens
) -> History[Message]:
    """Read every message, also those that would be dropped, and find a price for every block.

    Raises:
        MessageError: For the first message that can't be read or priced.
    """
    form, given = format_of(provider), listed(messages)
    readings = []
    for index, message in enumerate(given):
        reading = form.read(message, index)
        if not isinstance(reading, Reading):
            raise refuse_type(
                f"what provider.read returns for messages[{index}]", "a Reading", reading
            )
        for block in reading.blocks:
            check_priced(block, block_tokens, index)
        readings.append(reading)
    return History(given, readings, form)
