"""What is handed to the tokenizer, whoever hands it over: every peer counts by tiktoken."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Final

ENCODING: Final = "cl100k_base"
MODEL: Final = "gpt-4"  # whose encoding that is, for peers that go by models
_METHODS: Final = ("encode", "encode_ordinary")


def count(text: str) -> int:
    """Return the tokens of a text, as a user of tiktoken would."""
    return len(encode(text))


def encode(text: str) -> list[int]:
    """Return its tokens."""
    tokens: list[int] = import_module("tiktoken").get_encoding(ENCODING).encode_ordinary(text)
    return tokens


@contextmanager
def metered() -> Iterator[list[str]]:
    """Collect the texts that anybody hands to tiktoken."""
    encoding, texts = import_module("tiktoken").Encoding, list[str]()
    before = {name: getattr(encoding, name) for name in _METHODS}

    def noting(name: str) -> object:
        def note(self: object, text: str, **options: object) -> object:
            texts.append(text)
            return before[name](self, text, **options)

        return note

    for name in _METHODS:
        setattr(encoding, name, noting(name))
    try:
        yield texts
    finally:
        for name, method in before.items():
            setattr(encoding, name, method)
