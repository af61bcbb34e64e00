"""Reading and replacing fields: of mappings and of SDK objects, in camelCase or snake_case."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from copy import copy
from typing import TypeVar

Holder = TypeVar("Holder")


def field(holder: object, *spellings: str) -> object:
    """Return the first field that is there and isn't None, else None."""
    for name in spellings:
        value = _get(holder, name)
        if value is not None:
            return value
    return None


def spelling(holder: object, *spellings: str) -> str:
    """Return the spelling under which `field` finds its value."""
    return next(name for name in spellings if _get(holder, name) is not None)


def type_of(holder: object) -> str:
    """Return the `type` of a block or an item; "" if it has none."""
    kind = field(holder, "type")
    return kind if isinstance(kind, str) else ""


def entries(value: object) -> list[object]:
    """Return the entries of a list; none for whatever else stands there."""
    return list(value) if isinstance(value, list | tuple) else []


def replaced(holder: Holder, name: str, value: object) -> Holder:
    """Return a copy of a mapping or an object with another value in one field."""
    if isinstance(holder, Mapping) and not isinstance(holder, MutableMapping):
        # Mappings that can't be written to, such as MappingProxyType, are made from others.
        return type(holder)({**holder, name: value})  # type: ignore[call-arg]
    copied = copy(holder)
    if isinstance(copied, MutableMapping):
        copied[name] = value
    else:  # past a frozen class's own refusal: the copy isn't anybody's yet
        object.__setattr__(copied, name, value)
    return copied


def _get(holder: object, name: str) -> object:
    # Asking a dict's type is several times faster than asking an abstract class about it.
    if type(holder) is dict or isinstance(holder, Mapping):
        value: object = holder.get(name)
        return value
    return getattr(holder, name, None)
