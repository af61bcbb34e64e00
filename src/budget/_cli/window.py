"""The window that content is held against: one limit with an action, or a policy."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ..counting import TokenCounter
from ..errors import escaped
from ..items import BudgetItem, OverflowResult
from ..overflow import OverflowAction, apply_overflow
from ..policy import BudgetPolicy, PolicyResult, apply_policy
from ..truncation import TruncationPolicy
from .arguments import refuse
from .lines import InputError, encoded
from .options import add_truncation, asked_truncation, truncation_of, unescaped, whole_number

Result = OverflowResult | PolicyResult


class OneLimit(NamedTuple):
    """One limit for everything."""

    limit: int
    action: OverflowAction
    truncation: TruncationPolicy
    separator: str | None

    def fit(self, items: Sequence[BudgetItem], counter: TokenCounter) -> OverflowResult:
        """Fit the items."""
        return apply_overflow(
            items, self.limit, self.action, counter, self.truncation, separator=self.separator
        )


class Lines(NamedTuple):
    """A policy, line by line."""

    policy: BudgetPolicy
    separator: str | None

    def fit(self, items: Sequence[BudgetItem], counter: TokenCounter) -> PolicyResult:
        """Fit the items."""
        return apply_policy(items, self.policy, counter, separator=self.separator)


Window = OneLimit | Lines


def add_window(sub: argparse.ArgumentParser, actions: Sequence[str]) -> None:
    """Add the options that declare a window, and the report of what it does."""
    sub.add_argument("--limit", type=whole_number, metavar="N", help="tokens of everything")
    if actions:
        sub.add_argument("--action", choices=actions, help="when not everything fits the limit")
        add_truncation(sub)
    sub.add_argument(
        "--policy",
        metavar="FILE.toml",
        help="a whole window, by the line: [tool.budget] of a pyproject.toml, or its own file",
    )
    sub.add_argument(
        "--separator",
        type=unescaped,
        help=r"measure the texts joined by this; \n and \t are understood;"
        " write --separator=--- where it starts with a -",
    )
    sub.add_argument(
        "--report",
        metavar="FILE",
        help="write a report: a page where FILE ends in .html, otherwise text",
    )


def window_of(arguments: argparse.Namespace, default: OverflowAction | None) -> Window | None:
    """Return the window that was asked for, or None; a contradiction is refused.

    Args:
        arguments: As parsed.
        default: The action where none was given; None where one must be.
    """
    if arguments.policy is not None:
        from .policy_file import read_policy  # noqa: PLC0415 - few calls read TOML

        _refuse_beside_policy(arguments)
        return Lines(read_policy(arguments.policy), arguments.separator)
    if arguments.limit is None:
        needless = _given(arguments, "action", "separator", "report")
        if needless:
            refuse(arguments, f"{needless[0]} needs --limit or --policy")
        return None
    asked = getattr(arguments, "action", None)
    action = default if asked is None else OverflowAction(asked)
    if action is None:
        refuse(arguments, "the following arguments are required: --action")
    return OneLimit(arguments.limit, action, truncation_of(arguments), arguments.separator)


def _refuse_beside_policy(arguments: argparse.Namespace) -> None:
    given = _given(arguments, "limit", "action") + asked_truncation(arguments)
    if given:
        refuse(arguments, f"{given[0]} can't stand beside --policy, which declares it by the line")


def _given(arguments: argparse.Namespace, *names: str) -> list[str]:
    return [f"--{name}" for name in names if getattr(arguments, name, None) is not None]


def write_report(
    name: str | None,
    result: Result,
    items: Sequence[BudgetItem],
    counter: TokenCounter,
) -> None:
    """Write the report, where one was asked for; an old file of the name is replaced as a whole.

    Raises:
        InputError: If it can't be written.
    """
    if name is None:
        return
    from .._lock.replacing import replace_file  # noqa: PLC0415 - few calls write a file
    from ..report import Report  # noqa: PLC0415 - or draw a picture

    report = Report(result, items, counter)
    text = report.html() if Path(name).suffix in {".html", ".htm"} else f"{report}\n"
    try:
        replace_file(Path(name), encoded(text))
    except OSError as error:
        raise InputError(f"{escaped(name)}: can't be written: {error.strerror}") from None
