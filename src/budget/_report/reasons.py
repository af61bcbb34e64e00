"""Why an item was lost, in the words of a table: the item itself stands beside it."""

from __future__ import annotations

from ..errors import escaped
from ..items import Diagnostic

_REASONS = {
    "over": "the first that didn't fit",
    "after": "comes after {blocked_by}",
    "no-cut": "no acceptable cut fits",
    "too-small": "its cut would be under {min_tokens}",
    "cut": "cut to {after}",
}


def reason(why: Diagnostic, *, min_tokens: str = "min_tokens", after: str | None = None) -> str:
    """Return the reason; ids in it are escaped.

    Args:
        why: The reason, and the numbers.
        min_tokens: What the option is called where the table stands.
        after: What to say instead of the tokens that a cut left.
    """
    return _REASONS[why.reason].format(
        blocked_by=escaped(why.blocked_by or ""),
        min_tokens=min_tokens,
        after=f"{why.tokens_after:,}" if after is None else after,
    )
