"""How a text is cut: the policy, and the cut itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ._checks import check_choice, check_int, check_share, check_type, refuse_class
from ._cuts import FINER, Cuts
from ._search import SLACK, largest_fit
from .counting import TokenCounter, check_counter, count, count_up_to

# How often the characters kept may be handed to the counter, beside 4,096: the promise, and
# what of it is left to the search when a boundary may still take half of what was found.
_READS = 16
_READS_BEFORE_A_BOUNDARY = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class TruncationPolicy:
    """How a text that doesn't fit is cut.

    Args:
        keep: "head" keeps the beginning, "tail" the end, "both" both ends.
        boundary: Where a cut may fall, from coarse to fine: after a "line", after a "sentence",
            beside a "word", between two "character"s. A coarser boundary counts only in the
            half of the kept part nearest the cut; otherwise the next finer one is taken.
        marker: Stands where text was removed, and is counted. "" leaves no trace.
        min_tokens: A cut that counts less, its marker included, isn't worth its place.
        head_share: With "both": the head's share of the kept characters, from 0 to 1.
        quantum: What a cut may cost is rounded down to a multiple of this many tokens, so that
            a cut doesn't move with every change of the room that is left.

    Raises:
        TypeError: For an argument of a wrong type.
        BudgetPolicyError: For a value that isn't one of those above.
    """

    keep: Literal["head", "tail", "both"] = "head"
    boundary: Literal["character", "word", "sentence", "line"] = "character"
    marker: str = "…"
    min_tokens: int = 1
    head_share: float = 0.5
    quantum: int = 1

    def __post_init__(self) -> None:
        """Refuse what isn't a policy."""
        check_choice("keep", self.keep, ("head", "tail", "both"))
        check_choice("boundary", self.boundary, FINER)
        check_type("marker", self.marker, str)
        check_int("min_tokens", self.min_tokens, 0)
        check_int("quantum", self.quantum, 1)
        check_share("head_share", self.head_share)


def truncate_text(
    text: str,
    limit: int,
    counter: TokenCounter,
    truncation: TruncationPolicy | None = TruncationPolicy(),
) -> str:
    """Return `text` if it fits into `limit` tokens, else its cut; "" if no cut is acceptable.

    A text that fits comes back as the same object. A cut is never empty, counts at most
    `limit`, marker included, and what remains is an exact prefix and suffix of the text.

    Args:
        text: Of any length.
        limit: Tokens, >= 0.
        counter: Asked once about the whole text (`count_within`, where it has that), then at
            most 40 times, for at most 16 times the characters returned and 4,096 more.
        truncation: None means the default policy.

    Raises:
        TypeError: For an argument of a wrong type.
        BudgetPolicyError: If `limit` is negative.
        CounterError: If the counter answers something other than an int >= 0.
    """
    check_type("text", text, str)
    check_int("limit", limit, 0)
    check_counter(counter)
    policy = check_truncation(truncation)
    tokens = count_up_to(counter, text, limit)
    if tokens is not None and tokens <= limit:
        return text
    cut = cut_text(text, limit, counter, policy)
    return cut[0] if cut is not None and cut[1] >= policy.min_tokens else ""


def check_truncation(truncation: TruncationPolicy | None) -> TruncationPolicy:
    """Return the policy, the default one for None, or refuse what isn't one."""
    if truncation is None:
        return TruncationPolicy()
    if not isinstance(truncation, TruncationPolicy):
        raise refuse_class("truncation", TruncationPolicy, truncation)
    return truncation


def cut_text(
    text: str,
    limit: int,
    counter: TokenCounter,
    policy: TruncationPolicy,
    item_id: str | None = None,
) -> tuple[str, int] | None:
    """Return the best cut of a text that doesn't fit, and its count; None if there is none.

    `min_tokens` is the caller's to judge: whether a cut was too small is a reason of its own.
    """
    room = limit // policy.quantum * policy.quantum
    if room <= 0:
        return None
    share = {"head": 1, "tail": 0, "both": policy.head_share}[policy.keep]
    cuts = Cuts(text, share, policy.marker, lambda part: count(counter, part, item_id))
    size, tokens = largest_fit(cuts, room, _reads(policy, room))
    if size == 0:
        return None
    at_a_boundary = _at_a_boundary(cuts, size, room, policy.boundary)
    return at_a_boundary or (cuts.assembled(cuts.at(size)), tokens)


def _reads(policy: TruncationPolicy, room: int) -> int:
    if room < policy.min_tokens:
        return 0  # whatever is found will be too small
    return _READS if policy.boundary == "character" else _READS_BEFORE_A_BOUNDARY


def _at_a_boundary(cuts: Cuts, size: int, room: int, boundary: str) -> tuple[str, int] | None:
    for cut in cuts.coarser(size, boundary):
        if cuts.read + size > _READS * (cut.head + cuts.top - cut.tail + cuts.frame) + SLACK:
            return None
        text, tokens = cuts.measured(cut)
        if tokens <= room:
            return text, tokens
    return None
