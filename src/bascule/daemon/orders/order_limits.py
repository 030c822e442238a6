"""How long an Order may take: generating, waiting for a person and waiting for its turn are counted apart."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Literal

from bascule.core.orders import may_ask
from bascule.daemon.agents.roster import Roster
from bascule.daemon.sessions.hub import Hub
from bascule.model.asks import Ask
from bascule.model.ids import AskId, PromptKey, SessionId
from bascule.model.settings import OrdersSettings

LatePhase = Literal["waiting", "generating"]


def order_key(command_id: str) -> PromptKey:
    """Of the prompt that an Order becomes."""
    return PromptKey(f"order:{command_id}")


class OrderLimits:
    def __init__(
        self,
        *,
        hub: Hub,
        roster: Roster,
        decline: Callable[[SessionId, Ask], Awaitable[None]],
        now_ms: Callable[[], int],
    ) -> None:
        self._hub = hub
        self._roster = roster
        self._decline = decline  # an Ask that nobody answered in time
        self._now_ms = now_ms

    async def watch(
        self,
        session: SessionId,
        key: PromptKey,
        limits: OrdersSettings,
        on_late: Callable[[LatePhase], None],
        on_ask: Callable[[bool], None],
    ) -> None:
        """While its prompt waits or runs; the caller ends it. `on_ask` hears when a person here is asked, and
        when that is over."""
        left_s = {"waiting": float(limits.answer_seconds), "generating": float(limits.generate_seconds)}
        watcher, asked = self._hub.watch(session), OpenQuestion(on_ask)
        try:
            while True:
                ask, phase = self._find_ask(session, key), self._find_phase(session, key)
                asked.show(ask.id if ask is not None and may_ask(ask, limits.commands) else None)
                limit_s = self._left(ask, limits) if ask is not None else left_s[phase]
                began_ms = self._now_ms()
                try:
                    async with asyncio.timeout(max(limit_s, 0)):
                        await watcher.next()
                except TimeoutError:
                    if ask is None:
                        on_late(phase)
                        return
                    await self._decline(session, ask)
                if ask is None:
                    left_s[phase] -= (self._now_ms() - began_ms) / 1000
        finally:
            asked.show(None)
            watcher.close()

    def _find_ask(self, session: SessionId, key: PromptKey) -> Ask | None:
        """The oldest that the Order waits for."""
        asks = self._roster.get(session).asks
        return next((ask for ask in asks if ask.sender and order_key(ask.sender.command_id) == key), None)

    def _find_phase(self, session: SessionId, key: PromptKey) -> LatePhase:
        queued = any(prompt.key == key for prompt in self._roster.lane(session).queue)
        return "waiting" if queued else "generating"

    def _left(self, ask: Ask, limits: OrdersSettings) -> float:
        return limits.answer_seconds - (self._now_ms() - ask.opened_at_ms) / 1000


class OpenQuestion:
    """The one that is open, reported once: what Bascule declines by itself is none."""

    def __init__(self, on_ask: Callable[[bool], None]) -> None:
        self._on_ask = on_ask
        self._shown: AskId | None = None

    def show(self, ask: AskId | None) -> None:
        if ask == self._shown:
            return
        if self._shown is not None:
            self._on_ask(False)
        if ask is not None:
            self._on_ask(True)
        self._shown = ask
