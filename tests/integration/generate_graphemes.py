"""Write the table of `budget.graphemes` from the Unicode properties that `regex` answers.

    python -m tests.integration.generate_graphemes > src/budget/_grapheme_table.py

It needs the `integration` extra, which pins the version of `regex` and so that of Unicode.
"""

from __future__ import annotations

import textwrap
from itertools import groupby

import regex  # type: ignore[import-untyped]

# In this order: a property that stands later decides where two hold.
# Hangul syllables LV and LVT are one class: arithmetic tells them apart.
CLASSES = (
    ("x", r"\p{Extended_Pictographic}"),
    ("q", r"\p{InCB=Consonant}"),
    ("r", r"\p{GCB=CR}"),
    ("n", r"\p{GCB=LF}"),
    ("c", r"\p{GCB=Control}"),
    ("m", r"\p{GCB=Extend}"),
    ("z", r"\p{GCB=ZWJ}"),
    ("f", r"\p{GCB=Regional_Indicator}"),
    ("p", r"\p{GCB=Prepend}"),
    ("s", r"\p{GCB=SpacingMark}"),
    ("l", r"\p{GCB=L}"),
    ("v", r"\p{GCB=V}"),
    ("t", r"\p{GCB=T}"),
    ("h", r"[\p{GCB=LV}\p{GCB=LVT}]"),
    ("e", r"(?=\p{GCB=Extend})\p{InCB=Extend}"),
    ("i", r"(?=\p{GCB=Extend})\p{InCB=Linker}"),
    ("j", r"(?!\p{GCB=Extend})\p{InCB=Linker}"),
)
LAST = 0x10FFFF
HEAD = '''"""Classes for the rules of graphemes, by tests/integration/generate_graphemes.py.

Unicode {unicode}. Each run of characters is its length in hexadecimal and its class.
"""

RUNS = """\\
{runs}
"""
'''


def class_of_each() -> list[str]:
    """Return the class of every code point; "o" is any other."""
    characters = "".join(map(chr, range(LAST + 1)))
    classes = ["o"] * (LAST + 1)
    for letter, pattern in CLASSES:
        for match in regex.finditer(pattern, characters):
            classes[match.start()] = letter
    return classes


def runs(classes: list[str]) -> str:
    """Return the run-length encoding, wrapped."""
    encoded = (f"{len(list(run)):x}{letter}" for letter, run in groupby(classes))
    return textwrap.fill(" ".join(encoded), 98)


def table() -> str:
    """Return the text of the module."""
    return HEAD.format(unicode="18.0", runs=runs(class_of_each()))


if __name__ == "__main__":
    print(table(), end="")  # noqa: T201 - this is its output
