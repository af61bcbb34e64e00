"""Fitting a chat history into a limit, so that a valid one stays valid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from types import MappingProxyType
from typing import Final

from .._walk import longest_prefix
from ..counting import TokenCounter, check_counter
from ..items import Diagnostic
from ..truncation import TruncationPolicy, check_truncation
from .binding import bind
from .cutting import Cutter
from .fitted import FittedMessages
from .ledger import Ledger, name_of
from .options import OnPinnedOverflow, Options, UnitName, indices
from .orphans import OnOrphan, settle
from .pinning import Pinned, pin
from .prices import BlockTokens, Overhead, check_prices
from .providers import History, overhead_of, read_history
from .reading import Message, MessageFormat
from .units import Unit, plan

_NO_PRICES: Final[BlockTokens] = MappingProxyType({})
_DEFAULT_CUT: Final = TruncationPolicy()
_CHARACTERS_A_TOKEN = 4  # steps are in tokens, marks in characters: no counter is asked for them


def fit_messages(  # noqa: PLR0913 - the contract's signature
    messages: Iterable[Message],
    limit: int,
    counter: TokenCounter,
    *,
    provider: str | MessageFormat[Message] = "openai",
    unit: UnitName = "call",
    pin_last_user: bool = True,
    pinned: Iterable[int] = (),
    step: int = 1,
    reserved: int = 0,
    tool_result_limit: int | None = None,
    truncation: TruncationPolicy | None = _DEFAULT_CUT,
    on_pinned_overflow: OnPinnedOverflow = "error",
    on_orphan: OnOrphan = "error",
    overhead: Overhead | None = None,
    block_tokens: BlockTokens = _NO_PRICES,
) -> FittedMessages[Message]:
    """Return the newest messages that fit into `limit` tokens; a valid history stays valid.

    Whole units are dropped, oldest first: calls stand or fall with their answers, and every
    turn that is kept starts with its user message. The caller's own objects come back, in
    order; only a message whose tool result was cut is a copy.

    Args:
        messages: A list of mappings or SDK objects, read whole before anything is counted.
        limit: Tokens, >= 0.
        counter: Asked once per text of what is pinned, of what is kept and of the first unit
            that is dropped, then for cuts of results, as `truncate_text` says.
        provider: "openai", "openai-responses", "anthropic", "gemini", or a format of your own.
        unit: "call" drops a turn call by call, its user message with the last of them; "turn"
            drops whole turns. "call" keeps all that "turn" keeps, and more.
        pin_last_user: Never drop the unit that holds the last user message (without any: the
            newest unit). False means that something will be appended: then all but system
            messages may go, and an empty list is an answer.
        pinned: Indices of messages whose units, and whose turns' user messages, stay.
        step: Tokens that may be dropped beyond need, so that the first kept message moves once
            in many turns; 1 drops no more than needed.
        reserved: Tokens of what travels beside the list: tools, system text, the answer.
        tool_result_limit: Tokens that each tool result may cost; longer ones are cut first.
        truncation: How results are cut.
        on_pinned_overflow: "error", or "cut_results": cut the results of what is pinned.
        on_orphan: "error"; "drop" removes calls without answer and answers without call, with
            all that hangs on them; "keep" takes them as plain messages.
        overhead: Tokens around texts; None means the format's own.
        block_tokens: For types of media: tokens, or a function of the block that returns them.

    Raises:
        BudgetOverflowError: If what is pinned can't fit; `needed` is the least limit.
        BudgetPolicyError: For a value that can't hold, such as a step over the limit.
        MessageError: For a message that can't be read or priced, and for an orphan.
        CounterError: If the counter answers something other than an int >= 0.
        TypeError: For an argument of a wrong type.
    """
    options = Options(
        limit=limit,
        unit=unit,
        pin_last_user=pin_last_user,
        pinned=indices(pinned),
        step=step,
        reserved=reserved,
        tool_result_limit=tool_result_limit,
        on_pinned_overflow=on_pinned_overflow,
        on_orphan=on_orphan,
    )
    check_counter(counter)
    cutter = Cutter(counter, check_truncation(truncation))
    check_prices(block_tokens)
    history = read_history(messages, provider, block_tokens)
    options.check_pinned(len(history.messages))
    frames = overhead_of(history.form, overhead)
    return _fit(history, options, _ledger(history, frames, block_tokens, cutter, options))


def count_messages(
    messages: Iterable[Message],
    counter: TokenCounter,
    *,
    provider: str | MessageFormat[Message] = "openai",
    overhead: Overhead | None = None,
    block_tokens: BlockTokens = _NO_PRICES,
) -> int:
    """Return what a list of messages costs, in tokens, whatever its size; no messages cost 0.

    Args:
        messages: As in `fit_messages`; they need not be valid.
        counter: Asked once per text.
        provider: As in `fit_messages`.
        overhead: Tokens around texts; None means the format's own.
        block_tokens: As in `fit_messages`.

    Raises:
        BudgetPolicyError: For a provider that nobody knows.
        MessageError: For a message that can't be read or priced.
        CounterError: If the counter answers something other than an int >= 0.
        TypeError: For an argument of a wrong type.
    """
    check_counter(counter)
    check_prices(block_tokens)
    history = read_history(messages, provider, block_tokens)
    frames = overhead_of(history.form, overhead)
    ledger = _ledger(history, frames, block_tokens, Cutter(counter, _DEFAULT_CUT))
    tokens = sum(map(ledger.exact, range(len(history.messages))))
    return tokens + frames.per_request if history.messages else 0


def _ledger(
    history: History[Message],
    frames: Overhead,
    block_tokens: BlockTokens,
    cutter: Cutter,
    options: Options | None = None,
) -> Ledger[Message]:
    ceiling = None if options is None else options.tool_result_limit
    if ceiling is not None:
        cutter.check_ceiling(ceiling)
    return Ledger(
        history.messages, history.readings, history.form, frames, block_tokens, cutter, ceiling
    )


@dataclass(frozen=True, slots=True)
class _Cut:
    """Where the droppable units are cut.

    Attributes:
        units: All of them, in the order in which they fall.
        fits: How many have to go.
        first: How many go: the rest is kept.
        tokens: What the rest costs.
        over: What the first that didn't fit costs, where that is known.
    """

    units: Sequence[Unit]
    fits: int
    first: int
    tokens: int
    over: int | None

    @property
    def kept(self) -> list[int]:
        """The messages of the units that are kept."""
        return [index for unit in self.units[self.first :] for index in unit]


def _fit(
    history: History[Message], options: Options, ledger: Ledger[Message]
) -> FittedMessages[Message]:
    bound, groups = bind(history.readings), getattr(history.form, "drops_groups", True)
    settled = settle(
        history.readings, bound, options.on_orphan, options.pinned, whole_groups=groups
    )
    pin_last = options.pin_last_user
    units = plan(settled.chat, options.unit, pin_last_user=pin_last, pinned=options.pinned)
    system = [index for index, found in enumerate(history.readings) if found.side == "system"]
    pinned = pin(sorted(system + units.pinned), options, ledger)
    cut = _cut(ledger, units.droppable, pinned.room, options.step)
    return _result(ledger, options, pinned, cut, settled.orphans)


def _cut(ledger: Ledger[Message], units: Sequence[Unit], room: int, step: int) -> _Cut:
    walked = longest_prefix(_costs(ledger, units, room), room)
    fits = len(units) - len(walked.costs)
    first = _at_a_mark(ledger, units, fits, step)
    return _Cut(units, fits, first, sum(walked.costs[: len(units) - first]), walked.over)


def _result(
    ledger: Ledger[Message], options: Options, pinned: Pinned, cut: _Cut, orphans: Sequence[int]
) -> FittedMessages[Message]:
    kept = tuple(sorted(pinned.indices + cut.kept))
    inside = set(kept)
    return FittedMessages(
        messages=[ledger.now(index) for index in kept],
        kept=kept,
        dropped=tuple(index for index in range(len(ledger.given)) if index not in inside),
        cut=tuple(index for index in kept if index in ledger.copies),
        limit=options.limit,
        total_tokens=pinned.tokens + cut.tokens if kept else 0,
        pinned_tokens=pinned.tokens if pinned.indices else 0,
        orphans=tuple(orphans),
        diagnostics=_diagnostics(cut),
        overflowed=cut.first > 0 or pinned.was_cut,
    )


def _costs(ledger: Ledger[Message], units: Sequence[Unit], room: int) -> Iterator[int | None]:
    """Yield what each unit costs, the newest first, each counted when it is asked for."""
    for unit in reversed(units):
        tokens = ledger.within(unit, room)
        yield tokens
        room -= tokens or 0


def _at_a_mark(ledger: Ledger[Message], units: Sequence[Unit], fits: int, step: int) -> int:
    """Move a cut later, to the next mark; marks depend on the units alone, on no limit."""
    if fits == 0 or step == 1:
        return fits
    stride = _CHARACTERS_A_TOKEN * step
    marks = [reached // stride for reached in accumulate(map(ledger.characters, units), initial=0)]
    later = range(fits, len(units))
    return next((place for place in later if marks[place] > marks[place - 1]), len(units))


def _diagnostics(cut: _Cut) -> tuple[Diagnostic, ...]:
    if cut.first == 0:
        return ()
    names = [name_of(unit[0]) for unit in cut.units[: cut.first]]
    blocked_by = names.pop(cut.fits - 1)
    later = (Diagnostic(name, "drop", None, 0, "after", blocked_by) for name in reversed(names))
    return (Diagnostic(blocked_by, "drop", cut.over, 0, "over"), *later)
