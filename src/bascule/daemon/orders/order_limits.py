"""How long an Order may take: generating, waiting for a person and waiting for its turn are counted apart."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Literal

from bascule.core.orders import may_ask
from bascule.core.wire.outbox import Numbered
from bascule.daemon.agents.roster import Roster
from bascule.daemon.sessions.hub import Hub
from bascule.daemon.sessions.watchers import SessionSnapshot
from bascule.model.asks import Ask
from bascule.model.blocks import Block, ErrorBlock, InfoBlock
from bascule.model.changes import BlockPut, TextGrew
from bascule.model.ids import AskId, PromptKey, SessionId
from bascule.model.said import AGENT_RETRIES
from bascule.model.settings import OrdersSettings

# unanswered: a question was declined because nobody answered it; its run may go on
LatePhase = Literal["waiting", "generating", "retrying", "unanswered"]
RETRY_S = 60.0  # for an agent that does not reach its model: some try until somebody stops them


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
        left_s: dict[LatePhase, float] = {
            "waiting": limits.answer_seconds,
            "generating": limits.generate_seconds,
        }
        watcher, asked = self._hub.watch(session), OpenQuestion(on_ask)
        is_retrying = False
        try:
            while True:
                ask, phase = self._find_ask(session, key), self._find_phase(session, key)
                if phase != "generating" or not is_retrying:
                    left_s["retrying"] = RETRY_S
                elif left_s["retrying"] < left_s[phase]:
                    phase = "retrying"
                asked.show(ask.id if ask is not None and may_ask(ask, limits.commands) else None)
                limit_s = self._left(ask, limits) if ask is not None else left_s[phase]
                began_ms = self._now_ms()
                try:
                    async with asyncio.timeout(max(limit_s, 0)):
                        is_retrying = find_retry(await watcher.next(), is_retrying)
                except TimeoutError:
                    if ask is None:
                        on_late(phase)
                        return
                    on_late("unanswered")
                    await self._decline(session, ask)
                if ask is None:
                    passed_s = (self._now_ms() - began_ms) / 1000
                    left_s[phase] -= passed_s
                    if phase == "retrying":
                        left_s["generating"] -= passed_s
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


def find_retry(news: SessionSnapshot | list[Numbered], was_retrying: bool) -> bool:
    """Whether the latest that the agent did was to meet an error after which it tries again."""
    match news:
        case SessionSnapshot(session=seen):
            blocks = [block for block in seen.blocks if not isinstance(block, InfoBlock)]
            return bool(blocks) and _says_retry(blocks[-1])
        case changes:
            for change in (numbered.change for numbered in changes):
                match change:
                    case BlockPut(block=InfoBlock()):
                        pass
                    case BlockPut(block=block):
                        was_retrying = _says_retry(block)
                    case TextGrew():
                        was_retrying = False
                    case _:
                        pass
            return was_retrying


def _says_retry(block: Block) -> bool:
    return isinstance(block, ErrorBlock) and block.said is not None and block.said.code == AGENT_RETRIES


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
