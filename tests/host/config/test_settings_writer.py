"""A settings file written: whole or not at all, with its mode, and never outside the workspace."""

import sys
from pathlib import Path

import pytest

from bascule.core.settings.reading import SettingsRefused
from bascule.host.config.settings_files import read_settings
from bascule.host.config.settings_writer import prepare_setting, write_setting
from bascule.host.files.data_folder import Folder
from bascule.model.asks import Refuse
from bascule.model.protocol.setup import Scope
from bascule.model.settings import TABLE, Setting

MODEL, TERMINAL = TABLE["codex.model"], TABLE["allowRunTerminal"]
unix_only = pytest.mark.skipif(sys.platform == "win32", reason="links and modes are Unix's")


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    (tmp_path / "data").mkdir()
    return Folder(tmp_path / "data")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "repo").mkdir()
    return tmp_path / "repo"


def change(
    folder: Folder, workspace: Path | None, row: Setting, value: object, scope: Scope
) -> Refuse | None:
    prepared = prepare_setting(folder, workspace, row, value, scope)
    if isinstance(prepared, Refuse):
        return prepared
    write_setting(prepared)
    return None


def test_a_file_that_is_not_there_is_made(folder: Folder, workspace: Path) -> None:
    change(folder, workspace, MODEL, "a", "user")
    change(folder, workspace, MODEL, "b", "workspace")
    assert folder.settings.read_text() == '[codex]\nmodel = "a"\n'
    assert (workspace / ".vscode" / "settings.json").read_text() == '{\n  "bascule.codex.model": "b"\n}\n'
    assert read_settings(folder, workspace).codex.model == "a", "nobody trusted the workspace"
    assert [path.name for path in folder.root.iterdir()] == ["settings.toml"]


def test_taking_back_what_was_never_set_writes_nothing(folder: Folder, workspace: Path) -> None:
    change(folder, workspace, MODEL, None, "user")
    assert list(folder.root.iterdir()) == []


def test_a_mark_of_the_order_of_bytes_stays(folder: Folder) -> None:
    folder.settings.write_bytes(b"\xef\xbb\xbf# mine\r\n")
    change(folder, None, TERMINAL, True, "user")
    assert folder.settings.read_bytes() == b"\xef\xbb\xbf# mine\r\nallowRunTerminal = true\r\n"


@unix_only
def test_a_linked_file_is_written_where_it_is_kept_with_its_mode(folder: Folder, tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles.toml"
    kept.write_text("# kept\n")
    kept.chmod(0o640)
    folder.settings.symlink_to(kept)
    change(folder, None, TERMINAL, True, "user")
    assert folder.settings.is_symlink()
    assert (kept.read_text(), kept.stat().st_mode & 0o777) == ("# kept\nallowRunTerminal = true\n", 0o640)


@unix_only
def test_a_workspaces_file_that_leads_out_is_not_written(
    folder: Folder, workspace: Path, tmp_path: Path
) -> None:
    (tmp_path / "outside").mkdir()
    (workspace / ".vscode").symlink_to(tmp_path / "outside")
    refused = change(folder, workspace, MODEL, "b", "workspace")
    assert isinstance(refused, Refuse)
    assert "leads out of the workspace" in refused.why
    assert list((tmp_path / "outside").iterdir()) == []


@pytest.mark.parametrize("theirs", ['{"bascule.codex.sandbox": "workspace-write"}', "{"])
def test_what_a_workspace_says_keeps_nobody_from_tightening_their_own(
    folder: Folder, workspace: Path, theirs: str
) -> None:
    folder.settings.write_text('[codex]\nsandbox = "workspace-write"\n')
    (workspace / ".vscode").mkdir()
    (workspace / ".vscode" / "settings.json").write_text(theirs)
    assert change(folder, workspace, TABLE["codex.sandbox"], "read-only", "user") is None
    assert folder.settings.read_text() == '[codex]\nsandbox = "read-only"\n'


def test_a_file_that_holds_problems_is_not_touched(folder: Folder) -> None:
    folder.settings.write_text("nonsense = 1\n")
    with pytest.raises(SettingsRefused, match="unknown key"):
        change(folder, None, TERMINAL, True, "user")
    assert folder.settings.read_text() == "nonsense = 1\n"
