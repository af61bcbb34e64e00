"""Every ladder of up to four layers over no marker, 5m and 1h: its blocks, or its refusal."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Literal, TypedDict

import pytest

from budget.cache import Block, CheckedSection, Layer, Ttl, validate_ladder
from budget.errors import CacheLadderError
from budget.hms import HmsGuard


class Golden(TypedDict, total=False):
    ladder: list[Ttl | None]
    blocks: list[Block]
    refused: list[str]


LINES = (Path(__file__).parent / "ladders.jsonl").read_text("utf-8").splitlines()
GOLDEN: list[Golden] = [json.loads(line) for line in LINES]
ACCEPTED = [golden for golden in GOLDEN if "blocks" in golden]
REFUSED = [golden for golden in GOLDEN if "refused" in golden]


def _section(ladder: list[Ttl | None], names: str = "abcd") -> CheckedSection:
    layers = [Layer(name, f"text of {name}", ttl) for name, ttl in zip(names, ladder, strict=False)]
    return HmsGuard().check_layers("section", layers, separator="\n\n")


def _name(golden: Golden) -> str:
    return " ".join(ttl or "none" for ttl in golden["ladder"]) or "empty"


def test_every_ladder_of_up_to_four_layers_is_there() -> None:
    ttls = (None, "5m", "1h")
    every = [list(ladder) for length in range(5) for ladder in product(ttls, repeat=length)]
    assert [golden["ladder"] for golden in GOLDEN] == every


@pytest.mark.parametrize("golden", ACCEPTED, ids=_name)
def test_an_accepted_ladder_is_stamped_byte_by_byte(golden: Golden) -> None:
    blocks = _section(golden["ladder"]).anthropic_blocks()
    assert json.dumps(blocks) == json.dumps(golden["blocks"])


@pytest.mark.parametrize("golden", ACCEPTED, ids=_name)
def test_an_accepted_ladder_is_valid_as_a_request(golden: Golden) -> None:
    assert validate_ladder(system=_section(golden["ladder"]).anthropic_blocks()) == ()


@pytest.mark.parametrize("golden", REFUSED, ids=_name)
def test_a_refused_ladder_names_every_violation(golden: Golden) -> None:
    with pytest.raises(CacheLadderError) as caught:
        _section(golden["ladder"]).anthropic_blocks()
    assert [str(violation) for violation in caught.value.violations] == golden["refused"]
    assert str(caught.value) == "; ".join(golden["refused"])


@pytest.mark.parametrize("golden", GOLDEN, ids=_name)
@pytest.mark.parametrize("prior", ["5m", "1h"])
def test_a_marker_on_the_tools_is_one_more_layer_before(
    golden: Golden, prior: Literal["5m", "1h"]
) -> None:
    ladder = golden["ladder"]
    whole = next((one for one in GOLDEN if one["ladder"] == [prior, *ladder]), None)
    stamps = [ttl for ttl in ladder if ttl is not None]
    fits = len(stamps) < 4 and (prior == "1h" or "1h" not in stamps) and "blocks" in golden
    assert whole is None or ("blocks" in whole) == fits
    section = _section(ladder)
    try:
        blocks = section.anthropic_blocks(prior_ttl=prior, markers_used=1)
    except CacheLadderError:
        assert not fits
    else:
        assert fits
        assert blocks == golden["blocks"]
