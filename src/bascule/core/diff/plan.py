"""A diff checked against the files: for each path what must be there and the bytes that will be."""

import hashlib
import re
from collections.abc import Callable, Iterator

from bascule.core.diff.content import Content
from bascule.core.diff.hunks import MAX_HUNKS
from bascule.core.diff.refusal import DiffRefused, refusal
from bascule.core.diff.splice import make_new, splice
from bascule.core.diff.visible import visible
from bascule.core.paths import check_path, find_nested, find_twins
from bascule.model.edits import Diff, EditPlan, EditRefused, FileDiff, Moved, PlannedFile

MAX_FILES = 5_000
MAX_BYTES = 256 * 1024 * 1024  # of all files together, before and after
MAX_GONE = 4 * 1024 * 1024  # of a file that is deleted by its name
REGULAR = re.compile(r"0?100[0-7]{3}")
PLAIN, EXECUTABLE = 0o644, 0o755
OTHER_MODES = {"120000": "a symbolic link", "160000": "a submodule", "040000": "a folder"}
AGAIN = "Ask for the diff again."

Read = Callable[[str], bytes | EditRefused | None]


def plan_edits(diff: Diff, read: Read) -> EditPlan | EditRefused:
    """`read` gives a file's bytes, None where there is none, or why it cannot be read."""
    try:
        return _Planner(read).plan(diff)
    except DiffRefused as refused:
        return refused.answer


def hash_plan(files: tuple[PlannedFile, ...]) -> str:
    """Over every field of every file, each with its kind and length before it; the files by path."""
    digest = hashlib.sha256(b"bascule edit plan 1\n")
    for file in sorted(files, key=lambda file: file.path):
        for piece in _fields(file):
            data = b"" if piece is None else piece
            digest.update(b"-" if piece is None else b"+%d:" % len(data))
            digest.update(data)
    return digest.hexdigest()


def _fields(file: PlannedFile) -> Iterator[bytes | None]:
    texts = (file.path, file.kind, file.before_hash, file.source, file.source_hash)
    yield from (None if text is None else text.encode("utf-8", "surrogatepass") for text in texts)
    yield file.after
    yield None if file.mode_after is None else b"%o" % file.mode_after
    yield b"%d %d" % (file.additions, file.deletions)
    yield b",".join(b"%d:%d" % (moved.hunk, moved.offset) for moved in file.moved)


class _Planner:
    def __init__(self, read: Read) -> None:
        self._read_file = read
        self._known: dict[str, bytes | None] = {}
        self._total = 0

    def plan(self, diff: Diff) -> EditPlan:
        if not diff.files:
            raise refusal(f"the diff holds no file. {AGAIN}")
        if len(diff.files) > MAX_FILES:
            raise refusal(f"the diff has more than {MAX_FILES} files. Ask for it in parts.")
        for file in diff.files:
            _check_file(file)
        _check_together(diff.files)
        files = tuple(self._plan_file(file) for file in diff.files)
        return EditPlan(files=files, hash=hash_plan(files))

    def _plan_file(self, file: FileDiff) -> PlannedFile:
        if file.kind == "update" and _means_new(file) and self._read(file.path) is None:
            file = FileDiff(kind="add", path=file.path, hunks=file.hunks)
        try:
            planned = PLANS[file.kind](self, file)
        except UnicodeEncodeError:
            raise refusal(
                f"{visible(file.path)}: the diff holds half of a character, which no file can. {AGAIN}",
                file.path,
            ) from None
        self._count(len(planned.after or b""))
        return planned

    def _count(self, size: int) -> None:
        self._total += size
        if self._total > MAX_BYTES:
            raise refusal(f"the files hold more than {MAX_BYTES} bytes. Ask for the diff in parts.")

    def add(self, file: FileDiff) -> PlannedFile:
        self._check_free(file.path)
        return _planned(file, make_new(file), before_hash=None, mode_after=_added_mode(file))

    def update(self, file: FileDiff) -> PlannedFile:
        before = self._get(file.path)
        after, moved = splice(file, file.path, before)
        return _planned(file, after, before_hash=_hash(before), moved=moved, mode_after=_changed_mode(file))

    def delete(self, file: FileDiff) -> PlannedFile:
        before = self._get(file.path)
        if file.by_name:
            _check_shown(file, before)
            return _planned(file, None, before_hash=_hash(before), deletions=len(Content(before)))
        rest, moved = splice(file, file.path, before)
        if rest:
            raise refusal(
                f"{visible(file.path)} is to be deleted, and holds more than the diff shows "
                f"({len(Content(rest))} lines). Ask for the diff again, made from the file as it is.",
                file.path,
            )
        return _planned(file, None, before_hash=_hash(before), moved=moved)

    def move(self, file: FileDiff) -> PlannedFile:
        """A rename or a copy; its hunks speak of the source."""
        assert file.source is not None
        before = self._get(file.source)
        self._check_free(file.path)
        after, moved = splice(file, file.source, before)
        return _planned(
            file,
            after,
            before_hash=None,
            source_hash=_hash(before),
            moved=moved,
            mode_after=_changed_mode(file),
        )

    # -- the files as they are --

    def _read(self, path: str) -> bytes | None:
        if path not in self._known:
            data = self._read_file(path)
            if isinstance(data, EditRefused):
                raise DiffRefused(data)
            self._known[path] = data
            self._count(len(data or b""))
        return self._known[path]

    def _get(self, path: str) -> bytes:
        data = self._read(path)
        if data is None:
            raise refusal(f"{visible(path)} is not there. Check its name, or add it as a new file.", path)
        return data

    def _check_free(self, path: str) -> None:
        if self._read(path) is not None:
            raise refusal(
                f"{visible(path)} is already there, and the diff makes it anew. "
                "Ask for a diff that edits it.",
                path,
            )


