"""Whether a provider would take a list of messages, as far as the list alone can tell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from .._checks import check_choice, check_type
from .providers import FORMATS, listed
from .rules import Listing, Violation
from .rules_openai import chat_violations, responses_violations
from .rules_turns import anthropic_violations, gemini_violations

_RULES: Final[Mapping[str, Callable[[Listing], Iterator[Violation]]]] = MappingProxyType(
    {
        "openai": chat_violations,
        "openai-responses": responses_violations,
        "anthropic": anthropic_violations,
        "gemini": gemini_violations,
    }
)


def validate_messages(
    messages: Iterable[object], provider: str = "openai", *, ready_to_send: bool = True
) -> tuple[Violation, ...]:
    """Return what a provider would refuse about a list of messages; () if nothing is known.

    Args:
        messages: A list of mappings or SDK objects.
        provider: "openai", "openai-responses", "anthropic" or "gemini".
        ready_to_send: Also hold against the list that it is empty or ends with the model's turn;
            False is for a history to which something will be appended.

    Raises:
        BudgetPolicyError: For a provider that nobody knows.
        MessageError: For a message that can't be read.
        TypeError: For an argument of a wrong type.
    """
    check_choice("provider", provider, _RULES)
    check_type("ready_to_send", ready_to_send, bool)
    given = listed(messages)
    readings = [FORMATS[provider].read(message, index) for index, message in enumerate(given)]
    listing = Listing.of(given, readings, ready=ready_to_send)
    return tuple(sorted(_RULES[provider](listing), key=_place))


def _place(violation: Violation) -> tuple[int, str]:
    return (-1 if violation.index is None else violation.index, violation.rule)


__all__ = ["Violation", "validate_messages"]
