"""The adapter around toktok-rs."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import Final

from .._asking import CountWithin
from .._checks import check_type
from ..errors import BudgetPolicyError, escaped
from .asking import Count, Lazy, ask, imported
from .parts import AT_BLANKS_AND_LINES, LONGEST, count_within

# Those whose ids are tiktoken's, so that counts add up where tiktoken's do.
_LIKE_TIKTOKEN: Final = frozenset({"cl100k_base", "o200k_base", "o200k_harmony"})
_ESTIMATE: Final = "jev"


@dataclass(frozen=True, slots=True)
class ToktokCounter(Lazy[Count]):
    """Counts by toktok-rs, whose vocabularies are in its wheel: nothing is ever downloaded.

    The spelling of a control token counts as plain text. It pickles by name.

    `count_within`, but with qwen3.5, reads about as much as fits.

    Args:
        encoding: cl100k_base, o200k_base, o200k_harmony or qwen3.5.

    Raises:
        MissingPackageError: If toktok-rs isn't installed.
        BudgetPolicyError: If toktok-rs has no encoding of that name.
        TypeError: If `encoding` isn't a str.
    """

    encoding: str

    def __post_init__(self) -> None:
        """Refuse what toktok doesn't have; it loads the encoding."""
        package = _package()
        check_type("encoding", self.encoding, str)
        try:
            package.batch_count([], self.encoding, threads=1)
        except KeyError as error:
            raise BudgetPolicyError(
                f"encoding must be one that toktok-rs has, got '{escaped(self.encoding)}'"
            ) from error
        if self.encoding == _ESTIMATE:
            raise BudgetPolicyError(f"{_ESTIMATE} is no encoding but an estimate")

    @property
    def name(self) -> str:
        """The encoding, spelled as on the command line."""
        return f"toktok:{self.encoding}"

    def count(self, text: str, /) -> int:
        """Return the tokens of `text`, lone surrogates replaced as tiktoken does.

        Raises:
            CounterError: If toktok panics.
        """
        return ask(self._count, text, self)

    @property
    def count_within(self) -> CountWithin:
        """There for the encodings that are tiktoken's."""
        if self.encoding not in _LIKE_TIKTOKEN:
            raise AttributeError(f"{self.name} has no count_within")
        return lambda text, limit: count_within(
            self.count, text, limit, AT_BLANKS_AND_LINES, LONGEST
        )

    @property
    def _count(self) -> Count:
        built: Count | None = getattr(self, "_built", None)
        if built is None:
            built = _counting(self.encoding)
            object.__setattr__(self, "_built", built)
        return built


def _package() -> ModuleType:
    return imported("toktok", "toktok-rs", "toktok")


def _counting(encoding: str) -> Count:
    truncate = _package().truncate

    def count(text: str) -> int:
        # A cut says what the whole text counts, and starts no threads as batch_count does: for
        # a text of 200 characters it takes a fiftieth of the time.
        tokens: int = truncate(text, 0, encoding)[1]
        return tokens

    return count
