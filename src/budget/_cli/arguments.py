"""The parser: one line for every error, and what is the same in all commands."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import NamedTuple, NoReturn

from .. import __version__
from ..errors import escaped

_EPILOG = (
    "Exit codes: 0 done, 1 a finding such as content over the limit, 2 can't be read or asked."
)


class Command(NamedTuple):
    """One command of the command line.

    Attributes:
        does: One line of help.
        examples: How it is called, for the end of its help.
        add: Adds its arguments to its parser.
        run: Runs it and returns the exit code.
    """

    does: str
    examples: str
    add: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {escaped(message)}; see {self.prog} --help\n")


def parser(commands: Mapping[str, Command]) -> argparse.ArgumentParser:
    """Return the parser; what it returns has the command to `run`, and its `parser`."""
    top = _Parser(
        prog="python -m budget",
        description="Decide what happens to prompt content that doesn't fit its token budget.",
        epilog=_EPILOG,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"budgetline {__version__}")
    subparsers = top.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)
    for name, command in commands.items():
        sub = subparsers.add_parser(
            name,
            help=command.does,
            description=command.does,
            epilog=f"examples:\n{command.examples}\n\n{_EPILOG}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        sub.set_defaults(run=command.run, parser=sub)
        command.add(sub)
    return top


def refuse(arguments: argparse.Namespace, message: str) -> NoReturn:
    """Exit as for any other bad call: one line, 2."""
    sub: argparse.ArgumentParser = arguments.parser
    sub.error(message)
