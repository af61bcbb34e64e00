"""What holds for every cut of one text."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from budget import truncate_text
from tests.oracle import boundaries
from tests.strategies import TextCase, too_long

THOROUGH: Final = settings(max_examples=250)


def sides(case: TextCase) -> Iterator[tuple[str, str]]:
    """Yield the ways to read the cut as what is left of the text around one marker."""
    cut, marker = case.cut(), case.truncation.marker
    for at in range(len(cut) - len(marker) + 1):
        head, tail = cut[:at], cut[at + len(marker) :]
        if (
            cut[at:].startswith(marker)
            and case.text.startswith(head)
            and case.text.endswith(tail)
            and len(head) + len(tail) < len(case.text)
        ):
            yield head, tail


@THOROUGH
@given(too_long())
def test_the_limit_is_hard(case: TextCase) -> None:
    assert not (cut := case.cut()) or case.counter.count(cut) <= case.limit


@THOROUGH
@given(too_long())
def test_a_cut_is_a_prefix_and_a_suffix_around_the_marker(case: TextCase) -> None:
    assert not case.cut() or any(head + tail for head, tail in sides(case))


@THOROUGH
@given(too_long())
def test_a_head_keeps_no_tail(case: TextCase) -> None:
    case = replace(case, truncation=replace(case.truncation, keep="head"))
    assert not case.cut() or any(head and not tail for head, tail in sides(case))


@THOROUGH
@given(too_long())
def test_a_tail_keeps_no_head(case: TextCase) -> None:
    case = replace(case, truncation=replace(case.truncation, keep="tail"))
    assert not case.cut() or any(tail and not head for head, tail in sides(case))


@THOROUGH
@given(too_long())
def test_no_cut_falls_inside_a_character(case: TextCase) -> None:
    safe = boundaries(case.text)
    assert not case.cut() or any(
        len(head) in safe and len(case.text) - len(tail) in safe for head, tail in sides(case)
    )


@THOROUGH
@given(too_long())
def test_a_cut_is_worth_its_place(case: TextCase) -> None:
    assert not (cut := case.cut()) or case.counter.count(cut) >= case.truncation.min_tokens


@THOROUGH
@given(too_long())
def test_a_cut_costs_no_more_than_whole_quanta(case: TextCase) -> None:
    allowance = case.limit // case.truncation.quantum * case.truncation.quantum
    assert not (cut := case.cut()) or case.counter.count(cut) <= allowance


@THOROUGH
@given(too_long())
def test_a_cut_moves_only_with_whole_quanta(case: TextCase) -> None:
    allowance = case.limit // case.truncation.quantum * case.truncation.quantum
    assert case.cut() == replace(case, limit=allowance).cut()


@THOROUGH
@given(too_long())
def test_a_cut_is_left_as_it_is(case: TextCase) -> None:
    cut = case.cut()
    assert not cut or truncate_text(cut, case.limit, case.counter, case.truncation) is cut


@THOROUGH
@given(too_long(), st.integers(0, 3))
def test_a_text_that_fits_is_the_same_object(case: TextCase, spare: int) -> None:
    limit = case.counter.count(case.text) + spare
    assert replace(case, limit=limit).cut() is case.text
