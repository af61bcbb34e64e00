"""Every adapter around a real tokenizer, and beside it that tokenizer's own count.

Vocabularies come out of litellm's wheel, which needn't be importable: nothing is downloaded.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Protocol

from budget import BudgetItem, TokenCounter
from budget.tokenizers import HuggingFaceCounter, TiktokenCounter, ToktokCounter
from tests.estimates.corpus import read_rows

spec = find_spec("litellm")
assert spec is not None
assert spec.submodule_search_locations is not None
VOCABULARIES: Final = Path(spec.submodule_search_locations[0], "litellm_core_utils", "tokenizers")
os.environ["TIKTOKEN_CACHE_DIR"] = str(VOCABULARIES)

tiktoken: Final = import_module("tiktoken")
tokenizers: Final = import_module("tokenizers")
toktok: Final = import_module("toktok")

TEXTS: Final = tuple(row["text"] for row in read_rows())
TURN: Final = Path(__file__).parents[3] / "docs" / "examples" / "agent-turn.jsonl"
ITEMS: Final = [BudgetItem(**json.loads(line)) for line in TURN.read_text("utf-8").splitlines()]

# As in the tokenizer.json of Llama 3.
LLAMA: Final = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
MAXIMUM: Final = 16


class Tokenizer(Protocol):
    """A tokenizers.Tokenizer."""

    truncation: dict[str, object] | None

    def to_str(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Adapter:
    """A counter, and what the tokenizer itself says."""

    counter: TokenCounter
    itself: Callable[[str], int]


def bounded(tokenizer: Tokenizer) -> Tokenizer:
    """Return a copy that cuts and pads to sixteen tokens, as many a tokenizer.json does."""
    copy = tokenizers.Tokenizer.from_str(tokenizer.to_str())
    copy.enable_truncation(MAXIMUM)
    copy.enable_padding(length=MAXIMUM)
    found: Tokenizer = copy
    return found


@cache
def word_piece() -> Tokenizer:
    """Return a small tokenizer of BERT's kind."""
    trained = tokenizers.Tokenizer(tokenizers.models.WordPiece(unk_token="[UNK]"))  # noqa: S106
    trained.normalizer = tokenizers.normalizers.BertNormalizer()
    trained.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    special = ["[UNK]", "[CLS]", "[SEP]", "[PAD]", "<|endoftext|>"]
    trainer = tokenizers.trainers.WordPieceTrainer(
        vocab_size=3_000, special_tokens=special, show_progress=False
    )
    trained.train_from_iterator(TEXTS, trainer)
    trained.post_processor = tokenizers.processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    return bounded(trained)


@cache
def byte_level(expression: str | None, normalizer: str | None = None) -> Tokenizer:
    """Return a small tokenizer of the kind that cuts by an expression; None: by GPT-2's."""
    cutting = tokenizers.pre_tokenizers
    by_bytes = cutting.ByteLevel(add_prefix_space=False, use_regex=expression is None)
    trained = tokenizers.Tokenizer(tokenizers.models.BPE())
    if expression is None:
        trained.pre_tokenizer = by_bytes
    else:
        split = cutting.Split(tokenizers.Regex(expression), "isolated")
        trained.pre_tokenizer = cutting.Sequence([split, by_bytes])
    if normalizer is not None:
        trained.normalizer = getattr(tokenizers.normalizers, normalizer)()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=3_000,
        special_tokens=["<|endoftext|>", "<|im_start|>"],
        initial_alphabet=cutting.ByteLevel.alphabet(),
        show_progress=False,
    )
    trained.train_from_iterator(TEXTS, trainer)
    trained.add_tokens(["<think>"])
    return bounded(trained)


def _tiktoken(name: str) -> Adapter:
    def itself(text: str) -> int:
        return len(tiktoken.get_encoding(name).encode(text, disallowed_special=()))

    return Adapter(TiktokenCounter(name), itself)


def _toktok(name: str) -> Adapter:
    return Adapter(ToktokCounter(name), lambda text: toktok.batch_count([text], name)[0])


def _hugging_face(given: Tokenizer | Path) -> Adapter:
    own = tokenizers.Tokenizer.from_str(
        given.read_text("utf-8") if isinstance(given, Path) else given.to_str()
    )
    own.no_truncation()
    own.no_padding()
    own.encode_special_tokens = True
    return Adapter(
        HuggingFaceCounter(given), lambda text: len(own.encode(text, add_special_tokens=False))
    )


MAKERS: Final[dict[str, Callable[[], Adapter]]] = {
    "tiktoken o200k": lambda: _tiktoken("o200k_base"),
    "tiktoken cl100k": lambda: _tiktoken("cl100k_base"),
    "tiktoken p50k": lambda: _tiktoken("p50k_base"),
    "toktok o200k": lambda: _toktok("o200k_base"),
    "toktok cl100k": lambda: _toktok("cl100k_base"),
    "toktok harmony": lambda: _toktok("o200k_harmony"),
    "toktok qwen": lambda: _toktok("qwen3.5"),
    "hf DeepSeek 3": lambda: _hugging_face(VOCABULARIES / "deepseek_tokenizer.json"),
    "hf Claude 2": lambda: _hugging_face(VOCABULARIES / "anthropic_tokenizer.json"),
    "hf WordPiece": lambda: _hugging_face(word_piece()),
    "hf like Llama 3": lambda: _hugging_face(byte_level(LLAMA)),
    "hf like Qwen 2": lambda: _hugging_face(
        byte_level(LLAMA.replace(r"\p{N}{1,3}", r"\p{N}"), "NFC")
    ),
    "hf like GPT-2": lambda: _hugging_face(byte_level(None)),
}
WITHOUT_COUNT_WITHIN: Final = {"toktok qwen", "hf Claude 2", "hf WordPiece"}
WITH_COUNT_WITHIN: Final = tuple(name for name in MAKERS if name not in WITHOUT_COUNT_WITHIN)


@cache
def adapter(name: str) -> Adapter:
    """Return an adapter and what it adapts, built once."""
    return MAKERS[name]()
