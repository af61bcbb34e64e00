"""A format of one's own behind the Protocol."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from budget import BudgetPolicyError, TruncationPolicy
from budget.messages import Block, CallKey, Reading, Result, count_messages, fit_messages
from budget.messages.reading import Side
from tests.counters import Characters
from tests.messages.making import FREE

C = Characters()
SIDES: dict[str, Side] = {"human": "user", "ai": "model", "tool": "result"}


@dataclass(frozen=True)
class Note:
    """A framework's own message."""

    who: str
    text: str
    call_id: str = ""
    picture: bool = False


class NoteFormat:
    """Ten lines are enough."""

    per_message = 2
    per_request = 1

    def read(self, message: Note, index: int) -> Reading:
        side, ids = SIDES[message.who], (message.call_id,) if message.call_id else ()
        blocks = (Block("picture", index, 9),) if message.picture else ()
        if side == "result":
            return Reading(side, (), (message.text,), answers=ids)
        return Reading(side, (message.text,), calls=ids, blocks=blocks)

    def rewrite(self, message: Note, results: tuple[str, ...]) -> Note:
        return replace(message, text=results[0])


NOTES = [
    Note("human", "u1"),
    Note("ai", "look", "a"),
    Note("tool", "r" * 30, "a"),
    Note("human", "u2", picture=True),
]


def test_a_format_of_ones_own_is_fitted() -> None:
    fitted = fit_messages(NOTES, 15, C, provider=NoteFormat())
    assert fitted.messages == [NOTES[3]]
    assert fitted.total_tokens == 1 + 2 + 2 + 9


def test_its_results_are_cut_in_copies() -> None:
    tilde = TruncationPolicy(marker="~")
    fitted = fit_messages(
        NOTES, 99, C, provider=NoteFormat(), tool_result_limit=5, truncation=tilde
    )
    assert fitted.messages[2] == Note("tool", "rrrr~", "a")
    assert NOTES[2].text == "r" * 30


def test_its_frame_is_the_default() -> None:
    assert count_messages(NOTES[:1], C, provider=NoteFormat()) == 1 + 2 + 2


def test_its_orphans_go_with_their_group() -> None:
    notes = [NOTES[0], Note("ai", "hm"), NOTES[1], NOTES[3]]
    fitted = fit_messages(notes, 99, C, provider=NoteFormat(), on_orphan="drop")
    assert fitted.messages == [notes[0], notes[3]]


def test_a_cut_that_is_longer_than_asked_for_is_an_error_not_a_leak() -> None:
    class Padding(NoteFormat):
        def rewrite(self, message: Note, results: tuple[str, ...]) -> Note:
            return replace(message, text=results[0] + "pad" * 20)

    with pytest.raises(Exception, match="pinned content needs"):
        fit_messages(
            NOTES[:3],
            20,
            C,
            provider=Padding(),
            overhead=FREE,
            on_pinned_overflow="cut_results",
        )


@pytest.mark.parametrize(
    "provider", [NoteFormat, object(), type("Half", (), {"read": print})()], ids=str
)
def test_what_is_no_format_is_refused(provider: object) -> None:
    with pytest.raises(TypeError, match="provider must be a name or a MessageFormat"):
        fit_messages(NOTES, 99, C, provider=provider)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["per_message", "per_request"])
def test_a_frame_that_is_negative_is_refused(name: str) -> None:
    wrong = type("Wrong", (NoteFormat,), {name: -1})()
    with pytest.raises(BudgetPolicyError, match=f"provider.{name} must be >= 0"):
        fit_messages(NOTES, 99, C, provider=wrong)


def test_a_format_that_returns_no_reading_is_refused() -> None:
    wrong = type("Wrong", (NoteFormat,), {"read": lambda *_: None})()
    with pytest.raises(TypeError, match=r"provider.read returns for messages\[0\]"):
        fit_messages(NOTES, 99, C, provider=wrong)


def test_a_side_that_nobody_knows_is_refused() -> None:
    with pytest.raises(BudgetPolicyError, match="side must be one of system, user, model, result"):
        Reading("robot", ())  # type: ignore[arg-type]


def test_nothing_that_is_read_shows_a_text() -> None:
    reading = Reading(
        "result",
        ("SECRET",),
        ("SECRET", Result("SECRET", ("SECRET",))),
        blocks=(Block("x", "SECRET"),),
    )
    assert "SECRET" not in repr(reading)


@pytest.mark.parametrize(
    ("key", "expected"),
    [(CallKey("a", "f"), "a"), (CallKey(None, "f"), "f"), (CallKey(None), "without id")],
)
def test_a_key_is_named_by_what_it_has(key: CallKey, expected: str) -> None:
    assert str(key) == expected
