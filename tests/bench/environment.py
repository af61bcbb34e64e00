"""An environment of the benchmark's own, with the peers at the versions that are pinned."""

from __future__ import annotations

import json
import os
import subprocess
import venv
from pathlib import Path
from typing import Final

from tests.bench.table import Row

ROOT: Final = Path(__file__).parents[2]
REQUIREMENTS: Final = Path(__file__).with_name("requirements.txt")
_VOCABULARY: Final = """
from importlib.util import find_spec
print(find_spec("llama_index.core").submodule_search_locations[0])
"""
_IMPORT: Final = """
import sys, time
start = time.perf_counter()
__import__(sys.argv[1])
print(time.perf_counter() - start)
"""
_ENGINE: Final = "import json, tests.bench.engine as e; print(json.dumps(e.ratios()))"
_IMPORTS: Final = 5


class Environment:
    """An interpreter that imports all peers, counts offline, and asks no network for anything."""

    def __init__(self, folder: Path) -> None:
        """Make it; one that is there already is only brought to the pinned versions."""
        self._python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
        self._variables = {
            "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")]),
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
            "HAYSTACK_TELEMETRY_ENABLED": "False",
        }
        if not self._python.exists():
            venv.create(folder, with_pip=True)
        self._run("-m", "pip", "install", "--quiet", "--requirement", str(REQUIREMENTS))
        core = Path(self._run("-c", _VOCABULARY).strip())
        self._variables["TIKTOKEN_CACHE_DIR"] = str(core / "_static" / "tiktoken_cache")

    def row(self, peer: str, job: str, size: str, cap: float) -> Row | None:
        """Measure one peer at one job; None if it takes more than `cap` seconds."""
        try:
            printed = self._run("-m", "tests.bench.cell", peer, job, size, cap=cap)
        except subprocess.TimeoutExpired:
            return None
        return Row(**json.loads(printed.splitlines()[-1]))

    def import_seconds(self, module: str) -> float:
        """Return how long an import takes, the fastest of several."""
        return min(float(self._run("-c", _IMPORT, module)) for _ in range(_IMPORTS))

    def engine(self) -> dict[str, float]:
        """Return how the engine compares with a bare loop."""
        found: dict[str, float] = json.loads(self._run("-c", _ENGINE))
        return found

    def _run(self, *arguments: str, cap: float | None = None) -> str:
        done = subprocess.run(
            [str(self._python), *arguments],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | self._variables,
            timeout=cap,
        )
        if done.returncode:
            raise SystemExit(f"{' '.join(arguments)} failed:\n{done.stderr}")
        return done.stdout
