"""What TOML and JSON give, turned into a declaration; an error says where in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import TypeVar

from ._checks import refuse_type
from .errors import BudgetPolicyError, escaped

Made = TypeVar("Made")
Reader = Callable[[object, str], object]

_SHOWN = 80  # characters of an unknown key: more of it is no misspelling


def declared(make: Callable[..., Made], mapping: object, where: str, **read: Reader) -> Made:
    """Return what `make` makes of the entries of a mapping.

    Args:
        make: Its parameters are the keys; its errors begin with the name of the parameter.
        mapping: Whatever was found there.
        where: The path of the mapping, such as "lines[2]"; "" for the outermost.
        read: What turns an entry, and its path, into the argument; others are taken as they are.

    Raises:
        TypeError: For a mapping or an entry of a wrong type.
        BudgetPolicyError: For an unknown key, a missing one, or a wrong value.
    """
    if not isinstance(mapping, Mapping):
        raise refuse_type(where or "a policy", "a mapping", mapping)
    inside = f"{where}." if where else ""
    _check_keys(mapping, signature(make).parameters, inside)
    values = dict(mapping)
    for key in read.keys() & values.keys():
        values[key] = read[key](values[key], inside + key)
    try:
        return make(**values)
    except (TypeError, BudgetPolicyError) as error:
        raise type(error)(f"{inside}{error}") from None


def _check_keys(
    found: Mapping[object, object], parameters: Mapping[str, Parameter], inside: str
) -> None:
    for key in found:
        if key not in parameters:
            from difflib import get_close_matches  # noqa: PLC0415 - only errors need it

            name = str(key)[:_SHOWN]
            nearest = get_close_matches(name, parameters, n=1, cutoff=0)[0]
            raise BudgetPolicyError(
                f"unknown key {inside}{escaped(name)}; the nearest valid one is {nearest},"
                f" of {', '.join(parameters)}"
            )
    for name, parameter in parameters.items():
        if parameter.default is Parameter.empty and name not in found:
            raise BudgetPolicyError(f"{inside}{name} is missing; declare it")
