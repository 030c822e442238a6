"""Sessions that are set aside because their stored data cannot be read: a list beside the database."""

from pathlib import Path

import msgspec
from msgspec import Struct

from bascule.host.files.atomic_file import replace_file

MAX_LIST = 4 * 1024 * 1024
MAX_ASIDE = 10_000


class SetAsideSession(Struct, frozen=True, kw_only=True):
    session: str
    title: str = ""
    why: str
    where: str  # the file that still holds it


def aside_path(database: Path) -> Path:
    return database.with_name("set-aside.json")


def read_aside(path: Path) -> dict[str, SetAsideSession]:
    """By session; a list that cannot be read is no list."""
    try:
        with path.open("rb") as file:
            listed = msgspec.json.decode(file.read(MAX_LIST), type=list[SetAsideSession])
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return {}
    return {aside.session: aside for aside in listed}


def write_aside(path: Path, asides: dict[str, SetAsideSession]) -> None:
    if not asides:
        path.unlink(missing_ok=True)
        return
    replace_file(path, msgspec.json.encode(list(asides.values())[-MAX_ASIDE:]), durable=False)
