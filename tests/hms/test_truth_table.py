"""What a guard does, row by row: which hook call, which record, which error, which gate."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass
from itertools import product

import pytest

from budget.errors import HmsBudgetExceededError
from budget.hms import HmsGuard
from tests.hms.stage import (
    AT,
    BUDGET,
    MODES,
    OVER,
    UNDER,
    Failed,
    Hook,
    Mode,
    fail,
    fires,
    guard,
    interrupt,
    nothing,
    words,
)

# "any" stands for each of the column's values; "other" for a later overflow of another layer.
TABLE = """
mode   | size  | overflow | hook       | calls | log            | raises            | gate
any    | under | first    | any        | 0     | -              | -                 | open
any    | at    | first    | any        | 0     | -              | -                 | open
any    | under | later    | any        | 0     | -              | -                 | latched
any    | at    | other    | any        | 0     | -              | -                 | latched
any    | at    | during   | returns    | 0     | -              | -                 | firing
warn   | over  | first    | none       | 0     | ADVISORY       | -                 | latched
warn   | over  | first    | returns    | 1     | ADVISORY       | -                 | latched
warn   | over  | first    | raises     | 1     | HOOK, ADVISORY | -                 | latched
strict | over  | first    | none       | 0     | -              | STRICT            | latched
strict | over  | first    | returns    | 1     | -              | STRICT            | latched
strict | over  | first    | raises     | 1     | HOOK           | STRICT            | latched
any    | over  | first    | interrupts | 1     | -              | KeyboardInterrupt | open
warn   | over  | during   | returns    | 0     | -              | -                 | firing
strict | over  | during   | returns    | 0     | -              | STRICT            | firing
warn   | over  | later    | any        | 0     | -              | -                 | latched
warn   | over  | other    | any        | 0     | -              | -                 | latched
strict | over  | later    | any        | 0     | -              | STRICT            | latched
strict | over  | other    | any        | 0     | -              | STRICT            | latched
"""
SIZES = {"under": UNDER, "at": AT, "over": OVER}
ACTS = {"returns": nothing, "raises": fail, "interrupts": interrupt}
LOG = {
    "ADVISORY": (
        "HMS system prompt section exceeds token budget: %d tokens (budget %d, strategy=%s)."
        " Suppressing further warnings for this agent instance."
    ),
    "HOOK": "on_hms_budget_exceeded hook raised for layer=%s; continuing with budget enforcement.",
}
LAYER = "kernel"


@dataclass(frozen=True)
class Row:
    mode: Mode
    size: int
    overflow: str
    hook: str
    expected: tuple[str, ...]


def _rows() -> list[Row]:
    head, *lines = TABLE.strip().splitlines()
    assert [cell.strip() for cell in head.split("|")][-4:] == ["calls", "log", "raises", "gate"]
    rows = []
    for line in lines:
        mode, size, overflow, hook, *expected = (cell.strip() for cell in line.split("|"))
        modes = [known for known in MODES if mode in ("any", known)]
        hooks = [known for known in ("none", *ACTS) if hook in ("any", known)]
        rows += [
            Row(each, SIZES[size], overflow, what, tuple(expected))
            for each, what in product(modes, hooks)
        ]
    return rows


def _name(row: Row) -> str:
    return f"{row.mode}-{row.size}-{row.overflow}-{row.hook}"


@pytest.mark.parametrize("row", _rows(), ids=_name)
def test_the_truth_table(row: Row, caplog: pytest.LogCaptureFixture) -> None:
    hook = None if row.hook == "none" else Hook()
    guarded = guard(row.mode, hook)
    seen: list[tuple[str, ...]] = []

    def observe() -> None:
        before = 0 if hook is None else len(hook.calls)
        caplog.clear()
        raised = _raised(guarded, row.size)
        calls = 0 if hook is None else len(hook.calls) - before
        assert hook is None or hook.calls[before:] == [(LAYER, row.size, BUDGET)] * calls
        seen.append((str(calls), _logged(caplog, row), raised, _gate(guarded, hook)))

    if row.overflow == "during":
        assert hook is not None
        hook.act = observe
        _overflow(guarded, "first")
    else:
        if row.overflow != "first":
            _overflow(guarded, LAYER if row.overflow == "later" else "other")
        if hook is not None:
            hook.act = ACTS[row.hook]
        observe()
    assert seen == [row.expected]


def _overflow(guarded: HmsGuard, layer: str) -> None:
    with suppress(HmsBudgetExceededError):
        guarded.enforce(layer, OVER + 1)


def _raised(guarded: HmsGuard, size: int) -> str:
    """Check a section, and name what is raised; where nothing is, the text itself comes back."""
    text = words(size)
    try:
        section = guarded.check(LAYER, text)
    except BaseException as error:  # noqa: BLE001 - a row of the table is about them
        found = error
    else:
        assert section.text is text
        return "-"
    assert (found.__context__, found.__cause__) == (None, None)
    if not isinstance(found, HmsBudgetExceededError):
        return type(found).__name__
    assert str(found) == (
        f"HMS budget exceeded: layer='{LAYER}' requested={size} budget={BUDGET} (strict mode)"
    )
    assert (found.layer_name, found.requested_tokens, found.budget) == (LAYER, size, BUDGET)
    assert (found.needed, found.limit, found.action, found.item_ids) == (size, BUDGET, None, ())
    assert found.counter_name == "Words"
    return "STRICT"


def _logged(caplog: pytest.LogCaptureFixture, row: Row) -> str:
    kinds = [kind for record in caplog.records for kind, text in LOG.items() if record.msg == text]
    assert len(kinds) == len(caplog.records)
    for kind, record in zip(kinds, caplog.records, strict=True):
        assert (record.name, record.levelno) == ("budget.hms", logging.WARNING)
        if kind == "HOOK":
            assert record.args == (LAYER,)
            assert record.exc_info is not None
            assert record.exc_info[0] is Failed
        else:
            assert record.args == (row.size, BUDGET, "stratified")
            assert record.exc_info is None
            assert _extra(record) == {
                "budget_layer": LAYER,
                "budget_requested": row.size,
                "budget_limit": BUDGET,
                "budget_mode": row.mode,
                "budget_strategy": "stratified",
                "budget_counter": "Words",
            }
    return ", ".join(kinds) or "-"


def _extra(record: logging.LogRecord) -> dict[str, object]:
    return {name: value for name, value in vars(record).items() if name.startswith("budget_")}


def _gate(guarded: HmsGuard, hook: Hook | None) -> str:
    if guarded.latched:
        return "latched"
    if hook is not None:
        hook.act = nothing
    return "open" if fires(guarded) else "firing"
