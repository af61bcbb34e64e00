"""What is left of one text, in the plainest way: try every size from the largest down.

Nothing here is shared with the package but its data types. Cuts are the tightest for counters
that never shrink as text grows; for others they merely fit.
"""

import re
from typing import Final, Literal

from budget import TokenCounter, TruncationPolicy

Grade = Literal["line", "sentence", "word", "character"]
Cut = tuple[str, int] | Literal["no-cut", "too-small"]

DEFAULT: Final = TruncationPolicy(
    keep="head", boundary="character", marker="…", min_tokens=1, head_share=0.5, quantum=1
)

# Sentence ends: the first need a blank after them, the others, full width, don't.
OPEN: Final = (".", "!", "?", "…")
CLOSED: Final = ("。", "\uff01", "\uff1f")

# The classes of UAX #29 as letters, for the few characters that tests are made of. Anything else
# is "o", which nothing joins but what extends it.
CLASSES: Final = (
    ("r", "\r"),
    ("n", "\n"),
    ("h", "\ud800-\udbff"),
    ("w", "\udc00-\udfff"),
    ("c", "\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029"),
    ("e", "\u0300-\u036f\ufe0f\U0001f3fb-\U0001f3ff"),
    ("m", "\u094d"),
    ("z", "\u200d"),
    ("k", "\u0915\u0937"),
    ("p", "\u2764\U0001f466\U0001f468\U0001f469\U0001f600"),
    ("i", "\U0001f1e6-\U0001f1ff"),
    ("L", "\u1100-\u115f"),
    ("V", "\u1160-\u11a7"),
    ("T", "\u11a8-\u11ff"),
    ("A", "".join(map(chr, range(0xAC00, 0xD7A4, 28)))),
    ("B", "\uac01-\ud7a3"),
)

# No boundary where the first matches up to a position and the second from there on.
JOINS: Final = (
    (r"r", r"n"),  # GB3
    (r"L", r"[LVAB]"),  # GB6
    (r"[AV]", r"[VT]"),  # GB7
    (r"[BT]", r"T"),  # GB8
    (r"[^rnc]", r"[emz]"),  # GB9, where GB4 and GB5 allow it
    (r"m[ez]*", r"k"),  # GB9c; since Unicode 18.0 no consonant has to stand before.
    (r"p[em]*z", r"p"),  # GB11
    (r"(^|[^i])(ii)*i", r"i"),  # GB12, GB13
    (r"h", r"w"),  # One character of UTF-16, whatever UAX #29 says of surrogates.
)


def boundaries(text: str) -> set[int]:
    """Return the positions at which a cut leaves every character whole, both ends included."""
    classes = "".join(_class_of(character) for character in text)
    return {at for at in range(len(text) + 1) if not _joined(classes[:at], classes[at:])}


def _class_of(character: str) -> str:
    for name, members in CLASSES:
        if re.fullmatch(f"[{members}]", character):
            return name
    return "o"


def _joined(before: str, after: str) -> bool:
    return any(
        re.search(rf"({left})\Z", before) and re.match(right, after) for left, right in JOINS
    )


def oracle_truncate(
    text: str, limit: int, counter: TokenCounter, policy: TruncationPolicy | None = None
) -> str:
    """Return the text if it fits, else its cut, else nothing."""
    if counter.count(text) <= limit:
        return text
    cut = oracle_cut(text, limit, counter, policy or DEFAULT)
    return "" if isinstance(cut, str) else cut[0]


def oracle_cut(
    text: str, allowance_limit: int, counter: TokenCounter, policy: TruncationPolicy
) -> Cut:
    """Return the cut of a text that doesn't fit, with its tokens, or why there is none."""
    allowance = allowance_limit // policy.quantum * policy.quantum
    if allowance == 0:
        return "no-cut"
    safe = boundaries(text)
    for size in range(len(text) - 1, 0, -1):
        end, start = _snapped(text, size, policy, safe)
        if end == 0 and start == len(text):
            continue
        if counter.count(text[:end] + policy.marker + text[start:]) <= allowance:
            return _graded(text, (end, start), allowance, counter, policy)
    return "no-cut"


def _snapped(text: str, size: int, policy: TruncationPolicy, safe: set[int]) -> tuple[int, int]:
    share = {"head": 1.0, "tail": 0.0, "both": policy.head_share}[policy.keep]
    head = int(size * share)
    tail = size - head
    end = max(position for position in safe if position <= head)
    start = min(position for position in safe if position >= len(text) - tail)
    return end, start


def _graded(
    text: str,
    sides: tuple[int, int],
    allowance: int,
    counter: TokenCounter,
    policy: TruncationPolicy,
) -> Cut:
    # The finest grade moves nothing, and the sides given fit: one of these always returns.
    for grades in _from_coarse_to_fine(policy.boundary):
        end, start = _head_end(text, sides[0], grades), _tail_start(text, sides[1], grades)
        cut = text[:end] + policy.marker + text[start:]
        tokens = counter.count(cut)
        if tokens <= allowance:
            return (cut, tokens) if tokens >= policy.min_tokens else "too-small"
    raise AssertionError


def _from_coarse_to_fine(boundary: Grade) -> list[tuple[Grade, ...]]:
    grades: tuple[Grade, ...] = ("line", "sentence", "word", "character")
    return [grades[index:] for index in range(grades.index(boundary), len(grades))]


def _head_end(text: str, tight: int, grades: tuple[Grade, ...]) -> int:
    safe = boundaries(text)
    for grade in grades:
        for end in range(tight, 0, -1):
            if 2 * end >= tight and end in safe and _ends_head(text, end, grade):
                return end
    return tight


def _tail_start(text: str, tight: int, grades: tuple[Grade, ...]) -> int:
    safe = boundaries(text)
    size = len(text) - tight
    for grade in grades:
        for kept in range(size, 0, -1):
            start = len(text) - kept
            if 2 * kept >= size and start in safe and _starts_tail(text, start, grade):
                return start
    return tight


def _ends_head(text: str, end: int, grade: Grade) -> bool:
    last, following = text[end - 1], text[end]
    if grade == "line":
        return last == "\n"
    if grade == "sentence":
        return last in CLOSED or (last in OPEN and following.isspace())
    return grade == "character" or following.isspace()


def _starts_tail(text: str, start: int, grade: Grade) -> bool:
    last, following = text[start - 1], text[start]
    if grade == "line":
        return last == "\n"
    if grade == "sentence":
        sentence = text[:start].rstrip()
        after_blanks = last.isspace() and sentence.endswith(OPEN)
        return not following.isspace() and (after_blanks or sentence.endswith(CLOSED))
    return grade == "character" or last.isspace()
