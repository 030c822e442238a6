"""The record on the disk: appended by many, killed at any moment, tampered with; and it always tells."""

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from tests.systems import posix

from bascule.core.consent.record_chain import BEGIN, UNANCHORED, hash_line, write_line
from bascule.host.storage.audit import NOTE_GONE, Audit, AuditFailed, who_is_here
from bascule.host.storage.audit_anchor import AnchorFile
from bascule.model.consent.audit import Anchor, Entry, Local, RecordProblem


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
    assert modes == {"record.db": 0o600, "audit.lock": 0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder.parent / "bascule.db").stat().st_mode) == 0o600


def test_many_writers_make_one_chain(folder: Path) -> None:
    threads = [threading.Thread(target=write, args=(Audit(folder), 10, 10 * number)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    audit = Audit(folder)
    assert sorted(asked(audit)) == sorted(f"e{number}" for number in range(60))
    assert audit.verify() == []


def change(folder: Path, statement: str, *given: object) -> None:
    """As somebody would who has the owner's rights."""
    with closing(sqlite3.connect(folder / "record.db")) as db, db:
        db.execute(statement, given)


def read_lines(folder: Path) -> list[str]:
    with closing(sqlite3.connect(folder / "record.db")) as db:
        return [line for (line,) in db.execute("SELECT line FROM lines ORDER BY seq")]


def test_a_changed_line_is_found(folder: Path) -> None:
    audit = Audit(folder)
    write(audit, 4)
    for seq, line in enumerate(read_lines(folder), 1):
        change(folder, "UPDATE lines SET line = ? WHERE seq = ?", line.replace("done", "failed"), seq)
        assert audit.verify() != [], seq
        change(folder, "UPDATE lines SET line = ? WHERE seq = ?", line, seq)
    assert audit.verify() == []


def test_a_cut_at_the_end_is_found_and_stays_found(folder: Path) -> None:
    audit = Audit(folder)
    write(audit, 5)
    change(folder, "DELETE FROM lines WHERE seq > 3")
    assert problems(audit) == ["the record: lines 4 to 5 are missing at the end"]
    assert audit.find_loss() == "The record was cut, or replaced by an older copy: lines 4 to 5 are missing."
    assert audit.append(entry("e5")) == audit.losses()[0].entry.why
    assert problems(audit) == [
        "line 6: lines 4 to 5 are missing before it",
        "line 6: when this line was written, lines before it had been removed or replaced",
    ]
    assert [(line.seq, line.entry.asked) for line in audit.last(2)] == [(6, "the record"), (7, "e5")]
    assert audit.find_loss() == ""


def test_a_record_that_is_removed_as_a_whole_is_missed(folder: Path) -> None:
    audit = Audit(folder)
    write(audit, 5)
    shutil.rmtree(folder)
    assert problems(audit) == ["the record: the whole of it is gone (5 lines)"]
    assert not folder.exists()  # who only looks begins no new one
    assert audit.check() == "The record was removed: lines 1 to 5 are missing."
    assert audit.check() == ""
    assert [(line.seq, line.entry.why, line.note) for line in audit.last(9)] == [
        (6, "The record was removed: lines 1 to 5 are missing.", "removed")
    ]
    assert problems(audit) == [
        "line 6: when this line was written, lines before it had been removed or replaced"
    ]
    change(folder, "DELETE FROM lines")
    write(audit, 2)
    change(folder, "DELETE FROM lines WHERE seq < 8")
    assert audit.check() == "The record was cut at its beginning: line 7 is missing."


def test_a_record_that_is_replaced_by_another_is_noticed(folder: Path, tmp_path: Path) -> None:
    audit = Audit(folder)
    write(audit, 3)
    write(Audit(tmp_path / "other" / "audit"), 8)
    shutil.copy(tmp_path / "other" / "audit" / "record.db", folder / "record.db")
    assert audit.verify() == []  # a copy of another of the same words is the same
    change(folder, "DELETE FROM lines")
    for name in ("x", "y", "z", "w"):
        Audit(tmp_path / "third" / "audit").append(entry(name))
    shutil.copy(tmp_path / "third" / "audit" / "record.db", folder / "record.db")
    assert problems(audit) == ["line 3: it is not the line that was noted in the session store"]
    assert audit.check() == "The record was replaced by another: lines 1 to 3 are changed or missing."
    assert "removed or replaced" in problems(audit)[0]


def test_a_record_without_its_anchor_is_a_problem_before_and_after_the_next_line(folder: Path) -> None:
    audit = Audit(folder)
    write(audit, 3)
    (folder.parent / "bascule.db").unlink()
    proof = audit.prove()
    assert (proof.problems, proof.count, proof.anchor) == ((RecordProblem(None, UNANCHORED),), 3, None)
    write(audit, 1, 3)
    gone, written = audit.last(2)
    assert (gone.note, gone.entry.why, written.entry.asked) == ("removed", NOTE_GONE, "e3")
    assert [problem.line for problem in audit.verify()] == [4]
    assert (anchored := audit.prove().anchor) is not None
    assert (anchored.first, anchored.seq) == (1, 5)


def test_the_note_goes_forward_only(folder: Path) -> None:
    write(Audit(folder), 3)
    anchor = AnchorFile(folder.parent)
    noted = anchor.read()
    anchor.write(Anchor(first=1, seq=2, hash="old"))
    assert anchor.read() == noted


def test_an_unreadable_record_is_said(folder: Path) -> None:
    write(Audit(folder), 1)
    (folder / "record.db").write_bytes(b"no database " * 1_000)
    with pytest.raises(AuditFailed, match="cannot be written: file is not a database"):
        Audit(folder).append(entry("x"))
    with pytest.raises(AuditFailed, match="cannot be read: file is not a database"):
        Audit(folder).last(1)


def test_what_belongs_to_an_ask_or_a_plan_is_found(folder: Path) -> None:
    audit = Audit(folder)
    for number in range(6):
        bound = replace(entry(f"e{number}"), ref=f"ask-{number % 2}", hash=f"plan-{number % 3}")
        audit.append(bound)
    assert [line.entry.asked for line in audit.find_ref("ask-1")] == ["e1", "e3", "e5"]
    assert [line.entry.asked for line in audit.find_hash("plan-0", after=1)] == ["e3"]
    assert audit.find_ref("ask-9") == []


def make_old(folder: Path, count: int, *, first: int = 1, head: bool = True) -> list[str]:
    """A record as version 0.6 kept it: two files and a head."""
    folder.mkdir()
    lines, before = list[str](), BEGIN if first == 1 else "9" * 64
    for seq in range(first, first + count):
        lines.append(write_line(entry(f"old{seq}"), seq, before))
        before = hash_line(lines[-1])
    (folder / f"audit-{first:012}.jsonl").write_text("".join(f"{line}\n" for line in lines[:2]))
    (folder / "audit.jsonl").write_text("".join(f"{line}\n" for line in lines[2:]))
    if head:
        sheet = {
            "seq": first + count - 1,
            "hash": before,
            "size": 9,
            "begins": 3,
            "first": first,
            "base": "9",
        }
        (folder / "audit.head").write_bytes(msgspec.json.encode(sheet))
    return lines


@pytest.mark.parametrize(("first", "head"), [(1, True), (5, True), (1, False)])
def test_a_record_in_files_is_taken_over_byte_for_byte(folder: Path, first: int, head: bool) -> None:
    lines = make_old(folder, 5, first=first, head=head)
    audit = Audit(folder)
    assert [line.seq for line in audit.last(9)] == list(range(first, first + 5))
    assert read_lines(folder) == lines
    write(audit, 1)
    assert audit.verify() == []
    assert audit.last(1)[0].seq == first + 5
    kept = b"".join(path.read_bytes() for path in sorted((folder / "before").glob("*.jsonl")))
    assert kept.decode().splitlines() == lines


def test_what_was_cut_off_a_record_in_files_is_still_reported(folder: Path) -> None:
    make_old(folder, 5)
    (folder / "audit.jsonl").write_text("")
    audit = Audit(folder)
    assert problems(audit) == ["the record: lines 3 to 5 are missing at the end"]
    write(audit, 1)
    assert problems(audit)[0] == "line 6: lines 3 to 5 are missing before it"


KILLED = """
import os, sys
from pathlib import Path
from tests.host.storage.test_audit import entry
from bascule.host.storage.audit import Audit
for number in range(10_000):
    Audit(Path(sys.argv[1])).append(entry(f"{sys.argv[2]}.{number}"))
    os.write(1, b".")
"""


@posix
def test_killed_at_any_moment_nothing_that_was_confirmed_is_lost(folder: Path) -> None:
    """Each round is killed after another line; what it had confirmed is there, and the chain is whole."""
    audit = Audit(folder)
    for step in range(8):
        with subprocess.Popen(
            [sys.executable, "-c", KILLED, str(folder), f"k{step}"],
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parents[3],
        ) as child:
            assert child.stdout is not None
            seen = len(child.stdout.read(1 + step))
            child.kill()
            seen += len(child.stdout.read())
        assert audit.append(entry(f"after {step}")) == ""
        assert audit.verify() == []
        finished = [f"k{step}.{number}" for number in range(seen)]
        assert [text for text in asked(audit) if text.startswith(f"k{step}.")][:seen] == finished
    assert [text for text in asked(audit) if text.startswith("after")] == [f"after {n}" for n in range(8)]


@posix
def test_a_full_disk_is_said_and_leaves_no_half_of_a_line(folder: Path) -> None:
    audit = Audit(folder)
    write(audit, 3)
    script = (
        "import resource; from pathlib import Path; import sys\n"
        "from tests.host.storage.test_audit import entry\n"
        "from bascule.host.storage.audit import Audit, AuditFailed\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4_000, 4_000))\n"
        "try: Audit(Path(sys.argv[1])).append(entry('x'))\n"
        "except AuditFailed as fault: print(fault)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(folder)],
        capture_output=True,
        cwd=Path(__file__).parents[3],
        text=True,
    )
    assert done.stdout.startswith(f"The record {folder / 'record.db'} cannot be written: "), done
    write(audit, 1, 3)
    assert (asked(audit), audit.verify()) == (["e0", "e1", "e2", "e3"], [])


@posix
def test_a_link_in_its_place_is_not_written_through(folder: Path, tmp_path: Path) -> None:
    folder.mkdir()
    (tmp_path / "victim").write_bytes(b"")
    (folder / "record.db").symlink_to(tmp_path / "victim")
    with pytest.raises(AuditFailed, match="cannot be written"):
        Audit(folder).append(entry("x"))
    assert (tmp_path / "victim").read_bytes() == b""


def test_who_is_here_has_a_surface() -> None:
    assert who_is_here("terminal").surface == "terminal"
    assert os.environ.get("USER", "") in (who_is_here("terminal").person, "")
