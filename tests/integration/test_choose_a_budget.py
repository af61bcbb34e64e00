"""docs/how-to/choose-a-budget.md pins a budget that a real tokenizer counted."""

import re
from pathlib import Path

import pytest

from budget.errors import HmsBudgetExceededError
from budget.hms import HmsGuard

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "choose-a-budget.md"
TEXT = "Answer in Dutch. Parcels to Ghent take two days."


def strict() -> HmsGuard:
    """Run the page's python block, and return the guard that it ends with."""
    (code,) = re.findall(
        r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    defined: dict[str, HmsGuard] = {}
    exec(code, defined)  # noqa: S102 - our own page
    return defined["strict"]


def test_the_budget_is_what_the_tokenizer_counts_and_a_headroom() -> None:
    guarded = strict()
    tokens = guarded.check("system", TEXT).tokens
    assert tokens < guarded.budget == -(-tokens * 120 // 100)


def test_a_section_that_doubles_is_refused_by_the_name_of_the_tokenizer() -> None:
    with pytest.raises(HmsBudgetExceededError) as caught:
        strict().check("system", TEXT * 2)
    assert "o200k_base" in caught.value.counter_name
