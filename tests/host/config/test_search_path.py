"""Where programs are looked for: never where agents write, also those of the daemon beside the demo's."""

import os
from pathlib import Path

import pytest

from bascule.host.config.search_path import find_search_path_in
from bascule.host.config.trust_store import TrustStore
from bascule.host.files.data_folder import open_folder


@pytest.mark.parametrize("opened_in", ["data", "data/demo"])
def test_the_demo_takes_no_program_from_a_folder_that_real_agents_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened_in: str
) -> None:
    monkeypatch.setenv("BASCULE_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr("bascule.host.config.search_path.find_temps", lambda: ())
    (tmp_path / "project").mkdir()
    TrustStore(open_folder(tmp_path / opened_in).trust).open(str(tmp_path / "project"))
    demo = open_folder(open_folder(tmp_path / "data").demo)
    environ = {"PATH": os.pathsep.join([f"{tmp_path}/project/bin", "/bin"]), "HOME": str(tmp_path / "home")}
    assert find_search_path_in(demo, environ, demo.project).text == "/bin"
