"""The embedded estimate against counts that two tokenizers really gave."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.estimates.corpus import read_rows
from tests.estimates.kinds import NATURAL, UNNATURAL
from tests.estimates.table import estimate_errors, of_kinds, safe_errors, table

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "estimates.md"


def test_the_docs_state_these_very_numbers() -> None:
    assert table() in PAGE.read_text("utf-8")


def test_the_corpus_has_texts_of_every_kind_long_enough_to_judge() -> None:
    rows = read_rows()
    assert {row["kind"] for row in rows} == {*NATURAL, *UNNATURAL}
    assert min(len(row["text"]) for row in rows) >= 200


@pytest.mark.parametrize("kind", NATURAL)
def test_a_natural_kind_is_estimated_without_a_large_bias(kind: str) -> None:
    assert abs(estimate_errors(of_kinds(kind)).bias) <= 27


def test_over_all_natural_kinds_the_estimate_leans_neither_way() -> None:
    assert abs(estimate_errors(of_kinds(*NATURAL)).bias) <= 4


def test_nine_of_ten_natural_texts_are_within_a_quarter() -> None:
    errors = sorted(map(abs, estimate_errors(of_kinds(*NATURAL)).values))
    assert errors[len(errors) * 9 // 10] <= 25


def test_the_safe_estimate_undercounts_less_than_one_natural_text_in_a_hundred() -> None:
    errors = safe_errors(of_kinds(*NATURAL))
    assert 100 * errors.undercounts < len(errors.values)


def test_the_safe_estimate_overestimates_by_less_than_90_per_cent_on_average() -> None:
    assert safe_errors(of_kinds(*NATURAL)).bias <= 90


def test_the_safe_estimate_can_undercount_formulas_and_the_docs_say_so() -> None:
    assert safe_errors(of_kinds("math")).undercounts > 0
    assert "Formulas" in PAGE.read_text("utf-8")
