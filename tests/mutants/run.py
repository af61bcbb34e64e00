"""Plants each bug of this folder in a copy and requires that the named test sees it.

`python tests/mutants/run.py` runs all of them, two at a time; names as arguments run only those.
The first line of a patch, `# caught by: TEST`, names the narrowest test that must fail; all
named tests must pass without a patch. A patch that no longer applies is renewed by hand: make the
same mistake in `src/budget`, write `git diff -U1 src` under the first line of the patch, and take
the mistake back (`git apply -R` of the new patch).
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = Path(__file__).parent
MARK: Final = "# caught by: "
AT_A_TIME: Final = 2
PASSED, FAILED, STALE = 0, 1, -1  # what pytest exits with, and what a stale patch gives


def main(names: Sequence[str]) -> int:
    """Run the mutants of these names, or all; return 1 if one survives."""
    patches = [FOLDER / f"{name}.patch" for name in names] or sorted(FOLDER.glob("*.patch"))
    tests = [caught_by(patch) for patch in patches]
    code, said = tested(sorted(set(tests)))
    if code != PASSED:
        say(f"{said}\nthe named tests don't pass without a patch")
        return 1
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        verdicts = list(pool.map(verdict, patches, tests))
    width = max(len(patch.stem) for patch in patches)
    for patch, test, found in zip(patches, tests, verdicts, strict=True):
        say(f"{found:8}  {patch.stem:{width}}  {test}")
    survivors = sum(found != "caught" for found in verdicts)
    say(f"{len(patches)} mutants, {survivors} not caught")
    return int(survivors > 0)


def caught_by(patch: Path) -> str:
    """Return the test that the patch names."""
    line = patch.read_text(encoding="utf-8").partition("\n")[0]
    if not line.startswith(MARK):
        raise SystemExit(f"{patch.name}: the first line must be '{MARK}TEST'")
    return line.removeprefix(MARK)


def verdict(patch: Path, test: str) -> str:
    """Return what became of one mutant."""
    code, _ = tested([test], patch)
    return {PASSED: "SURVIVED", FAILED: "caught", STALE: "STALE"}.get(code, "ERROR")


def tested(tests: Sequence[str], *patches: Path) -> tuple[int, str]:
    """Return pytest's exit code and output in a copy with the patches, or STALE."""
    with TemporaryDirectory() as name:
        copy = Path(name)
        shutil.copytree(ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(ROOT / "tests", copy / "tests", ignore=shutil.ignore_patterns("mutants"))
        shutil.copy(ROOT / "pyproject.toml", copy)
        for patch in patches:
            code, said = run(copy, [git(), "apply", str(patch)])
            if code != 0:
                return STALE, said
        options = ["-q", "-x", "-p", "no:cacheprovider", "--hypothesis-profile=mutants"]
        return run(copy, [sys.executable, "-m", "pytest", *options, *tests])


def run(folder: Path, command: Sequence[str]) -> tuple[int, str]:
    """Return the exit code and output of a command, with the copy's package on the path."""
    # A folder above that is a git repository would have git apply nothing, and say nothing.
    own = {"PYTHONPATH": str(folder / "src"), "GIT_CEILING_DIRECTORIES": str(folder.parent)}
    done = subprocess.run(
        command, cwd=folder, env=os.environ | own, check=False, capture_output=True
    )
    return done.returncode, done.stdout.decode(errors="replace")


def git() -> str:
    """Return where git is."""
    found = shutil.which("git")
    if found is None:
        raise SystemExit("git is needed to apply the patches")
    return found


def say(line: str) -> None:
    """Print a line."""
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
