"""The command line: `python -m budget`, or `budgetline`.

Data goes to standard output, what a person reads to standard error. An exit code of 1 is a
finding, such as content over the limit; 2 is what can't be read or asked.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Final

from ._cli import check, count, explain, fit, truncate, validate
from ._cli.arguments import Command, parser
from ._cli.codes import DONE, FOUND, INTERRUPTED, UNUSABLE
from ._cli.streams import say
from .errors import BudgetError, BudgetOverflowError

COMMANDS: Final[dict[str, Command]] = {
    "count": count.COMMAND,
    "truncate": truncate.COMMAND,
    "fit": fit.COMMAND,
    "check": check.COMMAND,
    "explain": explain.COMMAND,
    "validate": validate.COMMAND,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    try:
        return _run(argv)
    except BudgetError as error:
        say(f"budget: {error}")
        return FOUND if isinstance(error, BudgetOverflowError) else UNUSABLE
    except BrokenPipeError:
        # The reader has seen enough; what Python still holds back must not fail at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as error:
        say(f"budget: can't write the output: {error.strerror}")
        return UNUSABLE
    except MemoryError:
        say("budget: not enough memory for these items")
        return UNUSABLE
    except KeyboardInterrupt:
        say("budget: interrupted")
        return INTERRUPTED


def _run(argv: Sequence[str] | None) -> int:
    arguments = parser(COMMANDS).parse_args(argv)
    code: int = arguments.run(arguments)
    if sys.stdout is not None:
        sys.stdout.flush()
    return code
