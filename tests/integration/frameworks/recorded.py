"""Recorded runs of a real agent, as OpenAI's chat messages, from a folder beside the project."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

from tests.messages.plans import Message

BESIDE: Final = Path(__file__).parents[4] / "shared" / "data"
RUNS: Final = ("fix-marshmallow-tools", "fix-pydicom")


def recorded(name: str) -> tuple[str, list[Message]]:
    """Return a run's system text, and its messages, ready to be answered."""
    path = _folder() / f"{name}.json"
    system, *messages = json.loads(path.read_text("utf-8"))
    if messages[-1]["role"] == "assistant":
        messages.append({"role": "user", "content": "Go on."})
    return system["content"], messages


def _folder() -> Path:
    folder = Path(os.environ.get("BUDGET_SHARED_DATA") or BESIDE)
    assert folder.is_dir(), (
        f"recorded runs are missing: {folder} is no folder; put shared/data beside the checkout,"
        " or name the folder in BUDGET_SHARED_DATA"
    )
    return folder
