"""The form of the golden files: calls as JSON, and what answers them as the same bytes always.

A text is a string or, where JSON would take a high and a low surrogate side by side for one
character, a list of strings to be joined. What can't be read is escaped, so that a diff can be.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, NotRequired, TypedDict

from budget import (
    BudgetItem,
    BudgetOverflowError,
    FittedItem,
    OverflowAction,
    OverflowResult,
    TokenCounter,
    TruncationPolicy,
)
from tests.counters import DIPPING, NEVER_SHRINKING
from tests.joined import headed, tagged
from tests.strategies import Case, TextCase

FOLDER: Final = Path(__file__).parent
THEMES: Final = sorted(path.stem for path in FOLDER.glob("*.json"))
COUNTERS: Final = {type(counter).__name__: counter for counter in (*NEVER_SHRINKING, *DIPPING)}
RENDERS: Final = {"tagged": tagged, "headed": headed}
WIDTH: Final = 100
Text = str | list[str]
_PAIR: Final = re.compile("(?<=[\ud800-\udbff])(?=[\udc00-\udfff])")


class Item(TypedDict):
    item_id: str
    kind: NotRequired[str]
    text: Text
    order: NotRequired[int]
    pinned: NotRequired[bool]


class Policy(TypedDict, total=False):
    keep: Literal["head", "tail", "both"]
    boundary: Literal["character", "word", "sentence", "line"]
    marker: str
    min_tokens: int
    head_share: float
    quantum: int


class Entry(TypedDict, total=False):
    """One call: of apply_overflow by its action, of truncate_text by its text, or of the third."""

    name: str
    counter: str
    limit: int
    items: list[Item]
    action: str
    truncation: Policy
    separator: str
    render: str
    text: Text
    expected: object


@dataclass(frozen=True, slots=True)
class Side:
    """What answers: the package, or the oracle."""

    fit: Callable[[Case], OverflowResult]
    cut: Callable[[TextCase], str]
    survive: Callable[[Sequence[BudgetItem], TokenCounter], dict[str, int]]


def stored(theme: str) -> str:
    """Return a golden file as it is."""
    return (FOLDER / f"{theme}.json").read_text(encoding="utf-8")


def answered(theme: str, side: Side) -> str:
    """Return a golden file as `side` would have it."""
    entries: list[Entry] = json.loads(stored(theme))
    for entry in entries:
        entry["expected"] = _answer(entry, side)
    return "[\n" + ",\n".join(_laid_out(dict(entry), "  ") for entry in entries) + "\n]\n"


def _answer(entry: Entry, side: Side) -> object:
    counter = COUNTERS[entry["counter"]]
    policy = TruncationPolicy(**entry.get("truncation", {}))
    if "text" in entry:
        text = "".join(entry["text"])
        return _text(side.cut(TextCase(text, entry["limit"], counter, policy)))
    items = tuple(map(_item, entry["items"]))
    if "action" not in entry:
        return side.survive(items, counter)
    render = RENDERS[entry["render"]] if "render" in entry else None
    action = OverflowAction(entry["action"])
    case = Case(items, entry["limit"], action, counter, policy, entry.get("separator"), render)
    try:
        return _result(side.fit(case))
    except BudgetOverflowError as error:
        return {"refused": {"needed": error.needed, "item_ids": error.item_ids}}


def _item(item: Item) -> BudgetItem:
    return BudgetItem(
        item_id=item["item_id"],
        kind=item.get("kind", "memory"),
        text="".join(item["text"]),
        order=item.get("order", 0),
        pinned=item.get("pinned", False),
    )


def _result(result: OverflowResult) -> dict[str, object]:
    rendered = {} if result.rendered is None else {"rendered": _text(result.rendered)}
    return rendered | {
        "kept": list(map(_fitted, result.kept)),
        "dropped": result.dropped,
        "total_tokens": result.total_tokens,
        "overflowed": result.overflowed,
        "diagnostics": [entry.to_dict() for entry in result.diagnostics],
    }


def _fitted(fitted: FittedItem) -> dict[str, object]:
    whole = {"item_id": fitted.item_id, "tokens": fitted.tokens}
    return whole | {"text": _text(fitted.text)} if fitted.truncated else whole


def _text(text: str) -> Text:
    pieces = _PAIR.split(text)
    return pieces if len(pieces) > 1 else text


def _laid_out(value: object, indent: str) -> str:
    """Return JSON in which whatever fits on a line stands on one."""
    line = "".join(map(_escaped, json.dumps(value, ensure_ascii=False, sort_keys=True)))
    if len(indent + line) <= WIDTH or not isinstance(value, dict | list | tuple):
        return indent + line
    deeper = indent + "  "
    if isinstance(value, dict):
        pairs = [(json.dumps(key), _laid_out(value[key], deeper)) for key in sorted(value)]
        members, ends = [f"{deeper}{key}: {text.lstrip(' ')}" for key, text in pairs], "{}"
    else:
        members, ends = [_laid_out(member, deeper) for member in value], "[]"
    return f"{indent}{ends[0]}\n" + ",\n".join(members) + f"\n{indent}{ends[1]}"


def _escaped(character: str) -> str:
    mark = unicodedata.category(character).startswith("M")
    return json.dumps(character)[1:-1] if mark or not character.isprintable() else character
