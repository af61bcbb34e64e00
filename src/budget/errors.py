"""Every exception of the package.

Messages give the fact, the numbers and the remedy. They name items by id and never quote an
item's text: prompts hold secrets, and errors end up in logs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum

# C0 and C1 controls rewrite a terminal, bidirectional controls reorder what a reader sees,
# line separators forge log lines, and lone surrogates can't be written to a UTF-8 stream.
_UNSAFE = "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
_IDS_SHOWN = 5


def escaped(name: str) -> str:
    """Return `name` with control and bidirectional characters written as escapes."""
    return re.sub(_UNSAFE, lambda match: match[0].encode("unicode_escape").decode(), name)


def listed(names: Sequence[str]) -> str:
    """Return the first five names, escaped, and how many more there are."""
    shown = ", ".join(escaped(name) for name in names[:_IDS_SHOWN])
    more = len(names) - _IDS_SHOWN
    return f"{shown} and {more:,} more" if more > 0 else shown


def plain(number: float) -> str:
    """Return the number in digits, or its size where Python refuses to write so many."""
    try:
        return str(number)
    except ValueError:
        return f"a number of {int(number).bit_length():,} bits"


class BudgetError(Exception):
    """What every error of this package is."""


class BudgetPolicyError(BudgetError, ValueError):
    """A declaration that can't hold, such as a negative limit or two items with one id."""


class BudgetOverflowError(BudgetError):
    """Content that doesn't fit and may not be cut.

    Attributes:
        needed: Tokens: of the pinned content where that alone is over, otherwise of everything.
        limit: Tokens that were allowed.
        action: The declared `OverflowAction`; None where a guard refused, or lines differ in it.
        item_ids: The pinned ids, the largest first; empty where not the pinned content is over.
        lines: The kinds of the lines whose content it is; set by a policy, otherwise empty.
    """

    def __init__(
        self, needed: int, limit: int, action: Enum | None, item_ids: tuple[str, ...] = ()
    ) -> None:
        """Keep the numbers as attributes."""
        super().__init__(needed, limit, action, item_ids)
        self.needed = needed
        self.limit = limit
        self.action = action
        self.item_ids = item_ids
        self.lines: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Say who is over, by how much, and what to do."""
        where = f"line {listed(self.lines)}: " if self.lines else ""
        over = (
            f"content needs {self.needed:,} tokens, {self.needed - self.limit:,} over the limit of"
            f" {self.limit:,}"
        )
        if self.item_ids:
            return f"{where}pinned {over} ({listed(self.item_ids)}); raise the limit or unpin one"
        if self.action is None or self.action.value != "fail":
            return f"{where}{over}; raise the limit"
        return (
            f"{where}content needs {self.needed} tokens but the budget is {self.limit},"
            " and the declared overflow policy is 'fail'. Nothing was truncated or dropped."
        )


class CounterError(BudgetError):
    """A counter that answered something other than an int >= 0.

    Attributes:
        item_id: The item that was counted; None where the text belonged to no single item.
        answer_type: The name of the answer's type.
        answer: The answer where it was a number, otherwise None: it could quote the text.
    """

    def __init__(self, item_id: str | None, answer_type: str, answer: float | None = None) -> None:
        """Keep what was answered, and for which item."""
        super().__init__(item_id, answer_type, answer)
        self.item_id = item_id
        self.answer_type = answer_type
        self.answer = answer

    def name_item(self, item_id: str | None) -> None:
        """Say for which item it was, once somebody knows; a counter inside another doesn't."""
        if self.item_id is None:
            self.item_id = item_id
            self.args = (item_id, self.answer_type, self.answer)

    def __str__(self) -> str:
        """Say what was answered and how to wrap the counter."""
        where = "" if self.item_id is None else f" for item {escaped(self.item_id)}"
        if self.answer is not None:
            answer = f"{self.answer_type} {plain(self.answer)}"
            return f"the counter answered {answer}{where}, expected an int >= 0"
        remedy = (
            "a counter can't be async"
            if self.answer_type == "coroutine"
            else "a function that returns a sequence is wrapped as"
            " CallableCounter(function, length=True)"
        )
        return f"the counter answered {self.answer_type}{where}, expected an int >= 0; {remedy}"


class ConfigurationError(BudgetError):
    """A guard or a ladder of cache layers that is declared wrongly."""


class HmsBudgetExceededError(ConfigurationError, BudgetOverflowError):
    """A rendered section over its budget, in strict mode: nothing was stamped.

    Attributes:
        layer_name: The section or layer that was measured.
        requested_tokens: What it needs.
        budget: What it may need.
        counter_name: What counted it: a strict budget is only as good as its counter.
    """

    def __init__(
        self, layer_name: str, requested_tokens: int, budget: int, counter_name: str
    ) -> None:
        """Keep the numbers under the guard's names and under those of every overflow."""
        super().__init__(requested_tokens, budget, None, ())
        self.args = (layer_name, requested_tokens, budget, counter_name)
        self.layer_name = layer_name
        self.requested_tokens = requested_tokens
        self.budget = budget
        self.counter_name = counter_name

    def __str__(self) -> str:
        """Say which layer asked for how much."""
        return (
            f"HMS budget exceeded: layer='{escaped(self.layer_name)}'"
            f" requested={self.requested_tokens} budget={self.budget} (strict mode)"
        )


class CacheLadderError(ConfigurationError):
    """Cache markers that a provider would refuse.

    Attributes:
        violations: What is wrong, each naming its place.
    """

    def __init__(self, violations: tuple[object, ...]) -> None:
        """Keep the violations."""
        super().__init__(violations)
        self.violations = violations

    def __str__(self) -> str:
        """Say every violation."""
        return "; ".join(str(violation) for violation in self.violations)


class MissingPackageError(BudgetError, ImportError):
    """A package that an adapter needs and that isn't installed.

    Attributes:
        package: The distribution that is missing.
        extra: The extra of this distribution that installs it.
    """

    def __init__(self, package: str, extra: str) -> None:
        """Keep the two names."""
        super().__init__(package, extra)
        self.package = package
        self.extra = extra

    def __str__(self) -> str:
        """Say what to install."""
        return f"{self.package} isn't installed; pip install 'budgetline[{self.extra}]'"


class MessageError(BudgetPolicyError):
    """A message that can't be read.

    Attributes:
        index: Where it stands in the list.
        kind: The type that was found.
        problem: What is wrong with it.
    """

    def __init__(self, index: int, kind: str, problem: str) -> None:
        """Keep the place and the problem."""
        super().__init__(index, kind, problem)
        self.index = index
        self.kind = kind
        self.problem = problem

    def __str__(self) -> str:
        """Say which message, of which type, and what is wrong."""
        return f"messages[{self.index}] ({escaped(self.kind)}): {self.problem}"


class LockError(BudgetError):
    """A lock file that can't be read, or doesn't belong to what is measured."""
