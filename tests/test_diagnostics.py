"""Why an item was lost or cut."""

from collections.abc import Iterator

import pytest

from budget import Diagnostic, OverflowResult
from tests.counters import Words
from tests.making import drop, item, row, truncate

LOSS = Diagnostic("b", "drop", 7, 0, "over")
SENTENCES = (
    (Diagnostic("a", "drop", 1_234, 0, "over"), ("a ", "dropped", "1,234")),
    (Diagnostic("a", "drop", None, 0, "over"), ("a ", "dropped", "first")),
    (Diagnostic("a", "drop", 9, 0, "no-cut"), ("a ", "dropped", "cut", "9")),
    (Diagnostic("a", "drop", 9, 0, "too-small"), ("a ", "dropped", "min_tokens", "9")),
    (Diagnostic("a", "truncate", 9_000, 4_000, "cut"), ("a ", "cut", "9,000", "4,000")),
    (Diagnostic("a", "drop", None, 0, "after", "b"), ("a ", "dropped", "after b")),
)


@pytest.mark.parametrize(("loss", "pieces"), SENTENCES, ids=[str(loss) for loss, _ in SENTENCES])
def test_a_diagnostic_is_one_sentence(loss: Diagnostic, pieces: tuple[str, ...]) -> None:
    assert all(piece in str(loss) for piece in pieces)
    assert "None" not in str(loss)
    assert "\n" not in str(loss)


def test_why_answers_for_the_item_that_did_not_fit() -> None:
    result = drop(row("x", "x x", "x"), 2, counter=Words())
    assert result.why("b") == Diagnostic("b", "drop", 2, 0, "over")


def test_why_answers_for_every_later_loss() -> None:
    result = drop(row("x", "x x", "x", "x"), 2, counter=Words())
    assert result.why("d") == Diagnostic("d", "drop", None, 0, "after", "b")


def test_why_answers_for_the_cut() -> None:
    result = truncate(row("x", "x x x x"), 4, counter=Words())
    assert result.why("b") == Diagnostic("b", "truncate", 4, 3, "cut")


def test_why_says_nothing_of_what_was_kept_whole_or_never_seen() -> None:
    result = drop(row("x", "x x"), 2, counter=Words())
    assert result.why("a") is None
    assert result.why("z") is None


def test_why_names_nobody_where_nobody_is_known() -> None:
    assert OverflowResult((), 0, 0, ("a",)).why("a") == Diagnostic("a", "drop", None, 0, "after")


def test_why_walks_the_losses_once_however_often_it_is_asked() -> None:
    walks = []

    class Losses(tuple[str, ...]):
        __slots__ = ()

        def __iter__(self) -> Iterator[str]:
            walks.append(self)
            return super().__iter__()

    losses = Losses(str(number) for number in range(1_000))
    result = OverflowResult((), 0, 0, losses, True, (LOSS,))  # noqa: FBT003
    assert all(result.why(str(number)) for number in range(1_000))
    assert len(walks) == 1


def test_a_thousand_losses_have_one_entry() -> None:
    result = drop([item(str(number)) for number in range(1_000)], 0, counter=Words())
    assert len(result.dropped) == 1_000
    assert len(result.diagnostics) == 1


def test_the_cut_item_is_named() -> None:
    assert truncate(row("x", "x x x x"), 4, counter=Words()).cut == "b"


def test_no_item_is_named_as_cut_where_none_was() -> None:
    assert truncate(row("x", "x"), 4, counter=Words()).cut is None
    assert drop(row("x", "x x x x"), 4, counter=Words()).cut is None
