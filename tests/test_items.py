"""What goes in and what comes out, as values."""

import copy
import json
from dataclasses import FrozenInstanceError, replace
from enum import Enum

import pytest

from budget import (
    BudgetItem,
    BudgetKind,
    Diagnostic,
    FittedItem,
    OverflowAction,
    OverflowResult,
    TruncationPolicy,
)
from tests.making import revived

PRIVATE = "tiger prawn"
ITEM = BudgetItem("a", "memory", PRIVATE, 3, pinned=True)
FITTED = FittedItem(ITEM, PRIVATE, 2)
LOSS = Diagnostic("b", "drop", 7, 0, "over")
RESULT = OverflowResult((FITTED,), 5, 2, ("b", "c"), True, (LOSS,), PRIVATE)  # noqa: FBT003
VALUES = (ITEM, FITTED, LOSS, RESULT)
every_value = pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
Value = BudgetItem | FittedItem | Diagnostic | OverflowResult


@every_value
def test_a_value_is_frozen(value: Value) -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(value, next(iter(value.__dataclass_fields__)), None)


@every_value
def test_a_value_is_slotted(value: Value) -> None:
    assert not hasattr(value, "__dict__")


@every_value
def test_a_value_is_equal_by_value_also_when_pickled(value: Value) -> None:
    assert revived(value) == value


@every_value
def test_a_value_is_equal_by_value_also_when_copied(value: Value) -> None:
    assert copy.deepcopy(value) == value


@every_value
def test_equal_values_hash_alike(value: Value) -> None:
    assert hash(revived(value)) == hash(value)


@every_value
def test_another_value_is_not_equal(value: Value) -> None:
    others = [other for other in VALUES if other is not value]
    assert value not in others


def test_a_changed_field_makes_another_item() -> None:
    assert replace(ITEM, text="other") != ITEM


def test_a_result_that_was_asked_why_is_still_the_same_value() -> None:
    asked = revived(RESULT)
    asked.why("c")
    assert asked == RESULT
    assert revived(asked) == RESULT
    assert hash(asked) == hash(RESULT)


@every_value
def test_the_repr_shows_no_text(value: Value) -> None:
    assert not any(word in repr(value) for word in PRIVATE.split())


def test_the_repr_of_an_item_shows_id_kind_and_length() -> None:
    assert repr(ITEM) == "BudgetItem('a', 'memory', <11 characters>, order=3, pinned=True)"


def test_the_repr_of_a_fitted_item_shows_its_own_length() -> None:
    cut = FittedItem(ITEM, PRIVATE[:5], 1, truncated=True)
    assert repr(cut) == f"FittedItem({ITEM!r}, <5 characters>, tokens=1, truncated=True)"


def test_the_repr_of_a_result_shows_its_items_and_numbers() -> None:
    assert repr(FITTED) in repr(RESULT)
    assert "limit=5" in repr(RESULT)
    assert "('b', 'c')" in repr(RESULT)


@pytest.mark.parametrize("kind", BudgetKind)
def test_a_usual_kind_by_its_spelling_becomes_the_member(kind: BudgetKind) -> None:
    assert BudgetItem("a", kind.value, "").kind is kind


def test_the_usual_kinds_are_these() -> None:
    usual = ["instructions", "tools", "memory", "documents", "history", "user"]
    assert [str(kind) for kind in BudgetKind] == usual


def test_a_kind_of_ones_own_stays_what_it_is() -> None:
    assert BudgetItem("a", "Tools", "").kind == "Tools"
    assert not isinstance(BudgetItem("a", "Tools", "").kind, BudgetKind)


def test_an_item_is_unpinned_and_of_order_0_unless_said_otherwise() -> None:
    assert BudgetItem("a", "user", "x") == BudgetItem("a", "user", "x", 0, pinned=False)


def test_an_item_holds_the_very_text_it_was_given() -> None:
    text = str(ITEM)
    assert BudgetItem("a", "user", text).text is text


def test_an_item_has_no_token_field() -> None:
    assert set(ITEM.__dataclass_fields__) == {"item_id", "kind", "text", "order", "pinned"}


def test_a_fitted_item_answers_for_its_item() -> None:
    assert (FITTED.item_id, FITTED.kind) == ("a", BudgetKind.MEMORY)


def test_an_action_is_a_plain_enum_and_no_string() -> None:
    assert OverflowAction.__mro__[1] is Enum
    assert [action.value for action in OverflowAction] == ["fail", "drop", "truncate"]
    assert not isinstance(OverflowAction.DROP, str)


def test_an_item_as_a_dict() -> None:
    shown = {"item_id": "a", "kind": "memory", "characters": 11, "order": 3, "pinned": True}
    assert ITEM.to_dict() == shown
    assert ITEM.to_dict(include_text=True) == {**shown, "text": PRIVATE}


def test_a_kind_in_a_dict_is_a_plain_string() -> None:
    assert type(ITEM.to_dict()["kind"]) is str
    assert type(FITTED.to_dict()["kind"]) is str


def test_a_fitted_item_as_a_dict_has_its_own_length_and_text() -> None:
    cut = FittedItem(ITEM, "tiger", 1, truncated=True).to_dict(include_text=True)
    assert (cut["item_id"], cut["characters"], cut["text"]) == ("a", 5, "tiger")
    assert (cut["tokens"], cut["truncated"]) == (1, True)


def test_a_diagnostic_as_a_dict_has_all_its_fields() -> None:
    assert LOSS.to_dict() == {
        "item_id": "b",
        "action": "drop",
        "tokens_before": 7,
        "tokens_after": 0,
        "reason": "over",
        "blocked_by": None,
    }


def test_a_result_as_a_dict_has_everything_but_text() -> None:
    shown = RESULT.to_dict()
    assert shown["kept"] == [FITTED.to_dict()]
    assert (shown["limit"], shown["total_tokens"], shown["overflowed"]) == (5, 2, True)
    assert (shown["dropped"], shown["diagnostics"]) == (["b", "c"], [LOSS.to_dict()])
    assert "tiger" not in json.dumps(shown)


def test_a_result_as_a_dict_has_text_when_asked_for() -> None:
    shown = RESULT.to_dict(include_text=True)
    assert shown["kept"] == [FITTED.to_dict(include_text=True)]
    assert shown["rendered"] == PRIVATE


def test_a_dict_survives_json() -> None:
    shown = RESULT.to_dict(include_text=True)
    assert json.loads(json.dumps(shown)) == shown


def test_a_result_of_nothing_has_the_documented_defaults() -> None:
    empty = OverflowResult((), 5, 0)
    assert (empty.dropped, empty.overflowed, empty.diagnostics, empty.rendered) == (
        (),
        False,
        (),
        None,
    )


def test_a_policy_pickles() -> None:
    policy = TruncationPolicy(keep="both", quantum=5)
    assert revived(policy) == policy


@pytest.mark.parametrize("action", OverflowAction)
def test_an_action_pickles_as_the_member(action: OverflowAction) -> None:
    assert revived(action) is action
