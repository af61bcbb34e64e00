"""The one estimate of the library: a weight for each character by its class.

The lead byte of a character's UTF-8 form tells its class, so that one `translate` and a few
`bytes.count` do all the work. A step between a letter and a digit costs extra. The weights are
medians, and upper bounds over o200k_base and cl100k_base, fitted to a corpus of 41 kinds of
text; `docs/explanation/estimates.md` holds them against real counts.
"""

from __future__ import annotations

# Classes of characters outside of ASCII, by the lead bytes of their UTF-8 form.
_LEAD_BYTES = (
    ("l", range(0xC2, 0xCE)),  # Latin with marks, IPA, combining marks: U+0080 to U+037F
    ("g", range(0xCE, 0xD0)),  # Greek
    ("y", range(0xD0, 0xD2)),  # Cyrillic
    ("h", range(0xD2, 0xD8)),  # Armenian, Hebrew
    ("b", range(0xD8, 0xDC)),  # Arabic
    ("k", range(0xDC, 0xE0)),  # Syriac, Thaana, N'Ko
    ("i", range(0xE0, 0xE1)),  # the scripts of India, Thai
    ("k", range(0xE1, 0xE2)),  # Georgian, Khmer, Myanmar
    ("u", range(0xE2, 0xE3)),  # punctuation, arrows, boxes
    ("j", range(0xE3, 0xE4)),  # kana, CJK punctuation
    ("c", range(0xE4, 0xEA)),  # Han
    ("o", range(0xEA, 0xEE)),  # Hangul
    ("f", range(0xEE, 0xF0)),  # private use, full-width forms
    ("e", range(0xF0, 0xF5)),  # emoji and all else beyond U+FFFF
)
# In ASCII: letter, digit, space, newline, tab or carriage return; p is what else can be
# printed, x what can't.
_CLASSES = b"adpsntxlgyhbkiujcofe"
_ASCII_CLASSES = 7

# Hundredths of a token, so that sums are exact and the same on every platform; the last one is
# for each step between a letter and a digit.
_MEDIAN = (
    (24, 63, 49, 3, 100, 57, 100, 65, 45, 28, 45, 38, 49, 42, 139, 70, 75, 77, 74, 184),
    39,
)
_UPPER = (
    (39, 100, 80, 4, 100, 100, 100, 200, 157, 75, 200, 117, 284, 272, 295, 134, 185, 192, 300, 356),
    200,
)


def _class_of_byte(byte: int) -> str:
    for letter, lead_bytes in _LEAD_BYTES:
        if byte in lead_bytes:
            return letter
    return _class_of_ascii(chr(byte)) if byte < _ASCII else "x"


def _class_of_ascii(character: str) -> str:
    if character.isalpha():
        return "a"
    if character.isdigit():
        return "d"
    blanks = {" ": "s", "\n": "n", "\t": "t", "\r": "t"}
    return blanks.get(character, "p" if character.isprintable() else "x")


_ASCII = 0x80
_TABLE = "".join(_class_of_byte(byte) for byte in range(256)).encode()
_CONTINUATION_BYTES = bytes(range(0x80, 0xC0))


def median(text: str) -> int:
    """Return the estimated tokens of `text`, rounded up."""
    return _tokens(text.encode("utf-8", "surrogatepass"), *_MEDIAN)


def upper(text: str) -> int:
    """Return the estimate that leans high, and never more than the text's UTF-8 bytes."""
    data = text.encode("utf-8", "surrogatepass")
    return min(_tokens(data, *_UPPER), len(data))


def _tokens(data: bytes, weights: tuple[int, ...], step: int) -> int:
    classes = data.translate(_TABLE, _CONTINUATION_BYTES)
    hundredths = step * (classes.count(b"ad") + classes.count(b"da"))
    kinds = _ASCII_CLASSES if data.isascii() else len(_CLASSES)
    for letter, weight in zip(_CLASSES[:kinds], weights, strict=False):
        hundredths += weight * classes.count(letter)
    return -(-hundredths // 100)
