"""The guard around a rendered section of the system prompt: warn, strict, and a hook.

Its budget is a check, not a correction: the section is never dropped, truncated, reordered or
altered. This is the only module of the package that logs.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable
from typing import Final, NoReturn

from ._checks import check_int, check_type
from ._gate import Gate
from ._settings import GuardLogger, HmsConfig, OverflowHook, check_logger, read_settings
from ._tally import GuardSnapshot, Tally, with_headroom
from .cache import CheckedSection, Layer, Ttl, _seal, cached_part, check_layers, joined
from .counting import EstimatingCounter, TokenCounter, check_counter, count, counter_name
from .errors import ConfigurationError, HmsBudgetExceededError, escaped

__all__ = ["GuardLogger", "GuardSnapshot", "HmsConfig", "HmsGuard", "OverflowHook"]

_ADVISORY: Final = (
    "HMS system prompt section exceeds token budget: %d tokens (budget %d, strategy=%s)."
    " Suppressing further warnings for this agent instance."
)
_HOOK_RAISED: Final = (
    "on_hms_budget_exceeded hook raised for layer=%s; continuing with budget enforcement."
)
_ESTIMATE: Final = EstimatingCounter()
_DEFAULTS: Final = HmsConfig()


class HmsGuard:
    """Measures a section, lets it pass or refuses it, and seals what it measured.

    One guard belongs to one agent instance: of all its overflows, the first delivers one
    advisory and one hook call. Threads may share it, and it works after a fork.

    Args:
        config: An `HmsConfig`, or any object with any of its attributes, read once, here.
        counter: Asked once per check. A strict budget is only as good as its counter, and the
            default is an estimate.
        logger: Takes the advisory; by default the logger named after this module.

    Raises:
        ConfigurationError: For an unknown mode or strategy, a budget that isn't an int >= 1, a
            hook that isn't callable or is async.
        TypeError: For an object with none of the attributes, and what can't count or log.
    """

    def __init__(
        self,
        config: object = _DEFAULTS,
        counter: TokenCounter = _ESTIMATE,
        *,
        logger: GuardLogger | None = None,
    ) -> None:
        """Read the settings, and start with an open gate and nothing measured."""
        self._settings: Final = read_settings(config)
        check_counter(counter)
        check_logger(logger)
        self._counter: Final = counter
        self._logger: Final = logging.getLogger(__name__) if logger is None else logger
        self._gate: Final = Gate()
        self._tally: Final = Tally()

    def enforce(self, layer_name: str, requested_tokens: int) -> None:
        """Let a size pass, or advise or refuse, as the mode says; nothing is counted here.

        Up to the budget nothing happens. Over it, the guard's first overflow calls the hook,
        once; then strict mode raises, each time, and warn mode logs, the first time. A hook's
        `Exception` is logged and goes no further; what isn't an `Exception`, such as Ctrl-C or
        a cancellation, passes as it is, and the next overflow delivers.

        Args:
            layer_name: A section's or a layer's: few different ones, never a user's id.
            requested_tokens: >= 0.

        Raises:
            HmsBudgetExceededError: In strict mode, if `requested_tokens` is over the budget.
            ConfigurationError: If `requested_tokens` is negative.
            TypeError: For an argument of a wrong type.
        """
        check_type("layer_name", layer_name, str)
        check_int("requested_tokens", requested_tokens, 0, ConfigurationError)
        over = requested_tokens > self.budget
        self._tally.add(layer_name, requested_tokens, over=over)
        if not over:
            return
        delivers = self._deliver(layer_name, requested_tokens)
        if self._settings.hms_budget_mode == "strict":
            name = counter_name(self._counter)
            raise HmsBudgetExceededError(layer_name, requested_tokens, self.budget, name)
        if delivers:
            self._advise(layer_name, requested_tokens)

    def check(self, layer_name: str, text: str, *, ttl: Ttl | None = None) -> CheckedSection:
        """Measure a section of one layer, enforce the budget, and seal it.

        Args:
            layer_name: The section's name and its layer's.
            text: Sealed as the very same object.
            ttl: "5m" or "1h" for a cache marker at its end, or None.

        Raises:
            HmsBudgetExceededError: In strict mode, if it is over: there is nothing to stamp then.
            ConfigurationError: For an unknown ttl.
            CounterError: If the counter answers something other than an int >= 0.
            TypeError: For an argument of a wrong type.
        """
        check_type("layer_name", layer_name, str)
        return self.check_layers(layer_name, (Layer(layer_name, text, ttl),))

    def check_layers(
        self, section_name: str, layers: Iterable[Layer], *, separator: str = ""
    ) -> CheckedSection:
        """Measure a section of several layers as one, enforce the budget, and seal it.

        One ceiling covers the joined text up to and including the last layer with a ttl, or all
        of it where none has one: the bytes that the last cache marker covers. Later layers are
        carried, unmarked and uncounted.

        Args:
            section_name: What hook, peaks and errors call it.
            layers: In the order in which they are sent; everything that is part of the cached
                prefix is among them, for nothing can be appended afterwards.
            separator: Stands between the layers, and is counted.

        Raises:
            HmsBudgetExceededError: In strict mode, if it is over: there is nothing to stamp then.
            ConfigurationError: If two layers share a name.
            CounterError: If the counter answers something other than an int >= 0. An exception
                of its own passes with a note that names the section; neither is remembered.
            TypeError: For an argument of a wrong type.
        """
        check_type("section_name", section_name, str)
        check_type("separator", separator, str)
        arranged = check_layers(layers)
        measured = joined(cached_part(arranged), separator)
        tokens = count(self._counter, measured, section_name)
        self.enforce(section_name, tokens)
        return _seal(arranged, separator, measured, tokens, self.budget)

    @property
    def budget(self) -> int:
        """Tokens that a section may need; compared, logged, handed to the hook and raised."""
        return self._settings.budget

    @property
    def peak(self) -> int:
        """The largest size so far, of any layer; 0 before anything was measured."""
        return max(self.peaks.values(), default=0)

    @property
    def peaks(self) -> dict[str, int]:
        """The largest size per layer, within and over budget; names beyond 256 as "(others)"."""
        return self._tally.read()[0]

    @property
    def overflows(self) -> Counter[str]:
        """How often each layer was over, latched or not; 0 for one that never was."""
        return Counter(self._tally.read()[1])

    @property
    def latched(self) -> bool:
        """Whether the hook call and the advisory are spent."""
        return self._gate.latched

    def snapshot(self) -> GuardSnapshot:
        """Return settings and measurements as plain data, of one moment."""
        peaks, overflows = self._tally.read()
        return {
            "mode": self._settings.hms_budget_mode,
            "strategy": self._settings.context_strategy,
            "budget": self.budget,
            "counter": counter_name(self._counter),
            "peak": max(peaks.values(), default=0),
            "peaks": peaks,
            "overflows": overflows,
            "latched": self.latched,
        }

    def recommended_budget(self, headroom_percent: int = 20) -> int:
        """Return the peak plus a headroom, rounded up: what to pin before turning strict.

        Raises:
            ConfigurationError: If nothing was measured yet, or the headroom is under 0.
            TypeError: If the headroom isn't an int.
        """
        return with_headroom(self.peaks, headroom_percent)

    def _deliver(self, layer_name: str, requested_tokens: int) -> bool:
        """Call the hook if this is the overflow that delivers, and say whether it is."""
        call = object()
        failure = None
        # The gate knows who fires: wherever Ctrl-C strikes, what this call opened is undone.
        try:
            delivers = self._gate.enter(call)
            if delivers:
                failure = self._call_hook(layer_name, requested_tokens)
                self._gate.latch()
        except BaseException:
            self._gate.reopen(call)
            raise
        if failure is not None:
            self._logger.warning(_HOOK_RAISED, escaped(layer_name), exc_info=failure)
        return delivers

    def _call_hook(self, layer_name: str, requested_tokens: int) -> Exception | None:
        hook = self._settings.on_hms_budget_exceeded
        try:
            if hook is not None:
                hook(layer_name, requested_tokens, self.budget)
        except Exception as error:  # noqa: BLE001 - telemetry must not break the prompt
            return error
        return None

    def _advise(self, layer_name: str, requested_tokens: int) -> None:
        strategy = self._settings.context_strategy
        extra = {
            "budget_layer": escaped(layer_name),
            "budget_requested": requested_tokens,
            "budget_limit": self.budget,
            "budget_mode": self._settings.hms_budget_mode,
            "budget_strategy": strategy,
            "budget_counter": counter_name(self._counter),
        }
        self._logger.warning(_ADVISORY, requested_tokens, self.budget, strategy, extra=extra)

    def __repr__(self) -> str:
        """Show the settings and what counts, never a text."""
        settings = self._settings
        return (
            f"HmsGuard({settings.hms_budget_mode}, budget={self.budget},"
            f" strategy={settings.context_strategy}, counter={counter_name(self._counter)})"
        )

    def __reduce__(self) -> NoReturn:
        """Refuse pickles and copies."""
        raise TypeError("an HmsGuard holds a lock and can't be copied or pickled; make another one")
