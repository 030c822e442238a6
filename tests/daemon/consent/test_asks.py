"""The owner of Asks: the first answer wins, is checked once, is on record first, and each Ask has one end."""

import asyncio
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path

import msgspec
import pytest
from tests.daemon.hubs import NOW_MS, ONE, make_session, open_hub

from bascule.core.consent.answer_check import TOO_LATE
from bascule.core.consent.ask_subjects import MIXED_FILES
from bascule.daemon.agents.roster import Roster
from bascule.daemon.consent.asks import MACHINE, MOVED, Asks
from bascule.daemon.consent.record import Record
from bascule.daemon.sessions.hub import Hub
from bascule.host.processes.tasks import Tasks
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.asks import Answer, Ask, Choice, CommandSubject, FilesSubject, RealPath, Refuse
from bascule.model.blocks import FileEdit
from bascule.model.changes import AskClosed, AskOpened
from bascule.model.consent.audit import Local, Outside
from bascule.model.ids import AskId, SessionId

YES, NO = Choice(id="accept", label="Yes", grants=True), Choice(id="decline", label="No", grants=False)
MAKE = CommandSubject(command="make", original="make", cwd="/w")
AGENTS = Ask(id=AskId("e-0"), title="Run this?", subject=MAKE, choices=(YES, NO))


class FakeAgent:
    def __init__(self, hub: Hub) -> None:
        self.heard: list[Answer] = []
        self._hub = hub

    def answer(self, answer: Answer) -> Refuse | None:
        self.heard.append(answer)
        self._hub.apply(ONE, [AskClosed(answer.ask, "answered", choice=answer.choice, by=answer.by)])
        return None


class Scene:
    def __init__(self, root: Path, hub: Hub) -> None:
        self.hub, self.agent = hub, FakeAgent(hub)
        self.record = Record(root, lambda: NOW_MS)
        self.reasons: list[str] = []
        self.is_stored = asyncio.Event()
        self.is_stored.set()
        numbers = count(1)
        hub.add(make_session(workspace="/w"))

        async def find_agent(_session: SessionId) -> FakeAgent:
            return self.agent

        async def settle(_session: SessionId) -> None:
            await self.is_stored.wait()

        self.asks = Asks(
            hub=hub,
            roster=Roster(hub),
            record=self.record,
            find_agent=find_agent,
            settle=settle,
            new_id=lambda prefix: f"{prefix}-{next(numbers)}",
            now_ms=lambda: NOW_MS,
        )
        self.asks.say_reason = self._hear_reason
        self._audit = Audit(audit_in(root))

    async def _hear_reason(self, _session: SessionId, answer: Answer) -> None:
        await asyncio.sleep(0)
        assert answer not in self.agent.heard  # or the agent could be done before it hears why
        self.reasons.append(answer.reason)

    async def recorded(self) -> list[tuple[str, str, str]]:
        await self.record.written()
        return [(e.ref, e.answer, e.outcome) for e in (line.entry for line in self._audit.last(100))]

    def open(self, session: SessionId = ONE) -> list[str]:
        found = self.hub.find(session)
        return [ask.id for ask in found.asks] if found else []


@pytest.fixture
async def scene(tmp_path: Path) -> AsyncIterator[Scene]:
    with open_hub(tmp_path / "db") as hub:
        scene = Scene(tmp_path, hub)
        yield scene
        await scene.record.close()


async def test_an_answer_is_checked_once_and_a_wrong_one_leaves_the_ask_open(scene: Scene) -> None:
    scene.hub.apply(ONE, [AskOpened(AGENTS)])
    refused = await scene.asks.answer(ONE, Answer(ask=AGENTS.id, choice="yes to everything"))
    assert refused == Refuse("'yes to everything' is not one of this Ask's answers: accept, decline")
    torn = await scene.asks.answer(ONE, Answer(ask=AGENTS.id, choice="decline", reason="\udc80"))
    assert torn == Refuse("The answer holds bytes that are not text. Type it again.")
    assert (scene.open(), scene.agent.heard, await scene.recorded()) == ([AGENTS.id], [], [])


