"""A policy from a TOML file: `[tool.budget]` of a pyproject, or a file of its own."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from ..errors import BudgetError, escaped
from ..policy import BudgetPolicy
from .lines import InputError, decoded
from .reading import unreadable

_PYPROJECT: Final = "pyproject.toml"
_PLACE: Final = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


def read_policy(name: str) -> BudgetPolicy:
    """Return the policy that a file declares.

    Raises:
        InputError: If it can't be read, isn't TOML (with line and column) or declares no policy
            (with the key).
    """
    place = escaped(name)
    try:
        data = Path(name).read_bytes()
    except (OSError, ValueError) as error:
        raise unreadable(name, error) from None
    found = _parsed(decoded(data, place), place)
    try:
        return BudgetPolicy.from_mapping(_section(found, name))
    except (TypeError, BudgetError) as error:
        raise InputError(f"{place}: {error}") from None


def _parsed(text: str, place: str) -> Mapping[str, object]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(str(error), text, place) from None
    except RecursionError:
        raise InputError(f"{place}: not a policy: nested too deeply") from None
    except ValueError:
        raise InputError(f"{place}: not a policy: a number has too many digits") from None


def _not_toml(message: str, text: str, place: str) -> InputError:
    match = _PLACE.search(message)
    said = escaped(message[: match.start()] if match else message)
    if match and match[1]:
        line, column = int(match[1]), int(match[2])
    else:
        line, column = text.count("\n") + 1, len(text) - text.rfind("\n")
    return InputError(f"{place}:{line}:{column}: not TOML: {said}")


def _section(found: Mapping[str, object], name: str) -> Mapping[str, object]:
    """Return the table that is the policy: all of a file that has no [tool.budget]."""
    tool = found.get("tool")
    section = tool.get("budget") if isinstance(tool, Mapping) else None
    if isinstance(section, Mapping):
        return section
    if Path(name).name == _PYPROJECT or tool is not None:
        raise InputError("no table [tool.budget]; declare limit and lines in it")
    return found
