"""What waits for a yes at its machine: the chat gets a message once for each question."""

import asyncio
import logging
from collections.abc import Callable, Mapping

from bascule.core.bounded import forget_oldest
from bascule.core.relay.replies import say_ask
from bascule.host.processes.tasks import Tasks
from bascule.relay.chat.budget import ChatBudget
from bascule.relay.chat.json_client import PushFailed
from bascule.relay.chat.outcome_sender import Chat, OutcomeSender
from bascule.relay.chat.platforms import ChatPlatform, Recipient
from bascule.relay.storage.database import StoreAway
from bascule.relay.storage.records import StoredCommand
from bascule.relay.storage.relay_store import RelayStore
from bascule.relay.storage.steps import SendAsk, UnsendAsk

LOOK_S = 2.0  # for what another node stored, and what had to wait
MAX_LISTED = 100
MAX_SENDING = 4  # at once
FIRST_RETRY_MS, LONGEST_RETRY_MS = 2_000, 300_000
MAX_FAILED = 1_000  # whose pauses are remembered

log = logging.getLogger("bascule.relay")


class DeskNotices:
    """Every node looks; the store says which one tells it."""

    def __init__(
        self,
        *,
        store: RelayStore,
        platforms: Mapping[str, ChatPlatform],
        budget: ChatBudget,
        sender: OutcomeSender,
        now_ms: Callable[[], int],
    ) -> None:
        self._store = store
        self._platforms = platforms
        self._budget = budget
        self._sender = sender
        self._now_ms = now_ms
        self._sending = 0
        self._failed: dict[str, tuple[int, int]] = {}  # by command: how often, and when it is tried again
        self._news = asyncio.Event()

    def look(self) -> None:
        """Something has begun to wait."""
        self._news.set()

    async def run(self) -> None:
        """Until it is cancelled."""
        async with Tasks() as tasks:
            while True:
                try:
                    async with asyncio.timeout(LOOK_S):
                        await self._news.wait()
                except TimeoutError:
                    pass
                self._news.clear()
                ready = [name for name, one in self._platforms.items() if one.can_send]
                try:
                    self._start(tasks, await self._store.list_unsent_asks(ready, MAX_LISTED))
                except StoreAway as fault:
                    log.warning("what waits at its machine could not be read: %s", fault)

    def _start(self, tasks: Tasks, commands: list[StoredCommand]) -> None:
        """What a chat can't get now is left for a later look."""
        for command in commands:
            chat = (command.platform, command.chat or command.actor)
            if self._sending >= MAX_SENDING:
                return  # the end of one wakes this
            if self._failed.get(command.id, (0, 0))[1] > self._now_ms() or not self._sender.hold(chat):
                continue
            if not self._budget.take(*chat, is_outcome=False):
                self._sender.release(chat)
                continue
            self._sending += 1
            tasks.start(f"that {command.id} waits", self._notify(command, chat))

    async def _notify(self, command: StoredCommand, chat: Chat) -> None:
        try:
            due = await self._store.run(SendAsk(command_id=command.id, now_ms=self._now_ms()))
            if due is not None:
                await self._push(self._platforms[command.platform], due)
        except StoreAway as fault:
            log.warning("that %s waits at its machine was not sent to the chat: %s", command.id, fault)
        finally:
            self._sending -= 1
            self._sender.release(chat)
            self._news.set()

    async def _push(self, platform: ChatPlatform, command: StoredCommand) -> None:
        to = Recipient(user=command.actor, chat=command.chat, command_id=command.id)
        text = say_ask(command.id, command.machine, command.asks, command.said_in)
        try:
            await platform.tell(to, text, command.asks)
        except PushFailed as fault:
            log.warning("that %s waits at its machine was not taken by the chat: %s", command.id, fault)
            now_ms, tries = self._now_ms(), self._failed.get(command.id, (0, 0))[0]
            self._failed[command.id] = (tries + 1, now_ms + min(FIRST_RETRY_MS * 2**tries, LONGEST_RETRY_MS))
            forget_oldest(self._failed, MAX_FAILED)
            unsend = UnsendAsk(command_id=command.id, asks=command.asks, now_ms=now_ms, fault=str(fault))
            await self._store.run(unsend)
        else:
            self._failed.pop(command.id, None)
