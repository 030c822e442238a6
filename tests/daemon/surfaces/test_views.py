"""What a surface watches: joined anywhere, it ends equal to the daemon; the list tells what changed."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace
from tests.daemon.hubs import ONE, make_session, open_hub

from bascule.agents.codex.events.change_sink import ChangeSink
from bascule.agents.codex.events.translator import Translator
from bascule.client.mirror import Mirror
from bascule.core.wire.outbox import MAX_WAITING
from bascule.daemon.sessions.hub import Hub
from bascule.daemon.surfaces.views import FIRST_CARDS, MAX_WHY, MORE_CARDS, CardsView, SyncView, make_card
from bascule.model.asks import Ask, QuestionsSubject
from bascule.model.blocks import FileEdit, SystemBlock
from bascule.model.changes import (
    AskClosed,
    AskOpened,
    BlockPut,
    Change,
    DriverSet,
    HiddenSet,
    QueueSet,
    StatusSet,
    TextGrew,
    TitleSet,
)
from bascule.model.ids import AskId, BlockId, PromptKey, RunId, SessionId
from bascule.model.protocol.sessions import Card
from bascule.model.session import LatestDiff, Prompt, Run, Session

PLAYS = sorted((Path(__file__).parents[2] / "plays").glob("codex-0.166-*.wire"))


def read_story(play: Path) -> list[Change]:
    """The Changes of the first session; a line at a time, so that no deltas are joined on the way."""
    sink = ChangeSink()
    translator = Translator(sink, lambda _call: None)
    story: list[Change] = []
    first = None
    for line in play.read_bytes().splitlines(keepends=True):
        if line.startswith(b"< "):
            translator.feed(line[2:])
            for thread, changes in sink.take()[0]:
                first = first or thread
                if thread == first:
                    story += changes
    return story


class FoldingSurface:
    """A surface that folds. It asks for what is new at every `stride`-th moment only."""

    def __init__(self, hub: Hub, joined_at: int) -> None:
        self.view = SyncView(ONE, hub.watch(ONE))
        self.gaps = 0
        self.mirror = Mirror(ONE, on_gap=self._notice)
        self.stride = 1 + joined_at % 4

    def _notice(self) -> None:
        self.gaps += 1

    def look(self) -> list[str]:
        methods = []
        for frame in self.view.frames():
            message = msgspec.json.decode(frame, type=dict[str, Raw])
            methods.append(json.loads(bytes(message["method"])))
            self.mirror.feed(methods[-1], message["params"])
        return methods


def timeless(session: Session) -> Session:
    """When it last changed is set by the owner's clock, not by a Change."""
    return replace(session, updated_at_ms=0)


@contextmanager
def hub_of_one(path: Path) -> Iterator[Hub]:
    with open_hub(path / "db") as hub:
        hub.add(make_session())
        yield hub


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.stem)
async def test_joining_a_recorded_session_after_any_change_ends_equal_to_the_daemons(
    tmp_path: Path, play: Path
) -> None:
    story = read_story(play)
    with hub_of_one(tmp_path) as hub:
        onlookers = [FoldingSurface(hub, 0)]
        for moment, change in enumerate(story, 1):
            hub.apply(ONE, [change])
            for onlooker in onlookers:
                if moment % onlooker.stride == 0:
                    onlooker.look()
            onlookers.append(FoldingSurface(hub, moment))
        wanted = timeless(hub.session(ONE))
        for onlooker in onlookers:
            onlooker.look()
            assert timeless(onlooker.mirror.session()) == wanted
            assert onlooker.gaps == 0
    assert len(onlookers) == len(story) + 1 > 5


async def test_a_snapshot_comes_once_and_then_changes_with_their_numbers(tmp_path: Path) -> None:
    with hub_of_one(tmp_path) as hub:
        hub.apply(ONE, [StatusSet("working")])
        view = SyncView(ONE, hub.watch(ONE))
        [snapshot] = map(json.loads, view.frames())
        assert (snapshot["method"], snapshot["params"]["seq"]) == ("session.snapshot", 1)
        assert view.frames() == []
        hub.apply(ONE, [TextGrew(BlockId("a"), "text", "It "), TextGrew(BlockId("a"), "text", "rises.")])
        hub.apply(ONE, [StatusSet("completed")])
        [changed] = map(json.loads, view.frames())
        assert changed["method"] == "session.changed"
        assert changed["params"] == {
            "session_id": ONE,
            "after": 1,
            "seq": 4,
            "changes": [
                {"change": "textGrew", "block": "a", "field": "text", "text": "It rises."},
                {"change": "statusSet", "status": "completed"},
            ],
        }


