"""A test that passes only at the second try is named and counted, never hidden."""

from pathlib import Path

import pytest
from tools.unit import MAX_FLAKY, main

ALONE = ("-p", "xdist", "-n", "0")
FLAKY = """
from pathlib import Path
def test_{n}():
    seen = Path(__file__).with_suffix(".seen")
    first, _ = not seen.exists(), seen.touch()
    assert not first
"""


def write(root: Path, flaky: int, *, broken: bool = False) -> None:
    (root / "pytest.ini").write_text("[pytest]\n")
    (root / "test_good.py").write_text("def test_good():\n    pass\n")
    for n in range(flaky):
        (root / f"test_flaky_{n}.py").write_text(FLAKY.format(n=n))
    if broken:
        (root / "test_broken.py").write_text("def test_broken():\n    assert False\n")


@pytest.fixture(autouse=True)
def no_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is a second that pytest takes to start."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


@pytest.mark.parametrize(("flaky", "code"), [(0, 0), (MAX_FLAKY, 0), (MAX_FLAKY + 1, 1)])
def test_flaky_tests_are_named_and_too_many_fail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flaky: int, code: int
) -> None:
    write(tmp_path, flaky)
    assert main(tmp_path, ALONE) == code
    said = capsys.readouterr().out
    assert [line for line in said.splitlines() if line.startswith("FLAKY")] == [
        f"FLAKY test_flaky_{n}.py::test_{n}: failed beside other tests, passed alone. Fix it."
        for n in range(flaky)
    ]


def test_what_fails_twice_fails_the_gate(tmp_path: Path) -> None:
    write(tmp_path, 1, broken=True)
    assert main(tmp_path, ALONE) == 1


def test_a_run_that_comes_to_no_test_fails_the_gate(tmp_path: Path) -> None:
    write(tmp_path, 0)
    assert main(tmp_path, ("--no-such-option",)) == 1
