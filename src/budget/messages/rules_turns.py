"""The rules of providers that go by turns: Anthropic (AN) and Gemini (GE)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .anthropic import SERVER_KINDS, TEXT_KINDS
from .fields import entries, field, type_of
from .rules import Listing, Violation, empty, unanswered, uncalled


def anthropic_violations(listing: Listing) -> Iterator[Violation]:
    """Yield what Anthropic would refuse; neighbours of one role are one turn."""
    yield from empty("AN0", listing)
    turns = _turns(listing)
    if turns and _speaks(listing, turns[0]):
        yield Violation("AN1", turns[0][0], "the first turn is the model's", "begin with a user")
    if listing.ready and turns and _speaks(listing, turns[-1]):
        problem = "the last turn is the model's"
        yield Violation("AN2", turns[-1][-1], problem, "end with a user or a tool result")
    for index in listing.bodies():
        yield from _content_violations(index, listing.messages[index])
    yield from _pair_violations(listing, turns)
    for turn in turns:
        yield from _order_violations(listing, turn)


def _turns(listing: Listing) -> list[list[int]]:
    turns: list[list[int]] = []
    for index in listing.bodies():
        if not turns or _speaks(listing, turns[-1]) != _speaks(listing, [index]):
            turns.append([])
        turns[-1].append(index)
    return turns


def _speaks(listing: Listing, turn: Sequence[int]) -> bool:
    return listing.readings[turn[0]].side == "model"


def _content_violations(index: int, message: object) -> Iterator[Violation]:
    content = field(message, "content")
    if content in (None, "", [], ()):
        yield Violation("AN3", index, "its content is empty", "drop it or say something")
    elif _is_blank(content):
        yield Violation("AN4", index, "a text of it is blank", "leave blank blocks out")


def _is_blank(content: object) -> bool:
    if isinstance(content, str):
        return not content.strip()
    for block in entries(content):
        text = field(block, "text")
        if type_of(block) in TEXT_KINDS and isinstance(text, str) and not text.strip():
            return True
        nested = field(block, "content")
        if type_of(block) == "tool_result" and isinstance(nested, list) and _is_blank(nested):
            return True
    return False


def _pair_violations(listing: Listing, turns: Sequence[Sequence[int]]) -> Iterator[Violation]:
    turn_of = {index: place for place, turn in enumerate(turns) for index in turn}
    for call in listing.binding.calls:
        after = None if call.answered_by is None else turn_of[call.answered_by]
        if call.key.kind not in SERVER_KINDS and after != turn_of[call.index] + 1:
            yield unanswered("AN5", call, "in the next turn")
    for answer in listing.binding.answers:
        before = None if answer.call is None else turn_of[answer.call.index]
        if answer.key.kind in SERVER_KINDS:
            if before != turn_of[answer.index]:
                yield uncalled("AN9", answer, "before it in the same turn")
        elif before != turn_of[answer.index] - 1:
            yield uncalled("AN6", answer, "in the turn before")


def _order_violations(listing: Listing, turn: Sequence[int]) -> Iterator[Violation]:
    said = False
    for index in turn:
        content = field(listing.messages[index], "content")
        kinds = [type_of(block) for block in entries(content)]
        for kind in kinds:
            if kind == "tool_result" and said:
                problem = "a tool result stands after other content of its turn"
                yield Violation("AN8", index, problem, "put tool results first")
                break
            said = said or kind != "tool_result"
        said = said or isinstance(content, str)


def gemini_violations(listing: Listing) -> Iterator[Violation]:
    """Yield what Gemini would refuse; each content is a turn."""
    yield from empty("GE0", listing)
    sides = [reading.side for reading in listing.readings]
    if sides and sides[0] == "model":
        yield Violation("GE1", 0, "the first content is the model's", "begin with a user")
    if listing.ready and sides and sides[-1] == "model":
        problem = "the last content is the model's"
        yield Violation("GE2", len(sides) - 1, problem, "end with a user or a function response")
    for before, (index, reading) in zip((None, *sides), enumerate(listing.readings), strict=False):
        if reading.calls and before in (None, "model"):
            problem = "its function call follows neither a user nor a function response"
            yield Violation("GE4", index, problem, "keep calls directly after what they answer")
    yield from _response_violations(listing)


def _response_violations(listing: Listing) -> Iterator[Violation]:
    for answer in listing.binding.answers:
        if answer.call is None or answer.call.index != answer.index - 1:
            yield uncalled("GE5", answer, "in the content before")
    for call in listing.binding.calls:
        if call.answered_by != call.index + 1:
            yield unanswered("GE6", call, "in the next content")
