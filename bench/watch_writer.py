"""Appends records to rollouts at a steady pace: `python -m bench.watch_writer PACE SECONDS PATH…`."""

import sys
import time
from pathlib import Path

from bench.watch_files import make_record

TICK_S = 0.02


def main(pace: int, seconds: int, paths: list[Path]) -> None:
    files = [path.open("ab", buffering=0) for path in paths]
    begun, written = time.monotonic(), 0
    while written < pace * seconds:
        due = min(pace * seconds, int((time.monotonic() - begun + TICK_S) * pace))
        for number in range(written, due):
            files[number % len(files)].write(make_record(number))
        written = due
        time.sleep(TICK_S)
    print(f"{written / (time.monotonic() - begun):.0f}")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), [Path(one) for one in sys.argv[3:]])
