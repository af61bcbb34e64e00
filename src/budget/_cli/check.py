"""`check`: the gate; what is over a limit, wouldn't fit a policy, or grew beyond a lock."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from .._report.picture import TOTAL, Result
from .._report.reasons import reason
from ..counting import TokenCounter, count
from ..errors import BudgetOverflowError, escaped
from ..items import JSON, BudgetItem
from ..lock import Entry
from ..overflow import OverflowAction
from ..policy import PolicyResult
from . import summary
from .arguments import Command, refuse
from .codes import DONE, FOUND
from .findings import Finding, over
from .locking import Gate, Settled, add_lock, gate_of, row_of
from .options import add_input, whole_number
from .reading import Read, read_each
from .streams import say, write_json, write_lines
from .window import OneLimit, Window, add_window, window_of, write_report
from .work import Work, work_of

_EXAMPLES: Final = r"""  python -m budget check --policy pyproject.toml turn.jsonl
  python -m budget check --limit-each 2000 prompts/*.md
  python -m budget check --lock budget.lock.json --update prompts/*.md
  python -m budget check --lock budget.lock.json --tolerance 2% --tolerance 20"""


def _add(sub: ArgumentParser) -> None:
    add_input(sub, default="what --lock lists, otherwise -")
    sub.add_argument(
        "--limit-each",
        type=whole_number,
        metavar="N",
        help="tokens of each item or file; with --lock --update, their limit from now on",
    )
    add_lock(sub)
    add_window(sub, [])


class _Checked:
    """What one pass over the items finds; texts are held only where a window needs them all."""

    def __init__(self, arguments: Namespace, window: Window | None, gate: Gate | None) -> None:
        self.each = arguments.limit_each
        self.gate = gate
        self.holds = window is not None
        self.items: list[BudgetItem] = []
        self.entries: list[Entry] = []
        self.findings: list[Finding] = []
        self.texts = 0
        self.tokens = 0

    def take(self, read: Read, counter: TokenCounter) -> None:
        """Measure one item."""
        tokens = count(counter, read.item.text, read.item.item_id)
        self.texts += 1
        self.tokens += tokens
        if self.holds:
            self.items.append(read.item)
        if self.gate is not None:
            self.entries.append(self.gate.entry(read, tokens, counter, self.each))
        # A lock that is rewritten takes the limit over, and finds the same.
        if self.each is not None and tokens > self.each and not (self.gate and self.gate.update):
            self.findings.append(
                Finding("over", escaped(read.item.item_id), over(tokens, self.each))
            )


def _run(arguments: Namespace) -> int:
    window, gate = window_of(arguments, OverflowAction.FAIL), gate_of(arguments)
    if window is None and gate is None and arguments.limit_each is None:
        needed = "--limit, --limit-each, --policy or --lock"
        refuse(arguments, f"the following arguments are required: {needed}")
    checked = _Checked(arguments, window, gate)
    with work_of(arguments) as work:
        counter = work.counter if window is None else work.remembering()
        for read in _reads(arguments, work, gate, unique=window is not None):
            checked.take(read, counter)
        if window is not None:
            checked.findings += _unfit(window, checked.items, counter)
            _report(arguments.report, window, checked.items, counter)
    settled = Settled() if gate is None else gate.settle(checked.entries)
    _tell(arguments, checked, settled, work.counter)
    return FOUND if checked.findings or settled.findings else DONE


def _reads(arguments: Namespace, work: Work, gate: Gate | None, *, unique: bool) -> Iterable[Read]:
    """Return what is checked; ids may repeat in other files unless all are one window."""
    if gate is not None and not arguments.files:
        return gate.reads(work.progress.read)
    if unique:
        return work.read(arguments)
    return chain.from_iterable(
        read_each([name], arguments.input, work.progress.read) for name in arguments.files or ["-"]
    )


def _unfit(window: Window, items: Sequence[BudgetItem], counter: TokenCounter) -> list[Finding]:
    """Return what doesn't fit whole."""
    try:
        return list(_lost(window.fit(items, counter)))
    except BudgetOverflowError as error:
        is_all = not error.item_ids and not error.lines
        says = over(error.needed, error.limit) if is_all else str(error)
        return [Finding("over", TOTAL, says)]


def _lost(result: Result) -> Iterator[Finding]:
    lines = result.lines if isinstance(result, PolicyResult) else ()
    for kind, line in lines:
        for why in line.diagnostics:
            lost = len(line.dropped) + (line.cut is not None)
            says = f"{lost:,} would lose something, first {escaped(why.item_id)}: {reason(why)}"
            yield Finding("lost", f"line {escaped(kind)}", says)


def _report(
    name: str | None, window: Window, items: Sequence[BudgetItem], counter: TokenCounter
) -> None:
    """Write the report, of what would be dropped where nothing may be."""
    if name is None:
        return
    if isinstance(window, OneLimit):
        window = window._replace(action=OverflowAction.DROP)
    try:
        result = window.fit(items, counter)
    except BudgetOverflowError:
        say("no report: what may not be lost is over the limit")
        return
    write_report(name, result, items, counter)


def _tell(arguments: Namespace, checked: _Checked, settled: Settled, counter: TokenCounter) -> None:
    findings = checked.findings + settled.findings
    if arguments.json:
        rows: list[JSON] = [row_of(difference) for difference in settled.shown]
        found: dict[str, JSON] = {"findings": [finding.to_dict() for finding in findings]}
        totals: dict[str, JSON] = {"texts": checked.texts, "total_tokens": checked.tokens}
        write_json(counter, {"passed": not findings} | totals | found | {"differences": rows})
        return
    for line in (*settled.lines(), *map(str, checked.findings)):
        write_lines(line)
    if checked.gate is not None and checked.gate.update:
        say(f"wrote {escaped(str(checked.gate.path))}")
    say(f"texts {checked.texts:,}, tokens {checked.tokens:,}, findings {len(findings):,}")
    say(summary.counted_by(counter))


COMMAND: Final = Command(
    "find what is over a limit, wouldn't fit a policy, or grew beyond a lock",
    _EXAMPLES,
    _add,
    _run,
)
