r"""Where the counts of a Hugging Face tokenizer add up, read from its settings.

`parts` proves it for a tokenizer that cuts a text by one regular expression. These cut in
stages, each inside the pieces of the one before. Here exactly one stage has an expression for
which the proof holds, and no other has one that a blank or a newline could be part of. What
else could see beyond a place:

- a normalizer: none is there, or NFC, which changes nothing across a blank or a newline;
- a blank put in front of a text, which every part would get;
- words that are looked for before the text is cut: here without white space in or around them.
  Control tokens aren't looked for, they are plain text.

Other tokenizers may add up as well, but nothing here says so, and they have no `count_within`.
"""

from __future__ import annotations

import re
from typing import Final, TypedDict

from .parts import AT_BLANKS, AT_BLANKS_AND_LINES


class Model(TypedDict, total=False):
    """What cuts a piece into tokens; not all have all of it."""

    type: str
    vocab: dict[str, int] | list[object]
    dropout: float | None


class Settings(TypedDict, total=False):
    """What is read of a tokenizer.json."""

    truncation: object
    padding: object
    added_tokens: list[object]
    normalizer: object
    pre_tokenizer: object
    model: Model


_NORMALIZERS: Final = (None, {"type": "NFC"}, {"type": "Sequence", "normalizers": []})

_ENDINGS: Final = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_WORD: Final = r"[^\r\n\p{L}\p{N}]?\p{L}+"
_SIGNS: Final = r" ?[^\s\p{L}\p{N}]+[\r\n"
_BLANKS: Final = r"\s*[\r\n]+|\s+(?!\S)|\s+"
_BEFORE: Final = r"[^\r\n\p{L}\p{N}]?"
_UPPER: Final = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
_LOWER: Final = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"

_LLAMA: Final = rf"{_ENDINGS}|{_WORD}|\p{{N}}{{1,3}}|{_SIGNS}]*|{_BLANKS}"
_QWEN: Final = rf"{_ENDINGS}|{_WORD}|\p{{N}}|{_SIGNS}]*|{_BLANKS}"
_GPT_OSS: Final = (
    rf"{_BEFORE}{_UPPER}*{_LOWER}+{_ENDINGS}?|{_BEFORE}{_UPPER}+{_LOWER}*{_ENDINGS}?"
    rf"|\p{{N}}{{1,3}}|{_SIGNS}/]*|{_BLANKS}"
)
# In this one the ends of lines stand as themselves.
_DEEPSEEK: Final = (
    r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+"""
    "|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\r\n]*"
    "|\\s*[\r\n]+|\\s+(?!\\S)|\\s+"
)
_EXPRESSIONS: Final = frozenset({_LLAMA, _QWEN, _GPT_OSS, _DEEPSEEK})

# None of these takes a blank or a newline.
_WITHOUT_BLANKS: Final = frozenset(
    {r"\p{N}{1,3}", r"\p{N}", "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+"}
)


def splits_of(settings: Settings) -> re.Pattern[str] | None:
    """Return where texts can be split; None if these settings aren't known to allow it."""
    if settings.get("normalizer") not in _NORMALIZERS:
        return None
    if not all(map(_is_apart, settings.get("added_tokens", ()))):
        return None
    match settings.get("pre_tokenizer"):
        case {"type": "Sequence", "pretokenizers": [*stages]}:
            pass
        case single:
            stages = [single]
    cutting = [stage for stage in stages if not _is_blind(stage)]
    return _splits(cutting[0]) if len(cutting) == 1 else None


def _is_apart(word: object) -> bool:
    """Tell whether an added word is plain text, or found without looking at blanks."""
    match word:
        case {"special": True}:
            return True
        case {"content": str(text), "lstrip": False, "rstrip": False, "single_word": False}:
            return not re.search(r"\s", text)
        case _:
            return False


def _is_blind(stage: object) -> bool:
    """Tell whether a stage cuts regardless of blanks and newlines."""
    match stage:
        case {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}:
            return True
        case _:
            return _expression(stage) in _WITHOUT_BLANKS


def _splits(stage: object) -> re.Pattern[str] | None:
    match stage:
        case {"type": "ByteLevel", "add_prefix_space": False}:
            return AT_BLANKS  # by GPT-2's expression
        case _:
            return AT_BLANKS_AND_LINES if _expression(stage) in _EXPRESSIONS else None


def _expression(stage: object) -> str | None:
    match stage:
        case {
            "type": "Split",
            "pattern": {"Regex": str(expression)},
            "behavior": "Isolated",
            "invert": False,
        }:
            return expression
        case _:
            return None
