"""A render: what it is handed, when it is called, what it may answer."""

import pytest

from budget import (
    BudgetPolicyError,
    CallableCounter,
    FittedItem,
    OverflowAction,
    apply_overflow,
)
from tests.counters import (
    Characters,
    Framed,
    Recording,
)
from tests.making import (
    ACTIONS,
    Untyped,
    drop,
    ids,
    item,
    pin,
    row,
    truncate,
)

every_action = pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.value)
Kept = tuple[FittedItem, ...]


def tagged(kept: Kept, /) -> str:
    return "".join(f"<{fitted.item_id}>{fitted.text}</{fitted.item_id}>" for fitted in kept)


def test_a_render_is_measured_with_its_tags() -> None:
    result = drop(row("one", "two"), 20, counter=Characters(), render=tagged)
    assert (result.rendered, result.total_tokens) == ("<a>one</a><b>two</b>", 20)
    assert ids(drop(row("one", "two"), 19, counter=Characters(), render=tagged)) == "a"


def test_kept_is_rendered_in_the_order_of_arrival() -> None:
    given = [item("z", "zz", 2), item("m", "mm", 1), item("a", "aa"), pin("p", "pp", 9)]
    result = drop(given, 32, counter=Characters(), render=tagged)
    assert result.rendered == "<m>mm</m><a>aa</a><p>pp</p>"


def test_a_render_is_handed_fitted_items() -> None:
    seen: list[Kept] = []

    def watching(kept: Kept, /) -> str:
        seen.append(kept)
        return " ".join(fitted.text for fitted in kept)

    given = row("aaaa", "bbbbbbbb")
    result = truncate(given, 9, counter=Characters(), render=watching)
    assert seen[-1] == result.kept
    assert [fitted.truncated for fitted in seen[-1]] == [False, True]


def never(kept: Kept, /) -> str:
    raise AssertionError(kept)


@every_action
def test_a_render_is_not_called_for_an_empty_input(action: OverflowAction) -> None:
    result = apply_overflow([], 5, action, Recording(Framed()), render=never)
    assert (result.rendered, result.total_tokens, result.kept) == ("", 0, ())


def test_nothing_kept_is_rendered_as_nothing_and_costs_nothing() -> None:
    result = drop(row("a" * 50), 9, counter=Framed(), render=never)
    assert (result.rendered, result.total_tokens, result.kept) == ("", 0, ())


@every_action
def test_both_ways_to_measure_are_refused(action: OverflowAction) -> None:
    counter = Recording(Characters())
    with pytest.raises(BudgetPolicyError, match="separator and render"):
        apply_overflow(row("a"), 5, action, counter, separator="", render=tagged)
    assert counter.texts == []


@pytest.mark.parametrize("answer", [None, 3, b"bytes", ["a"]])
def test_a_render_that_returns_no_string_is_refused(answer: str) -> None:
    with pytest.raises(TypeError, match=f"render.* a str, got {type(answer).__name__}"):
        drop(row("a"), 5, counter=Characters(), render=lambda _: answer)


class Later:
    """Renders, some day."""

    async def __call__(self, kept: Kept, /) -> str:
        return tagged(kept)


@pytest.mark.parametrize("render", [Later(), Later().__call__], ids=["object", "function"])
def test_an_async_render_is_refused_before_anything_is_counted(render: Untyped) -> None:
    counter = Recording(Characters())
    call: Untyped = apply_overflow
    with pytest.raises(TypeError, match="render must be"):
        call(row("a"), 5, OverflowAction.DROP, counter, render=render)
    assert counter.texts == []


def test_an_exception_of_the_render_passes_through() -> None:
    def failing(kept: Kept, /) -> str:
        raise LookupError(len(kept))

    with pytest.raises(LookupError, match="1"):
        drop(row("a"), 5, counter=Characters(), render=failing)


def test_an_exception_over_what_was_rendered_notes_its_length() -> None:
    def picky(text: str) -> int:
        if "\n" in text:
            raise LookupError
        return len(text)

    with pytest.raises(LookupError) as caught:
        drop(row("aa", "bb"), 9, counter=CallableCounter(picky), separator="\n")
    assert caught.value.__notes__ == ["while counting a text of 5 characters"]
