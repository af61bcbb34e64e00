"""Valid histories of each provider, made from plans."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from tests.messages.anthropic_history import anthropic_history
from tests.messages.chat_history import chat_history
from tests.messages.gemini_history import gemini_history
from tests.messages.plans import PROVIDERS, Message, Plan, plans
from tests.messages.responses_history import responses_history

BUILDERS = {
    "openai": chat_history,
    "openai-responses": responses_history,
    "anthropic": anthropic_history,
    "gemini": gemini_history,
}


@dataclass(frozen=True)
class History:
    """A valid list of messages, and whose it is."""

    provider: str
    messages: list[Message]


def histories(*providers: str) -> st.SearchStrategy[History]:
    """Draw a valid history of any of the providers."""

    def made(pair: tuple[str, Plan]) -> History:
        provider, plan = pair
        return History(provider, BUILDERS[provider](plan))

    return st.tuples(st.sampled_from(providers or PROVIDERS), plans()).map(made)
