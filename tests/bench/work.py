"""The work that everybody does: the same texts on every run, and the same limit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Final

from tests.estimates.corpus import read_rows

LIMIT: Final = 8_000
MESSAGES: Final = (200, 2_000, 20_000)
MEGABYTES: Final = (1, 20)
SECTIONS: Final = 50
TURNS: Final = 500
KINDS: Final = {"prose-en", "chat-en", "markdown", "python", "json-pretty", "log"}
MESSAGE_CHARACTERS: Final = 205


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a prompt; the lowest priority goes first."""

    name: str
    text: str
    priority: int


def history(length: int) -> list[Message]:
    """Return messages of about 60 tokens each, no two alike."""
    roles = cycle(("user", "assistant"))
    return [
        Message(role, text) for role, text in zip(roles, islice(_texts(), length), strict=False)
    ]


def document(megabytes: int) -> str:
    """Return one long text."""
    size = megabytes * 1_000_000
    return "\n\n".join(islice(_texts(), size // MESSAGE_CHARACTERS))[:size]


def sections() -> list[Section]:
    """Return 50 sections of 50 to 2,800 tokens, about three times the limit together."""
    random = Random(50)  # noqa: S311 - the same work on every run
    priorities = random.sample(range(1_000), SECTIONS)
    texts = _texts()
    return [
        Section(
            f"s{at:02}", "\n\n".join(islice(texts, int(random.lognormvariate(1.7, 1.0)) + 1)), p
        )
        for at, p in enumerate(priorities)
    ]


def recorded(path: Path) -> list[Message]:
    """Return the texts of a recorded run, in OpenAI's format; what isn't the model is a user."""
    return [
        Message("assistant" if message["role"] == "assistant" else "user", message["content"])
        for message in json.loads(path.read_text("utf-8"))
        if isinstance(message, dict) and isinstance(message.get("content"), str)
    ]


def _texts() -> Iterator[str]:
    lines = [
        line.strip()
        for row in read_rows()
        if row["kind"] in KINDS
        for line in row["text"].splitlines()
        if line.strip()
    ]
    random = Random(60)  # noqa: S311 - the same work on every run
    for number in range(10**9):
        text = f"{number}:"
        while len(text) < MESSAGE_CHARACTERS:
            text += " " + random.choice(lines)
        yield text[:MESSAGE_CHARACTERS].rstrip()
