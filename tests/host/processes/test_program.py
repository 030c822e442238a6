"""Finding a program: PATH is trusted only where it is absolute."""

import os
import sys
from pathlib import Path

import pytest

from bascule.host.processes.program import SearchPath, absolute_only, find_program

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the mode bits say what may run")


def test_a_program_is_never_taken_from_a_relative_entry_of_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("workspace", "bin"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "codex").write_text("#!/bin/sh\n")
        (tmp_path / folder / "codex").chmod(0o700)
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "codex").write_text("not to be run")
    monkeypatch.chdir(tmp_path / "workspace")
    path = os.pathsep.join([".", "", str(tmp_path / "plain"), str(tmp_path / "bin")])
    assert find_program("codex", {"PATH": path}) == tmp_path / "bin" / "codex"
    assert find_program("codex", {"PATH": "."}) is None


def test_a_relative_path_is_that_of_a_file_where_the_program_is_to_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And never of one where the daemon was started."""
    for folder in ("workspace", "started"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "gradlew").write_text("#!/bin/sh\n")
        (tmp_path / folder / "gradlew").chmod(0o700)
    monkeypatch.chdir(tmp_path / "started")
    assert find_program("./gradlew", {}, tmp_path / "workspace") == tmp_path / "workspace" / "gradlew"
    assert find_program("./gradlew", {}) is None


def test_the_search_path_leaves_out_folders_that_agents_may_write(tmp_path: Path) -> None:
    project, tools = tmp_path / "project", tmp_path / "tools"
    for folder in (project / ".venv" / "bin", tools):
        folder.mkdir(parents=True)
    (tmp_path / "link").symlink_to(project / ".venv")
    inside = [
        project / ".venv" / "bin",
        tmp_path / "link" / "bin",
        project / "node_modules" / ".bin",
        project,
    ]
    entries = [*map(str, inside), str(tools), f"{project}-other", "relative"]
    path = SearchPath({"PATH": os.pathsep.join(entries)})
    assert path.text == path.whole == os.pathsep.join(entries[:-1])
    path.exclude([str(project)])
    assert path.environ == {"PATH": os.pathsep.join([str(tools), f"{project}-other"])}
    assert path.whole == os.pathsep.join(entries[:-1]), "what a sandboxed command may still use"


def test_a_folder_is_left_out_where_a_link_on_the_way_lies_in_a_workspace(tmp_path: Path) -> None:
    for folder in ("project", "tools-1/bin"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "project" / "current").symlink_to("../tools-1")
    (tmp_path / "tools").symlink_to(tmp_path / "project" / "current")
    (tmp_path / "loop").symlink_to("loop")
    path = SearchPath({"PATH": os.pathsep.join(str(tmp_path / name) for name in ("tools/bin", "loop"))})
    path.exclude([str(tmp_path / "project")])
    assert path.text == str(tmp_path / "loop")


def test_a_folder_is_left_out_by_whichever_name_it_is_in_path(tmp_path: Path) -> None:
    project, tools = tmp_path / "project", tmp_path / "tools"
    for folder in (project / "bin", project / "src", tools):
        folder.mkdir(parents=True)
    (tmp_path / "by-link").symlink_to(project)
    (tools / "current").symlink_to(project / "src")
    names = (f"/{project}/bin", f"{tools}/current/../bin", str(project / "bin").upper())
    for name in names:
        path = SearchPath({"PATH": os.pathsep.join([name, str(tools)])})
        path.exclude([str(project)])
        assert path.text == str(tools), name
    path = SearchPath({"PATH": os.pathsep.join([str(project / "bin"), str(tools)])})
    path.exclude([str(tmp_path / "by-link")])
    assert path.text == str(tools), "opened by another name than the one in PATH"


def test_where_nothing_is_left_of_path_the_systems_own_is_there(tmp_path: Path) -> None:
    """An empty PATH would be the folder that a program runs in."""
    path = SearchPath({"PATH": str(tmp_path / "bin")})
    path.exclude([str(tmp_path)])
    assert path.text == SearchPath({"PATH": "."}).text == absolute_only("") == os.defpath


def test_a_folder_in_which_no_agent_writes_stays(tmp_path: Path) -> None:
    path = SearchPath({"PATH": str(tmp_path / "bin")}, is_written=lambda folder: folder != str(tmp_path))
    path.exclude([str(tmp_path)])
    assert path.text == str(tmp_path / "bin")


def test_a_program_about_a_workspace_is_never_one_of_its_own(tmp_path: Path) -> None:
    """Also before an agent was in it."""
    project, home, tools = (str(tmp_path / name) for name in ("project", "home", "tools"))
    entries = [f"{project}/venv/bin", f"{home}/bin", tools]
    path = SearchPath({"PATH": os.pathsep.join(entries)}, is_written=lambda folder: folder != home)
    assert path.environ_outside(project) == {"PATH": os.pathsep.join(entries[1:])}
    assert path.environ_outside(Path(home)) == path.environ, "no agent writes there without a question"
    assert path.text == os.pathsep.join(entries), "and nothing is left out for others"
    path.exclude([project])
    assert path.environ_outside(project) == path.environ
