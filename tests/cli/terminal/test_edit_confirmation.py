"""A prepared diff taken apart for choosing: whatever its lines look like, the hunks are those of the plan."""

import io

import pytest

from bascule.cli.terminal.edit_confirmation import _dialog, pieces_of
from bascule.core.diff.show.preview import preview_all
from bascule.daemon.edits.prepared_plans import Ready, as_prepared, make_ready
from bascule.host.edits.planning import Planned
from bascule.host.terminal import Terminal
from bascule.model.asks import Ask, FilesSubject
from bascule.model.blocks import FileEdit
from bascule.model.edits import EditPlan, FileKind, PlannedFile
from bascule.model.ids import AskId

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
    plan = EditPlan(files=files, hash="0" * 64)
    ready = make_ready(lambda: Planned(plan, before))
    assert isinstance(ready, Ready)
    prepared = as_prepared("diff_1", ready)
    pieces = pieces_of(prepared)
    assert [(piece.path, len(piece.hunks)) for piece in pieces] == [
        ("two.txt", 2),
        ("tricky.txt", 1),
        ("gone.txt", 1),
        ("new.txt", 1),
        ("empty.txt", 0),
    ]
    shown = "".join(piece.head + "".join(piece.hunks) for piece in pieces)
    assert shown == prepared.preview == preview_all(files, before)


def test_the_folder_and_the_plan_are_broken_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("COLUMNS", "50")
    screen = Screen()
    files = (FileEdit(path="a.py", change="update", diff="", additions=1),)
    ask = Ask(id=AskId("a1"), title="Write?", subject=FilesSubject(files=files), choices=())
    _dialog("5dd408a157dc1234", "/home/ann/work/a-project-here", "Write?", {}).show(
        Terminal(screen, screen), ask
    )
    assert screen.getvalue().splitlines()[-2:] == [
        "1 file, +1 −0 in /home/ann/work/a-project-here,",
        "  plan 5dd408a157dc",
    ]
