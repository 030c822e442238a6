"""Files of a workspace as a surface asks for them: found by name, listed, read, searched."""

from typing import Literal

from msgspec import Struct


class FindFilesParams(Struct, frozen=True, kw_only=True):
    query: str
    session_id: str = ""  # its workspace, or the surface's own
    limit: int = 20


class FoundFiles(Struct, frozen=True, kw_only=True):
    files: tuple[str, ...]
    truncated: bool = False  # the workspace has more files than are looked at


class ListDirParams(Struct, frozen=True, kw_only=True):
    path: str = ""
    session_id: str = ""


class DirEntry(Struct, frozen=True, kw_only=True):
    name: str
    kind: Literal["file", "dir", "other"]
    size: int = 0


class ListedDir(Struct, frozen=True, kw_only=True):
    path: str
    entries: tuple[DirEntry, ...]
    truncated: bool = False


class ReadFileParams(Struct, frozen=True, kw_only=True):
    path: str
    session_id: str = ""
    offset: int = 0
    limit: int = 200_000


class ReadFile(Struct, frozen=True, kw_only=True):
    path: str
    text: str
    size: int
    next_offset: int | None = None
    binary: bool = False


class SearchFilesParams(Struct, frozen=True, kw_only=True):
    query: str
    session_id: str = ""
    limit: int = 200


class SearchHit(Struct, frozen=True, kw_only=True):
    path: str
    line: int
    text: str


class SearchedFiles(Struct, frozen=True, kw_only=True):
    hits: tuple[SearchHit, ...]
    truncated: bool = False
