"""The record on the disk: appended by many, killed at any moment, tampered with; and it always tells."""

import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from bascule.host.audit import Audit, AuditFailed, who_is_here
from bascule.model.audit import Entry, Local

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals, modes and limits are POSIX's")


def entry(text: str) -> Entry:
    return Entry(at_ms=1, kind="apply", who=Local(surface="terminal"), asked=text, outcome="done")


def asked(audit: Audit, most: int = 10_000) -> list[str]:
    return [line.entry.asked for line in audit.last(most)]


def problems(audit: Audit) -> list[str]:
    return [str(problem) for problem in audit.verify()]


def write(audit: Audit, count: int, start: int = 0) -> None:
    for number in range(start, start + count):
        audit.append(entry(f"e{number}"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "audit"


def test_what_is_written_is_read_and_proved(folder: Path) -> None:
    audit = Audit(folder)
    assert (asked(audit), audit.verify()) == ([], [])
    write(audit, 5)
    assert asked(Audit(folder)) == ["e0", "e1", "e2", "e3", "e4"]
    assert asked(audit, 2) == ["e3", "e4"]
    assert audit.verify() == []


@posix
def test_only_the_owner_can_read_it(folder: Path) -> None:
    write(Audit(folder), 1)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert modes == {"audit.jsonl": 0o600, "audit.head": 0o600, "audit.lock": 0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_many_writers_make_one_chain(folder: Path) -> None:
    threads = [threading.Thread(target=write, args=(Audit(folder), 10, 10 * number)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    audit = Audit(folder)
    assert sorted(asked(audit)) == sorted(f"e{number}" for number in range(60))
    assert audit.verify() == []


def test_files_are_put_away_without_breaking_the_chain(folder: Path) -> None:
    audit = Audit(folder, max_bytes=1_000)
    write(audit, 40)
    assert len(list(folder.glob("audit-*.jsonl"))) > 5
    assert all(path.stat().st_size <= 1_000 for path in folder.glob("*.jsonl"))
    assert asked(audit) == [f"e{number}" for number in range(40)]
    assert audit.verify() == []
    oldest = min(folder.glob("audit-*.jsonl"))
    oldest.unlink()
    assert "missing before it" in problems(audit)[0]


def test_the_oldest_files_go_and_that_is_known(folder: Path) -> None:
    audit = Audit(folder, max_bytes=1_000, max_files=3)
    write(audit, 60)
    full = sorted(folder.glob("audit-*.jsonl"))
    assert len(full) == 3
    assert asked(audit)[-1] == "e59"
    assert audit.verify() == []
    full[0].unlink()
    assert "missing before it" in problems(audit)[0]


def test_every_change_of_a_byte_is_found(folder: Path) -> None:
    audit = Audit(folder, max_bytes=700)
    write(audit, 6)
    for path in sorted(folder.glob("*.jsonl")):
        data = path.read_bytes()
        for at in range(0, len(data), 7):
            path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
            assert audit.verify() != [], (path.name, at)
        path.write_bytes(data)
    assert audit.verify() == []


def test_a_cut_at_the_end_is_found_and_stays_found(folder: Path) -> None:
    audit = Audit(folder)
    write(audit, 5)
    path = folder / "audit.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:3]))
    assert problems(audit) == ["audit.jsonl: lines 4 to 5 are missing at the end"]
    write(audit, 1, 5)
    assert problems(audit) == ["audit.jsonl line 4: lines 4 to 5 are missing before it"]


def test_a_head_taken_away_is_found_and_stays_found(folder: Path) -> None:
    audit = Audit(folder)
    write(audit, 3)
    (folder / "audit.head").unlink()
    assert "the head file is missing" in problems(audit)[0]
    write(audit, 2, 3)
    assert asked(audit) == [f"e{number}" for number in range(5)]
    (problem,) = problems(audit)
    assert "line 4: the head file had gone" in problem


def test_a_torn_line_is_kept_aside_and_said(folder: Path) -> None:
    audit = Audit(folder)
    write(audit, 3)
    with (folder / "audit.jsonl").open("ab") as file:
        file.write(b'{"seq":4,"bef')
    assert problems(audit) == ["audit.jsonl line 4: the line is torn: it was cut off while written"]
    write(audit, 1, 3)
    assert [line.note for line in audit.last(2)] == ["", "torn"]
    assert audit.verify() == []
    (aside,) = audit.torn()
    assert aside.read_bytes() == b'{"seq":4,"bef'


KILLED = """
import os, signal, sys
from pathlib import Path
from tests.host.test_audit import entry
from bascule.host.audit import Audit
step, counted = int(sys.argv[2]), 0
write = os.write
def count(*_):
    global counted
    counted += 1
    if counted > step:
        os.kill(os.getpid(), signal.SIGKILL)
def half(fd, data):
    if counted + 1 > step:
        write(fd, bytes(data)[: len(data) // 2])
    count()
    return write(fd, data)
os.write, os.fsync = half, count
EVENTS = {"open", "os.rename", "os.truncate", "os.remove"}
sys.addaudithook(lambda event, _: count() if event in EVENTS else None)
for number in range(3):
    Audit(Path(sys.argv[1]), max_bytes=700).append(entry(f"k{step}.{number}"))
    write(1, b".")
"""


@posix
def test_killed_at_any_step_nothing_that_was_confirmed_is_lost(folder: Path) -> None:
    """Each round is killed one step later; what it had finished is there, and the chain is whole."""
    audit = Audit(folder, max_bytes=700)
    step, code, torn = 0, -signal.SIGKILL, 0
    while code == -signal.SIGKILL:
        done = subprocess.run(
            [sys.executable, "-c", KILLED, str(folder), str(step)],
            capture_output=True,
            cwd=Path(__file__).parents[2],
            timeout=60,
        )
        code = done.returncode
        assert code in (0, -signal.SIGKILL), done.stderr.decode()
        audit.append(entry(f"after {step}"))
        assert audit.verify() == []
        finished = [f"k{step}.{number}" for number in range(len(done.stdout))]
        assert [text for text in asked(audit) if text.startswith(f"k{step}.")][: len(finished)] == finished
        torn = len(audit.torn())
        step += 1
    assert step > 15
    assert torn > 0
    assert [text for text in asked(audit) if text.startswith("after")] == [f"after {n}" for n in range(step)]


@posix
def test_a_full_disk_is_said_and_leaves_no_half_of_a_line(folder: Path) -> None:
    audit = Audit(folder)
    write(audit, 3)
    size = (folder / "audit.jsonl").stat().st_size
    script = (
        "import resource; from pathlib import Path; import sys\n"
        "from tests.host.test_audit import entry\n"
        "from bascule.host.audit import Audit, AuditFailed\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({size + 50}, {size + 50}))\n"
        "try: Audit(Path(sys.argv[1])).append(entry('x'))\n"
        "except AuditFailed as fault: print(fault)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(folder)],
        capture_output=True,
        cwd=Path(__file__).parents[2],
        text=True,
    )
    assert done.stdout == f"The record {folder / 'audit.jsonl'} cannot be written: File too large.\n"
    assert (folder / "audit.jsonl").stat().st_size == size
    write(audit, 1, 3)
    assert (asked(audit), audit.verify()) == (["e0", "e1", "e2", "e3"], [])


@posix
def test_a_link_in_its_place_is_not_written_through(folder: Path, tmp_path: Path) -> None:
    folder.mkdir()
    (tmp_path / "victim").write_bytes(b"")
    (folder / "audit.jsonl").symlink_to(tmp_path / "victim")
    with pytest.raises(AuditFailed, match="cannot be written"):
        Audit(folder).append(entry("x"))
    assert (tmp_path / "victim").read_bytes() == b""


def test_who_is_here_has_a_surface() -> None:
    assert who_is_here("terminal").surface == "terminal"
    assert os.environ.get("USER", "") in (who_is_here("terminal").person, "")
