"""The command line: `python -m budget`, or `budgetline`.

Data goes to standard output, what a person reads to standard error. An exit code of 1 is a
finding, such as content over the limit; 2 is what can't be read or asked.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence

from ._cli import summary
from ._cli.arguments import COUNTERS, parser, policy_of
from ._cli.lines import encoded, line_of
from ._cli.reading import read_items
from .counting import EstimatingCounter, TokenCounter, count, counter_name
from .errors import BudgetError, BudgetOverflowError
from .items import JSON
from .overflow import OverflowAction, apply_overflow
from .truncation import truncate_text

DONE, FOUND, UNUSABLE, INTERRUPTED = 0, 1, 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    try:
        arguments = parser(COMMANDS).parse_args(argv)
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except BudgetError as error:
        _say(f"budget: {error}")
        return FOUND if isinstance(error, BudgetOverflowError) else UNUSABLE
    except BrokenPipeError:
        # The reader has seen enough; what Python still holds back must not fail at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as error:
        _say(f"budget: can't write the output: {error.strerror}")
        return UNUSABLE
    except KeyboardInterrupt:
        _say("budget: interrupted")
        return INTERRUPTED
    return code


def _count(arguments: argparse.Namespace) -> int:
    counter = COUNTERS[arguments.counter]
    items, _ = read_items(arguments.files, arguments.input)
    tokens = [count(counter, item.text, item.item_id) for item in items]
    if arguments.json:
        rows: list[JSON] = [
            item.to_dict() | {"tokens": cost} for item, cost in zip(items, tokens, strict=True)
        ]
        _write_json(counter, {"total_tokens": sum(tokens), "items": rows})
        return DONE
    names = [item.item_id for item in items]
    _write(encoded(summary.counts(list(zip(names, tokens, strict=True)))))
    _say(summary.counted_by(counter))
    return DONE


def _truncate(arguments: argparse.Namespace) -> int:
    counter, policy = COUNTERS[arguments.counter], policy_of(arguments)
    items, is_one_text = read_items(arguments.files, arguments.input)
    cuts = [(item, truncate_text(item.text, arguments.limit, counter, policy)) for item in items]
    kept = [(item, text) for item, text in cuts if text or not item.text]
    lost: list[JSON] = [item.item_id for item, text in cuts if item.text and not text]
    if arguments.json:
        rows: list[JSON] = [item.to_dict() | {"text": text} for item, text in kept]
        _write_json(counter, {"limit": arguments.limit, "items": rows, "lost": lost})
    else:
        for item, text in kept:
            _write(encoded(text) if is_one_text else line_of(item, text))
        _say(summary.cuts(cuts, arguments.limit, counter))
    return FOUND if lost else DONE


def _fit(arguments: argparse.Namespace) -> int:
    counter = COUNTERS[arguments.counter]
    items, _ = read_items(arguments.files, arguments.input)
    result = apply_overflow(
        items,
        arguments.limit,
        OverflowAction(arguments.action),
        counter,
        policy_of(arguments),
        separator=arguments.separator,
    )
    if arguments.json:
        _write_json(counter, result.to_dict(include_text=True))
        return DONE
    for fitted in result.kept:
        _write(line_of(fitted.item, fitted.text))
    _say(summary.fit(items, result, counter))
    return DONE


def _write_json(counter: TokenCounter, values: Mapping[str, JSON]) -> None:
    estimate = isinstance(counter, EstimatingCounter)
    found = {"counter": counter_name(counter), "estimate": estimate} | dict(values)
    _write(encoded(json.dumps(found, ensure_ascii=False)) + b"\n")


def _write(data: bytes) -> None:
    sys.stdout.buffer.write(data)


def _say(text: str) -> None:
    sys.stderr.buffer.write(encoded(text) + b"\n")
    sys.stderr.flush()


COMMANDS = {"count": _count, "truncate": _truncate, "fit": _fit}
