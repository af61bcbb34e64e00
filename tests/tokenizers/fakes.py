"""Stand-ins for packages that aren't installed here: a token a character, and their bad habits."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Final, Self

AT_LINES: Final = ("cl100k_base", "o200k_base", "o200k_harmony")
AT_BLANKS: Final = ("gpt2", "p50k_base", "p50k_edit", "r50k_base")
NAMES: Final = (*AT_LINES, *AT_BLANKS, "plugin")


class PanicException(BaseException):
    """What a native tokenizer raises when it gives up."""


def codes(text: str) -> list[int]:
    """Return a token a character; refuse lone surrogates, as native code does."""
    text.encode()
    return list(map(ord, text))


@dataclass(slots=True)
class FakeEncoding:
    """Has a vocabulary of two tokens, and can't read a blank that `pat_str` looks behind."""

    name: str
    pat_str: str = r"\s+(?!\S)"
    mergeable_ranks: dict[bytes, int] = field(default_factory=dict)
    special_tokens: dict[str, int] = field(default_factory=dict)
    stack: int = 500_000
    asked: list[int] = field(default_factory=list)

    def encode_ordinary(self, text: str) -> list[int]:
        self.asked.append(len(text))
        if "(?!" in self.pat_str and " " * self.stack in text:
            raise PanicException("stack overflow")
        return codes(text)

    def encode_single_token(self, text_or_bytes: bytes) -> int:
        return len(text_or_bytes)

    def token_byte_values(self) -> list[bytes]:
        return [b" ", b"  "]

    def __getstate__(self) -> object:
        return self.name if self is FakeTiktoken.loaded.get(self.name) else [self.name]

    def __reduce__(self) -> tuple[type[Self], tuple[str]]:
        return type(self), (self.name,)


class FakeTiktoken(ModuleType):
    """Knows tiktoken's names; "plugin" stands for an encoding that it doesn't bring itself."""

    Encoding = FakeEncoding
    loaded: Final[dict[str, FakeEncoding]] = {}

    def __init__(self) -> None:
        super().__init__("tiktoken")
        self.loaded.clear()
        self.offline = False

    def list_encoding_names(self) -> list[str]:
        return list(reversed(NAMES))

    def get_encoding(self, name: str) -> FakeEncoding:
        if self.offline:
            raise ConnectionError("no route to host")
        return self.loaded.setdefault(name, FakeEncoding(name))


@dataclass(slots=True)
class FakeTokenizer:
    """A tokenizer that is in use: its settings mustn't be touched."""

    settings: str
    encode_special_tokens: bool = False

    @classmethod
    def from_str(cls, settings: str) -> Self:
        if "model" not in json.loads(settings):
            raise Exception("missing field `model`")  # noqa: TRY002 - as tokenizers does
        return cls(settings)

    def to_str(self) -> str:
        return self.settings

    def encode(self, text: str, *, add_special_tokens: bool = True) -> Sequence[int]:
        try:
            found = codes(text)
        except UnicodeEncodeError:
            raise TypeError("TextInputSequence must be str") from None
        settings = json.loads(self.settings)
        if not self.encode_special_tokens and text == "[SEP]":
            found = [0]
        if add_special_tokens:
            found = [0, *found, 0]
        if settings["model"].get("dropout"):
            found = found * 2
        if settings["truncation"]:
            found = found[:4]
        return found

    def enable_truncation(self) -> None:
        raise RuntimeError("Already borrowed")

    no_truncation = enable_padding = no_padding = enable_truncation


@dataclass(slots=True)
class FakeFastTokenizer:
    """A fast tokenizer of transformers: the real one is inside."""

    backend_tokenizer: FakeTokenizer


class FakeTokenizers(ModuleType):
    """The package tokenizers."""

    Tokenizer = FakeTokenizer

    def __init__(self) -> None:
        super().__init__("tokenizers")


class FakeToktok(ModuleType):
    """Knows tiktoken's encodings, one more, and an estimate."""

    known = ("o200k_base", "qwen3.5", "jev")

    def __init__(self) -> None:
        super().__init__("toktok")

    def batch_count(self, texts: list[str], encoding: str, threads: int) -> list[int]:
        if encoding not in self.known:
            raise KeyError(encoding)
        return [len(codes(text)) for text in texts] * threads

    def truncate(self, text: str, max_tokens: int, encoding: str) -> tuple[str, int]:
        if encoding not in self.known:
            raise KeyError(encoding)
        return text[:max_tokens], len(codes(text))
