"""What the texts of errors show of the input: ids, escaped; never a text."""

from collections.abc import Callable

import pytest

from budget import (
    BudgetError,
    BudgetItem,
    BudgetOverflowError,
    BudgetPolicyError,
    CallableCounter,
    CounterError,
    Diagnostic,
    OverflowAction,
    apply_overflow,
    survival_limits,
    truncate_text,
)
from budget.errors import HmsBudgetExceededError, MessageError
from tests.counters import Words
from tests.making import ACTIONS, FAIL, drop, fail, item, pin

PRIVATE = "tiger prawn"
ESCAPES = (
    ("\x1b[31m", r"\x1b[31m"),
    ("\x00", r"\x00"),
    ("\x7f", r"\x7f"),
    ("\x9b", r"\x9b"),
    ("\n", r"\n"),
    ("\r", r"\r"),
    ("\u2028", r"\u2028"),
    ("\u202e", r"\u202e"),
    ("\u2066", r"\u2066"),
    ("\u200f", r"\u200f"),
    ("\u061c", r"\u061c"),
    ("\ud800", r"\ud800"),
)
escapes = pytest.mark.parametrize(("raw", "shown"), ESCAPES, ids=[shown for _, shown in ESCAPES])


def _echo(text: str) -> str:
    return text


def _raise(text: str) -> int:
    raise LookupError(len(text))


def _refusal(call: Callable[[], object]) -> str:
    with pytest.raises(BudgetError) as caught:
        call()
    return str(caught.value)


def _pinned(item_id: str) -> str:
    return _refusal(lambda: drop([pin(item_id)], 0, counter=Words()))


def _duplicate(item_id: str) -> str:
    return _refusal(lambda: drop([item(item_id), item(item_id)], 9, counter=Words()))


def _answered(item_id: str) -> str:
    return _refusal(lambda: drop([item(item_id)], 9, counter=CallableCounter(_echo)))


def _noted(item_id: str) -> str:
    with pytest.raises(LookupError) as caught:
        drop([item(item_id)], 9, counter=CallableCounter(_raise))
    return "".join(caught.value.__notes__)


def _blocked(item_id: str) -> str:
    return str(Diagnostic("other", "drop", None, 0, "after", item_id))


def _lost(item_id: str) -> str:
    return str(Diagnostic(item_id, "drop", 3, 0, "over"))


def _layer(name: str) -> str:
    return str(HmsBudgetExceededError(name, 2, 1, "estimate"))


def _message(kind: str) -> str:
    return str(MessageError(0, kind, "unknown"))


PLACES = (_pinned, _duplicate, _answered, _noted, _blocked, _lost, _layer, _message)


@escapes
@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__.strip("_"))
def test_what_could_forge_a_line_is_shown_escaped(
    place: Callable[[str], str], raw: str, shown: str
) -> None:
    text = place(f"left{raw}right")
    assert f"left{shown}right" in text
    assert raw not in text


@pytest.mark.parametrize("name", ["café", "日本", "a b", "\U0001f600", "it's", "{id}"])
@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__.strip("_"))
def test_an_id_in_any_script_is_shown_as_it_is(place: Callable[[str], str], name: str) -> None:
    assert name in place(name)


def _names(number: int) -> list[str]:
    return [f"n{place}" for place in range(number)]


def test_five_pinned_ids_are_all_named() -> None:
    text = _refusal(lambda: drop([pin(name) for name in _names(5)], 0, counter=Words()))
    assert "(n0, n1, n2, n3, n4);" in text


def test_of_seven_pinned_ids_five_are_named() -> None:
    text = _refusal(lambda: drop([pin(name) for name in _names(7)], 0, counter=Words()))
    assert "(n0, n1, n2, n3, n4 and 2 more);" in text


def test_of_seven_duplicates_five_are_named() -> None:
    twice = [item(name) for name in _names(7) * 2]
    text = _refusal(lambda: drop(twice, 0, counter=Words()))
    assert "n0, n1, n2, n3, n4 and 2 more" in text
    assert "n5" not in text


def test_the_error_itself_carries_all_ids() -> None:
    with pytest.raises(BudgetOverflowError) as caught:
        drop([pin(name) for name in _names(7)], 0, counter=Words())
    assert caught.value.item_ids == tuple(_names(7))


def test_the_largest_pinned_item_is_named_first() -> None:
    with pytest.raises(BudgetOverflowError) as caught:
        drop([pin("sys", "x " * 7), pin("ctx", "x " * 9), item("q")], 10, counter=Words())
    assert (caught.value.needed, caught.value.limit) == (16, 10)
    assert caught.value.item_ids == ("ctx", "sys")
    assert str(caught.value).startswith("pinned content needs 16 tokens, 6 over the limit of 10")


def test_a_negative_limit_is_refused_in_the_words_that_hosts_see() -> None:
    with pytest.raises(BudgetPolicyError) as caught:
        drop([], -5, counter=Words())
    assert str(caught.value) == "limit must be >= 0, got -5"


def test_a_negative_limit_of_a_text_is_refused_in_the_same_words() -> None:
    with pytest.raises(BudgetPolicyError) as caught:
        truncate_text("", -1, Words())
    assert str(caught.value) == "limit must be >= 0, got -1"


def _secret(name: str = "a", *, pinned: bool = False) -> BudgetItem:
    return item(name, PRIVATE, pinned=pinned)


LEAKS: tuple[tuple[str, Callable[[], object]], ...] = (
    ("fail", lambda: fail([_secret()], 1, counter=Words())),
    ("pinned", lambda: drop([_secret(pinned=True)], 1, counter=Words())),
    ("duplicate", lambda: drop([_secret(), _secret()], 1, counter=Words())),
    ("answer", lambda: drop([_secret()], 1, counter=CallableCounter(_echo))),
    ("raised", lambda: drop([_secret()], 1, counter=CallableCounter(_raise))),
    ("survival", lambda: survival_limits([_secret()], CallableCounter(_echo))),
    ("text", lambda: truncate_text(PRIVATE, 1, CallableCounter(_echo))),
    ("text raised", lambda: truncate_text(PRIVATE, 1, CallableCounter(_raise))),
    (
        "joined",
        lambda: apply_overflow([_secret(), _secret("b")], 1, FAIL, Words(), separator="\n"),
    ),
)


@pytest.mark.parametrize("call", [call for _, call in LEAKS], ids=[name for name, _ in LEAKS])
def test_no_error_quotes_the_text(call: Callable[[], object]) -> None:
    with pytest.raises((BudgetError, LookupError)) as caught:
        call()
    error = caught.value
    shown = (str(error), repr(error), *getattr(error, "__notes__", ()))
    assert not any(word in text for text in shown for word in PRIVATE.split())


@pytest.mark.parametrize("action", ACTIONS)
def test_an_exception_of_the_counter_passes_through_with_a_note(action: OverflowAction) -> None:
    with pytest.raises(LookupError) as caught:
        apply_overflow([item("mine")], 9, action, CallableCounter(_raise))
    assert caught.value.args == (3,)
    assert caught.value.__notes__ == ["while counting item mine"]


def test_an_exception_over_a_text_without_an_item_notes_its_length() -> None:
    with pytest.raises(LookupError) as caught:
        truncate_text("x" * 1_234, 1, CallableCounter(_raise))
    assert caught.value.__notes__ == ["while counting a text of 1,234 characters"]


def test_a_wrong_answer_about_a_text_names_no_item() -> None:
    with pytest.raises(CounterError) as caught:
        truncate_text("x", 1, CallableCounter(_echo))
    assert caught.value.item_id is None
