"""Small counters with one known trait each."""

from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

from budget import TokenCounter


@dataclass(frozen=True, slots=True)
class Words:
    """Words between blanks: blanks are free."""

    def count(self, text: str, /) -> int:
        return len(text.split())


@dataclass(frozen=True, slots=True)
class Characters:
    """Code points: additive, and every character costs."""

    def count(self, text: str, /) -> int:
        return len(text)


@dataclass(frozen=True, slots=True)
class Bytes:
    """Bytes of UTF-8: additive, characters cost 1 to 4."""

    def count(self, text: str, /) -> int:
        return len(text.encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, slots=True)
class Framed:
    """Code points and a frame: even nothing costs something."""

    def count(self, text: str, /) -> int:
        return 7 + len(text)


@dataclass(frozen=True, slots=True)
class WordsAndLines:
    """Words and newlines: parts cost more than their join, or as much."""

    def count(self, text: str, /) -> int:
        return len(text.split()) + text.count("\n")


@dataclass(frozen=True, slots=True)
class Quarters:
    """Four characters a token where it works out: every fourth length is far cheaper."""

    def count(self, text: str, /) -> int:
        return len(text) if len(text) % 4 else len(text) // 4


@dataclass(frozen=True, slots=True)
class Dips:
    """Like a run of zeros in a real vocabulary: the fourth character makes the text cheaper."""

    def count(self, text: str, /) -> int:
        return len(text) // 4 + len(text) % 4


@dataclass(frozen=True, slots=True)
class Zeroes:
    """Everything is free."""

    def count(self, text: str, /) -> int:  # noqa: ARG002 - the signature is the protocol's
        return 0


class Recording:
    """Counts as the counter inside and keeps what it was asked."""

    def __init__(self, counter: TokenCounter) -> None:
        self.counter: Final = counter
        self.texts: Final[list[str]] = []

    @property
    def characters(self) -> int:
        """The characters of all calls together."""
        return sum(map(len, self.texts))

    def count(self, text: str, /) -> int:
        self.texts.append(text)
        return self.counter.count(text)


class Bounded:
    """Counts as the counter inside, which must never shrink, and stops reading when it can."""

    def __init__(self, counter: TokenCounter) -> None:
        self.counter: Final = counter
        self.characters = 0

    def count(self, text: str, /) -> int:
        self.characters += len(text)
        return self.counter.count(text)

    def count_within(self, text: str, limit: int, /) -> int | None:
        """Read up to the first character that shows that the text is over the limit."""
        sizes = range(len(text) + 1)
        read = bisect_right(sizes, limit, key=lambda size: self.counter.count(text[:size]))
        self.characters += min(read, len(text))
        return self.counter.count(text) if read > len(text) else None


NEVER_SHRINKING: Final = (Words(), Characters(), Bytes(), Framed(), WordsAndLines())
DIPPING: Final = (Quarters(), Dips())
