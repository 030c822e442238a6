"""`bascule session`: what it says afterwards can be typed as it is."""

from pathlib import Path

import pytest
from tests.cli.command import run_bascule

from bascule.host.files.data_folder import open_folder
from bascule.host.storage.store import Saved, Store
from bascule.model.ids import SessionId
from bascule.model.session import Session

ID = "s_01a1f06536f57ce3b1ffef199ba49e23"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    store = Store(open_folder(tmp_path / "home").database)
    head = Session(id=SessionId(ID), agent="codex", workspace=str(tmp_path), title="The parser")
    store.save([Saved(head=head)])
    store.close()
    return tmp_path / "home"


@pytest.mark.parametrize(
    ("act", "said"),
    [
        ("pin", "Pinned above the other sessions. To undo it: bascule session unpin 9ba49e23\n"),
        ("archive", "Archived. To undo it: bascule session unarchive 9ba49e23\n"),
        ("hide", "Hidden from the tabs. To undo it: bascule session show 9ba49e23\n"),
        ("restart", "No agent is running in {folder}. The next prompt starts one.\n"),
    ],
)
def test_what_undoes_it_names_the_session(act: str, said: str, tmp_path: Path, home: Path) -> None:
    done = run_bascule("session", act, "last", home=home, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, said.format(folder=tmp_path)), done.stderr


def test_a_session_that_was_not_deleted_is_not_restored(tmp_path: Path, home: Path) -> None:
    done = run_bascule("session", "restore", "The parser", home=home, cwd=tmp_path)
    said = "'The parser' names no deleted session. `bascule sessions --deleted` lists them."
    assert (done.returncode, done.stderr) == (1, f"bascule: {said}\n")
    done = run_bascule("session", "restore", "last", home=home, cwd=tmp_path)
    said = f"There is no deleted session of {tmp_path}. `bascule sessions --deleted` lists all of them."
    assert (done.returncode, done.stderr) == (1, f"bascule: {said}\n")


def test_an_empty_prompt_from_a_pipe_is_refused_before_anything_starts(tmp_path: Path, home: Path) -> None:
    for words in (["ask"], ["ask", "--json"], ["ask", "  "]):
        done = run_bascule(*words, home=home, cwd=tmp_path, stdin=" \n")
        said = 'bascule: The prompt is empty. Type one, as in: bascule ask "what does this project do?"\n'
        assert (done.returncode, done.stdout, done.stderr) == (2, "", said)
