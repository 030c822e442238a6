"""Plans against the real files: refused before a person is asked for what writing would refuse."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.host.plans import look, sha256

from bascule.core.diff.read.parse import parse_diff
from bascule.host.edits.apply import apply_plan, undo
from bascule.host.edits.planning import Planned, plan_diff, plan_undo
from bascule.model.edits import Applied, Diff, EditRefused

EDIT = "--- a/src/a.txt\n+++ b/src/a.txt\n@@ -1 +1 @@\n-one\n+two\n"
NEW = "--- /dev/null\n+++ b/src/new.txt\n@@ -0,0 +1 @@\n+new\n"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "ws" / "src").mkdir(parents=True)
    (tmp_path / "ws" / "src" / "a.txt").write_bytes(b"one\n")
    return tmp_path / "ws"


def diff_of(text: str) -> Diff:
    diff = parse_diff(text)
    assert isinstance(diff, Diff), diff
    return diff


def planned(workspace: Path, text: str) -> Planned:
    answer = plan_diff(workspace, diff_of(text))
    assert isinstance(answer, Planned), answer
    return answer


def why(workspace: Path, text: str) -> str:
    answer = plan_diff(workspace, diff_of(text))
    assert isinstance(answer, EditRefused), answer
    return answer.why


def test_a_plan_comes_with_the_bytes_it_is_bound_to(workspace: Path) -> None:
    before = look(workspace)
    answer = planned(workspace, EDIT + NEW)
    assert answer.before == {"src/a.txt": b"one\n"}
    assert [(file.path, file.before_hash, file.after) for file in answer.plan.files] == [
        ("src/a.txt", sha256(b"one\n"), b"two\n"),
        ("src/new.txt", None, b"new\n"),
    ]
    assert look(workspace) == before


Spoil = Callable[[Path], object]


@pytest.mark.skipif(sys.platform == "win32", reason="links are POSIX's")
@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda ws: os.link(ws / "src/a.txt", ws / "other"), "src/a.txt has 2 names (hard links)"),
        (
            lambda ws: (ws / "src/NEW.txt").write_bytes(b""),
            "src/new.txt differs from src/NEW.txt only in case",
        ),
        (lambda ws: (ws / "src/new.txt").symlink_to("/nowhere"), "src/new.txt is a symbolic link"),
        (lambda ws: (ws / "src/new.txt").mkdir(), "src/new.txt is a folder"),
        (lambda ws: os.mkfifo(ws / "src/new.txt"), "src/new.txt is a device, a pipe or a socket"),
    ],
)
def test_what_writing_would_refuse_is_refused_already(workspace: Path, spoil: Spoil, said: str) -> None:
    spoil(workspace)
    assert said in why(workspace, EDIT + NEW)


@pytest.mark.skipif(sys.platform == "win32", reason="links are POSIX's")
def test_a_linked_folder_is_not_read_through(workspace: Path) -> None:
    (workspace / "src").rename(workspace.parent / "src")
    (workspace / "src").symlink_to(workspace.parent / "src")
    assert "is behind a symbolic link" in why(workspace, EDIT)


MODE = "diff --git a/src/a.txt b/src/a.txt\nold mode 100644\nnew mode 100755\n"


@pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX's")
@pytest.mark.parametrize("more", ["", EDIT])
def test_a_mode_is_applied_once_and_only_to_the_mode_that_was_shown(
    workspace: Path, tmp_path: Path, more: str
) -> None:
    file = workspace / "src/a.txt"
    file.chmod(0o644)
    plan = planned(workspace, MODE + more).plan
    file.chmod(0o755)
    done = apply_plan(workspace, plan, confirmed=plan.hash, journal_folder=tmp_path / "j")
    assert isinstance(done, EditRefused)
    assert "src/a.txt changed since the preview" in done.why
    assert "already" in why(workspace, MODE + more)
    file.chmod(0o644)
    assert isinstance(
        apply_plan(workspace, plan, confirmed=plan.hash, journal_folder=tmp_path / "j"), Applied
    )
    assert file.stat().st_mode & 0o777 == 0o755
    assert why(workspace, MODE) == (
        "Edit refused: src/a.txt: This change is already applied. Its mode is 755."
    )


@pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX's")
def test_a_rename_is_held_to_the_mode_of_its_source(workspace: Path, tmp_path: Path) -> None:
    text = MODE.replace("b/src/a.txt", "b/n") + "rename from src/a.txt\nrename to n\n"
    plan = planned(workspace, text).plan
    (workspace / "src/a.txt").chmod(0o755)
    done = apply_plan(workspace, plan, confirmed=plan.hash, journal_folder=tmp_path / "j")
    assert isinstance(done, EditRefused)
    (workspace / "src/a.txt").chmod(0o644)
    done = apply_plan(workspace, plan, confirmed=plan.hash, journal_folder=tmp_path / "j")
    assert isinstance(done, Applied)
    assert (workspace / "n").stat().st_mode & 0o100


def test_a_file_that_becomes_a_folder_is_refused_with_what_to_do(workspace: Path) -> None:
    gone = "--- a/src/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n"
    for text in (
        gone + NEW.replace("src/new.txt", "src/a.txt/n"),
        NEW.replace("src/new.txt", "src") + gone,
    ):
        assert "Apply the part that removes the one first" in why(workspace, text)
    assert "Move a.txt away first" in why(workspace, NEW.replace("src/new.txt", "src/a.txt/n"))
    assert "Move it away first" in why(workspace, NEW.replace("src/new.txt", "src"))


def test_a_workspace_that_is_not_there_is_said(workspace: Path) -> None:
    assert "cannot be opened" in why(workspace / "gone", EDIT)


def test_what_an_undo_would_change_is_shown_before(workspace: Path, tmp_path: Path) -> None:
    plan = planned(workspace, EDIT + NEW).plan
    done = apply_plan(workspace, plan, confirmed=plan.hash, journal_folder=tmp_path / "j")
    assert isinstance(done, Applied)
    back = plan_undo(done.journal, journal_folder=tmp_path / "j")
    assert isinstance(back, Planned)
    assert back.before == {"src/a.txt": b"two\n", "src/new.txt": b"new\n"}
    shown = [(file.path, file.kind, file.after, file.additions, file.deletions) for file in back.plan.files]
    assert shown == [("src/a.txt", "update", b"one\n", 1, 1), ("src/new.txt", "delete", None, 0, 1)]
    assert back.plan.hash == plan.hash

    (workspace / "src" / "a.txt").write_bytes(b"mine")
    refused = plan_undo(done.journal, journal_folder=tmp_path / "j")
    assert isinstance(refused, EditRefused)
    assert refused.path == "src/a.txt"
    assert isinstance(undo(done.journal, journal_folder=tmp_path / "j"), EditRefused)
