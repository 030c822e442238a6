"""The demo project: real, sound, under git, and made once."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bascule.demo.project import FILES, prepare_project


def test_its_tests_pass(tmp_path: Path) -> None:
    prepare_project(tmp_path / "demo", os.environ)
    ran = subprocess.run(
        [sys.executable, "-m", "unittest"], cwd=tmp_path / "demo", capture_output=True, text=True, timeout=30
    )
    assert ran.returncode == 0, ran.stderr
    assert "Ran 5 tests" in ran.stderr


def test_what_a_person_changed_or_deleted_stays_so(tmp_path: Path) -> None:
    project = tmp_path / "demo"
    prepare_project(project, os.environ)
    (project / "README.md").unlink()
    (project / "wordkit.py").write_text("mine\n")
    prepare_project(project, os.environ)
    assert not (project / "README.md").exists()
    assert (project / "wordkit.py").read_text() == "mine\n"


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "demo").mkdir()
    prepare_project(tmp_path / "demo", os.environ)
    assert {path.name for path in (tmp_path / "demo").iterdir()} >= set(FILES)


def test_an_interrupted_start_is_made_good(tmp_path: Path) -> None:
    (tmp_path / ".demo.draft").mkdir()
    (tmp_path / ".demo.draft" / "half").write_text("")
    prepare_project(tmp_path / "demo", os.environ)
    assert [path.name for path in tmp_path.iterdir()] == ["demo"]
    assert not (tmp_path / "demo" / "half").exists()


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_all_is_committed_and_nobodys_settings_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".gitconfig").write_text("[commit]\n\tgpgSign = true\n[user]\n\tname = Somebody\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    prepare_project(tmp_path / "demo", os.environ)
    monkeypatch.delenv("GIT_DIR")

    def git(*arguments: str) -> str:
        return subprocess.check_output(["git", *arguments], cwd=tmp_path / "demo", text=True, timeout=30)

    assert git("status", "--porcelain") == ""
    assert git("log", "--format=%an <%ae> %s") == "Bascule demo <demo@bascule.invalid> A small word kit\n"
    assert git("branch", "--show-current") == "main\n"
    assert not (tmp_path / "elsewhere").exists()


def test_without_git_there_is_still_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    prepare_project(tmp_path / "demo", os.environ)
    assert {path.name for path in (tmp_path / "demo").iterdir()} == set(FILES)


def test_git_is_taken_from_the_path_that_it_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = tmp_path / "planted"
    planted.mkdir()
    (planted / "git").write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    (planted / "git").chmod(0o700)
    monkeypatch.setenv("PATH", f"{planted}:{os.environ['PATH']}")
    prepare_project(tmp_path / "demo", {"PATH": os.environ["PATH"].removeprefix(f"{planted}:")})
    assert not (tmp_path / "ran").exists()
