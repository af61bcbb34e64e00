"""What can be asked on the command line."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping
from typing import NoReturn

from .. import __version__
from ..counting import EstimatingCounter, TokenCounter
from ..errors import escaped
from ..overflow import OverflowAction
from ..truncation import TruncationPolicy

Command = Callable[[argparse.Namespace], int]

COUNTERS: dict[str, TokenCounter] = {
    "estimate": EstimatingCounter(),
    "safe": EstimatingCounter(safe=True),
}
_HELP = {
    "count": "count the tokens of each item or file",
    "truncate": "cut each text to a limit",
    "fit": "fit items into a limit; items go out as JSON Lines, a summary to standard error",
}
_EXAMPLES = {
    "count": r"""examples:
  python -m budget count prompt.md notes.md
  python -m budget count --counter safe --json turn.jsonl""",
    "truncate": r"""examples:
  python -m budget truncate --limit 200 --boundary sentence README.md
  make 2>&1 | python -m budget truncate --limit 500 --keep tail --boundary line""",
    "fit": r"""examples:
  python -m budget fit --limit 8000 --action drop turn.jsonl
  python -m budget fit --limit 8000 --action truncate --separator '\n\n' turn.jsonl""",
}
_ESCAPES = {r"\n": "\n", r"\t": "\t", r"\\": "\\"}


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {escaped(message)}; see {self.prog} --help\n")


def parser(commands: Mapping[str, Command]) -> argparse.ArgumentParser:
    """Return the parser; what it returns has the command to `run`."""
    top = _Parser(
        prog="python -m budget",
        description="Decide what happens to prompt content that doesn't fit its token budget.",
        epilog="Exit codes: 0 done, 1 over the limit, 2 can't be read or asked.",
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"budgetline {__version__}")
    subparsers = top.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)
    for name, command in commands.items():
        sub = subparsers.add_parser(
            name,
            help=_HELP[name],
            description=_HELP[name],
            epilog=_EXAMPLES[name],
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        sub.set_defaults(run=command)
        _add_input(sub)
        if name != "count":
            sub.add_argument("--limit", type=_whole_number, required=True, help="tokens")
            _add_policy(sub)
        if name == "fit":
            _add_fit(sub)
    return top


def policy_of(arguments: argparse.Namespace) -> TruncationPolicy:
    """Return the truncation policy that was asked for."""
    return TruncationPolicy(
        keep=arguments.keep,
        boundary=arguments.boundary,
        marker=arguments.marker,
        min_tokens=arguments.min_tokens,
        head_share=arguments.head_share,
        quantum=arguments.quantum,
    )


def _add_input(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "files",
        nargs="*",
        default=["-"],
        metavar="FILE",
        help="JSON Lines of items (.jsonl, .ndjson) or plain UTF-8 text; - is standard input",
    )
    sub.add_argument(
        "--input",
        choices=("auto", "items", "text"),
        default="auto",
        help="read all files as JSON Lines of items, or as text (default: by name)",
    )
    sub.add_argument("--counter", choices=COUNTERS, default="estimate", help="default: estimate")
    sub.add_argument("--json", action="store_true", help="one JSON object for machines")


def _add_policy(sub: argparse.ArgumentParser) -> None:
    default = TruncationPolicy()
    sub.add_argument("--keep", choices=("head", "tail", "both"), default=default.keep)
    sub.add_argument(
        "--boundary",
        choices=("character", "word", "sentence", "line"),
        default=default.boundary,
        help="where a cut may fall",
    )
    sub.add_argument(
        "--marker",
        type=_unescaped,
        default=default.marker,
        help=r"stands where text was removed; \n and \t are understood",
    )
    sub.add_argument("--min-tokens", type=_whole_number, default=default.min_tokens)
    sub.add_argument("--head-share", type=float, default=default.head_share)
    sub.add_argument("--quantum", type=_whole_number, default=default.quantum)


def _add_fit(sub: argparse.ArgumentParser) -> None:
    actions = [action.value for action in OverflowAction]
    sub.add_argument("--action", choices=actions, required=True, help="when not everything fits")
    sub.add_argument(
        "--separator",
        type=_unescaped,
        help=r"measure the texts joined by this; write --separator=--- where it starts with a -",
    )


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            "expected a whole number of at most 4,300 digits"
        ) from None


def _unescaped(text: str) -> str:
    return re.sub(r"\\[nt\\]", lambda match: _ESCAPES[match[0]], text)
