"""What mypy must accept, and what it must refuse: nothing here is run.

A refusal is an ignore with its code; `warn_unused_ignores` makes a lost refusal an error.
"""

from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Literal, assert_type

from budget import (
    BudgetItem,
    BudgetKind,
    BudgetOverflowError,
    CachedCounter,
    CallableCounter,
    CounterError,
    Diagnostic,
    EstimatingCounter,
    FittedItem,
    OverflowAction,
    OverflowResult,
    OverheadCounter,
    ScaledCounter,
    TokenCounter,
    TruncationPolicy,
    apply_overflow,
    survival_limits,
    truncate_text,
)

DROP = OverflowAction.DROP


class Codes:
    """A counter."""

    def count(self, text: str, /) -> int:
        return len(text)


class Named(Codes):
    """A counter with everything that is optional."""

    name = "codes"

    def count_within(self, text: str, limit: int, /) -> int | None:
        return len(text) if len(text) <= limit else None


class ByKeyword:
    """A counter whose argument has a name."""

    def count(self, text: str) -> int:
        return len(text)


class OfBytes:
    """Counts something else."""

    def count(self, text: bytes, /) -> int:
        return len(text)


class Async:
    """Counts later."""

    async def count(self, text: str, /) -> int:
        return len(text)


class Halves:
    """Counts in halves."""

    def count(self, text: str, /) -> float:
        return len(text) / 2


class Uncounting:
    """Has no count."""


def counters() -> None:
    accepted: list[TokenCounter] = [
        Codes(),
        Named(),
        ByKeyword(),
        EstimatingCounter(),
        EstimatingCounter(safe=True),
        CallableCounter(len),
        ScaledCounter(Codes(), 1.1),
        ScaledCounter(Codes(), Fraction(1, 3)),
        ScaledCounter(Codes(), Decimal("1.1")),
        OverheadCounter(CachedCounter(Codes(), 10), 4),
    ]
    assert_type(accepted[0].count("text"), int)
    refused: TokenCounter = OfBytes()  # type: ignore[assignment]
    refused = Async()  # type: ignore[assignment]
    refused = Halves()  # type: ignore[assignment]
    refused = Uncounting()  # type: ignore[assignment]
    refused = len  # type: ignore[assignment]
    refused.count(text="a keyword")  # type: ignore[call-arg]
    ScaledCounter(Codes(), "1.1")  # type: ignore[arg-type]
    EstimatingCounter(True)  # type: ignore[call-arg]  # noqa: FBT003
    CallableCounter(lambda one, two: 3)  # type: ignore[arg-type]  # noqa: ARG005
    assert_type(CachedCounter(Codes(), 10).hits, int)
    assert_type(ScaledCounter(Codes(), 2).name, str)


def items(texts: Iterator[str]) -> None:
    BudgetItem("a", BudgetKind.TOOLS, "text")
    BudgetItem(item_id="a", kind="notes", text="text", order=3, pinned=True)
    BudgetItem("a", "notes", None)  # type: ignore[arg-type]
    BudgetItem("a", "notes", "text", 1.5)  # type: ignore[arg-type]
    BudgetItem("a", "notes", "text", tokens=3)  # type: ignore[call-arg]
    item = BudgetItem("a", "notes", next(texts))
    item.text = "other"  # type: ignore[misc]
    assert_type(item.kind, BudgetKind | str)
    assert_type(item.order, int)


def results(given: list[BudgetItem]) -> None:
    result = apply_overflow(given, 10, DROP, Codes())
    assert_type(result, OverflowResult)
    assert_type(result.kept, tuple[FittedItem, ...])
    assert_type(result.kept[0].item, BudgetItem)
    assert_type(result.kept[0].item_id, str)
    assert_type(result.kept[0].tokens, int)
    assert_type(result.kept[0].truncated, bool)
    assert_type(result.dropped, tuple[str, ...])
    assert_type(result.total_tokens, int)
    assert_type(result.overflowed, bool)
    assert_type(result.rendered, str | None)
    assert_type(result.cut, str | None)
    assert_type(result.why("a"), Diagnostic | None)
    assert_type(result.diagnostics[0].action, Literal["drop", "truncate"])
    assert_type(
        result.diagnostics[0].reason, Literal["over", "after", "no-cut", "too-small", "cut"]
    )
    assert_type(result.diagnostics[0].tokens_before, int | None)
    assert_type(survival_limits(given, Codes()), dict[str, int])
    assert_type(truncate_text("text", 3, Codes()), str)
    result.limit = 3  # type: ignore[misc]


