"""`count`: the tokens of each item or file."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Final

from ..counting import count
from ..items import JSON
from . import summary
from .arguments import Command
from .codes import DONE
from .lines import encoded
from .options import add_input
from .streams import say, write, write_json
from .work import work_of

_EXAMPLES: Final = r"""  python -m budget count prompt.md notes.md
  python -m budget count --counter safe --json turn.jsonl"""


def _add(sub: ArgumentParser) -> None:
    add_input(sub)


def _run(arguments: Namespace) -> int:
    counted: list[tuple[str, int]] = []
    rows: list[JSON] = []
    with work_of(arguments) as work:
        # Each text is let go once it is counted, so that files of any size can be.
        for _, _, item in work.read(arguments):
            tokens = count(work.counter, item.text, item.item_id)
            counted.append((item.item_id, tokens))
            if arguments.json:
                rows.append(item.to_dict() | {"tokens": tokens})
    if arguments.json:
        total = sum(tokens for _, tokens in counted)
        write_json(work.counter, {"total_tokens": total, "items": rows})
        return DONE
    write(encoded(summary.counts(counted)))
    say(summary.counted_by(work.counter))
    return DONE


COMMAND: Final = Command("count the tokens of each item or file", _EXAMPLES, _add, _run)
