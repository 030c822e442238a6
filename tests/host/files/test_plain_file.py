"""A file is read, a pipe or a folder is not, and nothing waits for a writer."""

import os
import sys
from pathlib import Path

import pytest

from bascule.host.files.plain_file import read_plain
from bascule.host.git.repository import find_branch


def test_only_so_much_of_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12345")
    assert read_plain(tmp_path / "a", 3) == b"123"


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes in folders")
def test_a_pipe_holds_up_neither_a_reader_nor_the_branch_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    os.mkfifo(tmp_path / ".git" / "HEAD")
    with pytest.raises(OSError, match="plain file"):
        read_plain(tmp_path / ".git" / "HEAD", 10)
    assert find_branch(str(tmp_path)) == ""