def calls(given: list[BudgetItem], some: Iterator[BudgetItem]) -> None:
    apply_overflow(some, 10, DROP, Codes())
    apply_overflow(tuple(given), 10, DROP, Codes(), TruncationPolicy(), separator="\n")
    apply_overflow(given, 10, DROP, Codes(), None, separator=None, render=None)
    apply_overflow(given, 10, "drop", Codes())  # type: ignore[arg-type]
    apply_overflow(given, 10.5, DROP, Codes())  # type: ignore[arg-type]
    apply_overflow(given, None, DROP, Codes())  # type: ignore[arg-type]
    apply_overflow(given, 10, DROP, len)  # type: ignore[arg-type]
    apply_overflow(given, 10, DROP, Codes)  # type: ignore[arg-type]
    apply_overflow(["text"], 10, DROP, Codes())  # type: ignore[list-item]
    apply_overflow([{"item_id": "a"}], 10, DROP, Codes())  # type: ignore[list-item]
    apply_overflow(given, 10, DROP, Codes(), "head")  # type: ignore[arg-type]
    apply_overflow(given, 10, DROP, Codes(), None, "\n")  # type: ignore[call-arg]
    apply_overflow(given, 10, DROP, Codes(), separator=1)  # type: ignore[arg-type]
    apply_overflow(given, max_tokens=10)  # type: ignore[call-arg]
    truncate_text(b"text", 3, Codes())  # type: ignore[arg-type]
    truncate_text("text", 3, Codes(), "head")  # type: ignore[arg-type]


def _joined(kept: tuple[FittedItem, ...]) -> str:
    return "".join(fitted.text for fitted in kept)


def _of_list(kept: list[FittedItem]) -> str:
    return str(kept)


def _of_nothing() -> str:
    return ""


def _length(kept: tuple[FittedItem, ...]) -> int:
    return len(kept)


async def _later(kept: tuple[FittedItem, ...]) -> str:
    return _joined(kept)


def renders(given: list[BudgetItem], render: Callable[[tuple[FittedItem, ...]], str]) -> None:
    apply_overflow(given, 10, DROP, Codes(), render=render)
    apply_overflow(given, 10, DROP, Codes(), render=_joined)
    apply_overflow(given, 10, DROP, Codes(), render=lambda kept: kept[0].text)
    apply_overflow(given, 10, DROP, Codes(), render=_of_list)  # type: ignore[arg-type]
    apply_overflow(given, 10, DROP, Codes(), render=_of_nothing)  # type: ignore[arg-type]
    apply_overflow(given, 10, DROP, Codes(), render=_length)  # type: ignore[arg-type]
    apply_overflow(given, 10, DROP, Codes(), render=_later)  # type: ignore[arg-type]
    apply_overflow(given, 10, DROP, Codes(), render="join")  # type: ignore[arg-type]


def options() -> None:
    TruncationPolicy(keep="both", boundary="sentence", marker="", head_share=1)
    TruncationPolicy(keep="middle")  # type: ignore[arg-type]
    TruncationPolicy(boundary="paragraph")  # type: ignore[arg-type]
    TruncationPolicy("head")  # type: ignore[call-arg]
    TruncationPolicy(head_share="0.5")  # type: ignore[arg-type]
    assert_type(TruncationPolicy().keep, Literal["head", "tail", "both"])
    assert_type(OverflowAction("drop"), OverflowAction)
    OverflowAction.SPLIT  # type: ignore[attr-defined]  # noqa: B018


def errors(overflow: BudgetOverflowError, answer: CounterError) -> None:
    assert_type(overflow.needed, int)
    assert_type(overflow.limit, int)
    assert_type(overflow.item_ids, tuple[str, ...])
    assert_type(answer.item_id, str | None)
    assert_type(answer.answer_type, str)
    assert_type(answer.answer, float | None)
