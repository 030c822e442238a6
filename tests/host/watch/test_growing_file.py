"""Files that others write: growing, torn, cut, replaced, huge, or no files at all."""

import errno
import os
import tracemalloc
from pathlib import Path

import pytest
from tests.core.watch.logs.rollouts import ID, WORDS, event, line, user

from bascule.core.watch.logs.tail_lines import MAX_LINE
from bascule.host.watch.faults import WatchFaults
from bascule.host.watch.growing_file import MAX_AT_ONCE, GrowingFile, NoFile
from bascule.host.watch.rollout_files import MAX_LISTED, MAX_TAIL, RolloutFiles
from bascule.host.watch.session_log import SessionLog


def texts(file: GrowingFile) -> list[bytes]:
    return [line.data for line in file.read()]


def test_only_what_is_new_is_given_and_a_torn_line_waits(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one\ntw")
    file = GrowingFile(str(path))
    assert texts(file) == [b"one"]
    assert texts(file) == []
    with path.open("ab") as out:
        out.write(b"o\nthree\n")
    assert texts(file) == [b"two", b"three"]


def test_a_file_that_is_cut_or_replaced_begins_again(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one\ntwo\nhalf")
    file = GrowingFile(str(path))
    assert texts(file) == [b"one", b"two"]
    path.write_bytes(b"new\n")
    assert (texts(file), file.restarted) == ([b"new"], True)
    other = tmp_path / "b"
    other.write_bytes(b"other, longer than before\n")
    other.replace(path)
    assert (texts(file), file.restarted) == ([b"other, longer than before"], True)
    assert (texts(file), file.restarted) == ([], False)


def test_a_file_cut_and_written_again_to_its_old_length_begins_again(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one\ntwo\nhalf")
    file = GrowingFile(str(path))
    assert texts(file) == [b"one", b"two"]
    path.write_bytes(b"first\nsecond, and longer\n")  # the same file: nothing else shows it
    assert (texts(file), file.restarted) == ([b"first", b"second, and longer"], True)
    assert (texts(file), file.restarted) == ([], False)


def test_a_huge_line_takes_bounded_memory_and_the_next_one_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with path.open("wb") as out:
        for _ in range(40):
            out.write(b"x" * 1024 * 1024)
        out.write(b"\nafter\n")
    file = GrowingFile(str(path))
    lines = file.read()
    tracemalloc.start()
    while file.has_more:
        lines += file.read()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [(len(line.data), line.is_cut) for line in lines] == [(MAX_LINE, True), (5, False)]
    assert peak < 4 * MAX_LINE
    assert file.offset > 4 * MAX_AT_ONCE


def test_a_pipe_does_not_hold_us_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NoFile):
        GrowingFile(str(tmp_path / "pipe")).read()


def rollout(home: Path, name: str, *words: str) -> Path:
    path = home / "sessions" / "2026" / "11" / "16" / f"rollout-{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(WORDS[word] + b"\n" for word in words))
    return path


def test_rollouts_are_found_read_and_followed(tmp_path: Path) -> None:
    path = rollout(tmp_path, ID, "meta", "started", "user", "call")
    files = RolloutFiles(str(tmp_path), WatchFaults())
    assert files.list_latest() == [str(path)]
    assert str(path.parent) in files.list_folders()
    signal, _ = files.read(str(path))
    assert signal is not None
    assert (signal.session, signal.status, signal.doing) == (ID, "working", "make test")
    with path.open("ab") as out:
        out.write(WORDS["complete"] + b"\n")
    signal, _ = files.read(str(path))
    assert signal is not None
    assert signal.status == "completed"


def test_a_session_without_a_prompt_is_not_reported(tmp_path: Path) -> None:
    path = rollout(tmp_path, ID, "meta", "started")
    assert RolloutFiles(str(tmp_path), WatchFaults()).read(str(path)) == (None, False)


def test_of_a_long_file_the_beginning_and_the_end_are_enough(tmp_path: Path) -> None:
    path = rollout(tmp_path, ID, "meta", "started", "user", "complete")
    filler = user("<environment_context>" + "x" * 1_000) + b"\n"
    with path.open("ab") as out:
        out.write(filler * 20_000)
        out.write(WORDS["started2"] + b"\n" + WORDS["user2"] + b"\n" + filler * 300)
    files = RolloutFiles(str(tmp_path), WatchFaults())
    signal, has_more = files.read(str(path))
    assert signal is not None
    assert (signal.session, signal.status, signal.cwd, has_more) == (ID, "working", "/p", False)
    assert signal.title == "Fix the bug"


NOISE = b'{"type": "event_msg", "payload": {"type": "token_count", "info": "' + b"x" * 1_000 + b'"}}\n'


@pytest.mark.parametrize(
    ("last", "status"),
    [
        ([], "unknown"),
        (["call"], "working"),
        (["call", "output"], "working"),
        (["assistant"], "working"),  # the file marks turns, so text alone ends none
        (["assistant", "complete"], "completed"),
    ],
)
def test_a_run_longer_than_what_is_read_is_on_the_board(tmp_path: Path, last: list[str], status: str) -> None:
    path = rollout(tmp_path, ID, "meta", "started", "user")
    with path.open("ab") as out:
        out.write(NOISE * (MAX_TAIL // len(NOISE) + 10))
        out.write(b"".join(WORDS[word] + b"\n" for word in last))
    signal, _ = RolloutFiles(str(tmp_path), WatchFaults()).read(str(path))
    assert signal is not None
    assert (signal.session, signal.status, signal.title) == (ID, status, "Fix the bug")


@pytest.mark.parametrize("shape", ["legacy", "paginated"])
def test_a_prompt_longer_than_what_is_read_is_a_prompt(tmp_path: Path, shape: str) -> None:
    """A picture is in the line of its prompt."""
    picture = {"type": "input_image", "image_url": "data:image/png;base64," + "A" * 2 * MAX_TAIL}
    said = {"type": "input_text", "text": 'What is "wrong" here?\nSee the picture'}
    item = {"type": "UserMessage", "id": "u1", "content": [{**said, "type": "text"}, picture]}
    prompt = {
        "legacy": line("response_item", {"type": "message", "role": "user", "content": [said, picture]}),
        "paginated": event("item_completed", turn_id="t1", item=item),
    }[shape]
    path = rollout(tmp_path, ID, "meta", "started")
    with path.open("ab") as out:
        out.write(prompt + b"\n" + WORDS["complete"] + b"\n")
    signal, _ = RolloutFiles(str(tmp_path), WatchFaults()).read(str(path))
    assert signal is not None
    assert (signal.status, signal.title) == ("completed", 'What is "wrong" here? See the picture')


def test_what_codex_adds_is_no_prompt_however_long_it_is(tmp_path: Path) -> None:
    path = rollout(tmp_path, ID, "meta")
    with path.open("ab") as out:
        out.write(user("# AGENTS.md instructions for /p\n" + "x" * 2 * MAX_TAIL) + b"\n")
    assert RolloutFiles(str(tmp_path), WatchFaults()).read(str(path)) == (None, False)


HUGE = 30 * 1024**3  # sparse: it takes no room on the disk


def test_a_file_of_many_gigabytes_is_read_at_its_ends(tmp_path: Path) -> None:
    path = rollout(tmp_path, ID, "meta", "started", "user", "complete")
    ends = b"\n" + WORDS["started2"] + b"\n" + WORDS["user2"] + b"\n"
    files = RolloutFiles(str(tmp_path), WatchFaults())
    log = SessionLog(str(path))
    first, _ = files.read(str(path))
    assert first is not None
    assert (first.status, len(log.read())) == ("completed", 4)
    with path.open("r+b") as out:  # it grows by that much at once
        out.seek(HUGE)
        out.write(ends)
    for follower in (files, RolloutFiles(str(tmp_path), WatchFaults())):  # one that knew it, and a new one
        signal, has_more = follower.read(str(path))
        assert signal is not None
        assert (signal.status, signal.title, has_more) == ("working", "Fix the bug", False)
    assert [line.data for line in log.read()[-2:]] == [WORDS["started2"], WORDS["user2"]]
    assert (log.restarted, log.is_tail, log.has_more) == (True, True, False)
    with path.open("ab") as out:
        out.write(WORDS["complete2"] + b"\n")
    signal, _ = files.read(str(path))
    assert signal is not None
    assert signal.status == "completed"
    assert ([line.data for line in log.read()], log.restarted) == ([WORDS["complete2"]], False)


def test_a_folder_that_cannot_be_read_and_a_file_that_goes_meanwhile_hide_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = rollout(tmp_path, ID, "meta", "user")
    closed = path.parent / "closed"
    closed.mkdir()
    real = os.scandir

    def scan(folder: str) -> object:
        if folder == str(closed):
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(folder)

    monkeypatch.setattr(os, "scandir", scan)
    faults = WatchFaults()
    files = RolloutFiles(str(tmp_path), faults)
    for _ in range(2):
        assert files.list_latest() == [str(path)]
    assert [where for where, _ in faults.said] == [str(closed)]
    with real(path.parent) as entries:
        (gone,) = [entry for entry in entries if entry.name == path.name]
    path.unlink()
    names: list[tuple[int, str]] = []
    RolloutFiles._sort_entry(gone, 0, [], names)
    assert names == []


def test_a_file_that_is_replaced_is_another_session(tmp_path: Path) -> None:
    path = rollout(tmp_path, ID, "meta", "user", "call")
    files = RolloutFiles(str(tmp_path), WatchFaults())
    files.read(str(path))
    path.write_bytes(WORDS["meta"] + b"\n" + WORDS["user"] + b"\n")
    signal, _ = files.read(str(path))
    assert signal is not None
    assert signal.evidence == "prompt"


def test_link_loops_and_unreadable_folders_do_no_harm(tmp_path: Path) -> None:
    path = rollout(tmp_path, ID, "meta", "user")
    (path.parent / "loop").symlink_to(tmp_path / "sessions")
    (path.parent / "linked.jsonl").symlink_to("/etc/passwd")
    faults = WatchFaults()
    files = RolloutFiles(str(tmp_path), faults)
    assert files.list_latest() == [str(path)]
    gone = path.with_name("gone.jsonl")
    assert files.read(str(gone)) == (None, False)
    os.mkfifo(gone)
    for _ in range(3):
        assert files.read(str(gone)) == (None, False)
    assert faults.said == ((str(gone), "it is not a file"),)


def test_empty_files_take_no_place_among_the_latest(tmp_path: Path) -> None:
    path = rollout(tmp_path, ID, "meta", "user")
    os.utime(path, (1, 1))
    rollout(tmp_path, "empty")
    assert RolloutFiles(str(tmp_path), WatchFaults()).list_latest() == [str(path)]


def test_only_the_latest_of_very_many_files_are_listed(tmp_path: Path) -> None:
    for number in range(MAX_LISTED + 50):
        path = rollout(tmp_path, f"x-{number}", "meta")
        os.utime(path, (number + 1, number + 1))
    latest = RolloutFiles(str(tmp_path), WatchFaults()).list_latest()
    assert len(latest) == MAX_LISTED
    assert latest[-1].endswith(f"x-{MAX_LISTED + 49}.jsonl")