async def test_no_answer_is_recorded_or_given_before_its_question_is_stored(scene: Scene) -> None:
    """A crash at that moment would leave a yes to a question that nobody finds."""
    scene.is_stored.clear()
    scene.hub.apply(ONE, [AskOpened(AGENTS)])
    yes, no = (Answer(ask=AGENTS.id, choice=choice) for choice in ("accept", "decline"))

    async def accept() -> None:
        assert await scene.asks.answer(ONE, yes) is None

    async with Tasks() as tasks:
        answering = tasks.start("answer", accept())
        await asyncio.sleep(0)
        assert await scene.asks.answer(ONE, no) == TOO_LATE
        assert (scene.agent.heard, await scene.recorded()) == ([], [])
        scene.is_stored.set()
        await answering
    assert await scene.recorded() == [(AGENTS.id, "yes", "done")]


async def test_a_yes_does_not_count_where_a_link_leads_elsewhere_since(scene: Scene, tmp_path: Path) -> None:
    workspace, other = tmp_path / "w", tmp_path / "other"
    for folder in (workspace / "cfg", other):
        folder.mkdir(parents=True)
    scene.hub.add(make_session("two", workspace=str(workspace)))
    files = FilesSubject(files=(FileEdit(path="cfg/x.sh", change="add"),))
    asked = Ask(id=AskId("f"), title="Write these files?", subject=files, choices=(YES, NO))
    scene.hub.apply(SessionId("two"), [AskOpened(asked)])
    (workspace / "cfg").rmdir()
    (workspace / "cfg").symlink_to(other)
    assert await scene.asks.answer(SessionId("two"), Answer(ask=asked.id, choice="accept")) == MOVED
    assert (scene.agent.heard, await scene.recorded()) == ([], [])
    head = scene.hub.find(SessionId("two"))
    assert head is not None
    [shown] = head.asks
    leads = RealPath(path="cfg/x.sh", real=str(other / "x.sh"), is_outside=True)
    assert (shown.subject, shown.shown) == (FilesSubject(files=files.files, links=(leads,), mixed=True), 1)
    assert shown.choices == (NO,)  # it could be made to lead anywhere between a yes and the write
    (workspace / "inner").mkdir()
    (workspace / "cfg").unlink()
    (workspace / "cfg").symlink_to(workspace / "inner")
    inner = msgspec.structs.replace(asked, id=AskId("g"))
    scene.hub.apply(SessionId("two"), [AskOpened(inner)])
    yes = Answer(ask=inner.id, choice="accept")
    assert await scene.asks.answer(SessionId("two"), yes) == MOVED
    assert await scene.asks.answer(SessionId("two"), yes) == MOVED, "it was given to what was shown before"
    assert (scene.agent.heard, await scene.recorded()) == ([], [])
    assert await scene.asks.answer(SessionId("two"), msgspec.structs.replace(yes, shown=1)) is None
    assert await scene.recorded() == [(inner.id, "yes", "done")]


async def test_a_yes_does_not_count_where_a_file_has_come_to_lie_outside_beside_one_inside(
    scene: Scene, tmp_path: Path
) -> None:
    workspace, other = tmp_path / "w", tmp_path / "other"
    workspace.mkdir()
    other.mkdir()
    scene.hub.add(make_session("two", workspace=str(workspace)))
    edits = tuple(FileEdit(path=path, change="add") for path in ("plain/x.sh", str(other / "ok.txt")))
    asked = Ask(id=AskId("f"), title="Write?", subject=FilesSubject(files=edits), choices=(YES, NO))
    scene.hub.apply(SessionId("two"), [AskOpened(asked)])
    assert await scene.asks.answer(SessionId("two"), Answer(ask=asked.id, choice="accept")) == MOVED
    again = await scene.asks.answer(SessionId("two"), Answer(ask=asked.id, choice="accept"))
    assert again == Refuse("'accept' is not one of this Ask's answers: decline")
    no = Answer(ask=asked.id, choice="decline", reason=MIXED_FILES)
    assert await scene.asks.answer(SessionId("two"), no) is None
    assert [answer.choice for answer in scene.agent.heard] == ["decline"]
    assert (scene.reasons, await scene.recorded()) == ([MIXED_FILES], [(asked.id, "no", "done")])


