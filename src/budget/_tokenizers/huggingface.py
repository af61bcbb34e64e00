"""The adapter around Hugging Face's tokenizers."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import NamedTuple, Protocol

from .._asking import CountWithin
from .._checks import refuse_type
from ..errors import BudgetPolicyError, escaped
from .asking import Count, Lazy, ask, imported
from .parts import count_within
from .pieces import Settings, splits_of


class Tokenizer(Protocol):
    """What is used of a tokenizers.Tokenizer."""

    def to_str(self) -> str:
        """Return its settings and its vocabulary as JSON."""
        ...


class FastTokenizer(Protocol):
    """What is used of a fast tokenizer of transformers."""

    @property
    def backend_tokenizer(self) -> Tokenizer:
        """The tokenizers.Tokenizer in it."""
        ...


class _Copy(NamedTuple):
    name: str
    count: Count
    splits: re.Pattern[str] | None


@dataclass(frozen=True, slots=True, init=False)
class HuggingFaceCounter(Lazy[_Copy]):
    """Counts by a copy of a tokenizer that neither truncates nor pads nor adds control tokens.

    The given tokenizer is only read. What it declares to be special tokens is plain text where
    a text spells it; a count never stops at a model's maximum. A pickle holds the path, or, of
    a tokenizer that was given as an object, all of it.

    `count_within` is there for tokenizers that cut texts as those of GPT-2, Llama 3, Qwen 2,
    gpt-oss and DeepSeek 3 do, and reads about as much as fits.

    Args:
        tokenizer: The path of a tokenizer.json, a `tokenizers.Tokenizer` or a fast tokenizer of
            transformers.

    Attributes:
        name: The kind of model, the size of its vocabulary and a digest of it.

    Raises:
        MissingPackageError: If tokenizers isn't installed.
        BudgetPolicyError: If the file holds no tokenizer.
        OSError: If the file can't be read.
        TypeError: If `tokenizer` is none of the three.
    """

    name: str
    _source: Path | str = field(repr=False)

    def __init__(self, tokenizer: str | PathLike[str] | Tokenizer | FastTokenizer) -> None:
        """Build the copy, so that a file that holds no tokenizer is refused at once."""
        source = _source_of(tokenizer)
        copy = _copy(source)
        object.__setattr__(self, "_source", source)
        object.__setattr__(self, "_built", copy)
        object.__setattr__(self, "name", copy.name)

    def count(self, text: str, /) -> int:
        """Return the tokens of `text`, lone surrogates replaced as tiktoken does.

        Raises:
            CounterError: If tokenizers panics.
        """
        return ask(self._copy.count, text, self)

    @property
    def count_within(self) -> CountWithin:
        """There where the tokenizer's settings say that counts add up."""
        splits = self._copy.splits
        if splits is None:
            raise AttributeError(f"{self.name} has no count_within")
        return lambda text, limit: count_within(self.count, text, limit, splits)

    @property
    def _copy(self) -> _Copy:
        built: _Copy | None = getattr(self, "_built", None)
        if built is None:
            built = _copy(self._source)
            object.__setattr__(self, "_built", built)
        return built


def _source_of(tokenizer: str | PathLike[str] | Tokenizer | FastTokenizer) -> Path | str:
    """Return a path to read, or the JSON itself."""
    if isinstance(tokenizer, str | PathLike):
        return Path(tokenizer).resolve()
    to_str = getattr(getattr(tokenizer, "backend_tokenizer", tokenizer), "to_str", None)
    if not callable(to_str):
        expected = "a path, a tokenizers.Tokenizer or a fast tokenizer"
        raise refuse_type("tokenizer", expected, tokenizer)
    return str(to_str())


def _copy(source: Path | str) -> _Copy:
    package = imported("tokenizers", "tokenizers", "tokenizers")
    try:
        text = source if isinstance(source, str) else source.read_text("utf-8")
        settings = _unbounded(json.loads(text))
        # Built from its settings, so that nothing has to be changed on a tokenizer that others
        # may be using: changing truncation during a count is an error of its own.
        tokenizer = package.Tokenizer.from_str(json.dumps(settings))
    except OSError:
        raise
    except Exception as error:
        where = "tokenizer" if isinstance(source, str) else escaped(str(source))
        raise BudgetPolicyError(f"{where} holds no tokenizer that tokenizers can read") from error
    tokenizer.encode_special_tokens = True
    return _Copy(
        _name(settings),
        lambda text: len(tokenizer.encode(text, add_special_tokens=False)),
        splits_of(settings),
    )


def _unbounded(settings: Settings) -> Settings:
    """Return the settings without what makes a count depend on more than the text."""
    model = settings["model"].copy()
    if "dropout" in model:
        model["dropout"] = None
    return {**settings, "truncation": None, "padding": None, "model": model}


def _name(settings: Settings) -> str:
    # By the vocabulary alone: what else is in the file is spelled differently by versions of
    # tokenizers, and a name is compared with one that was written down long ago.
    model = settings["model"]
    vocabulary = json.dumps(model["vocab"], sort_keys=True)
    digest = sha256(vocabulary.encode()).hexdigest()[:8]
    return f"hf:{model.get('type', 'model')}-{len(model['vocab'])}@{digest}"
