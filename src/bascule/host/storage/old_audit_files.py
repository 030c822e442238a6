"""The record as older versions kept it, in files of one JSON line each: read once, then put aside."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from bascule.model.consent.audit import Anchor

CURRENT, HEAD, ASIDE = "audit.jsonl", "audit.head", "before"
MAX_LINE = 64 * 1024
MAX_HEAD = 4_096


class LogEnd(Struct, frozen=True):
    """The end of the log, and the oldest line that was kept."""

    seq: int
    hash: str
    first: int = 1


HEADS = msgspec.json.Decoder(LogEnd)


def find_files(folder: Path) -> list[Path]:
    """The oldest first."""
    current = folder / CURRENT
    return [*sorted(folder.glob("audit-*.jsonl")), *([current] if current.exists() else [])]


def read_files(files: list[Path]) -> Iterator[str]:
    """Line by line; what is not whole, or no text, was no line."""
    for path in files:
        with path.open("rb") as file:
            while raw := file.readline(MAX_LINE):
                if raw.endswith(b"\n"):
                    yield raw[:-1].decode("utf-8", "replace")


def read_head(folder: Path) -> Anchor | None:
    try:
        with (folder / HEAD).open("rb") as file:
            head = HEADS.decode(file.read(MAX_HEAD))
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    return Anchor(first=head.first, seq=head.seq, hash=head.hash)


def put_away(folder: Path) -> None:
    """Kept as they are: nothing that was recorded is deleted."""
    aside = folder / ASIDE
    aside.mkdir(mode=0o700, exist_ok=True)
    for path in [*find_files(folder), folder / HEAD, *folder.glob("audit.torn-*")]:
        if path.exists():
            path.rename(aside / path.name)