async def test_the_first_of_two_answers_wins_and_is_on_record_once(scene: Scene) -> None:
    scene.hub.apply(ONE, [AskOpened(AGENTS)])
    both = await asyncio.gather(
        scene.asks.answer(ONE, Answer(ask=AGENTS.id, choice="decline", by="a", reason="not now")),
        scene.asks.answer(ONE, Answer(ask=AGENTS.id, choice="accept", by="b")),
    )
    assert list(both) == [None, TOO_LATE]
    assert [answer.choice for answer in scene.agent.heard] == ["decline"]
    assert scene.reasons == ["not now"]
    assert await scene.recorded() == [(AGENTS.id, "no", "done")]
    assert await scene.asks.answer(ONE, Answer(ask=AGENTS.id, choice="accept")) == TOO_LATE


async def test_a_question_withdrawn_while_its_answer_is_being_written_allows_nothing(scene: Scene) -> None:
    scene.hub.apply(ONE, [AskOpened(AGENTS)])
    answering = asyncio.gather(scene.asks.answer(ONE, Answer(ask=AGENTS.id, choice="accept", by="a")))
    await asyncio.sleep(0)  # it is taken, and on its way to the disk
    scene.hub.apply(ONE, [AskClosed(AGENTS.id, "withdrawn", why="the run has ended")])
    assert list(await answering) == [TOO_LATE]
    assert scene.agent.heard == []
    assert await scene.recorded() == [(AGENTS.id, "yes", "done"), (AGENTS.id, "none", "refused")]


@pytest.mark.parametrize("by", ["agent", "bascule"])
async def test_a_yes_barred_while_it_is_being_written_allows_nothing_and_another_can_answer(
    scene: Scene, by: str
) -> None:
    """The device that gave it was revoked, say, or may not say yes to such things any more."""

    async def ask() -> str:
        if by == "agent":
            scene.hub.apply(ONE, [AskOpened(AGENTS)])
            return "decline"
        return (await scene.asks.ask(ONE, "Run the tests?", MAKE, (YES, NO))).choice

    waiting = asyncio.gather(ask())
    await asyncio.sleep(0)
    name = AskId(scene.open()[-1])
    answering = asyncio.gather(scene.asks.answer(ONE, Answer(ask=name, choice="accept", by="phone")))
    await asyncio.sleep(0)  # it is taken, and on its way to the disk
    barred = Refuse("This device was revoked.")
    scene.asks.find_answer_bar = lambda _ask, answer: barred if answer.by == "phone" else None
    revoked = scene.record.write(
        scene.record.entry("device", "done", asker="s", asked="Revoke", workspace="", ref="device-1")
    )
    await asyncio.gather(answering, revoked)
    assert list(answering.result()) == [barred]
    assert (scene.open(), scene.agent.heard) == ([name], [])
    assert scene.record.find_answer(name) is None
    assert await scene.asks.answer(ONE, Answer(ask=name, choice="decline", by="desk")) is None
    (heard,) = await waiting
    assert heard == "decline"
    assert await scene.recorded() == [
        (name, "yes", "done"),
        ("device-1", "none", "done"),
        (name, "none", "refused"),
        (name, "no", "done"),
    ]
    answer = scene.record.find_answer(name)
    assert answer is not None
    assert answer.entry.answer == "no"


