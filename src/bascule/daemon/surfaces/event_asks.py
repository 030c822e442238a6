"""Asks for a surface that gets events: one question at a time, withdrawn as far as it allows."""

import asyncio
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from bascule.core.consent.access import find_may
from bascule.core.consent.dialogs import METHOD, AskDialog, UiRequest, questions_for, withdrawn
from bascule.core.faults import UserError
from bascule.core.wire.rpc import RpcError
from bascule.daemon.surfaces.surfaces import Surface
from bascule.model.asks import Answer, Ask
from bascule.model.changes import AskClosed
from bascule.model.ids import AskId, SessionId
from bascule.model.protocol.table import METHODS

if TYPE_CHECKING:
    from bascule.daemon.parts import App


class PlainAsks:
    """Such a client has one dialog: a second question would overwrite the first, so the next one waits."""

    def __init__(self, app: "App", surface: Surface, session: SessionId) -> None:
        self._app = app
        self._surface = surface
        self._session = session
        self._asking: AskId | None = None
        self._task: asyncio.Task[None] | None = None
        self._passed: set[AskId] = set()  # those that this surface cannot put, or has answered
        self._elsewhere: dict[AskId, str] = {}  # who answered it while this surface was still asking

    def look(self, closed: Iterable[AskClosed]) -> None:
        """After every change: put the next Ask, and withdraw one that was answered elsewhere."""
        asks = self._app.roster.get(self._session).asks
        if self._asking is not None and all(ask.id != self._asking for ask in asks):
            self._elsewhere |= {end.ask: end.by for end in closed if end.ask == self._asking and end.by}
            self.close()
        if self._asking is None:
            waiting = next((ask for ask in asks if ask.id not in self._passed), None)
            if waiting is not None:
                self._put(waiting)

    def _put(self, ask: Ask) -> None:
        if "answer" not in find_may(self._surface.origin):
            return  # a question whose answer would not count is not put
        self._asking = ask.id
        self._passed.add(ask.id)
        self._task = self._surface.start(f"ask {ask.id}", self._talk(ask))

    async def _talk(self, ask: Ask) -> None:
        dialogue = questions_for(ask, ask.run or "", self._surface.capabilities, by=self._surface.shown)
        answer = await self._converse(ask.id, dialogue) if dialogue is not None else None
        self._asking = None  # from here on the dialog is closed
        if answer is not None:
            await self._give(answer)
        self._surface.news.set()  # the next Ask is looked for

    async def _converse(self, ask: AskId, dialogue: AskDialog) -> Answer:
        while not isinstance(asked := dialogue.now, Answer):
            method = METHOD[type(asked)]
            try:
                reply = await self._surface.ask(
                    method, asked, METHODS[method].result, instead=partial(self._instead, ask, asked)
                )
            except (RpcError, TimeoutError):
                reply = None  # nobody answered, the client could not show it, or answered with something else
            dialogue.feed(reply)
        return asked

    def _instead(self, ask: AskId, asked: UiRequest) -> UiRequest | None:
        """What was answered elsewhere must not go on asking; a question whose run ends, ends with it."""
        by = self._elsewhere.pop(ask, "")
        return withdrawn(asked, by) if by else None

    async def _give(self, answer: Answer) -> None:
        answer = replace(answer, origin=self._surface.origin, client=self._surface.label)
        try:
            refused = await self._app.asks.answer(self._session, answer)
            if refused is not None and not self._surface.origin.is_here:
                self._surface.notify("ui.toast", {"level": "error", "message": refused.why})
        except UserError as fault:
            self._surface.notify("ui.toast", {"level": "error", "message": str(fault)})

    def close(self) -> None:
        """What is on the client's screen then decides nothing; its late answer finds nobody."""
        self._asking = None
        if self._task is not None:
            self._task.cancel()
        self._task = None
