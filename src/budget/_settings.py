"""What a guard is told: mode, budget, hook and strategy, its own or a host's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from inspect import isasyncgenfunction, iscoroutinefunction
from typing import Final, Literal, Protocol, TypeVar

from ._checks import refuse_type
from .errors import ConfigurationError, escaped

Mode = Literal["warn", "strict"]
Strategy = Literal["stratified", "jit"]
_Choice = TypeVar("_Choice", bound=str)

_MODES: Final[tuple[Mode, ...]] = ("warn", "strict")
# Sized for a brain kernel, the services of the operating layer and the memory-extraction
# protocol; what a host injects into the section comes on top, with its own count.
DEFAULT_BUDGETS: Final[dict[Strategy, int]] = {"stratified": 5500, "jit": 1500}
_ABSENT: Final = object()
_SHOWN = 20


class OverflowHook(Protocol):
    """A function of three positional arguments that isn't async."""

    def __call__(self, layer_name: str, requested_tokens: int, budget: int, /) -> object:
        """Take the numbers to where they are watched; what it returns is ignored."""
        ...


class GuardLogger(Protocol):
    """What a guard logs to: a `logging.Logger`, or anything with such a `warning`."""

    def warning(
        self,
        msg: str,
        /,
        *args: object,
        exc_info: BaseException | None = None,
        extra: Mapping[str, object] | None = None,
    ) -> object:
        """Log a warning."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class HmsConfig:
    """The settings of a guard, under the names that hosts already use.

    Args:
        hms_budget_mode: "warn" logs the first overflow of a guard and lets every section pass;
            "strict" raises on every overflow.
        hms_system_prompt_token_budget: Tokens, >= 1; None means the strategy's default.
        on_hms_budget_exceeded: Called on a guard's first overflow, in either mode.
        context_strategy: Decides the default budget only: "stratified" 5500, "jit" 1500.

    Raises:
        ConfigurationError: For any other value, and for a hook that isn't callable or is async.
    """

    hms_budget_mode: Mode = "warn"
    hms_system_prompt_token_budget: int | None = None
    on_hms_budget_exceeded: OverflowHook | None = None
    context_strategy: Strategy = "stratified"

    def __post_init__(self) -> None:
        """Refuse what isn't a setting: a silent fall-back would switch the guard off."""
        _mode(self.hms_budget_mode)
        _budget(self.hms_system_prompt_token_budget)
        _hook(self.on_hms_budget_exceeded)
        _strategy(self.context_strategy)

    @property
    def budget(self) -> int:
        """Tokens: the one that was set, or the strategy's default."""
        own = self.hms_system_prompt_token_budget
        return DEFAULT_BUDGETS[self.context_strategy] if own is None else own


def read_settings(config: object) -> HmsConfig:
    """Return the settings that an object carries, each read once; an absent one is its default.

    Raises:
        ConfigurationError: As `HmsConfig` does.
        TypeError: If the object has none of the four attributes.
    """
    names = HmsConfig.__dataclass_fields__
    found = {name: getattr(config, name, _ABSENT) for name in names}
    if all(value is _ABSENT for value in found.values()):
        expected = f"an HmsConfig or another object with any of {', '.join(names)}"
        raise refuse_type("config", expected, config)
    given = {name: value for name, value in found.items() if value is not _ABSENT}
    return HmsConfig(
        hms_budget_mode=_mode(given.get("hms_budget_mode", "warn")),
        hms_system_prompt_token_budget=_budget(given.get("hms_system_prompt_token_budget")),
        on_hms_budget_exceeded=_hook(given.get("on_hms_budget_exceeded")),
        context_strategy=_strategy(given.get("context_strategy", "stratified")),
    )


def check_logger(logger: object) -> None:
    """Refuse what is neither None nor can log a warning."""
    if logger is not None and not callable(getattr(logger, "warning", None)):
        raise refuse_type("logger", "None or a logging.Logger", logger)


def _mode(value: object) -> Mode:
    return _chosen("hms_budget_mode", value, _MODES)


def _strategy(value: object) -> Strategy:
    return _chosen("context_strategy", value, DEFAULT_BUDGETS)


def _chosen(name: str, value: object, choices: Iterable[_Choice]) -> _Choice:
    """Return the choice itself: a host's enum that equals it stays outside."""
    for choice in choices:
        if value == choice:
            return choice
    raise ConfigurationError(f"{name} must be one of {', '.join(choices)}, got {_shown(value)}")


def _budget(value: object) -> int | None:
    name = "hms_system_prompt_token_budget"
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ConfigurationError(f"{name} must be None or an int >= 1, got {_shown(value)}")
    return value


def _hook(value: object) -> OverflowHook | None:
    name = "on_hms_budget_exceeded"
    if value is None:
        return None
    if not callable(value):
        raise ConfigurationError(f"{name} must be None or a function, got {_shown(value)}")
    if _is_async(value):
        raise ConfigurationError(f"{name} must not be async: it is called where a prompt is built")
    return value


def _is_async(hook: Callable[..., object]) -> bool:
    while isinstance(hook, partial):
        hook = hook.func
    called = (hook, type(hook).__call__)
    return any(iscoroutinefunction(fn) or isasyncgenfunction(fn) for fn in called)


def _shown(value: object) -> str:
    if isinstance(value, str):
        return f"'{escaped(value[:_SHOWN])}'"
    return str(value) if isinstance(value, int | float) else type(value).__name__
