"""A guard against a model of three states, driven by random calls, hooks and modes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import Enum

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from budget.errors import HmsBudgetExceededError
from budget.hms import HmsConfig, HmsGuard
from tests.hms.stage import BUDGET, MODES, Failed, Mode

SIZES = st.integers(BUDGET - 2, BUDGET + 3)
LAYERS = st.sampled_from(["kernel", "memory", "tools"])


class State(Enum):
    OPEN = "open"
    FIRING = "firing"
    LATCHED = "latched"


class Act(Enum):
    """What a hook does."""

    RETURN = "return"
    RAISE = "raise"
    INTERRUPT = "interrupt"
    ENTER_WITHIN = "enter again, within the budget"
    ENTER_OVER = "enter again, over the budget"


INNER = {Act.ENTER_WITHIN: BUDGET, Act.ENTER_OVER: BUDGET + 9}


class Model:
    """What section 7 says, for one thread."""

    def __init__(self, mode: Mode, *, has_hook: bool) -> None:
        self.strict = mode == "strict"
        self.has_hook = has_hook
        self.state = State.OPEN
        self.calls: list[tuple[str, int, int]] = []
        self.log: list[str] = []
        self.peaks: dict[str, int] = {}
        self.overflows: Counter[str] = Counter()

    def enforce(self, layer: str, size: int, act: Act) -> str:
        """Return what is raised."""
        self.peaks[layer] = max(size, self.peaks.get(layer, 0))
        if size <= BUDGET:
            return "-"
        self.overflows[layer] += 1
        delivers = self.state is State.OPEN
        if delivers:
            self.state = State.FIRING
            raised = self.hook(layer, size, act) if self.has_hook else "-"
            if raised == "KeyboardInterrupt":
                self.state = State.OPEN
                return raised
            self.state = State.LATCHED
            self.log += ["HOOK"] if raised != "-" else []
        if self.strict:
            return "HmsBudgetExceededError"
        self.log += ["ADVISORY"] if delivers else []
        return "-"

    def hook(self, layer: str, size: int, act: Act) -> str:
        self.calls.append((layer, size, BUDGET))
        if act in INNER:
            return self.enforce("inner", INNER[act], Act.RETURN)
        return {Act.RAISE: "Failed", Act.INTERRUPT: "KeyboardInterrupt"}.get(act, "-")


class Log:
    """A logger that keeps what kind of record it took."""

    def __init__(self) -> None:
        self.kinds: list[str] = []

    def warning(
        self,
        msg: str,
        /,
        *args: object,
        exc_info: BaseException | None = None,
        extra: Mapping[str, object] | None = None,
    ) -> None:
        assert msg % args
        assert (exc_info is None) == (extra is not None)
        self.kinds.append("ADVISORY" if exc_info is None else "HOOK")


class Machine(RuleBasedStateMachine):
    guard: HmsGuard
    model: Model

    @initialize(mode=st.sampled_from(MODES), has_hook=st.sampled_from([True, True, True, False]))
    def start(self, mode: Mode, *, has_hook: bool) -> None:
        self.act = Act.RETURN
        self.calls: list[tuple[str, int, int]] = []
        self.log = Log()
        self.model = Model(mode, has_hook=has_hook)
        config = HmsConfig(
            hms_budget_mode=mode,
            hms_system_prompt_token_budget=BUDGET,
            on_hms_budget_exceeded=self.hook if has_hook else None,
        )
        self.guard = HmsGuard(config, logger=self.log)

    def hook(self, layer_name: str, requested_tokens: int, budget: int, /) -> None:
        self.calls.append((layer_name, requested_tokens, budget))
        if self.act in INNER:
            self.guard.enforce("inner", INNER[self.act])
        if self.act is Act.RAISE:
            raise Failed
        if self.act is Act.INTERRUPT:
            raise KeyboardInterrupt

    @rule(layer=LAYERS, size=SIZES, act=st.sampled_from(Act))
    def enforce(self, layer: str, size: int, act: Act) -> None:
        self.act = act
        raised = "-"
        try:
            self.guard.enforce(layer, size)
        except (HmsBudgetExceededError, KeyboardInterrupt) as error:
            raised = type(error).__name__
        assert raised == self.model.enforce(layer, size, act)

    @invariant()
    def the_guard_is_what_the_model_says(self) -> None:
        assert self.guard.latched == (self.model.state is State.LATCHED)
        assert self.calls == self.model.calls
        assert self.log.kinds == self.model.log
        assert self.guard.peaks == self.model.peaks
        assert self.guard.overflows == self.model.overflows


TestGuardAgainstItsModel = Machine.TestCase
TestGuardAgainstItsModel.settings = settings(max_examples=100, stateful_step_count=12)
