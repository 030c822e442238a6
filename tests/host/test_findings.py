"""What is found on a machine, and what to do about what is not."""

from pathlib import Path

from bascule.daemon.agents.available_agents import find_available
from bascule.host.files.data_folder import Folder, open_folder
from bascule.host.findings import Finding, find_basics, inspect_machine


def found(folder: Folder, what: str) -> Finding:
    (one,) = [
        finding
        for finding in inspect_machine(folder, None, find_available().launches)
        if finding.what == what
    ]
    return one


def test_a_program_that_is_not_there_is_missing(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "data")
    folder.settings.write_text('[codex]\ncommand = "no-such-codex"\n')
    codex = found(folder, "codex")
    assert (codex.state, "no-such-codex" in codex.detail) == ("missing", True)
    assert found(folder, "settings") == Finding("settings", "ok", str(folder.settings))


def test_settings_that_cannot_be_used_say_where_they_are_wrong(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "data")
    folder.settings.write_text("nonsense = 1\n")
    settings = found(folder, "settings")
    assert (settings.state, settings.then) == ("missing", "Correct what is named above.")
    assert "settings.toml line 1" in settings.detail


def test_the_machine_itself_is_always_reported() -> None:
    assert [finding.what for finding in find_basics()] == ["bascule", "python", "system"]
