"""A file replaced whole or not at all, and never readable by others on the way."""

import os
import secrets
from collections.abc import Callable
from pathlib import Path

NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def replace_file(
    path: Path,
    data: bytes,
    *,
    mode: int = 0o600,
    durable: bool = True,
    check: Callable[[], None] = lambda: None,
) -> None:
    """Beside it, to the disk, then in its place. What `check` raises just before leaves all as it was.

    `durable`: it outlives a power cut; without, the old file may come back."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(draft, NEW_FILE, mode), "wb") as file:
            file.write(data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        draft.chmod(mode)
        check()
        draft.replace(path)
        if durable:
            sync_folder(path.parent)
    finally:
        draft.unlink(missing_ok=True)


def sync_folder(path: Path) -> None:
    if os.name == "nt":
        return  # folders cannot be flushed there
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
