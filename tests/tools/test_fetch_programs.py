"""The programs that the tests drive are the ones whose digests are written down, or none."""

import tarfile
from pathlib import Path

import pytest
from tools.fetch_programs import CLAUDE, CODELIA, Program, unpack


@pytest.mark.parametrize("program", [CODELIA, CLAUDE])
def test_an_archive_with_another_digest_is_refused(program: Program, tmp_path: Path) -> None:
    (tmp_path / "program").write_text("#!/bin/sh\n", encoding="utf-8")
    archive = tmp_path / "other.tgz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(tmp_path / "program", program.member)
    with pytest.raises(ValueError, match="has the digest"):
        unpack(program, archive, tmp_path / "unpacked")
    assert not (tmp_path / "unpacked").exists()