PLANS: dict[str, Callable[[_Planner, FileDiff], PlannedFile]] = {
    "add": _Planner.add,
    "update": _Planner.update,
    "delete": _Planner.delete,
    "rename": _Planner.move,
    "copy": _Planner.move,
}


def _planned(
    file: FileDiff,
    after: bytes | None,
    *,
    before_hash: str | None,
    source_hash: str | None = None,
    moved: tuple[Moved, ...] = (),
    mode_after: int | None = None,
    deletions: int = 0,
) -> PlannedFile:
    signs = [line.sign for hunk in file.hunks for line in hunk.lines]
    return PlannedFile(
        path=file.path,
        kind=file.kind,
        before_hash=before_hash,
        after=after,
        source=file.source,
        source_hash=source_hash,
        mode_after=mode_after,
        additions=signs.count("+"),
        deletions=deletions or signs.count("-"),
        moved=moved,
    )


def _check_shown(file: FileDiff, before: bytes) -> None:
    """A file that goes by its name alone is shown whole, so that it can be."""
    if b"\0" in before or len(before) > MAX_GONE:
        what = "a binary file" if b"\0" in before else f"larger than {MAX_GONE} bytes"
        raise refusal(
            f"{visible(file.path)} is {what}, so what would go cannot be shown. Delete it by hand.",
            file.path,
        )


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# -- what can be said without reading --


def _check_file(file: FileDiff) -> None:
    for path in _paths(file):
        refused = check_path(path)
        if refused is not None:
            raise DiffRefused(refused)
    if len(file.hunks) > MAX_HUNKS:
        raise refusal(
            f"{visible(file.path)} has more than {MAX_HUNKS} hunks. Ask for it in parts.", file.path
        )
    if file.binary:
        raise refusal(
            f"{visible(file.path)} is a binary file, and binary patches are not applied. "
            "Put the file there by hand.",
            file.path,
        )
    if (file.kind in ("rename", "copy")) != (file.source is not None):
        raise refusal(f"where {visible(file.path)} comes from is not said. {AGAIN}", file.path)
    for mode in (file.mode_before, file.mode_after):
        _check_mode(file, mode)


def _check_mode(file: FileDiff, mode: str | None) -> None:
    if mode is not None and not REGULAR.fullmatch(mode):
        what = OTHER_MODES.get(mode, f"of the mode {visible(mode[:20])}")
        raise refusal(
            f"{visible(file.path)} is {what}, and only regular files are written. Make it by hand.",
            file.path,
        )


def _check_together(files: tuple[FileDiff, ...]) -> None:
    touched = [path for file in files for path in _touched(file)]
    seen: set[str] = set()
    for path in touched:
        if path in seen:
            raise refusal(
                f"{visible(path)} is in the diff twice, in ways that do not go together. "
                "Apply them one after the other.",
                path,
            )
        seen.add(path)
    _check_twins(files, touched)
    nested = find_nested(touched)
    if nested is not None:
        outer, inner = map(visible, nested)
        raise refusal(
            f"{outer} is a file in this diff, and {inner} needs it as a folder. "
            "Apply the two one after the other.",
            outer,
        )


def _check_twins(files: tuple[FileDiff, ...], touched: list[str]) -> None:
    """A rename may change just the case of a name: then the other spelling goes."""
    going = {file.source for file in files if file.kind == "rename" and find_twins(_paths(file))}
    copied = [file.source for file in files if file.kind == "copy" and file.source is not None]
    twins = find_twins(path for path in (*touched, *copied) if path not in going)
    if twins is not None:
        one, other = map(visible, twins)
        raise refusal(
            f"{one} and {other} differ only in case or in how their letters are encoded, and "
            "many systems take the two for one. Apply them one after the other.",
            other,
        )


def _paths(file: FileDiff) -> tuple[str, ...]:
    return (file.path,) if file.source is None else (file.source, file.path)


def _touched(file: FileDiff) -> tuple[str, ...]:
    return (file.path,) if file.kind == "copy" else _paths(file)


def _means_new(file: FileDiff) -> bool:
    """`@@ -0,0 +1,N @@`, whatever the names above it say."""
    if len(file.hunks) != 1 or file.mode_after is not None:
        return False
    (hunk,) = file.hunks
    return (hunk.old_start, hunk.new_start) == (0, 1) and all(line.sign == "+" for line in hunk.lines)


def _is_executable(mode: str) -> bool:
    return bool(int(mode, 8) & 0o100)


def _added_mode(file: FileDiff) -> int | None:
    return EXECUTABLE if file.mode_after is not None and _is_executable(file.mode_after) else None


def _changed_mode(file: FileDiff) -> int | None:
    if file.mode_after is None or file.mode_after == file.mode_before:
        return None
    return EXECUTABLE if _is_executable(file.mode_after) else PLAIN
