"""What errors are, carry and survive."""

import copy

import pytest

from budget import (
    BudgetError,
    BudgetOverflowError,
    BudgetPolicyError,
    CounterError,
    OverflowAction,
)
from budget.errors import (
    CacheLadderError,
    ConfigurationError,
    HmsBudgetExceededError,
    LockError,
    MessageError,
    MissingPackageError,
)
from tests.making import DROP, FAIL, TRUNCATE, revived

ERRORS = (
    BudgetError("anything"),
    BudgetPolicyError("limit must be >= 0, got -1"),
    BudgetOverflowError(12, 10, FAIL),
    BudgetOverflowError(5_310, 5_000, DROP, ("system", "tools")),
    CounterError("a", "NoneType"),
    CounterError("a", "int", -1),
    CounterError(None, "float", 1.5),
    ConfigurationError("no such mode"),
    HmsBudgetExceededError("kernel", 12, 10, "estimate"),
    CacheLadderError(("first", "second")),
    MissingPackageError("tiktoken", "openai"),
    MessageError(3, "video", "nobody knows what it costs"),
    LockError("no such file"),
)
every_error = pytest.mark.parametrize("error", ERRORS, ids=[repr(error) for error in ERRORS])

# Two texts are what hosts already see; the others follow one style.
HOSTS = ("content needs", "HMS budget exceeded")
OURS = tuple(error for error in ERRORS if not str(error).startswith(HOSTS))

HIERARCHY = (
    (BudgetError, (Exception,)),
    (BudgetPolicyError, (BudgetError, ValueError)),
    (BudgetOverflowError, (BudgetError,)),
    (CounterError, (BudgetError,)),
    (ConfigurationError, (BudgetError,)),
    (HmsBudgetExceededError, (ConfigurationError, BudgetOverflowError)),
    (CacheLadderError, (ConfigurationError,)),
    (MissingPackageError, (BudgetError, ImportError)),
    (MessageError, (BudgetPolicyError,)),
    (LockError, (BudgetError,)),
)


def _facts(error: BudgetError) -> tuple[object, ...]:
    return type(error), error.args, vars(error), str(error)


@every_error
def test_an_error_pickles_with_its_attributes(error: BudgetError) -> None:
    assert _facts(revived(error)) == _facts(error)


@every_error
def test_an_error_deep_copies_with_its_attributes(error: BudgetError) -> None:
    assert _facts(copy.deepcopy(error)) == _facts(error)


@every_error
def test_an_error_pickles_with_its_notes(error: BudgetError) -> None:
    noted = copy.copy(error)
    noted.add_note("while counting item a")
    assert revived(noted).__notes__ == ["while counting item a"]


@every_error
def test_an_error_deep_copies_with_its_notes(error: BudgetError) -> None:
    noted = copy.copy(error)
    noted.add_note("while counting item a")
    assert copy.deepcopy(noted).__notes__ == ["while counting item a"]


@pytest.mark.parametrize("error", OURS, ids=[repr(error) for error in OURS])
def test_an_error_is_lower_case_and_ends_without_a_full_stop(error: BudgetError) -> None:
    assert not str(error)[0].isupper()
    assert not str(error).endswith(".")


@pytest.mark.parametrize(
    ("error", "parents"), HIERARCHY, ids=[error.__name__ for error, _ in HIERARCHY]
)
def test_an_error_is_what_handlers_catch(
    error: type[BudgetError], parents: tuple[type[Exception], ...]
) -> None:
    assert all(issubclass(error, parent) for parent in parents)


def test_an_overflow_is_no_value_error() -> None:
    assert not issubclass(BudgetOverflowError, ValueError)


def test_the_action_of_a_revived_error_is_the_member() -> None:
    assert revived(BudgetOverflowError(12, 10, FAIL)).action is OverflowAction.FAIL


def test_an_overflow_carries_its_numbers_and_ids() -> None:
    error = BudgetOverflowError(7, 5, TRUNCATE, ("a", "b"))
    found = (error.needed, error.limit, error.action, error.item_ids)
    assert found == (7, 5, TRUNCATE, ("a", "b"))


def test_the_text_of_fail_is_the_one_that_hosts_see() -> None:
    assert str(BudgetOverflowError(5_310, 5_000, FAIL)) == (
        "content needs 5310 tokens but the budget is 5000, and the declared overflow policy is"
        " 'fail'. Nothing was truncated or dropped."
    )


def test_the_text_of_pinned_content_says_who_how_much_and_what_to_do() -> None:
    assert str(BudgetOverflowError(5_310, 5_000, DROP, ("system", "tools"))) == (
        "pinned content needs 5,310 tokens, 310 over the limit of 5,000 (system, tools);"
        " raise the limit or unpin one"
    )


def test_the_text_of_strict_mode_is_the_one_that_hosts_see() -> None:
    assert str(HmsBudgetExceededError("x", 12, 10, "estimate")) == (
        "HMS budget exceeded: layer='x' requested=12 budget=10 (strict mode)"
    )


def test_strict_mode_carries_the_numbers_under_both_names() -> None:
    error = HmsBudgetExceededError("x", 12, 10, "estimate")
    assert (error.layer_name, error.requested_tokens, error.budget) == ("x", 12, 10)
    assert (error.needed, error.limit, error.action, error.item_ids) == (12, 10, None, ())
    assert error.counter_name == "estimate"


def test_a_counter_error_says_what_was_answered_for_which_item() -> None:
    text = str(CounterError("a", "int", -1))
    assert text.startswith("the counter answered int -1 for item a, expected an int >= 0")


def test_a_counter_error_says_how_to_wrap_an_encode() -> None:
    assert "CallableCounter(function, length=True)" in str(CounterError("a", "list"))


def test_a_counter_error_without_an_item_names_none() -> None:
    text = str(CounterError(None, "NoneType"))
    assert text.startswith("the counter answered NoneType, expected an int >= 0")


def test_a_counter_error_carries_what_was_answered() -> None:
    error = CounterError("a", "float", 1.5)
    assert (error.item_id, error.answer_type, error.answer) == ("a", "float", 1.5)


def test_a_ladder_error_says_every_violation() -> None:
    assert str(CacheLadderError(("first", "second"))) == "first; second"
    assert CacheLadderError(("first", "second")).violations == ("first", "second")


def test_a_missing_package_is_named_with_its_extra() -> None:
    error = MissingPackageError("toktok-rs", "toktok")
    assert str(error) == "toktok-rs isn't installed; pip install 'budgetline[toktok]'"
    assert (error.package, error.extra) == ("toktok-rs", "toktok")


def test_a_message_error_says_where_and_what() -> None:
    error = MessageError(3, "video", "nobody knows what it costs")
    assert str(error) == "messages[3] (video): nobody knows what it costs"
    assert (error.index, error.kind, error.problem) == (3, "video", "nobody knows what it costs")


def test_content_over_a_limit_that_nobody_declared_fail_for_is_told_without_it() -> None:
    error = BudgetOverflowError(1_200, 1_000, OverflowAction.DROP)
    assert str(error) == (
        "content needs 1,200 tokens, 200 over the limit of 1,000; raise the limit"
    )


def test_a_counter_that_answers_later_is_told_that_it_cannot() -> None:
    assert str(CounterError("a", "coroutine")).endswith("; a counter can't be async")


def test_a_number_that_python_refuses_to_write_out_is_told_by_its_size() -> None:
    assert "a number of 16,610 bits" in str(CounterError("a", "int", -(10**5_000)))
