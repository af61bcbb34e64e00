"""The rules of OpenAI: chat completions (OC) and Responses (OR)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from ..errors import escaped
from .fields import entries, field
from .responses import item_kind
from .rules import Listing, Violation, empty, unanswered, uncalled


def chat_violations(listing: Listing) -> Iterator[Violation]:
    """Yield what chat completions would refuse."""
    yield from empty("OC6", listing)
    ends = _ends_of_answers(listing)
    for call in listing.binding.calls:
        if call.answered_by is None or call.answered_by > ends[call.index]:
            yield unanswered("OC1", call, "directly after its message")
    for answer in listing.binding.answers:
        if answer.call is None:
            yield uncalled("OC2", answer, "before it")
    for index, message in enumerate(listing.messages):
        if listing.readings[index].side == "model":
            yield from _assistant_violations(index, message)


def _ends_of_answers(listing: Listing) -> list[int]:
    """Return, for each message, the last of the answers that stand directly after it."""
    ends: list[int] = []
    end = len(listing.readings) - 1
    for index in range(len(listing.readings) - 1, -1, -1):
        ends.append(end)
        if listing.readings[index].side != "result":
            end = index - 1
    return ends[::-1]


def _assistant_violations(index: int, message: object) -> Iterator[Violation]:
    calls = field(message, "tool_calls")
    if isinstance(calls, list | tuple) and not calls:
        yield Violation("OC3", index, "its tool_calls are empty", "leave the field out")
    ids = Counter(str(field(call, "id")) for call in entries(calls))
    for call_id, times in ids.items():
        if times > 1:
            problem = f"{times:,} of its calls have the id {escaped(call_id)}"
            yield Violation("OC4", index, problem, "give each call an id of its own")
    spoken = (field(message, name) for name in ("content", "refusal", "audio", "function_call"))
    if not entries(calls) and all(value in (None, [], ()) for value in spoken):
        yield Violation("OC5", index, "it has neither content nor calls", "drop it")


def responses_violations(listing: Listing) -> Iterator[Violation]:
    """Yield what Responses would refuse."""
    yield from empty("OR0", listing)
    for answer in listing.binding.answers:
        if answer.call is None:
            yield uncalled("OR1", answer, "of its type before it")
    for call in listing.binding.calls:
        if call.answered_by is None and not call.key.optional:
            yield unanswered("OR2", call, "anywhere after it")
    yield from _reasoning_violations(listing)
    yield from _id_violations(listing)


def _reasoning_violations(listing: Listing) -> Iterator[Violation]:
    bodies = listing.bodies()
    followers = dict(pairwise(bodies))
    for index in bodies:
        if item_kind(listing.messages[index]) != "reasoning":
            continue
        after = followers.get(index)
        if after is None or listing.readings[after].side != "model":
            problem = "no message or call follows this reasoning"
            yield Violation("OR3", index, problem, "keep it with what follows, or drop both")


def _id_violations(listing: Listing) -> Iterator[Violation]:
    seen: dict[str, int] = {}
    for index, item in enumerate(listing.messages):
        item_id = field(item, "id")
        refers = item_kind(item) in {"item_reference", "local_shell_call_output"}
        if not isinstance(item_id, str) or refers:
            continue
        first = seen.setdefault(item_id, index)
        if first != index:
            problem = f"its id {escaped(item_id)} is that of messages[{first}]"
            yield Violation("OR5", index, problem, "send each item once")
