"""The recipes of docs/how-to/observe.md, with the real libraries behind them.

The code that runs here is the page's own: each recipe is what its section shows.
"""

import json
import logging
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Literal, Protocol

import pytest

from budget.errors import HmsBudgetExceededError
from budget.hms import HmsConfig, HmsGuard, OverflowHook

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "observe.md"
LAYER, OVER, BUDGET = "system+blocks", 12, 10

Mode = Literal["warn", "strict"]
every_mode = pytest.mark.parametrize("mode", ["warn", "strict"])


class Recipe(Protocol):
    """What a recipe defines."""

    def __call__(self, *arguments: object) -> OverflowHook: ...


def recipe(heading: str, name: str) -> Recipe:
    """Run the python blocks under a heading of the page, and return what they define."""
    section = re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    (text,) = (part for part in section if part.startswith(heading + "\n"))
    defined: dict[str, Recipe] = {}
    for code in re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        exec(code, defined)  # noqa: S102 - our own page
    return defined[name]


def guard(hook: OverflowHook | None, mode: Mode = "warn") -> HmsGuard:
    config = HmsConfig(
        hms_budget_mode=mode, hms_system_prompt_token_budget=BUDGET, on_hms_budget_exceeded=hook
    )
    return HmsGuard(config)


def overflow(guarded: HmsGuard) -> None:
    """Be over the budget on three turns."""
    for _ in range(3):
        with suppress(HmsBudgetExceededError):
            guarded.enforce(LAYER, OVER)


def hook_errors(records: list[logging.LogRecord]) -> list[str]:
    return [record.getMessage() for record in records if record.exc_info]


