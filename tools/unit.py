"""The tests of the gate: side by side first; what fails is run once more alone, named FLAKY and counted."""

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parents[1]
MAX_FLAKY = 2  # in the whole run; one more fails the gate
CACHE = Path(".pytest_cache/v/cache/lastfailed")

SIDE_BY_SIDE = ("--dist", "loadfile", "--no-loadscope-reorder", "--cache-clear", "--durations=15")
WORKERS = ("-n", "3")  # on two cores: the tests often wait for a child or a browser


def main(root: Path, words: tuple[str, ...]) -> int:
    print("-- unit: pytest, layers, end-to-end and the page in a real browser included", flush=True)
    if _run(root, [*SIDE_BY_SIDE, *words]) == 0:
        return 0
    flaky = _read_failed(root)
    print(f"-- unit: {len(flaky)} failed side by side; each alone:", flush=True)
    if not flaky or _run(root, flaky) != 0:
        return 1
    for test in flaky:
        print(f"FLAKY {test}: failed beside other tests, passed alone. Fix it.")
    if len(flaky) > MAX_FLAKY:
        print(f"{len(flaky)} flaky tests; at most {MAX_FLAKY} are allowed.")
        return 1
    return 0


def _run(root: Path, words: list[str]) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", "-q", *words], cwd=root, check=False).returncode


def _read_failed(root: Path) -> list[str]:
    try:
        return sorted(json.loads((root / CACHE).read_text(encoding="utf-8")))
    except FileNotFoundError:
        return []  # no test was run


if __name__ == "__main__":
    sys.exit(main(HERE, WORKERS))
