"""`fit`: items into a limit or a whole window."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Final

from ..overflow import OverflowAction
from . import summary
from .arguments import Command, refuse
from .codes import DONE
from .lines import line_of
from .options import add_input
from .streams import say, write, write_json
from .window import add_window, window_of, write_report
from .work import work_of

_EXAMPLES: Final = r"""  python -m budget fit --limit 8000 --action drop turn.jsonl
  python -m budget fit --limit 8000 --action truncate --separator '\n\n' turn.jsonl
  python -m budget fit --policy pyproject.toml --report where.html turn.jsonl > fitted.jsonl"""


def _add(sub: ArgumentParser) -> None:
    add_input(sub)
    add_window(sub, [action.value for action in OverflowAction])


def _run(arguments: Namespace) -> int:
    window = window_of(arguments, None)
    if window is None:
        refuse(arguments, "the following arguments are required: --limit or --policy")
    with work_of(arguments) as work:
        items = work.items(arguments)
        result = window.fit(items, work.counter)
        write_report(arguments.report, result, items, work.counter)
    if arguments.json:
        write_json(work.counter, result.to_dict(include_text=True))
        return DONE
    for fitted in result.kept:
        write(line_of(fitted.item, fitted.text))
    say(summary.fit(items, result, work.counter))
    return DONE


COMMAND: Final = Command(
    "fit items into a limit; items go out as JSON Lines, a summary to standard error",
    _EXAMPLES,
    _add,
    _run,
)
