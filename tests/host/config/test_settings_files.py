"""The two settings files on disk."""

import os
import sys
from pathlib import Path

import pytest

from bascule.core.settings.reading import MAX_FILE, SettingsRefused
from bascule.host.config.settings_files import read_merged, read_settings
from bascule.host.config.trust_store import TrustStore, read_inventory
from bascule.host.files.data_folder import Folder
from bascule.model.consent.trust import TrustedFolder
from bascule.model.settings import CodexSettings, Settings


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    (tmp_path / "data").mkdir()
    return Folder(tmp_path / "data")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "repo" / ".vscode").mkdir(parents=True)
    return tmp_path / "repo"


def refusal(folder: Folder, workspace: Path | None) -> str:
    with pytest.raises(SettingsRefused) as refused:
        read_settings(folder, workspace)
    return str(refused.value)


def test_no_files_are_the_defaults(folder: Folder, workspace: Path, tmp_path: Path) -> None:
    assert read_settings(folder, None) == read_settings(folder, workspace) == Settings()
    (tmp_path / "plain" / ".vscode").parent.mkdir()
    (tmp_path / "plain" / ".vscode").touch()
    assert read_settings(folder, tmp_path / "plain") == Settings()


def test_both_files_are_read(folder: Folder, workspace: Path) -> None:
    folder.settings.write_text('[codex]\ncommand = "mine"\nmodel = "a"\n')
    (workspace / ".vscode" / "settings.json").write_text('{"bascule.codex.model": "b"}')
    assert read_settings(folder, None) == Settings(codex=CodexSettings(command="mine", model="a"))
    assert read_settings(folder, workspace) == read_settings(folder, None), "nobody trusted the workspace"
    files = read_inventory(workspace).files
    TrustStore(folder.trust).put(TrustedFolder(folder=str(workspace), decision="trusted", files=files))
    assert read_settings(folder, workspace) == Settings(codex=CodexSettings(command="mine", model="b"))


def test_a_workspace_that_nobody_trusted_can_still_tighten(folder: Folder, workspace: Path) -> None:
    file = workspace / ".vscode" / "settings.json"
    file.write_text('{"bascule.allowApplyPatch": false, "bascule.codex.model": "b"}')
    assert read_settings(folder, workspace) == Settings(allow_apply_patch=False)


def test_a_refusal_says_which_file(folder: Folder) -> None:
    folder.settings.write_text("nonsense = 1\n")
    assert refusal(folder, None).splitlines() == [
        "The settings were refused and nothing was started.",
        "  settings.toml line 1: unknown key bascule.nonsense",
        f"Fix it in {folder.settings}",
    ]


LOOSENS = """{
  "bascule.codex.command": "evil",
  "bascule.codex.sandbox": "workspace-write",
  "bascule.codex.model": "b",
  "bascule.allowRunTerminal": "no",
  "bascule.nonsense": 1,
  "bascule.allowApplyPatch": false
}"""
IGNORED = [
    ".vscode/settings.json line 6: unknown key bascule.nonsense",
    (
        ".vscode/settings.json line 2: bascule.codex.command cannot be set by a workspace. "
        "Put it in settings.toml."
    ),
    (
        '.vscode/settings.json line 3: bascule.codex.sandbox would loosen "read-only" to "workspace-write", '
        "and a workspace may only tighten. Put it in settings.toml."
    ),
    '.vscode/settings.json line 5: bascule.allowRunTerminal is "no"; it must be true or false',
]


def test_what_a_workspace_may_not_say_or_gets_wrong_is_ignored_and_named(
    folder: Folder, workspace: Path
) -> None:
    file = workspace / ".vscode" / "settings.json"
    file.write_text(LOOSENS)
    merged = read_merged(folder, workspace)
    assert merged.settings == Settings(allow_apply_patch=False)
    assert list(map(str, merged.ignored)) == IGNORED
    later = ".vscode/settings.json line 4: bascule.codex.model counts once you trust this folder."
    assert list(map(str, merged.untrusted)) == [later]
    files = read_inventory(workspace).files
    TrustStore(folder.trust).put(TrustedFolder(folder=str(workspace), decision="trusted", files=files))
    merged = read_merged(folder, workspace)
    assert merged.settings == Settings(allow_apply_patch=False, codex=CodexSettings(model="b"))
    assert (list(map(str, merged.ignored)), merged.untrusted) == (IGNORED, ())


@pytest.mark.parametrize("data", [b"{", b"[]", b"\xff", b"x" * (MAX_FILE + 1), b'{"a":' * 10_000])
def test_a_broken_file_of_a_workspace_stops_nothing(folder: Folder, workspace: Path, data: bytes) -> None:
    (workspace / ".vscode" / "settings.json").write_bytes(data)
    merged = read_merged(folder, workspace)
    assert (merged.settings, len(merged.ignored)) == (Settings(), 1)


def test_a_file_without_end_is_not_read_to_its_end(folder: Folder) -> None:
    with folder.settings.open("wb") as file:
        file.truncate(1 << 40)  # a hole: it takes no disk
    assert f"the file is over {MAX_FILE} bytes" in refusal(folder, None)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and devices are POSIX's")
def test_what_is_not_a_plain_file_is_never_waited_for(folder: Folder, workspace: Path) -> None:
    file = workspace / ".vscode" / "settings.json"
    os.mkfifo(file)
    read = [read_merged(folder, workspace)]
    file.unlink()
    file.symlink_to("/dev/zero")
    read.append(read_merged(folder, workspace))
    file.unlink()
    file.mkdir()
    read.append(read_merged(folder, workspace))
    assert {merged.settings for merged in read} == {Settings()}
    assert [str(problem) for merged in read for problem in merged.ignored] == [
        ".vscode/settings.json: the file cannot be read: it is not a plain file"
    ] * 3