async def test_a_view_that_fell_behind_begins_anew(tmp_path: Path) -> None:
    with hub_of_one(tmp_path) as hub:
        onlooker = FoldingSurface(hub, 0)
        assert onlooker.look() == ["session.snapshot"]
        for number in range(MAX_WAITING + 1):
            hub.apply(ONE, [BlockPut(SystemBlock(id=BlockId(f"b{number}"), text="x"))])
        assert onlooker.look() == ["session.snapshot"]
        hub.apply(ONE, [StatusSet("completed")])
        assert onlooker.look() == ["session.changed"]
        assert timeless(onlooker.mirror.session()) == timeless(hub.session(ONE))


async def test_a_frame_that_is_lost_is_a_gap_until_a_snapshot_comes(tmp_path: Path) -> None:
    with hub_of_one(tmp_path) as hub:
        onlooker = FoldingSurface(hub, 0)
        onlooker.look()
        hub.apply(ONE, [TitleSet("lost", "person")])
        onlooker.view.frames()
        for _ in range(3):
            hub.apply(ONE, [StatusSet("working")])
            onlooker.look()
        assert onlooker.gaps == 1  # asked for once, however much comes meanwhile
        assert onlooker.mirror.head().title != "lost"  # what it had can still be looked at
        onlooker.view.close()
        onlooker.view = SyncView(ONE, hub.watch(ONE))
        hub.apply(ONE, [StatusSet("completed")])
        onlooker.look()
        assert timeless(onlooker.mirror.session()) == timeless(hub.session(ONE))


async def test_a_closed_view_gets_nothing(tmp_path: Path) -> None:
    with hub_of_one(tmp_path) as hub:
        view = SyncView(ONE, hub.watch(ONE))
        view.frames()
        view.close()
        hub.apply(ONE, [StatusSet("working")])
        assert view.frames() == []


# -- the list --


class Listing:
    def __init__(self, hub: Hub) -> None:
        self._view = CardsView(hub, hub.watch_list(asyncio.Event()))

    def take(self) -> list[tuple[bool, list[str]]]:
        params = [json.loads(frame)["params"] for frame in self._view.frames()]
        return [(cards["whole"], [card["session_id"] for card in cards["cards"]]) for cards in params]


async def test_all_cards_come_once_the_latest_first(tmp_path: Path) -> None:
    with open_hub(tmp_path / "db") as hub:
        for number in range(3):
            hub.add(make_session(f"s{number}", updated_at_ms=number))
        listing = Listing(hub)
        assert listing.take() == [(True, ["s2", "s1", "s0"])]
        assert listing.take() == []


@pytest.mark.parametrize(
    "change",
    [
        StatusSet("working"),
        TitleSet("A bridge", "person"),
        HiddenSet(True),
        DriverSet("one (1234)"),
        QueueSet((Prompt(key=PromptKey("k"), text="next"),)),
        AskOpened(Ask(id=AskId("a"), title="?", subject=QuestionsSubject(questions=()), choices=())),
        AskClosed(AskId("a"), "answered"),
    ],
    ids=lambda change: type(change).__name__,
)
async def test_what_a_card_shows_marks_it(tmp_path: Path, change: Change) -> None:
    with hub_of_one(tmp_path) as hub:
        listing = Listing(hub)
        listing.take()
        hub.apply(ONE, [change])
        hub.apply(ONE, [change])
        assert listing.take() == [(False, [ONE])]


async def test_what_a_card_does_not_show_leaves_it_alone(tmp_path: Path) -> None:
    with hub_of_one(tmp_path) as hub:
        listing = Listing(hub)
        listing.take()
        hub.apply(
            ONE, [TextGrew(BlockId("a"), "text", "x"), BlockPut(SystemBlock(id=BlockId("b"), text="x"))]
        )
        assert listing.take() == []


