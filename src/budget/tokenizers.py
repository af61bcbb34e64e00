"""Adapters around tokenizers that you have installed; nothing here imports one before you ask.

Each is a small frozen counter with a `name`. It pickles by its configuration and builds its
tokenizer again, once, when it first counts in another process; threads may share it. Nothing
is read or downloaded at import. `docs/how-to/use-your-tokenizer.md` says which one to take.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ._checks import check_type
from ._tokenizers.huggingface import HuggingFaceCounter
from ._tokenizers.tiktoken import TiktokenCounter
from ._tokenizers.toktok import ToktokCounter
from .counting import TokenCounter
from .errors import BudgetPolicyError, escaped

__all__ = ["HuggingFaceCounter", "TiktokenCounter", "ToktokCounter", "counter_named"]

_ADAPTERS: Final[dict[str, Callable[[str], TokenCounter]]] = {
    "tiktoken": TiktokenCounter,
    "hf": HuggingFaceCounter,
    "toktok": ToktokCounter,
}


def counter_named(name: str) -> TokenCounter:
    """Return the counter of a name as the command line takes it.

    Args:
        name: "tiktoken:o200k_base", "hf:PATH/tokenizer.json" or "toktok:o200k_base".

    Raises:
        BudgetPolicyError: If the name has none of these beginnings, or the adapter refuses it.
        MissingPackageError: If the adapter's package isn't installed.
        OSError: If a file can't be read.
        TypeError: If `name` isn't a str.
    """
    check_type("name", name, str)
    adapter, _, rest = name.partition(":")
    if not rest or adapter not in _ADAPTERS:
        raise BudgetPolicyError(
            f"counter must be tiktoken:NAME, hf:PATH or toktok:NAME, got '{escaped(name)}'"
        )
    return _ADAPTERS[adapter](rest)
