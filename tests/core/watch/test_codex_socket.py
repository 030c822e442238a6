"""Codex's shared daemon: a recorded conversation, and one that lies."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bascule.core.watch.board import Board
from bascule.core.watch.codex_socket import MAX_THREADS, SocketReader
from bascule.core.watch.labels import MAX_PATH, MAX_READ

PLAYS = Path(__file__).parents[2] / "plays" / "watch"
MAIN = "01a1e2e1-9688-71e0-afcf-a846f82f276f"


def rows() -> list[tuple[str, Any]]:
    """The recording cuts long lines: of those, what is there is enough to tell a thread that is hidden."""
    found = []
    for row in (PLAYS / "codex-0.166-shared-socket.log").read_text().splitlines():
        _, method, said = row.split(" ", 2)
        try:
            found.append((method, json.loads(said)))
        except ValueError:
            head = said.split(', "agentNickname"')[0].removesuffix(",")
            found.append((method, json.loads(head + "}}")))
    return found


def test_a_recorded_terminal_goes_through_its_statuses_and_title_threads_stay_hidden() -> None:
    reader, board, seen = SocketReader(), Board(), []
    for method, said in rows():
        for signal in reader.feed(method, said, 5):
            board.feed(signal, 5)
            if signal.session == MAIN:
                seen.append((signal.status, signal.doing))
    assert seen == [
        ("working", ""),
        ("waiting_user", "an approval"),
        ("working", ""),
        ("completed", ""),
        ("working", ""),
        ("completed", ""),  # after Esc
    ]
    assert [one.their_id for one in board.all()] == [MAIN]


def status(kind: str, *flags: str) -> dict[str, Any]:
    return {"threadId": "t", "status": {"type": kind, "activeFlags": list(flags)}}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (status("active"), "working"),
        (status("active", "waitingOnApproval"), "waiting_user"),
        (status("active", "waitingOnUserInput"), "waiting_user"),
        (status("active", "waitingOnSomethingNew"), "waiting_user"),
        (status("active", "compacting"), "working"),
        (status("idle"), "completed"),
        (status("notLoaded"), "unknown"),
        (status("systemError"), "unknown"),
        (status("active, waiting"), "unknown"),  # our own word, and not theirs
    ],
)
def test_each_status_means_one_of_ours(said: dict[str, Any], expected: str) -> None:
    signal = SocketReader().feed("thread/status/changed", said, 1)
    assert [one.status for one in signal] == [expected]


@pytest.mark.parametrize(
    "said",
    [
        None,
        [],
        {},
        {"threadId": 4},
        {"threadId": "t"},
        {"threadId": "t", "status": "idle"},
        {"threadId": "x" * 999},
    ],
)
def test_a_notification_without_sense_says_nothing(said: Any) -> None:
    assert SocketReader().feed("thread/status/changed", said, 1) == []
    assert SocketReader().feed("thread/started", said, 1) == []


def test_a_thread_is_described_and_named_and_leaves() -> None:
    reader = SocketReader()
    thread = {"id": "t", "cwd": "/p", "preview": "do it\nplease", "status": {"type": "idle"}}
    assert reader.needs_look("t")
    (signal,) = reader.take(thread)
    assert (signal.status, signal.cwd, signal.title, signal.hidden) == ("completed", "/p", "do it", False)
    assert not reader.needs_look("t")
    (named,) = reader.feed("thread/name/updated", {"threadId": "t", "threadName": "Mine"}, 1)
    assert named.title == "Mine"
    (closed,) = reader.feed("thread/closed", {"threadId": "t"}, 1)
    assert closed.status == "unknown"


def test_sub_agents_are_hidden() -> None:
    (signal,) = SocketReader().take({"id": "t", "parentThreadId": "p"})
    assert signal.hidden


def test_a_lost_connection_takes_back_all_that_it_said() -> None:
    reader, board = SocketReader(), Board()
    for signal in [*reader.feed("thread/status/changed", status("active"), 1), *reader.lose()]:
        board.feed(signal, 1)
    (shown,) = board.all()
    assert (shown.status, shown.evidence) == ("unknown", "connection lost")
    assert reader.lose() == []


def test_threads_have_a_ceiling() -> None:
    reader = SocketReader()
    for number in range(MAX_THREADS + 10):
        reader.feed("thread/status/changed", {**status("idle"), "threadId": str(number)}, 1)
        reader.take({"id": f"x{number}"})
    assert len(reader._threads) <= MAX_THREADS


def test_above_the_ceiling_nothing_is_left_that_a_lost_connection_does_not_take_back() -> None:
    reader, said = SocketReader(), set()
    for number in range(MAX_THREADS + 10):
        thread = {"id": str(number), "status": {"type": "active"}}
        said |= {signal.session for signal in reader.feed("thread/started", {"thread": thread}, 1)}
    assert len(said) == MAX_THREADS
    assert {signal.session for signal in reader.lose()} == said


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
)


@given(
    st.sampled_from(["thread/started", "thread/status/changed", "thread/closed", "thread/name/updated", "x"]),
    json_values,
)
def test_no_message_raises(method: str, params: Any) -> None:
    reader = SocketReader()
    reader.feed(method, params, 1)
    reader.feed(method, {"thread": params, "threadId": "t", "status": params, "name": params}, 1)


LONG = "long name " * 30_000


def test_what_is_too_long_is_cut_at_the_door_and_an_id_that_is_too_long_is_none() -> None:
    reader = SocketReader()
    thread = {"id": "t", "name": LONG, "cwd": LONG, "preview": LONG, "gitInfo": {"branch": LONG}}
    state = {"type": "active", "activeFlags": ["waitingOn" + LONG]}
    signals = [
        *reader.feed("thread/started", {"thread": {**thread, "status": state}}, 1),
        *reader.feed("thread/name/updated", {"threadId": "t", "threadName": LONG + "2"}, 1),
        *reader.feed("thread/status/changed", {"threadId": "t", "status": {"type": LONG}}, 1),
    ]
    texts = [getattr(one, field) for one in signals for field in ("title", "cwd", "branch", "doing")]
    assert len(signals) == 2  # the second name is the same, as far as it is read
    assert max(map(len, texts)) <= MAX_PATH
    assert max(len(one.title) for one in signals) <= MAX_READ
    assert reader.feed("thread/started", {"thread": {**thread, "id": LONG}}, 1) == []


def test_what_says_the_same_again_is_no_news() -> None:
    reader = SocketReader()
    said = [reader.feed("thread/status/changed", status(kind), at) for at, kind in enumerate(["active"] * 5)]
    assert [len(signals) for signals in said] == [1, 0, 0, 0, 0]
    assert len(reader.feed("thread/status/changed", status("idle"), 9)) == 1
    assert [one.evidence for one in reader.lose()] == ["connection lost"]
    assert len(reader.feed("thread/status/changed", status("idle"), 10)) == 1
