"""A program in the background: up, or the reason why not."""

import sys
from pathlib import Path

import psutil
import pytest

from bascule.host.processes.detached import start_detached

UP = """
import os, sys, time
from pathlib import Path
from bascule.host.processes.detached import say_ready
Path("pid").write_text(str(os.getpid()))
say_ready()
print("nobody hears this", flush=True)
print("nor this", file=sys.stderr, flush=True)
sys.stdin.read()
Path("fine").write_text("")
while not Path("go").exists():
    time.sleep(0.02)
"""


def test_it_runs_on_and_its_words_hurt_nobody(tmp_path: Path) -> None:
    assert start_detached([sys.executable, "-c", UP], cwd=tmp_path, limit_s=30) is None
    process = psutil.Process(int((tmp_path / "pid").read_text()))
    (tmp_path / "go").write_text("")
    process.wait(20)
    assert (tmp_path / "fine").exists()


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import sys; sys.exit('no luck')", "no luck"),
        ("print('one'); import sys; sys.exit('two')", "one\ntwo"),
        ("raise SystemExit(3)", "it ended with 3 and said nothing"),
        ("print('not ready')", "not ready"),
    ],
)
def test_one_that_ends_says_why(tmp_path: Path, program: str, said: str) -> None:
    assert start_detached([sys.executable, "-u", "-c", program], cwd=tmp_path, limit_s=30) == said


def test_one_that_never_gets_ready_is_ended(tmp_path: Path) -> None:
    program = "print('slow', flush=True); import time; time.sleep(60)"
    assert start_detached([sys.executable, "-c", program], cwd=tmp_path, limit_s=0.5) == "slow"
