"""`validate`: a request as it would be sent, against what a provider refuses."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from ..cache import validate_ladder
from ..errors import BudgetError
from ..items import JSON
from .arguments import Command
from .codes import DONE, FOUND
from .lines import InputError
from .options import add_json
from .reading import read_documents
from .streams import say, write_json, write_lines

_EXAMPLES: Final = r"""  python -m budget validate request.json
  python -m budget validate --provider anthropic request.json
  python -m budget validate --provider openai --json requests.jsonl"""

# Where a provider's request has its history.
_HISTORY: Final = {
    "openai": "messages",
    "openai-responses": "input",
    "anthropic": "messages",
    "gemini": "contents",
}


class Violation(NamedTuple):
    """A rule that a request breaks."""

    rule: str
    place: str
    says: str


Check = Callable[[Mapping[str, object]], Iterable[Violation]]


def _ladder(request: Mapping[str, object]) -> Iterator[Violation]:
    """Yield what is wrong with the cache markers."""
    found = validate_ladder(
        tools=_part(request, "tools"),
        system=_part(request, "system"),
        messages=_part(request, "messages"),
    )
    for violation in found:
        yield Violation(violation.rule, violation.place, str(violation))


def _history(provider: str) -> Check:
    """Return the check of a request's history against a provider's rules."""
    # Imported where a history is checked: the rest of the command line does without it.
    from ..messages import validate_messages  # noqa: PLC0415

    def check(request: Mapping[str, object]) -> Iterator[Violation]:
        messages = _part(request, _HISTORY[provider])
        for found in validate_messages(messages, provider):
            place = "messages" if found.index is None else f"messages[{found.index}]"
            yield Violation(found.rule, place, str(found))

    return check


def _part(request: Mapping[str, object], name: str) -> list[object] | str:
    value = request.get(name)
    if value is None:
        return []
    if isinstance(value, list) or (name == "system" and isinstance(value, str)):
        return value
    raise InputError(f"{name} must be a list, got {type(value).__name__}")


def _add(sub: ArgumentParser) -> None:
    sub.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="a request as JSON, or a list of messages; of a .jsonl or .ndjson one a line;"
        " - is standard input (default: -)",
    )
    sub.add_argument(
        "--provider",
        choices=_HISTORY,
        help="hold the history against this provider's rules, too",
    )
    add_json(sub)


def _run(arguments: Namespace) -> int:
    # What a request is held against, in this order.
    checks = (_ladder, _history(arguments.provider)) if arguments.provider else (_ladder,)
    key = _HISTORY.get(arguments.provider, "messages")
    requests = 0
    found: list[tuple[str, Violation]] = []
    for place, document in read_documents(arguments.files or ["-"]):
        requests += 1
        request = {key: document} if isinstance(document, list) else document
        found.extend((place, violation) for violation in _violations(request, checks, place))
    if arguments.json:
        rows: list[JSON] = [
            {"source": place, "rule": rule, "place": where, "says": says}
            for place, (rule, where, says) in found
        ]
        write_json(None, {"requests": requests, "violations": rows})
    else:
        for place, violation in found:
            write_lines(f"{place}: {violation.says}")
        say(f"requests {requests:,}, violations {len(found):,}")
    return FOUND if found else DONE


def _violations(request: object, checks: Iterable[Check], place: str) -> list[Violation]:
    if not isinstance(request, dict):
        kind = type(request).__name__
        raise InputError(f"{place}: expected a request or a list of messages, got {kind}")
    try:
        return [violation for check in checks for violation in check(request)]
    except BudgetError as error:
        raise InputError(f"{place}: {error}") from None


COMMAND: Final = Command(
    "hold requests as they would be sent against what a provider refuses",
    _EXAMPLES,
    _add,
    _run,
)
