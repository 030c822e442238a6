"""`bascule trust` as a person and as a script use it."""

from pathlib import Path

import pytest
from tests.cli.command import run_bascule
from tests.cli.pty_terminal import terminal

from bascule.cli.consent.trust import NO_TERMINAL
from bascule.host.config.trust_store import TrustStore
from bascule.host.files.data_folder import open_folder
from bascule.model.consent.trust import TrustedFolder

NOTHING = "No folder has been decided about yet. `bascule trust add FOLDER` trusts one.\n"

pytestmark = pytest.mark.real


def trust(*words: str, home: Path) -> tuple[int, str]:
    done = run_bascule("trust", *words, home=home / "data", cwd=home)
    return done.returncode, done.stdout + done.stderr


def test_a_folder_that_was_refused_is_forgotten_as_such(tmp_path: Path) -> None:
    refused = TrustedFolder(folder=str(tmp_path), decision="refused", files={})
    TrustStore(open_folder(tmp_path / "data").trust).put(refused)
    gone = f"{tmp_path} was not trusted, and this is forgotten. Its next use asks again.\n"
    assert trust("revoke", "--json", str(tmp_path), home=tmp_path) == (0, gone)
    assert trust("list", home=tmp_path) == (0, NOTHING)


def test_a_folder_is_trusted_at_a_terminal_and_nowhere_else(tmp_path: Path) -> None:
    repo = tmp_path / "repo"
    repo.mkdir()
    assert trust("list", home=tmp_path) == (0, NOTHING)
    assert trust("list", "--json", home=tmp_path) == (0, "")
    assert trust("add", "nowhere", home=tmp_path) == (1, f"bascule: {tmp_path}/nowhere is not a folder.\n")
    assert trust("add", "repo", home=tmp_path) == (
        0,
        f"{repo} holds nothing that an agent would run or follow.\n",
    )
    (repo / "AGENTS.md").write_text("Be \x1b[31mbold.\n")
    assert trust("add", "repo", home=tmp_path) == (2, f"bascule: {NO_TERMINAL}\n")
    for typed, code in (("", 1), ("n", 1), ("y", 0)):
        with terminal("trust", "add", str(repo), home=tmp_path / "data", cwd=tmp_path) as screen:
            shown = screen.until("[y/n] ")
            assert "AGENTS.md: gives the agent instructions (1 line)" in shown
            assert "\x1b[31m" not in shown
            screen.type(typed)
            assert screen.end() == code
    code, said = trust("list", home=tmp_path)
    assert (code, said.split()[0], f"{repo} (1 file)" in said) == (0, "trusted", True)
    assert trust("add", "repo", home=tmp_path) == (0, f"{repo} is trusted already.\n")
    (repo / "AGENTS.md").write_text("Be bolder.\n")
    code, said = trust("list", home=tmp_path)
    about = f"{repo} (1 file, trusted then, changed since: its next use asks again)"
    assert (code, said.split()[0], about in said) == (0, "changed", True)
    (repo / "AGENTS.md").unlink()
    code, said = trust("list", home=tmp_path)
    about = f"{repo} (1 file, trusted then, nothing left there to decide about)"
    assert (code, said.split()[0], about in said) == (0, "gone", True)
    gone = f"{repo} is no longer trusted. Its next use asks again.\n"
    assert trust("revoke", "repo", home=tmp_path) == (0, gone)
    code, said = trust("revoke", "repo", home=tmp_path)
    assert (code, "Nothing was decided" in said) == (1, True)
    assert trust("list", home=tmp_path) == (0, NOTHING)
