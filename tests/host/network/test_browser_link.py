"""A link handed to the browser: in a file that only we can read, and never in an argument."""

import html
import os
import stat
import sys
from pathlib import Path

import pytest

from bascule.host.files.data_folder import open_folder
from bascule.host.network.browser_link import handover_path, open_in_browser, remove_handover
from bascule.host.processes.program import SearchPath

LINK = "http://127.0.0.1:4711/#token=abc&x"


def test_the_browser_is_given_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    folder = open_folder(tmp_path / "data")
    path = handover_path(folder)
    path.write_text("left over")
    path.chmod(0o644)
    open_in_browser(folder, LINK, SearchPath({"PATH": os.defpath}))
    assert opened == [path.as_uri()]
    assert html.escape(LINK) in path.read_text()
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    remove_handover(folder)
    remove_handover(folder)
    assert not path.exists()


def test_no_folder_that_an_agent_may_write_holds_the_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What opens the file reads the link in it."""
    looked_in: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda _url: looked_in.append(os.environ["PATH"]))
    whole = os.pathsep.join([str(tmp_path / "project" / "bin"), os.defpath])
    monkeypatch.setenv("PATH", whole)
    search_path = SearchPath(os.environ)
    search_path.exclude([str(tmp_path / "project")])
    open_in_browser(open_folder(tmp_path / "data"), LINK, search_path)
    assert (looked_in, os.environ["PATH"]) == ([os.defpath], whole)
