"""What panes show is on the disk as text, and a disk that is full is said once."""

import logging
from pathlib import Path

import pytest
from tests.daemon.panes.panes import make_terminal

from bascule.daemon.panes.scrollback import Scrollback


async def test_what_was_shown_is_read_again_as_text_and_gone_when_removed(tmp_path: Path) -> None:
    pane, scrollback = make_terminal(), Scrollback(tmp_path / "panes")
    pane.feed(b"\x1b[31mred\x1b[0m and plain\r\n")
    assert pane.has_news
    await scrollback.save([pane])
    (saved,) = Scrollback(tmp_path / "panes").read_all()
    assert (saved.pane_id, saved.text.strip(), pane.has_news) == (pane.id, "red and plain", False)
    scrollback.remove(pane.id)
    assert scrollback.read_all() == []


async def test_a_disk_that_takes_nothing_is_said_once_and_tried_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "panes").write_text("a file where the folder belongs")
    pane, scrollback = make_terminal(), Scrollback(tmp_path / "panes")
    pane.feed(b"text")
    with caplog.at_level(logging.WARNING):
        await scrollback.save([pane, pane])
    assert (len(caplog.records), pane.has_news) == (1, True)
    (tmp_path / "panes").unlink()
    await scrollback.save([pane])
    assert not pane.has_news