async def test_a_new_session_is_a_new_card(tmp_path: Path) -> None:
    with hub_of_one(tmp_path) as hub:
        listing = Listing(hub)
        listing.take()
        hub.add(make_session("s_two"))
        assert listing.take() == [(False, ["s_two"])]


def test_a_card_is_a_session_in_one_line() -> None:
    ask = Ask(id=AskId("a"), title="?", subject=QuestionsSubject(questions=()), choices=())
    session = make_session(
        title="A bridge",
        status="waiting_user",
        asks=(ask,),
        queue=(Prompt(key=PromptKey("k"), text="next"),) * 2,
        hidden=True,
        driver="one (1234)",
        parent=SessionId("s_parent"),
        updated_at_ms=2,
        created_at_ms=1,
    )
    assert make_card(session) == Card(
        session_id=ONE,
        title="A bridge",
        workspace=session.workspace,
        status="waiting_user",
        asks=1,
        queued=2,
        hidden=True,
        driver="one (1234)",
        parent="s_parent",
        updated_at_ms=2,
        created_at_ms=1,
    )


def test_a_card_says_what_the_latest_run_has_changed_and_nothing_of_those_before() -> None:
    files = (FileEdit(path="a", change="add", additions=3), FileEdit(path="b", change="update", deletions=2))
    first, second = Run(id=RunId("r1"), started_at_ms=5), Run(id=RunId("r2"), started_at_ms=9)
    diff = LatestDiff(unified="", files=files, run=first.id)
    now = make_card(make_session(runs=(first,), diff=diff))
    assert (now.run_at_ms, now.files, now.additions, now.deletions) == (5, 2, 3, 2)
    later = make_card(make_session(runs=(first, second), diff=diff))
    assert (later.run_at_ms, later.files, later.additions, later.deletions) == (9, 0, 0, 0)


def test_a_card_says_why_the_latest_run_failed_and_when() -> None:
    why = "The model is overloaded.\nTry again later. " + "x" * 500
    card = make_card(make_session(runs=(Run(id=RunId("r"), outcome="failed", ended_at_ms=7, why=why),)))
    assert card.why.startswith("The model is overloaded. Try again later. x")
    assert (len(card.why), card.run_ended_at_ms) == (MAX_WHY, 7)


def cards_of(view: CardsView) -> list[tuple[bool, list[str]]]:
    """Of each frame: whether it begins the list anew, and whose cards it holds."""
    messages = [json.loads(frame)["params"] for frame in view.frames()]
    return [(params["whole"], [card["session_id"] for card in params["cards"]]) for params in messages]


async def test_a_long_list_begins_with_the_latest_and_goes_on_in_pieces(tmp_path: Path) -> None:
    count = FIRST_CARDS + 2 * MORE_CARDS + 5
    with open_hub(tmp_path / "db") as hub:
        for number in range(count):
            hub.add(make_session(f"s_{number}", updated_at_ms=number))
        wanted = [head.id for head in hub.heads()]
        assert (wanted[0], wanted[-1]) == (f"s_{count - 1}", "s_0")
        view = CardsView(hub, hub.watch_list(asyncio.Event()))
        assert cards_of(view) == [(True, wanted[:FIRST_CARDS])]
        at = FIRST_CARDS
        assert cards_of(view) == [(False, wanted[at : at + MORE_CARDS])]
        hub.apply(SessionId("s_1"), [TitleSet("changed meanwhile", "person")])  # its turn has not come yet
        [(whole, second)] = cards_of(view)
        assert (whole, second[0]) == (False, "s_1")
        assert second[1:] == wanted[at + MORE_CARDS : at + 2 * MORE_CARDS]
        assert cards_of(view) == [(False, wanted[-5:])]
        assert cards_of(view) == []


async def test_an_empty_list_is_sent_once(tmp_path: Path) -> None:
    with open_hub(tmp_path / "db") as hub:
        view = CardsView(hub, hub.watch_list(asyncio.Event()))
        assert cards_of(view) == [(True, [])]
        assert cards_of(view) == []
