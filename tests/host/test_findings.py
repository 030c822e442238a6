"""What is found on a machine, and what to do about what is not."""

import os
import platform
import sys
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from bascule.agents.codex.launch import HOW_TO_GET
from bascule.daemon.agents.available_agents import find_available
from bascule.host import findings
from bascule.host.files.data_folder import Folder, open_folder
from bascule.host.findings import Finding, find_basics, inspect_machine
from bascule.host.locks.lockfile import Owner
from bascule.host.processes import agent_program
from bascule.host.processes.confinement import BLIND
from bascule.host.processes.program import SearchPath
from bascule.host.storage.audit import Audit, AuditFailed


def found(folder: Folder, what: str) -> Finding:
    (one,) = [
        finding
        for finding in inspect_machine(folder, None, find_available().launches, SearchPath(os.environ))
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
    assert settings == Finding(
        "settings",
        "missing",
        "settings.toml line 1: unknown key bascule.nonsense",
        f"Fix it in {folder.settings}. Until then nothing starts.",
    )


def test_the_machine_itself_is_always_reported() -> None:
    assert [finding.what for finding in find_basics()] == ["bascule", "python", "system"]


@pytest.mark.parametrize(("free", "then"), [(0, "Free some space"), (10**12, "Move it away")])
def test_a_record_that_a_full_disk_keeps_from_being_read_is_not_moved_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, then: str
) -> None:
    folder = open_folder(tmp_path / "data")

    def read(_audit: Audit) -> list[str]:
        raise AuditFailed("The record cannot be read: disk I/O error.")

    monkeypatch.setattr(Audit, "all_losses", read)
    monkeypatch.setattr("shutil.disk_usage", lambda _path: SimpleNamespace(free=free))
    assert found(folder, "record").then.startswith(then)


@pytest.mark.skipif(sys.platform == "win32", reason="nothing counts files there")
@pytest.mark.parametrize(("files", "left", "said"), [(60, 3, 1), (60, 40, 0), (0, 0, 0)])
def test_a_disk_that_takes_no_more_files_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: int, left: int, said: int
) -> None:
    """There may be a lot of space on it."""
    folder = open_folder(tmp_path / "data")
    monkeypatch.setattr("shutil.disk_usage", lambda _path: SimpleNamespace(free=10**12))
    monkeypatch.setattr("os.statvfs", lambda _path: SimpleNamespace(f_files=files, f_favail=left))
    launches = find_available().launches
    findings = inspect_machine(folder, None, launches, SearchPath(os.environ))
    named = [finding.then for finding in findings if finding.what == "disk"]
    assert named == ["Delete some files there."] * said


def test_a_daemon_that_cannot_tell_sandboxes_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = open_folder(tmp_path / "data")
    monkeypatch.setattr(findings, "find_blindness", lambda pid: BLIND if pid == os.getpid() else "")
    said = found(folder, "sandboxes")
    assert (said.state, said.detail) == ("note", BLIND)
    assert "NoNewPrivileges" in said.then
    monkeypatch.setattr(findings, "find_blindness", lambda _pid: "")
    everything = inspect_machine(folder, None, find_available().launches, SearchPath(os.environ))
    assert "sandboxes" not in [one.what for one in everything]


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
def test_a_warning_before_the_sign_in_is_not_taken_for_it(tmp_path: Path) -> None:
    codex = tmp_path / "codex"
    codex.write_text(
        "#!/bin/sh\n"
        '[ "$1" = --version ] && echo codex-cli 1.0 && exit\n'
        "echo 'WARNING: a key of config.toml is not known' >&2\n"
        "echo 'Logged in using ChatGPT' >&2\n"
    )
    codex.chmod(0o755)
    folder = open_folder(tmp_path / "data")
    folder.settings.write_text(f'[codex]\ncommand = "{codex}"\n')
    signed = found(folder, "codex sign-in")
    assert (signed.state, signed.detail) == ("ok", "Logged in using ChatGPT")


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
def test_the_command_to_sign_in_runs_the_program_that_was_found(tmp_path: Path) -> None:
    codex = tmp_path / "my codex"
    codex.write_text('#!/bin/sh\n[ "$1" = --version ] && echo codex-cli 1.0 && exit\necho No\nexit 1\n')
    codex.chmod(0o755)
    folder = open_folder(tmp_path / "data")
    folder.settings.write_text(f'[codex]\ncommand = "{codex}"\n')
    signed = found(folder, "codex sign-in")
    assert signed.then.startswith(f"Run `{signed.commands[-1]}`. ")


def test_a_daemon_in_use_says_since_when_in_local_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = open_folder(tmp_path / "data")
    owner = Owner(pid=7, started_at="2026-11-19T06:14:29+00:00", command="bascule up")
    monkeypatch.setattr(findings, "find_owner", lambda _lock: owner)
    since = datetime.fromisoformat(owner.started_at).astimezone()
    assert found(folder, "in use").detail == f"by bascule up, pid 7, since {since:%Y-%m-%d %H:%M:%S}"


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
@pytest.mark.parametrize("is_known", [True, False], ids=["an agent was there", "no agent was there yet"])
def test_no_program_of_a_folder_that_an_agent_may_write_is_asked_for_its_version(
    tmp_path: Path, is_known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, project = open_folder(tmp_path / "data"), tmp_path / "project"
    (project / "bin").mkdir(parents=True)
    for name in ("git", "codex", "claude", "uname"):
        (project / "bin" / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/was-run\n")
        (project / "bin" / name).chmod(0o755)
    search_path = SearchPath({"PATH": os.pathsep.join([str(project / "bin"), os.environ["PATH"]])})
    if is_known:
        search_path.exclude([str(project)])
    monkeypatch.setenv("PATH", search_path.whole)
    monkeypatch.setattr(platform, "_uname_cache", None)
    monkeypatch.setattr(agent_program, "find_bundled", lambda _entry: None)
    everything = inspect_machine(folder, project, find_available().launches, search_path)
    assert [one.state for one in everything if one.what == "git"] == ["ok"]
    assert not (tmp_path / "was-run").exists()
    missing = next(one.detail for one in everything if one.what == "codex" and one.state == "missing")
    assert missing.endswith(f"{project}/bin/codex is not used, because agents may write in its folder.")


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
@pytest.mark.parametrize(("version", "state"), [("0.162.9", "missing"), ("0.163.0", "ok"), ("1.0", "ok")])
def test_a_version_that_could_not_be_driven_is_no_find(tmp_path: Path, version: str, state: str) -> None:
    codex = tmp_path / "codex"
    codex.write_text(f"#!/bin/sh\necho codex-cli {version}\n")
    codex.chmod(0o755)
    folder = open_folder(tmp_path / "data")
    folder.settings.write_text(f'[codex]\ncommand = "{codex}"\n')
    codex_found = found(folder, "codex")
    old = f"codex-cli {version} ({codex}) is too old: 0.163 or newer is needed."
    assert (codex_found.state, old in codex_found.detail) == (state, state == "missing")
    assert codex_found.then == (HOW_TO_GET if state == "missing" else "")
