"""Claude's live registry: recorded files, other shapes, and the process behind them."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bascule.core.watch.board import Board
from bascule.core.watch.hook_lines import HookReader
from bascule.core.watch.registry import (
    MAX_BYTES,
    ProcessFacts,
    is_registry_file,
    is_same_process,
    make_signal,
    parse_registry,
)

PLAYS = Path(__file__).parents[2] / "plays" / "watch"
HERE = "pid:[4026531836]"


def play(name: str) -> list[tuple[str, str]]:
    """What the board shows after each recorded step: status, and what it waits for."""
    board, last = Board(), None
    seen: list[tuple[str, str]] = []
    for row in (PLAYS / name).read_text().splitlines():
        _, _file, said = row.split(" ", 2)
        if said != "GONE":
            last = parse_registry(said.encode())
        assert last is not None
        board.feed(make_signal(last, said != "GONE"), 1)
        shown = board.find(f"claude:{last.session}")
        assert shown is not None
        seen.append((shown.status, shown.doing))
    return seen


def test_a_recorded_session_goes_through_its_statuses_and_an_esc_is_seen() -> None:
    plain = [status for status, _ in play("claude-2.1.325-live-registry-1.log")]
    assert plain == [
        *("unknown", "completed", "working", "completed", "working", "completed", "working", "completed"),
        *("stopped", "unknown", "completed"),
    ]


def test_a_recorded_permission_prompt_waits_for_the_person() -> None:
    assert play("claude-2.1.325-live-registry-2.log") == [
        ("unknown", ""),
        ("completed", ""),
        ("working", ""),
        ("waiting_user", "permission prompt"),
        ("working", ""),
        ("completed", ""),
        ("stopped", ""),
    ]


ENTRY = {"pid": 7, "sessionId": "s", "procStart": "91727", "startedAt": 5_000, "status": "busy"}


@pytest.mark.parametrize(
    ("facts", "same"),
    [
        (ProcessFacts(is_there=False), False),
        (ProcessFacts(is_there=True, proc_start="91727"), True),
        (ProcessFacts(is_there=True, proc_start="99999"), False),  # the pid was given again
        (ProcessFacts(is_there=True, created_at_ms=4_900), True),
        (ProcessFacts(is_there=True, created_at_ms=9_000), False),
        (ProcessFacts(is_there=True), None),
    ],
)
def test_a_pid_counts_only_for_the_process_that_wrote_the_file(
    facts: ProcessFacts, same: bool | None
) -> None:
    entry = parse_registry(json.dumps(ENTRY).encode())
    assert entry is not None
    assert is_same_process(entry, facts) is same


def test_a_pid_of_another_process_table_cannot_be_checked_and_so_says_nothing() -> None:
    entry = parse_registry(json.dumps({**ENTRY, "pidDomain": "linux:aa:pid:[1]"}).encode())
    assert entry is not None
    same = is_same_process(entry, ProcessFacts(is_there=False, pid_domain=HERE))
    assert same is None
    assert make_signal(entry, same).status == "unknown"


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"status": "busy"}, "working"),
        ({"status": "idle"}, "completed"),
        ({"status": "waiting"}, "waiting_user"),
        ({"status": "shell"}, "working"),
        ({"status": "dreaming"}, "unknown"),
        ({"status": 4}, "unknown"),
        ({"status": "process ended"}, "unknown"),  # our own word, and not theirs
        ({"status": None}, "unknown"),
    ],
)
def test_each_word_means_one_status_and_others_fall_back(change: dict[str, object], status: str) -> None:
    entry = parse_registry(json.dumps({**ENTRY, **change}).encode())
    assert entry is not None
    assert make_signal(entry, True).status == status


def test_a_background_command_is_work_and_no_old_question_comes_back() -> None:
    """Claude says `shell` when its run is over and a command of it still runs."""
    board = Board()
    asked = json.dumps(
        {"source": "claude", "event": "waiting_user", "session_id": "s", "hook": "PermissionRequest"}
    )
    permission = HookReader().feed(asked.encode())
    assert permission is not None
    board.feed(permission, 1)
    for status in ("busy", "shell"):
        entry = parse_registry(json.dumps({**ENTRY, "status": status}).encode())
        assert entry is not None
        board.feed(make_signal(entry, True), 2)
    shown = board.find("claude:s")
    assert shown is not None
    assert (shown.status, shown.doing) == ("working", "a background command")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"pid": 1}',
        b'{"pid": true, "sessionId": "s"}',
        b'{"pid": -4, "sessionId": "s"}',
        b'{"pid": "7", "sessionId": "s"}',
        b'{"pid": 7, "sessionId": ""}',
        b" " * (MAX_BYTES + 1),
        b"[" * 5_000,
    ],
)
def test_what_is_no_entry_is_none(data: bytes) -> None:
    assert parse_registry(data) is None


@given(st.dictionaries(st.sampled_from(sorted(ENTRY)), st.none() | st.text() | st.integers() | st.floats()))
def test_no_shape_of_an_entry_raises(change: dict[str, object]) -> None:
    entry = parse_registry(json.dumps({**ENTRY, **change}).encode())
    if entry is not None:
        assert make_signal(entry, True).status in ("unknown", "working")


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("23562.json", True),
        ("pid-23562.json", True),
        ("23562.key", False),
        ("23562.json.key", False),
        ("a.json", False),
        ("../1.json", False),
    ],
)
def test_key_files_are_never_looked_at(name: str, counts: bool) -> None:
    assert is_registry_file(name) is counts
