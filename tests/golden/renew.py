"""Writes what the oracle expects into the golden files: `python -m tests.golden.renew`.

A new case is written into a file by hand, without "expected". The package is never asked.
"""

from budget import OverflowResult
from tests.golden.corpus import FOLDER, THEMES, Side, answered
from tests.oracle import oracle_apply, oracle_survival, oracle_truncate
from tests.oracle_joined import oracle_joined
from tests.strategies import Case, TextCase


def fit(case: Case) -> OverflowResult:
    """Answer by trying everything, in sums or joined."""
    if case.separator is None and case.render is None:
        arguments = (case.items, case.limit, case.action, case.counter, case.truncation)
        return oracle_apply(*arguments)
    return oracle_joined(case)


def cut(case: TextCase) -> str:
    """Answer by trying every size."""
    return oracle_truncate(case.text, case.limit, case.counter, case.truncation)


ORACLE = Side(fit, cut, oracle_survival)

if __name__ == "__main__":
    for theme in THEMES:
        expected = answered(theme, ORACLE)
        (FOLDER / f"{theme}.json").write_text(expected, encoding="utf-8", newline="\n")
