"""Outcomes back to the chat: within the platform's limits, and retried until they are taken."""

import asyncio
import logging
from collections.abc import Callable, Mapping

from bascule.core.relay.dev_commands import Language
from bascule.core.relay.replies import say_outcome
from bascule.relay.chat.budget import ChatBudget
from bascule.relay.chat.platforms import ChatPlatform, PushFailed, Recipient
from bascule.relay.storage.relay_store import RelayStore, StoredCommand

LOOK_S = 0.5
PAUSE_S = 0.1
FIRST_RETRY_MS, LONGEST_RETRY_MS = 1_000, 300_000
MAX_TRIES = 20

log = logging.getLogger("bascule.relay")


class OutcomeSender:
    def __init__(
        self,
        *,
        store: RelayStore,
        platforms: Mapping[str, ChatPlatform],
        budget: ChatBudget,
        now_ms: Callable[[], int],
    ) -> None:
        self._store = store
        self._platforms = platforms
        self._now_ms = now_ms
        self._budget = budget
        self._tries: dict[str, tuple[int, int]] = {}  # by command: how many, and when the next is due
        self._news = asyncio.Event()

    def wake(self) -> None:
        self._news.set()

    async def run(self) -> None:
        """Until it is cancelled. What a restart interrupts is sent again."""
        while True:
            self._news.clear()
            for command in await self._store.list_unreported():
                await self._report(command)
            await asyncio.sleep(PAUSE_S)  # outcomes that come together are looked for together
            try:
                async with asyncio.timeout(LOOK_S if self._tries else 5 * LOOK_S):
                    await self._news.wait()
            except TimeoutError:
                continue

    async def _report(self, command: StoredCommand) -> None:
        name, now_ms = command.order.command_id, self._now_ms()
        tries, due_ms = self._tries.get(name, (0, 0))
        platform = self._platforms.get(command.platform)
        if now_ms < due_ms or command.outcome is None or (platform is not None and not platform.can_send):
            return
        if not self._budget.take(command.platform, command.chat or command.actor, is_outcome=True):
            return
        language: Language = command.language if command.language in ("zh", "ja") else "en"  # type: ignore[assignment]
        try:
            if platform is None:
                raise PushFailed(f"{command.platform} is no longer configured")
            to = Recipient(user=command.actor, chat=command.chat, command_id=name)
            await platform.send(to, say_outcome(command.outcome, language))
        except PushFailed as fault:
            log.warning("the outcome of %s was not taken by the chat: %s", name, fault)
            if tries + 1 >= MAX_TRIES or platform is None:
                self._tries.pop(name, None)
                await self._store.mark_reported(name, self._now_ms(), str(fault))
                return
            wait_ms = min(FIRST_RETRY_MS * 2**tries, LONGEST_RETRY_MS)
            self._tries[name] = (tries + 1, self._now_ms() + wait_ms)
            return
        self._tries.pop(name, None)
        await self._store.mark_reported(name, self._now_ms())
