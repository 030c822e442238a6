"""The client that the tests drive is the one whose digest is written down, or none."""

import tarfile
from pathlib import Path

import pytest
from tools.fetch_codelia import MEMBER, unpack


def test_an_archive_with_another_digest_is_refused(tmp_path: Path) -> None:
    (tmp_path / "program").write_text("#!/bin/sh\n", encoding="utf-8")
    archive = tmp_path / "other.tgz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(tmp_path / "program", MEMBER)
    with pytest.raises(ValueError, match="has the digest"):
        unpack(archive, tmp_path / "codelia-tui")
    assert not (tmp_path / "codelia-tui").exists()