@pytest.fixture(autouse=True)
def _no_hook_raises(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield
    assert hook_errors(caplog.records) == []


@every_mode
def test_logging(mode: Mode, caplog: pytest.LogCaptureFixture) -> None:
    hook = recipe("logging", "logging_hook")(logging.getLogger("prompts"), mode)
    overflow(guard(hook, mode))
    (record,) = (record for record in caplog.records if record.name == "prompts")
    assert record.getMessage() == "section system+blocks needs 12 tokens, budget 10"
    fields = {key: value for key, value in vars(record).items() if key.startswith("budget_")}
    assert fields == {
        "budget_layer": LAYER,
        "budget_requested": OVER,
        "budget_limit": BUDGET,
        "budget_mode": mode,
    }


@every_mode
def test_structlog(mode: Mode) -> None:
    structlog = import_module("structlog")
    with structlog.testing.capture_logs() as logs:
        hook = recipe("structlog", "structlog_hook")(structlog.get_logger(), mode)
        overflow(guard(hook, mode))
    assert logs == [
        {
            "event": "budget.prompt.overflow",
            "log_level": "warning",
            "layer": LAYER,
            "requested": OVER,
            "limit": BUDGET,
            "mode": mode,
        }
    ]


class Metrics:
    """A meter, and what it has measured."""

    def __init__(self) -> None:
        self.reader = import_module("opentelemetry.sdk.metrics.export").InMemoryMetricReader()
        provider = import_module("opentelemetry.sdk.metrics").MeterProvider
        self.provider = provider(metric_readers=[self.reader], shutdown_on_exit=False)
        self.meter = self.provider.get_meter("budget")

    def points(self) -> dict[str, tuple[str, dict[str, object]]]:
        """Return the unit and the one data point of each metric."""
        (resource,) = json.loads(self.reader.get_metrics_data().to_json())["resource_metrics"]
        (scope,) = resource["scope_metrics"]
        found = {}
        for metric in scope["metrics"]:
            (point,) = metric["data"]["data_points"]
            found[metric["name"]] = metric["unit"], point
        return found


@pytest.fixture
def metrics() -> Iterator[Metrics]:
    found = Metrics()
    yield found
    found.provider.shutdown()


@every_mode
def test_opentelemetry(mode: Mode, metrics: Metrics) -> None:
    hook = recipe("OpenTelemetry", "opentelemetry_hook")(metrics.meter, mode, "stratified")
    overflow(guard(hook, mode))
    points = metrics.points()
    assert {name: unit for name, (unit, _) in points.items()} == {
        "budget.prompt.overflows": "{overflow}",
        "budget.prompt.requested": "{token}",
        "budget.prompt.limit": "{token}",
    }
    assert points["budget.prompt.overflows"][1]["value"] == 1
    assert points["budget.prompt.requested"][1]["sum"] == OVER
    assert points["budget.prompt.requested"][1]["count"] == 1
    assert points["budget.prompt.limit"][1]["value"] == BUDGET
    expected = {"layer": LAYER, "mode": mode, "strategy": "stratified", "outcome": "shipped"}
    if mode == "strict":
        error = f"{HmsBudgetExceededError.__module__}.{HmsBudgetExceededError.__qualname__}"
        expected |= {"outcome": "raised", "error.type": error}
    assert [point["attributes"] for _, point in points.values()] == [expected] * 3


def test_opentelemetry_reads_the_peaks_when_it_exports(metrics: Metrics) -> None:
    guarded = guard(None)
    recipe("Export periodically", "export_peaks")(metrics.meter, guarded)
    for tokens in (OVER, OVER + 5):
        guarded.enforce(LAYER, tokens)
        unit, point = metrics.points()["budget.prompt.peak"]
        assert (unit, point["value"], point["attributes"]) == ("{token}", tokens, {"layer": LAYER})


@contextmanager
def receiver() -> Iterator[tuple[int, Callable[[int], list[str]]]]:
    """Give the port of a loopback socket, and what reads a number of its datagrams."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.settimeout(60)
        port = listening.getsockname()[1]
        yield port, lambda number: [listening.recv(1024).decode() for _ in range(number)]


def test_statsd() -> None:
    with receiver() as (port, received):
        client = import_module("statsd").StatsClient("127.0.0.1", port)
        overflow(guard(recipe("statsd", "statsd_hook")(client)))
        client.incr("end")
        assert received(4) == [
            "budget.prompt.overflows.system_blocks:1|c",
            "budget.prompt.requested.system_blocks:12|g",
            "budget.prompt.limit.system_blocks:10|g",
            "end:1|c",
        ]
        client.close()


@every_mode
def test_prometheus_client(mode: Mode) -> None:
    registry = import_module("prometheus_client").CollectorRegistry()
    hook = recipe("prometheus_client", "prometheus_hook")(registry, mode)
    for _ in range(2):
        overflow(guard(hook, mode))
    labels = {"layer": LAYER, "mode": mode}
    assert registry.get_sample_value("budget_prompt_overflows_total", labels) == 2
    assert registry.get_sample_value("budget_prompt_requested", labels) == OVER
    assert registry.get_sample_value("budget_prompt_limit", labels) == BUDGET


def test_prometheus_client_reads_the_snapshot_at_each_scrape() -> None:
    registry = import_module("prometheus_client").CollectorRegistry()
    guarded = guard(None)
    registry.register(recipe("Export periodically", "GuardCollector")(guarded))
    overflow(guarded)
    assert registry.get_sample_value("budget_prompt_peak", {"layer": LAYER}) == OVER
    assert registry.get_sample_value("budget_prompt_turns_over_total", {"layer": LAYER}) == 3
    guarded.enforce(LAYER, OVER + 1)
    assert registry.get_sample_value("budget_prompt_peak", {"layer": LAYER}) == OVER + 1
    assert registry.get_sample_value("budget_prompt_turns_over_total", {"layer": LAYER}) == 4


def test_no_estimate_is_emitted_under_the_names_of_what_is_billed() -> None:
    blocks = re.findall(
        r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    assert len(blocks) == 7
    assert not any("gen_ai" in block for block in blocks)
