"""What a surface is sent of the board: everything first, then changes; a slow one gets everything again."""

import asyncio
import json

import pytest

from bascule.daemon.watch import board_feed
from bascule.daemon.watch.board_feed import BoardFeed
from bascule.model.protocol.board import BoardNotify
from bascule.model.watch import WatchedSession


def line(key: str, doing: str = "", evidence: str = "") -> WatchedSession:
    return WatchedSession(
        key=key, agent="a", their_id=key, status="working", source="rollout", evidence=evidence, doing=doing
    )


def feed() -> BoardFeed:
    return BoardFeed(
        asyncio.Event(), lambda: BoardNotify(sessions=(line("all"),), whole=True), lambda _: None
    )


def sent(board: BoardFeed) -> list[tuple[bool, list[tuple[str, str]]]]:
    params = [json.loads(frame)["params"] for frame in board.frames()]
    return [(one["whole"], [(s["key"], s.get("doing", "")) for s in one["sessions"]]) for one in params]


def test_nothing_before_it_is_open_and_everything_first() -> None:
    board = feed()
    board.put(line("early"))
    assert sent(board) == []
    board.open()
    assert sent(board) == [(True, [("all", "")])]
    assert sent(board) == []


def test_changes_come_in_order_and_those_that_say_no_more_are_joined() -> None:
    board = feed()
    board.open()
    board.frames()
    for one in (line("a", "ls"), line("a", "make"), line("a", "make", "tool"), line("b")):
        board.put(one)
    assert sent(board) == [(False, [("a", "make"), ("a", "make"), ("b", "")])]


def test_one_that_is_slow_gets_everything_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_feed, "MAX_WAITING", 3)
    board = feed()
    board.open()
    board.frames()
    for number in range(5):
        board.put(line(str(number)))
    assert sent(board) == [(True, [("all", "")])]
