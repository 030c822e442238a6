"""Asks of our own: opened in a session, answered once by the first surface, and silence means no."""

import asyncio
from collections.abc import Callable

from bascule.daemon.hub import Hub
from bascule.model.asks import Answer, Ask, Choice, Refuse, Subject
from bascule.model.audit import Asker, Remote
from bascule.model.changes import AskClosed, AskOpened
from bascule.model.ids import AskId, SessionId


class Desk:
    def __init__(self, *, hub: Hub, new_id: Callable[[str], str], now_ms: Callable[[], int]) -> None:
        self._hub = hub
        self._new_id = new_id
        self._now_ms = now_ms
        self._open: dict[AskId, tuple[Ask, asyncio.Future[Answer]]] = {}

    def has(self, ask: AskId) -> bool:
        return ask in self._open

    async def ask(
        self,
        session: SessionId,
        title: str,
        subject: Subject,
        choices: tuple[Choice, ...],
        asker: Asker = "",
    ) -> Answer:
        """Waits for a person. Whoever stops waiting withdraws the question."""
        ask = Ask(
            id=AskId(self._new_id("desk")),
            title=title,
            subject=subject,
            choices=choices,
            sender=asker if isinstance(asker, Remote) else None,
            opened_at_ms=self._now_ms(),
        )
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._open[ask.id] = (ask, answer)
        self._hub.apply(session, [AskOpened(ask)])
        try:
            return await answer
        finally:
            if self._open.pop(ask.id, None) is not None:
                why = "whoever wanted it no longer waits"
                self._hub.apply(session, [AskClosed(ask.id, "withdrawn", why=why)])

    def answer(self, session: SessionId, answer: Answer) -> Refuse | None:
        ask, waiting = self._open[answer.ask]
        if answer.choice not in {choice.id for choice in ask.choices}:
            return Refuse(f"{answer.choice!r} is not among the answers of this Ask")
        del self._open[answer.ask]
        closed = AskClosed(ask.id, "answered", choice=answer.choice, by=answer.by, why=answer.reason)
        self._hub.apply(session, [closed])
        if not waiting.done():
            waiting.set_result(answer)
        return None
