"""What a result tells: of a line, of a loss, and to JSON."""

import json

import pytest

from budget import (
    BudgetItem,
    BudgetKind,
    BudgetPolicyError,
    Diagnostic,
    OverflowResult,
    PolicyResult,
)
from tests.making import Untyped, revived
from tests.policy.making import cutting, dropping, fitted, held

PRIVATE = "tiger prawn"


@pytest.fixture(name="result")
def _result() -> PolicyResult:
    """Two lines that lose something and one that doesn't, in mixed order of arrival."""
    items = [*held("b", 1, 2, 3), *held("memory", 1), *held("a", 5, 1)]
    return fitted(items, 8, dropping("memory"), cutting("a", limit=4), dropping("b", limit=3))


def test_a_line_is_found_by_its_kind(result: PolicyResult) -> None:
    assert result.line("b") == result.lines[2][1]


def test_a_line_is_found_by_member_and_by_spelling(result: PolicyResult) -> None:
    assert result.line(BudgetKind.MEMORY) is result.line("memory")


def test_an_undeclared_kind_is_an_error_that_names_the_declared(result: PolicyResult) -> None:
    with pytest.raises(BudgetPolicyError) as caught:
        result.line("tools")
    assert str(caught.value) == "no line is declared for tools; declared are memory, a, b"


def test_a_kind_that_is_no_string_is_a_type_error(result: PolicyResult) -> None:
    line: Untyped = result.line
    with pytest.raises(TypeError, match="kind must be a str, got int"):
        line(3)


def test_why_answers_for_the_first_loss_of_every_line(result: PolicyResult) -> None:
    assert [result.why(item_id) for item_id in ("b3", "a1")] == [
        Diagnostic("b3", "drop", 3, 0, "over"),
        Diagnostic("a1", "truncate", 5, 4, "cut"),
    ]


def test_a_later_loss_is_blocked_by_the_first_of_its_own_line(result: PolicyResult) -> None:
    why = result.why("a2")
    assert why is not None
    assert (why.reason, why.blocked_by) == ("after", "a1")


@pytest.mark.parametrize("item_id", ["b1", "nobody"])
def test_there_is_no_why_for_what_was_not_lost(result: PolicyResult, item_id: str) -> None:
    assert result.why(item_id) is None


def test_diagnostics_stand_in_the_order_of_arrival(result: PolicyResult) -> None:
    assert [entry.item_id for entry in result.diagnostics] == ["b3", "a1"]


def test_dropped_stands_in_the_order_of_arrival(result: PolicyResult) -> None:
    assert result.dropped == ("b3", "a2")


def test_a_result_pickles(result: PolicyResult) -> None:
    assert revived(result) == result


def test_a_result_is_plain_json(result: PolicyResult) -> None:
    found = json.loads(json.dumps(result.to_dict()))
    assert {key: found[key] for key in ("limit", "total_tokens", "dropped", "overflowed")} == {
        "limit": 8,
        "total_tokens": 8,
        "dropped": ["b3", "a2"],
        "overflowed": True,
    }
    assert [(line["kind"], line["total_tokens"]) for line in found["lines"]] == [
        ("memory", 1),
        ("a", 4),
        ("b", 3),
    ]
    assert [entry["item_id"] for entry in found["diagnostics"]] == ["b3", "a1"]


def secret() -> PolicyResult:
    items = [BudgetItem("a", "a", PRIVATE)]
    return fitted(items, 9, dropping("a"), separator="")


def test_neither_repr_nor_json_shows_a_text() -> None:
    assert PRIVATE not in repr(secret()) + json.dumps(secret().to_dict())


def test_json_holds_each_text_once_where_that_is_asked_for() -> None:
    found = secret().to_dict(include_text=True)
    assert found.pop("rendered") == PRIVATE
    assert json.dumps(found).count(PRIVATE) == 1


def test_a_result_has_what_a_result_of_one_line_has(result: PolicyResult) -> None:
    single = {name for name in dir(OverflowResult) if not name.startswith("_")} - {"cut"}
    assert single <= set(dir(result))
