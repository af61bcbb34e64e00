"""The adapter around tiktoken."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import Final

from .._asking import CountWithin
from .._checks import refuse_type
from ..errors import BudgetError, BudgetPolicyError, escaped
from .asking import Count, Lazy, ask, imported
from .blanks import ACROSS_LINES, BETWEEN_LINES, Encoding, counting_blanks
from .parts import AT_BLANKS, AT_BLANKS_AND_LINES, LONGEST, count_within

# Where a text can be split and which runs need help, by an encoding's regular expression.
_GPT2: Final = (AT_BLANKS, ACROSS_LINES)
_CL100K: Final = (AT_BLANKS_AND_LINES, BETWEEN_LINES)
_KNOWN: Final = {
    "gpt2": _GPT2,
    "r50k_base": _GPT2,
    "p50k_base": _GPT2,
    "p50k_edit": _GPT2,
    "cl100k_base": _CL100K,
    "o200k_base": _CL100K,
    "o200k_harmony": _CL100K,
}


@dataclass(frozen=True, slots=True)
class TiktokenCounter(Lazy[Count]):
    """Counts by a tiktoken encoding; the spelling of a control token counts as plain text.

    By name, the vocabulary is loaded on the first count in each process, and downloaded if
    tiktoken's cache has no copy: `TIKTOKEN_CACHE_DIR` names a folder that has one. Pickles hold
    the name, or the whole encoding where tiktoken knows none by its name.

    `count_within`, with the encodings that tiktoken brings, reads about as much as fits.

    Args:
        encoding: The name of an encoding, or a `tiktoken.Encoding`.

    Raises:
        MissingPackageError: If there is a name, but no tiktoken.
        BudgetPolicyError: If tiktoken has no encoding of that name.
        TypeError: If it is neither a name nor an encoding.
    """

    encoding: str | Encoding

    def __post_init__(self) -> None:
        """Refuse what isn't an encoding, and go by name where tiktoken knows one."""
        if isinstance(self.encoding, str):
            _check_name(_package(), self.encoding)
            return
        if not callable(getattr(self.encoding, "encode_ordinary", None)):
            raise refuse_type("encoding", "a name or a tiktoken.Encoding", self.encoding)
        # tiktoken's own pickles are a name exactly where that name stands for this object.
        known_as = self.encoding.__getstate__()
        if isinstance(known_as, str):
            object.__setattr__(self, "encoding", known_as)

    @property
    def name(self) -> str:
        """The encoding, spelled as on the command line."""
        return f"tiktoken:{getattr(self.encoding, 'name', self.encoding)}"

    def count(self, text: str, /) -> int:
        """Return the tokens of `text`, lone surrogates replaced as tiktoken does.

        Raises:
            BudgetError: On the first count, if the vocabulary can't be loaded.
            CounterError: If tiktoken panics.
        """
        return ask(self._count, text, self)

    @property
    def count_within(self) -> CountWithin:
        """There for the encodings whose regular expression is known."""
        if not isinstance(self.encoding, str) or self.encoding not in _KNOWN:
            raise AttributeError(f"{self.name} has no count_within")
        splits, _ = _KNOWN[self.encoding]
        return lambda text, limit: count_within(self.count, text, limit, splits, LONGEST)

    @property
    def _count(self) -> Count:
        built: Count | None = getattr(self, "_built", None)
        if built is None:
            built = _counting(self.encoding)
            object.__setattr__(self, "_built", built)
        return built


def _package() -> ModuleType:
    return imported("tiktoken", "tiktoken", "tiktoken")


def _check_name(package: ModuleType, name: str) -> None:
    names: list[str] = sorted(package.list_encoding_names())
    if name not in names:
        raise BudgetPolicyError(
            f"encoding must be one of {', '.join(names)}, got '{escaped(name)}'"
        )


def _counting(encoding: str | Encoding) -> Count:
    if not isinstance(encoding, str):
        return lambda text: len(encoding.encode_ordinary(text))
    package = _package()
    try:
        loaded: Encoding = package.get_encoding(encoding)
    except Exception as error:
        raise BudgetError(
            f"the vocabulary of {encoding} can't be loaded: tiktoken downloads it unless its"
            " cache has it; set TIKTOKEN_CACHE_DIR to a folder that does, or use ToktokCounter,"
            " which brings its vocabularies"
        ) from error
    if encoding not in _KNOWN:
        return lambda text: len(loaded.encode_ordinary(text))
    _, runs = _KNOWN[encoding]
    return counting_blanks(loaded, package.Encoding, runs)
