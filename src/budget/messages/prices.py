"""What is added to counts: framing, and the prices of media and opaque fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .._checks import check_int, refuse_type
from ..errors import MessageError
from .reading import Block

BlockTokens = Mapping[str, int | Callable[[object], int]]


@dataclass(frozen=True, slots=True)
class Overhead:
    """Tokens that a provider adds around texts.

    Attributes:
        per_message: Around each message, its role included.
        per_request: Once; a request without messages is none.

    Raises:
        TypeError: For what isn't an int.
        BudgetPolicyError: For a negative number.
    """

    per_message: int
    per_request: int = 0

    def __post_init__(self) -> None:
        """Refuse what is no number of tokens."""
        check_int("per_message", self.per_message, 0)
        check_int("per_request", self.per_request, 0)


def check_prices(block_tokens: object) -> None:
    """Refuse what isn't a mapping from types to numbers or functions."""
    if not isinstance(block_tokens, Mapping):
        raise refuse_type("block_tokens", "a mapping", block_tokens)
    for kind, price in block_tokens.items():
        if not callable(price):
            check_int(f"block_tokens[{kind!r}]", price, 0)


def check_priced(block: Block, block_tokens: BlockTokens, index: int) -> None:
    """Refuse a block that nobody has a price for: what can't be measured doesn't fit."""
    if block.tokens is None and block.kind not in block_tokens:
        problem = f"nobody knows what it costs; give block_tokens={{{block.kind!r}: tokens}}"
        raise MessageError(index, block.kind, problem)


def price(block: Block, block_tokens: BlockTokens, index: int) -> int:
    """Return the tokens of a block: the caller's price, or the format's own."""
    declared = block_tokens.get(block.kind, block.tokens)
    answer: object = declared(block.value) if callable(declared) else declared
    if not isinstance(answer, int) or isinstance(answer, bool) or answer < 0:
        problem = f"its price must be an int >= 0, got {type(answer).__name__}"
        raise MessageError(index, block.kind, problem)
    return answer
