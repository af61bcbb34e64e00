"""Every example in the README and the docs runs, and prints what the page says it prints.

`pycon` blocks are doctests, one namespace a page. `console` blocks are commands, each behind a
"$ ", with their output. `sh`, `python`, `toml` and `json` blocks are shown, not run here.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = {"sh", "python", "toml", "json", "text", "yaml", "html"}
OPTIONS = doctest.ELLIPSIS


def blocks(page: Path) -> list[tuple[str, str]]:
    return [(match[1], match[2]) for match in BLOCK.finditer(page.read_text("utf-8"))]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def run(command: str, folder: Path) -> str:
    (folder / "python").symlink_to(sys.executable)
    path = os.pathsep.join([str(folder), os.environ["PATH"]])
    done = subprocess.run(
        ["sh", "-c", f"({command}) 2>&1"],  # noqa: S607 - the shell that a reader has
        capture_output=True,
        check=False,
        cwd=ROOT,
        env=os.environ | {"PATH": path, "PYTHONPATH": str(ROOT / "src")},
    )
    return done.stdout.decode()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_python_of_a_page_prints_what_it_says(
    page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    source = "\n".join(text for language, text in blocks(page) if language == "pycon")
    test = doctest.DocTestParser().get_doctest(source, {}, name_of(page), str(page), 0)
    failures: list[str] = []
    doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=failures.append)
    assert not failures, "".join(failures)


COMMANDS = [
    pytest.param(command, f"{output}", id=f"{name_of(page)}: {command[:40]}")
    for page in PAGES
    for language, text in blocks(page)
    if language == "console"
    for command, output in re.findall(
        r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE
    )
]


@pytest.mark.parametrize(("command", "output"), COMMANDS)
def test_a_command_prints_what_the_page_says(command: str, output: str, tmp_path: Path) -> None:
    found = run(command, tmp_path)
    assert doctest.OutputChecker().check_output(output, found, OPTIONS), found


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_has_no_block_of_a_language_that_nobody_looks_at(page: Path) -> None:
    assert {language for language, _ in blocks(page)} <= SHOWN | {"pycon", "console"}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text("utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []
