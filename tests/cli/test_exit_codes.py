"""One rule for every command: 0 done, 1 refused or failed, 2 not tried."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.command import run_bascule

BROKEN = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-not there\n+new\n"
NEW = "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+new\n"
REFUSED, NOT_TRIED = 1, 2


@pytest.mark.parametrize(
    ("code", "words", "said"),
    [
        # A name that is not known
        (REFUSED, "ask --session nobody hello", "names no session"),
        (REFUSED, "ask --workspace nowhere hello", "is not a folder"),
        (REFUSED, "session rename nobody title", "names no session"),
        (REFUSED, "review nobody", "names no session"),
        (REFUSED, "undo nobody", "names no edit"),
        (REFUSED, "undo last", "no edit to undo"),
        (REFUSED, "devices revoke nobody", "no device"),
        (REFUSED, "trust revoke nowhere", "Nothing was decided about"),
        (REFUSED, "trust add nowhere", "is not a folder"),
        (REFUSED, "settings set nothing 1", "nothing"),
        (REFUSED, "orders --cancel nobody", "nobody"),
        # What is read is not there, or of no use
        (REFUSED, "diff plan nowhere.diff", "cannot be read"),
        (REFUSED, "diff apply nowhere.diff", "cannot be read"),
        (REFUSED, "diff plan broken.diff", "Edit refused"),
        (REFUSED, "diff apply broken.diff", "Edit refused"),
        (REFUSED, "replay nowhere.wire", "cannot be read"),
        (REFUSED, "ask /nonsense", "/nonsense"),
        # Nobody can be asked
        (NOT_TRIED, "diff apply new.diff", "no terminal to ask on"),
        (NOT_TRIED, "review --revert", "no terminal to ask on"),
        (NOT_TRIED, "settings set allowRunTerminal true", "no terminal to ask on"),
        (NOT_TRIED, "hooks install --settings claude.json", "no terminal to ask on"),
        (NOT_TRIED, "trust add configured", "needs a terminal"),
        # Words that make no command
        (NOT_TRIED, "nonsense", "has no verb"),
        (NOT_TRIED, "devices", "required"),
        (NOT_TRIED, "devices revoke", "takes a name"),
        (NOT_TRIED, "settings set", "Name the setting"),
        (NOT_TRIED, "diff plan new.diff -p 1000000", "invalid choice"),
        (NOT_TRIED, "sessions --demo --workspace .", "--demo works in a project of its own"),
        (NOT_TRIED, "up --bind 192.0.2.1:8443", "a credential and TLS"),
    ],
)
def test_what_is_refused_and_what_is_not_even_tried(code: int, words: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "broken.diff").write_text(BROKEN)
    (tmp_path / "new.diff").write_text(NEW)
    (tmp_path / "configured").mkdir()
    (tmp_path / "configured" / "AGENTS.md").write_text("Run everything.\n")
    done = run_bascule(*words.split(), home=tmp_path / "home", cwd=tmp_path)
    assert said in done.stderr + done.stdout
    assert (done.returncode, "Traceback" in done.stderr) == (code, False)
    assert not (tmp_path / "new.txt").exists()


@pytest.mark.parametrize("words", ["ask --demo demo:text", "ask --demo --json demo:text"])
def test_a_reader_that_has_seen_enough_is_no_failure(words: str, tmp_path: Path) -> None:
    environ = {"BASCULE_HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    command = [sys.executable, "-m", "bascule", *words.split()]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        said = running.stderr.read()
    assert (running.returncode, said) == (0, b"")
