"""A short lock: alone while it is held, waited for only so long, gone with its holder."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from bascule.host.guard import Busy, guarded

HOLD = """
import sys
from pathlib import Path
from bascule.host.guard import guarded
with guarded(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_threads_come_one_after_the_other(tmp_path: Path) -> None:
    inside, most = [0], [0]

    def work() -> None:
        for _ in range(20):
            with guarded(tmp_path / "lock"):
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                tmp_path.stat()
                inside[0] -= 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]


def test_another_process_is_waited_for_only_so_long_and_its_death_frees(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path / "lock")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == b"held"
        with pytest.raises(Busy), guarded(tmp_path / "lock", patience_s=0.05):
            raise AssertionError("two inside")
    finally:
        holder.kill()
        holder.communicate()
    with guarded(tmp_path / "lock", patience_s=0):
        pass
