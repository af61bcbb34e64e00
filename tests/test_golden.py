"""Output bytes: the same for the same input, in every process, until a changelog says otherwise."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.golden.answers import PACKAGE
from tests.golden.corpus import THEMES, answered, stored
from tests.golden.renew import ORACLE

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("theme", THEMES)
def test_the_package_answers_with_the_golden_bytes(theme: str) -> None:
    assert answered(theme, PACKAGE) == stored(theme)


@pytest.mark.parametrize("theme", THEMES)
def test_the_golden_bytes_are_the_oracles(theme: str) -> None:
    assert answered(theme, ORACLE) == stored(theme)


@pytest.mark.parametrize("seed", ["0", "1", "2"])
def test_the_bytes_are_the_same_for_every_hash_seed(seed: str) -> None:
    process = subprocess.run(
        [sys.executable, "-m", "tests.golden.answers"],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": seed},
        check=True,
        capture_output=True,
    )
    assert process.stdout == "".join(map(stored, THEMES)).encode()
