"""Lanes of targets side by side: all are run, all are shown, and one that fails fails the whole."""

import shutil
from pathlib import Path

import pytest
from tools.beside import main

MAKE = shutil.which("make") or ""
TARGETS = """\
good:
\t@echo good it is
other:
\t@echo other it is
bad:
\t@echo bad it is; exit 3
meets:
\t@touch here; while ! test -e there; do sleep 0.01; done
met:
\t@touch there; while ! test -e here; do sleep 0.01; done
"""

pytestmark = pytest.mark.skipif(not MAKE, reason="there is no make here")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "Makefile").write_text(TARGETS)
    return tmp_path


@pytest.mark.parametrize(
    ("lanes", "code", "failed"),
    [
        (["good", "other"], 0, "nothing"),
        (["good", "bad other"], 1, "bad other"),
        (["bad", "good", "other"], 1, "bad"),
    ],
)
def test_every_lane_counts(
    root: Path, capfd: pytest.CaptureFixture[str], lanes: list[str], code: int, failed: str
) -> None:
    assert main(root, MAKE, lanes) == code
    said = capfd.readouterr().out
    assert said.rstrip().endswith(f"failed: {failed}")
    begun = {lane.split()[0] for lane in lanes}  # make stops a lane at its first fault
    assert {name for name in ("good", "other", "bad") if f"{name} it is" in said} == begun


def test_they_run_at_the_same_time(root: Path) -> None:
    assert main(root, MAKE, ["meets", "met"]) == 0
