"""What an argument must be: refusals that name it, before anything is counted."""

from __future__ import annotations

from collections.abc import Iterable

from .errors import BudgetError, BudgetPolicyError, escaped, plain


def refuse_type(name: str, expected: str, value: object) -> TypeError:
    """Return the error for an argument of a wrong type."""
    return TypeError(f"{name} must be {expected}, got {type(value).__name__}")


def refuse_class(name: str, expected: type, value: object) -> TypeError:
    """Return the same with modules, which tell two vendored copies of one class apart."""
    found = type(value)
    return TypeError(
        f"{name} must be of {expected.__module__}.{expected.__qualname__},"
        f" got {found.__module__}.{found.__qualname__}"
    )


def check_int(
    name: str,
    value: object,
    minimum: int | None = None,
    error: type[BudgetError] = BudgetPolicyError,
) -> None:
    """Refuse what isn't an int (a bool isn't one here) or is under `minimum`."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise refuse_type(name, "an int", value)
    if minimum is not None and value < minimum:
        raise error(f"{name} must be >= {minimum}, got {plain(value)}")


def check_share(name: str, value: object) -> None:
    """Refuse what isn't a number from 0 to 1 (a bool isn't one here, nor is nan)."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise refuse_type(name, "a float", value)
    if not 0 <= value <= 1:
        raise BudgetPolicyError(f"{name} must be from 0 to 1, got {value}")


def check_type(name: str, value: object, kind: type) -> None:
    """Refuse what isn't a `kind`."""
    if not isinstance(value, kind):
        raise refuse_type(name, f"a {kind.__name__}", value)


def check_choice(
    name: str, value: object, choices: Iterable[str], error: type[BudgetError] = BudgetPolicyError
) -> None:
    """Refuse a string that isn't one of `choices`."""
    check_type(name, value, str)
    valid = list(choices)
    if value not in valid:
        raise error(f"{name} must be one of {', '.join(valid)}, got '{escaped(str(value))}'")
