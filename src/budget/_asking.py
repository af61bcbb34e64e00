"""Asking a counter, and checking its answer.

Nothing else in the package calls a counter directly: an answer that isn't an int >= 0 is refused
here, and an error of the counter's own is told which item it was about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Protocol

from ._checks import refuse_type
from .errors import CounterError, escaped

if TYPE_CHECKING:
    from .items import BudgetItem

CountWithin = Callable[[str, int], int | None]


class TokenCounter(Protocol):
    """Anything with `count(text) -> int`.

    It must be deterministic. A second method, `count_within(text, limit) -> int | None`, is used
    where a counter has one: the count if it is <= limit, else None, free to stop reading as soon
    as that is certain. Only a counter that knows its tokenizer can promise it.
    """

    def count(self, text: str, /) -> int:
        """Return the tokens of `text`, an int >= 0."""
        ...


def check_counter(counter: object, name: str = "counter") -> None:
    """Refuse what can't count: no `count`, a class instead of its instance, an async `count`.

    A str or a list has a `count` method of another meaning, and would find that all fits.
    """
    if isinstance(counter, type):
        found = f"the class {counter.__name__}"
        raise TypeError(f"{name} must be a TokenCounter, an object with a count, got {found}")
    method = None if isinstance(counter, Sequence) else getattr(counter, "count", None)
    if not callable(method):
        error = refuse_type(name, "a TokenCounter, with a count(text) method", counter)
        wrap = "; wrap a bare function as CallableCounter(function)"
        raise TypeError(f"{error}{wrap if callable(counter) else ''}")
    if _is_async(method):
        raise refuse_type(name, "a TokenCounter whose count isn't async", counter)


def check_function(name: str, value: object) -> None:
    """Refuse what can't be called, and what would answer with a coroutine."""
    if not callable(value):
        raise refuse_type(name, "a function", value)
    if _is_async(value):
        raise refuse_type(name, "a function that isn't async", value)


def _is_async(function: Callable[..., object]) -> bool:
    return iscoroutinefunction(function) or iscoroutinefunction(type(function).__call__)


def counter_name(counter: TokenCounter) -> str:
    """Return the counter's `name`, or its class's name if it has none."""
    name = getattr(counter, "name", None)
    return name if isinstance(name, str) else type(counter).__name__


def count_within_of(counter: TokenCounter) -> CountWithin | None:
    """Return the counter's `count_within`, or None if it has none."""
    method: CountWithin | None = getattr(counter, "count_within", None)
    return method


def count(counter: TokenCounter, text: str, item_id: str | None = None) -> int:
    """Return the checked count of `text`; an error of the counter's own passes with a note."""
    try:
        return checked(counter.count(text))
    except BaseException as error:
        _name_the_text(error, text, item_id)
        raise


def count_up_to(
    counter: TokenCounter, text: str, limit: int, item_id: str | None = None
) -> int | None:
    """Return the checked count of `text`, or None where it is known only to be over `limit`."""
    within = count_within_of(counter)
    if within is None:
        return count(counter, text, item_id)
    try:
        answer = within(text, limit)
        return None if answer is None else checked(answer)
    except BaseException as error:
        _name_the_text(error, text, item_id)
        raise


def count_each(counter: TokenCounter, items: Iterable[BudgetItem]) -> Iterator[int]:
    """Yield the checked count of each item's text, each computed when it is asked for."""
    ask = counter.count
    for item in items:
        try:
            answer = ask(item.text)
            if type(answer) is not int or answer < 0:
                answer = checked(answer)
        except BaseException as error:
            _name_the_text(error, item.text, item.item_id)
            raise
        yield answer


def count_each_within(
    counter: TokenCounter, items: Iterable[BudgetItem], room: int
) -> Iterator[int | None]:
    """Yield the same as long as the items fit into `room`; None for one known only not to."""
    within = count_within_of(counter)
    return count_each(counter, items) if within is None else _each_within(within, items, room)


def _each_within(
    within: CountWithin, items: Iterable[BudgetItem], room: int
) -> Iterator[int | None]:
    for item in items:
        try:
            answer = within(item.text, room)
            if answer is not None and (type(answer) is not int or answer < 0):
                answer = checked(answer)
        except BaseException as error:
            _name_the_text(error, item.text, item.item_id)
            raise
        yield answer
        room -= answer or 0


def _name_the_text(error: BaseException, text: str, item_id: str | None) -> None:
    if isinstance(error, CounterError):
        error.name_item(item_id)
        return
    what = f"a text of {len(text):,} characters" if item_id is None else f"item {escaped(item_id)}"
    error.add_note(f"while counting {what}")


def checked(answer: object) -> int:
    """Return the answer if it is an int >= 0; a bool isn't one here."""
    if isinstance(answer, int) and not isinstance(answer, bool) and answer >= 0:
        return answer
    number = answer if isinstance(answer, int | float) else None
    raise CounterError(None, type(answer).__name__, number)