async def test_a_withdrawn_ask_of_an_agent_is_on_record_once(scene: Scene) -> None:
    scene.hub.apply(ONE, [AskOpened(AGENTS)])
    closed = AskClosed(AGENTS.id, "withdrawn", why="the run has ended")
    scene.hub.apply(ONE, [closed, closed])
    assert await scene.recorded() == [(AGENTS.id, "none", "withdrawn")]


async def test_our_own_ask_waits_for_its_answer(scene: Scene) -> None:
    waiting = asyncio.gather(scene.asks.ask(ONE, "Run the tests?", MAKE, (YES, NO)))
    await asyncio.sleep(0)
    (name,) = scene.open()
    assert await scene.asks.answer(ONE, Answer(ask=AskId(name), choice="accept", by="a")) is None
    (answer,) = await waiting
    assert (answer.choice, scene.open(), scene.agent.heard) == ("accept", [], [])
    assert await scene.recorded() == [(name, "yes", "done")]


async def test_who_asked_is_on_record_by_its_door_also_when_nobody_answered(scene: Scene) -> None:
    outside = Outside(credential="bearer", client="page (1)")
    waiting = asyncio.gather(scene.asks.ask(None, "Change it?", MAKE, (YES, NO), outside))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    scene.hub.apply(ONE, [AskOpened(AGENTS), AskClosed(AGENTS.id, "withdrawn", why="the run has ended")])
    await scene.recorded()
    first, second = (line.entry.who for line in scene._audit.last(2))
    assert first == outside
    assert isinstance(second, Local)
    assert (second.surface, second.client) == ("agent", "codex")


async def test_who_stops_waiting_withdraws_the_ask(scene: Scene) -> None:
    waiting = asyncio.gather(scene.asks.ask(None, "Change it?", MAKE, (YES, NO)))
    await asyncio.sleep(0)
    (name,) = scene.open(MACHINE)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert scene.open(MACHINE) == []
    assert await scene.recorded() == [(name, "none", "withdrawn")]
    assert await scene.asks.answer(MACHINE, Answer(ask=AskId(name), choice="accept")) == TOO_LATE


@pytest.mark.parametrize("by", ["agent", "bascule"])
async def test_an_answer_that_is_recorded_counts_though_its_surface_leaves_at_that_moment(
    scene: Scene, by: str
) -> None:
    """Otherwise a second answer could say the opposite of the one on record."""

    async def ask() -> str:
        if by == "agent":
            scene.hub.apply(ONE, [AskOpened(AGENTS)])
            return "accept"
        return (await scene.asks.ask(ONE, "Run the tests?", MAKE, (YES, NO))).choice

    waiting = asyncio.gather(ask())
    await asyncio.sleep(0)
    name = AskId(scene.open()[-1])
    answering = asyncio.gather(scene.asks.answer(ONE, Answer(ask=name, choice="accept", by="a")))
    await asyncio.sleep(0)  # it is taken, and on its way to the disk
    answering.cancel()
    with pytest.raises(asyncio.CancelledError):
        await answering
    assert name not in scene.open()
    assert await scene.asks.answer(ONE, Answer(ask=name, choice="decline")) == TOO_LATE
    assert await scene.recorded() == [(name, "yes", "done")]
    (heard,) = await waiting
    assert heard == "accept"


async def test_a_yes_to_who_had_left_is_recorded_as_one_that_nothing_came_after(scene: Scene) -> None:
    waiting = asyncio.gather(scene.asks.ask(ONE, "Run the tests?", MAKE, (YES, NO)))
    await asyncio.sleep(0)
    (name,) = scene.open()
    answering = asyncio.gather(scene.asks.answer(ONE, Answer(ask=AskId(name), choice="accept")))

    def leave(*_: object) -> None:
        waiting.cancel()

    scene.hub.on_ask_closed = leave  # as the answer arrives
    (refused,) = await answering
    assert refused is None
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert await scene.recorded() == [(name, "yes", "done"), (name, "none", "refused")]
