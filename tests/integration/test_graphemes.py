"""Characters, against `regex` of the same Unicode version and against a second source."""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path

import regex  # type: ignore[import-untyped]

from budget.graphemes import Clusters
from tests.integration.generate_graphemes import class_of_each, table

TABLE = Path(__file__).parents[2] / "src" / "budget" / "_grapheme_table.py"
MIXTURES = 100_000
# Classes that meet in a rule are drawn together: a uniform mixture hardly ever builds a conjunct.
FAMILIES = ("xzem", "qeijzm", "ffo", "lvth", "rnco", "pqxhfo", "xqorncmzfpslvtheij")
# How a class of the table is called by the second source.
NAMES = {
    "r": "Grapheme_Cluster_Break/CR",
    "n": "Grapheme_Cluster_Break/LF",
    "c": "Grapheme_Cluster_Break/Control",
    "z": "Grapheme_Cluster_Break/ZWJ",
    "f": "Grapheme_Cluster_Break/Regional_Indicator",
    "p": "Grapheme_Cluster_Break/Prepend",
    "s": "Grapheme_Cluster_Break/SpacingMark",
    "l": "Grapheme_Cluster_Break/L",
    "v": "Grapheme_Cluster_Break/V",
    "t": "Grapheme_Cluster_Break/T",
    "x": "Binary_Property/Extended_Pictographic",
}


def test_the_shipped_table_is_what_the_generator_writes() -> None:
    assert TABLE.read_text("utf-8") == table()


def test_boundaries_are_those_of_regex_but_inside_surrogate_pairs() -> None:
    members: dict[str, list[str]] = {}
    for code, letter in enumerate(class_of_each()):
        members.setdefault(letter, []).append(chr(code))
    draw = random.Random(18)  # noqa: S311 - not for secrets
    for _ in range(MIXTURES):
        family = draw.choice(FAMILIES)
        text = "".join(
            draw.choice(members[draw.choice(family)]) for _ in range(draw.randint(1, 12))
        )
        clusters = Clusters(text)
        found = {index for index in range(len(text) + 1) if clusters.is_boundary(index)}
        ends = {0} | {match.end() for match in regex.finditer(r"\X", text)}
        assert found == ends - inside_pairs(text), ascii(text)


def inside_pairs(text: str) -> set[int]:
    """Return the places between a high and a low surrogate."""
    return {match.start() + 1 for match in regex.finditer("[\ud800-\udbff][\udc00-\udfff]", text)}


def test_a_second_source_has_the_same_properties() -> None:
    found = second_source(*NAMES.values(), "Grapheme_Cluster_Break/Extend", "Binary_Property/InCB")
    of_class: dict[str, set[int]] = {}
    for code, letter in enumerate(class_of_each()):
        of_class.setdefault(letter, set()).add(code)
    for letter, name in NAMES.items():
        assert of_class[letter] == found[name], name
    extends = of_class["e"] | of_class["i"] | of_class["m"]
    assert extends == found["Grapheme_Cluster_Break/Extend"]
    conjuncts = of_class["q"] | of_class["e"] | of_class["z"] | of_class["i"] | of_class["j"]
    assert conjuncts == found["Binary_Property/InCB"]


def second_source(*properties: str) -> dict[str, set[int]]:
    """Return the code points of properties in npm's @unicode/unicode-18.0.0."""
    script = Path(__file__).with_name("ranges.mjs")
    done = subprocess.run(
        ["node", str(script), os.environ["UNICODE_DATA"], *properties],  # noqa: S607
        capture_output=True,
        check=True,
    )
    ranges: dict[str, list[tuple[int, int]]] = json.loads(done.stdout)
    return {
        name: {code for begin, end in found for code in range(begin, end)}
        for name, found in ranges.items()
    }
