"""Writes a file so that whoever reads it sees the old one or the new one, never a half."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def replace_file(path: Path, data: bytes) -> None:
    """Write into a new file of the same folder, and put it in the place of the old one.

    Where `path` is a link, the file that it leads to is replaced. The permissions of the old file
    are kept; a new one has those that the process gives to new files.

    Raises:
        OSError: If it can't be done; the old file is then untouched, and the new one is gone.
    """
    try:
        target = path.resolve()
        draft = target.with_name(f".{target.name}.{os.urandom(4).hex()}")
    except ValueError:
        raise OSError(0, "not a path") from None
    file = draft.open("xb")
    try:
        with file:
            if target.exists():
                draft.chmod(stat.S_IMODE(target.stat().st_mode))
            file.write(data)
            file.flush()
            # Without this a crash of the machine could leave an empty file in its place.
            os.fsync(file.fileno())
        draft.replace(target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
