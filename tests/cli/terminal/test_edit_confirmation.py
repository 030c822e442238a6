"""A prepared diff taken apart for choosing: whatever its lines look like, the hunks are those of the plan."""

from bascule.cli.terminal.edit_confirmation import pieces_of
from bascule.core.diff.show.preview import preview_all
from bascule.model.edits import FileKind, PlannedFile
from bascule.model.protocol.edits import Prepared, PreparedFile

LINES = [f"line {number}\n" for number in range(40)]


def planned(path: str, after: bytes | None, before: bytes) -> PlannedFile:
    kind: FileKind = "delete" if after is None else "update" if before else "add"
    return PlannedFile(path=path, kind=kind, before_hash=None, after=after)


def test_files_and_hunks_are_those_of_the_preview() -> None:
    text = "".join(LINES)
    tricky = "diff --git a/x b/x\n@@ -1 +1 @@\n--- a/x\n"
    before = {
        "two.txt": text.encode(),
        "tricky.txt": tricky.encode(),
        "gone.txt": b"bye\n",
        "new.txt": b"",
        "empty.txt": b"",
    }
    after = {
        "two.txt": text.replace("line 2\n", "two\n").replace("line 30\n", "").encode(),
        "tricky.txt": (tricky + tricky).encode(),
        "gone.txt": None,
        "new.txt": b"@@ hello\ndiff --git \n",
        "empty.txt": b"",
    }
    files = tuple(planned(path, after[path], before[path]) for path in before)
    prepared = Prepared(
        diff_id="diff_1",
        hash="0" * 64,
        files=tuple(PreparedFile(path=file.path, kind=file.kind, additions=0, deletions=0) for file in files),
        preview=preview_all(files, before),
    )
    pieces = pieces_of(prepared)
    assert [(piece.path, len(piece.hunks)) for piece in pieces] == [
        ("two.txt", 2),
        ("tricky.txt", 1),
        ("gone.txt", 1),
        ("new.txt", 1),
        ("empty.txt", 0),
    ]
    assert "".join(piece.head + "".join(piece.hunks) for piece in pieces) == prepared.preview
