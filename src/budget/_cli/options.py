"""Options that several commands have."""

from __future__ import annotations

import argparse
import re
from typing import Final

from ..truncation import TruncationPolicy

_ESCAPES: Final = {r"\n": "\n", r"\t": "\t", r"\\": "\\"}
_TRUNCATION: Final = ("keep", "boundary", "marker", "min_tokens", "head_share", "quantum")


def add_input(sub: argparse.ArgumentParser, *, default: str = "-") -> None:
    """Add the files, and how they are read and counted."""
    sub.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="JSON Lines of items (.jsonl, .ndjson) or plain UTF-8 text; - is standard input"
        f" (default: {default})",
    )
    sub.add_argument(
        "--input",
        choices=("auto", "items", "text"),
        default="auto",
        help="read all files as JSON Lines of items, or as text (default: by name)",
    )
    _add_counter(sub)
    add_json(sub)


def _add_counter(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "--counter",
        default="estimate",
        metavar="NAME",
        help="estimate (the default), safe (an estimate that leans high), or an installed"
        " tokenizer: tiktoken:o200k_base, hf:PATH/tokenizer.json, toktok:o200k_base",
    )


def add_json(sub: argparse.ArgumentParser) -> None:
    """Add the switch for machines."""
    sub.add_argument("--json", action="store_true", help="one JSON object for machines")


def add_truncation(sub: argparse.ArgumentParser) -> None:
    """Add the options of a truncation policy."""
    default = TruncationPolicy()
    sub.add_argument(
        "--keep",
        choices=("head", "tail", "both"),
        help=f"which end stays (default: {default.keep})",
    )
    sub.add_argument(
        "--boundary",
        choices=("character", "word", "sentence", "line"),
        help=f"where a cut may fall (default: {default.boundary})",
    )
    sub.add_argument(
        "--marker",
        type=unescaped,
        help=r"stands where text was removed; \n and \t are understood",
    )
    _add_sizes(sub, default)


def _add_sizes(sub: argparse.ArgumentParser, default: TruncationPolicy) -> None:
    sub.add_argument(
        "--min-tokens",
        type=whole_number,
        metavar="N",
        help=f"a cut that counts less isn't made (default: {default.min_tokens})",
    )
    sub.add_argument(
        "--head-share",
        type=float,
        metavar="SHARE",
        help=f"of what --keep both keeps, from 0 to 1 (default: {default.head_share})",
    )
    sub.add_argument(
        "--quantum",
        type=whole_number,
        metavar="N",
        help=f"a cut's allowance is a multiple of it (default: {default.quantum})",
    )


def truncation_of(arguments: argparse.Namespace) -> TruncationPolicy:
    """Return the truncation policy that was asked for."""
    asked = {name: getattr(arguments, name, None) for name in _TRUNCATION}
    return TruncationPolicy(**{name: value for name, value in asked.items() if value is not None})


def asked_truncation(arguments: argparse.Namespace) -> list[str]:
    """Return the options of a truncation policy that were given."""
    given = [name for name in _TRUNCATION if getattr(arguments, name, None) is not None]
    return [f"--{name.replace('_', '-')}" for name in given]


def whole_number(text: str) -> int:
    """Return the number, or refuse in words that a person understands."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            "expected a whole number of at most 4,300 digits"
        ) from None


def unescaped(text: str) -> str:
    r"""Return the text with \n, \t and \\ understood."""
    return re.sub(r"\\[nt\\]", lambda match: _ESCAPES[match[0]], text)
