"""`bascule diff plan`: as a person or a script runs it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

TEXT = "Here you are:\n\n```diff\n--- a/x\n+++ b/x\n@@ -9,3 +9,3 @@\n b\n-c\n+C\n d\n```\n"
RUN = """\
import argparse, sys
from bascule.cli.edits import diff
parser = argparse.ArgumentParser()
diff.add_arguments(parser)
sys.exit(diff.run(parser.parse_args()))
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "x").write_bytes(b"a\nb\nc\nd\ne\xff\n")
    (folder / "answer.md").write_text(TEXT, encoding="utf-8")
    return folder


def run(workspace: Path, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", RUN, *words],
        cwd=workspace,
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
    )


def test_it_says_what_would_change_and_writes_nothing(workspace: Path) -> None:
    done = run(workspace, "plan", "answer.md")
    assert (done.returncode, done.stderr) == (0, "")
    first, second, third, *preview = done.stdout.splitlines()
    assert first == "update  x  +1 -1"
    assert second == "        hunk 1 is 7 lines further up"
    assert third.startswith("1 file, +1 -1, plan ")
    assert preview == [
        *(
            "",
            "diff --git a/x b/x",
            "--- a/x",
            "+++ b/x",
            "@@ -1,5 +1,5 @@",
            " a",
            " b",
            "-c",
            "+C",
            " d",
            " e\\xff",
        )
    ]
    assert (workspace / "x").read_bytes() == b"a\nb\nc\nd\ne\xff\n"


def test_it_reads_standard_input_and_tells_json(workspace: Path, tmp_path: Path) -> None:
    done = run(tmp_path, "plan", "-", "--json", "--workspace", str(workspace), stdin=TEXT)
    result = json.loads(done.stdout)
    assert done.returncode == 0
    assert [(file["path"], file["kind"], file["moved"]) for file in result["files"]] == [
        ("x", "update", [{"hunk": 1, "offset": -7}])
    ]
    assert result["hash"].startswith(result["short"])
    assert "+C\n" in result["preview"]


def test_a_diff_that_powershell_wrote_is_read(workspace: Path) -> None:
    (workspace / "wide.diff").write_bytes(TEXT.replace("\n", "\r\n").encode("utf-16"))
    done = run(workspace, "plan", "wide.diff")
    assert done.stdout.startswith("update  x  +1 -1\n"), done.stderr


def test_a_refusal_is_shown_with_exit_1(workspace: Path) -> None:
    text = TEXT.replace("-c", "-see")
    done = run(workspace, "plan", "-", stdin=text)
    assert (done.returncode, done.stdout) == (1, "")
    assert 'x, hunk 1: line 3 should be "see", and is "c".' in done.stderr
    as_json = run(workspace, "plan", "-", "--json", stdin=text)
    assert as_json.returncode == 1
    refused = json.loads(as_json.stdout)["refused"]
    assert (refused["path"], refused["hunk"], refused["line"]) == ("x", 1, 3)


def test_no_file_is_read_through_a_link_or_outside(workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"b\nc\n")
    (workspace / "link").symlink_to(tmp_path / "secret")
    (workspace / "folder").symlink_to(tmp_path)
    for name in ("link", "folder/secret", "../secret", "folder/new"):
        done = run(workspace, "plan", "-", stdin=TEXT.replace("a/x", f"a/{name}").replace("b/x", f"b/{name}"))
        assert done.returncode == 1, name
        assert "link" in done.stderr or "leaves its folder" in done.stderr


def test_a_workspace_or_diff_that_is_not_there(workspace: Path) -> None:
    for words in (("plan", "no.diff"), ("plan", "answer.md", "--workspace", "no")):
        done = run(workspace, *words)
        assert done.returncode != 0
        assert "UserError: " in done.stderr
