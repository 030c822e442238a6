"""Runs lanes of make targets side by side: the first is shown as it goes, the others whole when they end."""

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parents[1]


def main(root: Path, make: str, lanes: list[str]) -> int:
    """0 where every lane ended so; each is run to its end whatever became of the others."""
    start_s = time.monotonic()
    first, *others = lanes
    with ThreadPoolExecutor(max(1, len(others))) as pool:
        writing = threading.Lock()
        waiting = [pool.submit(_run_quietly, root, make, lane, writing) for lane in others]
        codes = [_run(root, make, first).returncode, *(lane.result() for lane in waiting)]
    failed = [lane for lane, code in zip(lanes, codes, strict=True) if code != 0]
    print(f"-- {time.monotonic() - start_s:.0f} s; failed: {', '.join(failed) or 'nothing'}", flush=True)
    return 1 if failed else 0


def _run_quietly(root: Path, make: str, lane: str, writing: threading.Lock) -> int:
    done = _run(root, make, lane, into=subprocess.PIPE)
    with writing:
        sys.stdout.write("\n" + done.stdout.decode(errors="replace"))
        sys.stdout.flush()
    return done.returncode


def _run(
    root: Path, make: str, lane: str, *, into: int | None = None
) -> "subprocess.CompletedProcess[bytes]":
    errors = None if into is None else subprocess.STDOUT
    argv = [make, "--no-print-directory", *lane.split()]
    return subprocess.run(argv, cwd=root, check=False, stdout=into, stderr=errors)


if __name__ == "__main__":
    sys.exit(main(HERE, sys.argv[1], sys.argv[2:]))
