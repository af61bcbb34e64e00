"""Where a text may be cut without cutting what a reader sees as one character.

The rules are those of extended grapheme clusters in UAX #29, over the table of one Unicode
version that is shipped here, so that a cut is the same on every interpreter. In addition a high
and a low surrogate side by side are never split: together they are one character to whoever
reads them as UTF-16.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from ._grapheme_table import RUNS

# A longer character isn't searched to its end: a megabyte of combining marks is no character.
REACH = 65_536

_RUNS = RUNS.split()
_CLASSES = [run[-1] for run in _RUNS]
_ENDS = list(accumulate([int(run[:-1], 16) for run in _RUNS]))

# Below the first combining mark only CR LF holds together.
_FIRST_MARK = "\u0300"
_CONTROLS = "crn"  # GB4, GB5
_MARKS = "eimzs"  # GB9, GB9a: Extend, ZWJ, SpacingMark
_EXTENDS = "eim"  # the Extend of GB11
_CONJUNCT_EXTENDS = "ez"  # the Extend of GB9c
_LINKERS = "ij"
# GB6, GB7, GB8; LV and LVT syllables are "h" in the table.
_HANGUL = {"ll", "lv", "lV", "lT", "Vv", "Vt", "vv", "vt", "Tt", "tt"}
_FIRST_SYLLABLE = 0xAC00
_SYLLABLES_PER_LV = 28
_FLAG_LETTERS = "".join(map(chr, range(0x1F1E6, 0x1F200)))
_FLAG_STEP = 4_096


class Clusters:
    """The character boundaries of one text, found where they are asked for.

    A question costs as much as the character around it is long; only in a run of flags the run
    before it counts too, and that is read once for all questions.
    """

    __slots__ = ("_flag_run", "text")

    def __init__(self, text: str) -> None:
        """Look at nothing yet."""
        self.text = text
        self._flag_run = (0, 0)

    def before(self, index: int) -> int:
        """Return the last boundary <= index; 0 if none is within reach."""
        for place in range(index, max(index - REACH, 0), -1):
            if self.is_boundary(place):
                return place
        return 0

    def after(self, index: int) -> int:
        """Return the first boundary >= index; the text's length if none is within reach."""
        for place in range(index, min(index + REACH, len(self.text))):
            if self.is_boundary(place):
                return place
        return len(self.text)

    def is_boundary(self, index: int) -> bool:
        """Return whether a character ends and another begins at `index`."""
        if not 0 < index < len(self.text):
            return True
        left, right = self.text[index - 1], self.text[index]
        if left < _FIRST_MARK > right:
            return left != "\r" or right != "\n"
        if "\ud800" <= left <= "\udbff" and "\udc00" <= right <= "\udfff":
            return False
        return self._breaks(_class_of(left), _class_of(right), index)

    def _breaks(self, left: str, right: str, index: int) -> bool:
        if left in _CONTROLS or right in _CONTROLS:
            return True
        if right in _MARKS or left == "p" or left + right in _HANGUL:
            return False
        if left == "z" and right == "x":
            return not self._follows_pictograph(index - 1)
        if right == "q":
            return not self._follows_linker(index)
        return not (left == right == "f") or (index - self._flag_run_start(index)) % 2 == 0

    def _follows_pictograph(self, index: int) -> bool:
        """GB11: a pictograph and any number of Extend stand before `index`."""
        return self._last_but(_EXTENDS, index) == "x"

    def _follows_linker(self, index: int) -> bool:
        """GB9c: a linker and any number of InCB=Extend stand before `index`."""
        return self._last_but(_CONJUNCT_EXTENDS, index) in _LINKERS

    def _last_but(self, skipped: str, index: int) -> str:
        """Return the class of the last character before `index` that isn't one of `skipped`."""
        for place in range(index - 1, max(index - REACH, 0) - 1, -1):
            found = _class_of(self.text[place])
            if found not in skipped:
                return found
        return "o"

    def _flag_run_start(self, index: int) -> int:
        """GB12, GB13: where the run of regional indicators before `index` begins."""
        start, end = self._flag_run
        place = index
        while place > 0:
            if start < place <= end:
                place, index = start, max(index, end)
                break
            low = max(place - _FLAG_STEP, end if end < place else 0)
            rest = self.text[low:place].rstrip(_FLAG_LETTERS)
            place = low + len(rest)
            if rest:
                break
        self._flag_run = (place, index)
        return place


def _class_of(character: str) -> str:
    code = ord(character)
    found = _CLASSES[bisect_right(_ENDS, code)]
    if found != "h":
        return found
    return "V" if (code - _FIRST_SYLLABLE) % _SYLLABLES_PER_LV == 0 else "T"
