"""`truncate`: each text cut to a limit."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Final

from ..items import JSON
from ..truncation import truncate_text
from . import summary
from .arguments import Command
from .codes import DONE, FOUND
from .lines import encoded, line_of
from .options import add_input, add_truncation, truncation_of, whole_number
from .streams import say, write, write_json
from .work import work_of

_EXAMPLES: Final = r"""  python -m budget truncate --limit 200 --boundary sentence README.md
  make 2>&1 | python -m budget truncate --limit 500 --keep tail --boundary line"""


def _add(sub: ArgumentParser) -> None:
    add_input(sub)
    sub.add_argument(
        "--limit", type=whole_number, required=True, metavar="N", help="tokens of each text"
    )
    add_truncation(sub)


def _run(arguments: Namespace) -> int:
    limit, policy = arguments.limit, truncation_of(arguments)
    with work_of(arguments) as work:
        reads = list(work.read(arguments))
        is_one_text = arguments.files[1:] == [] and [read.in_lines for read in reads] == [False]
        cuts = [
            (read.item, truncate_text(read.item.text, limit, work.counter, policy))
            for read in reads
        ]
    kept = [(item, text) for item, text in cuts if text or not item.text]
    lost: list[JSON] = [item.item_id for item, text in cuts if item.text and not text]
    if arguments.json:
        rows: list[JSON] = [item.to_dict() | {"text": text} for item, text in kept]
        write_json(work.counter, {"limit": limit, "items": rows, "lost": lost})
    else:
        for item, text in kept:
            write(encoded(text) if is_one_text else line_of(item, text))
        say(summary.cuts(cuts, limit, work.counter))
    return FOUND if lost else DONE


COMMAND: Final = Command("cut each text to a limit", _EXAMPLES, _add, _run)
