"""A surface that mirrors state: connected over a real WebSocket, folding what it is sent."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from msgspec import Raw
from msgspec.structs import replace
from tests.patience import PATIENCE_S

from bascule.client.link import Link, LinkRefused
from bascule.client.mirror import Mirror
from bascule.host.network.dial import DialedSocket, dial
from bascule.host.network.registration import Registration
from bascule.host.processes.tasks import Tasks
from bascule.model.protocol.runs import RunInput, RunStartParams, RunStartResult
from bascule.model.protocol.sessions import AnswerParams, Card, CardsNotify, WatchParams
from bascule.model.session import Session

MAX_KEPT = 64_000  # bytes


class MirrorSurface:
    def __init__(self, wire: DialedSocket, tasks: Tasks) -> None:
        self.wire = wire
        self.tasks = tasks
        self.link = Link(wire, self._hear)
        self.label = ""
        self.mirrors: dict[str, Mirror] = {}
        self.cards: dict[str, Card] = {}
        self.notices: list[tuple[str, Any]] = []  # every notification of a usual size
        self.losing = ""  # the method of the next notification that does not arrive
        self.reading = tasks.start("onlooker", self.link.run())

    def _hear(self, method: str, params: Raw) -> None:
        if method == self.losing:
            self.losing = ""
            return
        if len(bytes(params)) < MAX_KEPT:
            self.notices.append((method, msgspec.json.decode(params)))
        if method == "session.cards":
            cards = msgspec.json.decode(params, type=CardsNotify)
            self.cards = {} if cards.whole else self.cards
            self.cards.update({card.session_id: card for card in cards.cards})
        for mirror in self.mirrors.values():
            mirror.feed(method, params)

    async def call(self, method: str, **params: Any) -> Any:
        async with asyncio.timeout(PATIENCE_S):
            return await self.link.call(method, params)

    async def refused(self, method: str, **params: Any) -> LinkRefused:
        try:
            answer = await self.call(method, **params)
        except LinkRefused as refused:
            return refused
        raise AssertionError(f"{method} was not refused: {answer}")

    async def run(self, session: str, text: str, **more: Any) -> RunStartResult:
        params = RunStartParams(input=RunInput(type="text", text=text), session_id=session, **more)
        async with asyncio.timeout(PATIENCE_S):
            answer: RunStartResult = await self.link.call("run.start", params)
        return answer

    async def answer(self, session: str, **params: Any) -> None:
        await self.link.call("ask.answer", AnswerParams(session_id=session, **params))

    async def watch(self, session: str) -> Mirror:
        """Its first news has come."""
        mirror = self.mirrors[session] = Mirror(session, on_gap=lambda: self._watch_again(session))
        await self.link.call("session.watch", WatchParams(session_id=session))
        async with asyncio.timeout(PATIENCE_S):
            await mirror.news()
        return mirror

    def _watch_again(self, session: str) -> None:
        async def again() -> None:
            await self.link.call("session.watch", WatchParams(session_id=session))

        self.tasks.start(f"watch {session} again", again())

    async def until(self, session: str, holds: Callable[[Session], object]) -> Session:
        """The session here, as soon as that holds of it."""
        mirror = self.mirrors[session]
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not holds(seen := mirror.session()):
                    await mirror.news()
                return seen
        except TimeoutError:
            raise AssertionError(f"that never came: {mirror.session()}") from None

    async def agrees_with(self, session: Session) -> None:
        """This side comes to be the same but for the owner's clock, which is no Change."""
        wanted = replace(session, updated_at_ms=0)
        await self.until(session.id, lambda seen: replace(seen, updated_at_ms=0) == wanted)

    def seen(self, session: str) -> Session:
        return self.mirrors[session].session()

    def told_of(self, session: str) -> list[tuple[str, Any]]:
        return [(method, params) for method, params in self.notices if params.get("session_id") == session]


@asynccontextmanager
async def onlooker(daemon: Registration, name: str, workspace: str = "") -> AsyncIterator[MirrorSurface]:
    wire = await dial(daemon, workspace)
    async with Tasks() as tasks:
        looking = MirrorSurface(wire, tasks)
        try:
            looking.label = (await looking.link.initialize(name)).surface_id
            yield looking
        finally:
            await wire.close()
