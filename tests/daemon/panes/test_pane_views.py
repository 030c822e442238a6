"""What one surface is sent of panes: the last of several changes, and bytes only as fast as it shows them."""

import asyncio

import msgspec
from tests.daemon.panes.panes import make_terminal

from bascule.core.wire import rpc
from bascule.daemon.panes.pane_terminal import MAX_BEHIND, MAX_KEPT
from bascule.daemon.panes.pane_views import MAX_PIECE, MAX_PIECES, PanesView, PaneView
from bascule.model.protocol.panes import PaneOutputNotify, PanesNotify


def pieces(view: PaneView) -> list[tuple[int, int, bool]]:
    """Where each begins, how long it is, and whether the screen begins again with it."""
    found = []
    for frame in view.frames():
        said = rpc.parse_frame(frame)
        assert isinstance(said, rpc.Notification)
        piece = msgspec.json.decode(said.params, type=PaneOutputNotify)
        found.append((piece.offset, len(piece.data), piece.reset))
    return found


def test_of_several_changes_to_one_pane_the_last_is_sent() -> None:
    news, seen = asyncio.Event(), [False]
    view = PanesView(news, may_see=lambda: seen[0], on_closed=lambda _view: None)
    pane = make_terminal().describe()
    for pane_id, now in (("one", pane), ("one", None), ("two", pane)):
        view.put(pane_id, now)
    assert (view.frames(), news.is_set()) == ([], True)  # it may not see panes yet
    seen[0] = True
    (frame,) = view.frames()
    said = rpc.parse_frame(frame)
    assert isinstance(said, rpc.Notification)
    assert msgspec.json.decode(said.params, type=PanesNotify) == PanesNotify(panes=(pane,), gone=("one",))
    assert view.frames() == []


def test_bytes_come_in_pieces_and_stop_until_they_are_shown() -> None:
    pane, news = make_terminal(), asyncio.Event()
    view = PaneView(pane, news, 0)
    pane.feed(b"x" * (MAX_BEHIND + 10))
    sent = []
    while got := pieces(view):
        assert len(got) <= MAX_PIECES
        sent += got
    assert sent == [(at, MAX_PIECE, False) for at in range(0, MAX_BEHIND, MAX_PIECE)]
    view.acknowledge(MAX_BEHIND)
    assert pieces(view) == [(MAX_BEHIND, 10, False)]


def test_one_that_fell_too_far_behind_begins_again_with_what_is_kept() -> None:
    pane, news = make_terminal(), asyncio.Event()
    pane.feed(b"seen")
    view = PaneView(pane, news, 0)
    assert pieces(view) == [(0, 4, False)]
    pane.feed(b"y" * MAX_KEPT + b"zz")
    assert pieces(view) == []  # it is still busy with what it got
    view.acknowledge(4)
    assert pieces(view)[0] == (6, MAX_PIECE, True)
