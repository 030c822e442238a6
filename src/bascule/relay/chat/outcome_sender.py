"""Outcomes back to the chat: within the platform's limits, in order, and retried until they are taken."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import NamedTuple

from bascule.core.relay.replies import MAX_BYTES, ChatReply, say_outcome
from bascule.host.processes.tasks import Tasks
from bascule.relay.chat.budget import ChatBudget
from bascule.relay.chat.json_client import PushFailed
from bascule.relay.chat.platforms import ChatPlatform, FileFailed, Recipient
from bascule.relay.storage.audit_chain import AuditLine
from bascule.relay.storage.database import StoreAway
from bascule.relay.storage.node_steps import Claim
from bascule.relay.storage.records import StoredCommand
from bascule.relay.storage.relay_store import RelayStore
from bascule.relay.storage.steps import Note, Report

FIRST_RETRY_MS, LONGEST_RETRY_MS = 1_000, 600_000
SHORT_TRIES = 3  # in the chat's turn; then it is tried apart, and what is behind it goes on
MAX_TRIES, GIVE_UP_MS = 20, 24 * 60 * 60 * 1000  # both must have passed
GIVEN_UP = f"given up after {GIVE_UP_MS // 3_600_000} hours: "
MAX_WAITING = 5_000  # outcomes in memory; the rest is read when there is room again
MAX_PUSHES = 16  # at once
BETWEEN = "\n\n"  # outcomes in one message
AWAY_MS = 500  # until a platform is tried again that cannot send now

log = logging.getLogger("bascule.relay")

Chat = tuple[str, str]  # platform, and the chat or the person


class ChatQueue:
    """The outcomes for one chat, the oldest first."""

    def __init__(self) -> None:
        self.waiting: deque[StoredCommand] = deque()
        self.tries = 0  # of the first
        self.failed = 0  # messages in a row
        self.together = 1  # how many of them are one message
        self.retry_ms = 0


class LateOutcomes(NamedTuple):
    """One message that the chat did not take."""

    group: list[StoredCommand]
    tries: int
    due_ms: int


class OutcomeSender:
    """Of the outcomes that this node is to report."""

    def __init__(
        self,
        *,
        store: RelayStore,
        platforms: Mapping[str, ChatPlatform],
        budget: ChatBudget,
        node: str,
        now_ms: Callable[[], int],
        is_alive: Callable[[], bool] = lambda: True,
    ) -> None:
        self._store = store
        self._platforms = platforms
        self._budget = budget
        self._node = node
        self._now_ms = now_ms
        self._is_alive = is_alive  # else another node may be sending the same
        self._chats: dict[Chat, ChatQueue] = {}
        self._known: set[str] = set()  # command ids that wait here
        self._lost: set[str] = set()  # of these: another node sends them
        self._late: dict[str, LateOutcomes] = {}  # by the first command of each
        self._busy: set[Chat] = set()
        self._news = asyncio.Event()

    def add(self, command: StoredCommand) -> None:
        """An outcome that was just stored."""
        if command.outcome is None or command.id in self._known or len(self._known) >= MAX_WAITING:
            return  # `read` finds it
        platform = self._platforms.get(command.platform)
        if platform is not None and platform.is_led and not platform.can_send:
            return  # `read` finds it at the node that leads
        self._known.add(command.id)
        self._chats.setdefault(_chat_of(command), ChatQueue()).waiting.append(command)
        self._news.set()

    def forget(self) -> None:
        """What waits: others took this node for dead, and send it."""
        self._lost |= self._known

    def hold(self, chat: Chat) -> bool:
        """No outcome is sent to it before its `release`; False where one is being sent."""
        if chat in self._busy:
            return False
        self._busy.add(chat)
        return True

    def release(self, chat: Chat) -> None:
        self._busy.discard(chat)
        self._news.set()

    async def read(self) -> None:
        """What a restart interrupted, another node left, or there was no room for."""
        led = [name for name, one in self._platforms.items() if one.is_led and one.can_send]
        if led:
            await self._store.run(Claim(node=self._node, platforms=tuple(led)))
        for command in await self._store.list_unreported(self._node):
            self.add(command)

    async def run(self) -> None:
        """Until it is cancelled."""
        async with Tasks() as tasks:
            while True:
                self._news.clear()
                wait_ms = self._start_due(tasks)
                try:
                    async with asyncio.timeout(wait_ms / 1000 if wait_ms is not None else None):
                        await self._news.wait()
                except TimeoutError:
                    continue

    def _start_due(self, tasks: Tasks) -> int | None:
        """One push for each chat that may have one; how long until the next is due."""
        now_ms, nearest_ms = self._now_ms(), None
        for chat, queue in list(self._chats.items()):
            due_ms = self._due_ms(chat, queue)
            if not queue.waiting:
                if chat not in self._busy:
                    del self._chats[chat]
            elif chat in self._busy or len(self._busy) >= MAX_PUSHES:
                continue  # the end of a push wakes this
            elif due_ms <= now_ms:
                self.hold(chat)
                tasks.start(f"outcomes for {chat[1][:40]}", self._push(chat, queue))
            else:
                nearest_ms = min(nearest_ms or due_ms, due_ms)
        for late in list(self._late.values()):
            chat = _chat_of(late.group[0])
            due_ms = max(late.due_ms, self._due_ms(chat, ChatQueue()))
            if due_ms > now_ms:
                nearest_ms = min(nearest_ms or due_ms, due_ms)
            elif chat not in self._busy and len(self._busy) < MAX_PUSHES:
                self.hold(chat)
                tasks.start(f"late outcome for {chat[1][:40]}", self._push_late(chat, late))
        return None if nearest_ms is None else max(nearest_ms - now_ms, 1)

    def _due_ms(self, chat: Chat, queue: ChatQueue) -> int:
        platform = self._platforms.get(chat[0])
        pause_ms = 0 if platform is None or platform.can_send else self._now_ms() + AWAY_MS
        return max(queue.retry_ms, self._budget.next_ms(*chat), pause_ms)

    async def _push(self, chat: Chat, queue: ChatQueue) -> None:
        """All that the limits allow, one after the other."""
        try:
            while queue.waiting and self._due_ms(chat, queue) <= self._now_ms():
                group = self._pick(chat, queue)
                tries = queue.tries
                if self._is_theirs(group) or await self._report(chat, group, tries):
                    queue.tries = queue.failed = 0
                    self._drop(group)
                elif tries + 1 < SHORT_TRIES:
                    queue.retry_ms, queue.tries = self._now_ms() + _pause_ms(tries), tries + 1
                    continue
                else:
                    await self._put_off(group, tries + 1)
                    queue.retry_ms = self._now_ms() + (_pause_ms(queue.failed) if queue.failed else 0)
                    queue.tries, queue.failed = 0, queue.failed + 1
                for _ in group:
                    queue.waiting.popleft()
        except StoreAway as fault:
            log.warning("an outcome could not be marked as reported: %s", fault)
            queue.retry_ms = self._now_ms() + FIRST_RETRY_MS
        finally:
            self.release(chat)

    def _pick(self, chat: Chat, queue: ChatQueue) -> list[StoredCommand]:
        """The oldest; with the next ones, as many as one message holds, where the limits have no room for
        a message each. A retry is the same message."""
        if queue.tries == 0:
            queue.together = 1
            platform = self._platforms.get(chat[0])
            if platform is not None and platform.joins and self._budget.left(*chat) < len(queue.waiting):
                queue.together = _count_fitting(queue.waiting)
        return list(islice(queue.waiting, queue.together))

    async def _push_late(self, chat: Chat, late: LateOutcomes) -> None:
        first = late.group[0].id
        try:
            if self._is_theirs(late.group) or await self._report(chat, late.group, late.tries):
                del self._late[first]
                self._drop(late.group)
            else:
                self._late[first] = _later(late.group, late.tries + 1, self._now_ms())
        except StoreAway as fault:
            log.warning("an outcome could not be marked as reported: %s", fault)
            self._late[first] = late._replace(due_ms=self._now_ms() + FIRST_RETRY_MS)
        finally:
            self.release(chat)

    def _is_theirs(self, group: list[StoredCommand]) -> bool:
        """Other nodes may be sending it; `read` finds what is ours after all."""
        return not self._is_alive() or any(command.id in self._lost for command in group)

    def _drop(self, group: list[StoredCommand]) -> None:
        names = {command.id for command in group}
        self._known -= names
        self._lost -= names

    async def _put_off(self, group: list[StoredCommand], tries: int) -> None:
        for command in group:
            detail = f"it is tried again for {GIVE_UP_MS // 3_600_000} hours"
            line = AuditLine(
                at_ms=self._now_ms(), step="not reported yet", command_id=command.id, detail=detail
            )
            await self._store.run(Note(line=line))
        self._late[group[0].id] = _later(group, tries, self._now_ms())

    async def _report(self, chat: Chat, group: list[StoredCommand], tries: int) -> bool:
        """Whether it is over with these; `tries` came before."""
        fault, note = await self._send(chat, group)
        if fault and chat[0] in self._platforms:
            if tries + 1 < MAX_TRIES or self._now_ms() - group[0].created_ms < GIVE_UP_MS:
                return False
            fault = GIVEN_UP + fault
        for command in group:
            report = Report(command_id=command.id, now_ms=self._now_ms(), fault=fault, note=note)
            await self._store.run(report)
        return True

    async def _send(self, chat: Chat, group: list[StoredCommand]) -> tuple[str, str]:
        """Why the chat did not take it, and what else there is to know; both empty where all is well."""
        platform, first = self._platforms.get(chat[0]), group[0]
        if platform is None:
            return f"{chat[0]} is no longer configured", ""
        self._budget.take(*chat, is_outcome=True)
        try:
            others = tuple(command.id for command in group[1:])
            to = Recipient(user=first.actor, chat=first.chat, command_id=first.id, others=others)
            await platform.send(to, self._say(chat, group))
        except FileFailed as fault:
            log.warning("of the outcome of %s, %s", first.id, fault)
            return "", str(fault)
        except PushFailed as fault:
            log.warning("the outcome of %s was not taken by the chat: %s", first.id, fault)
            return str(fault), ""
        return "", ""

    def _say(self, chat: Chat, group: list[StoredCommand]) -> ChatReply:
        """A file is a message too: it is left out before an outcome has to wait for it."""
        if len(group) > 1:
            return ChatReply(BETWEEN.join(_say(command).text for command in group))
        reply = _say(group[0])
        if reply.file is None or self._budget.take(*chat, is_outcome=False):
            return reply
        return _say(group[0], with_file=False)


def _chat_of(command: StoredCommand) -> Chat:
    return command.platform, command.chat or command.actor


def _pause_ms(tries: int) -> int:
    return int(min(FIRST_RETRY_MS * 2 ** min(tries, 30), LONGEST_RETRY_MS))


def _later(group: list[StoredCommand], tries: int, now_ms: int) -> LateOutcomes:
    return LateOutcomes(group, tries, now_ms + _pause_ms(tries - 1))


def _count_fitting(waiting: Iterable[StoredCommand]) -> int:
    """How many of the oldest one message holds; what has a file goes by itself."""
    count, size = 0, 0
    for command in waiting:
        reply = _say(command)
        size += len((BETWEEN if count else "").encode()) + len(reply.text.encode())
        if reply.file is not None or size > MAX_BYTES:
            break
        count += 1
    return max(count, 1)


def _say(command: StoredCommand, *, with_file: bool = True) -> ChatReply:
    assert command.outcome is not None, "only what has an outcome is reported"
    return say_outcome(command.outcome, command.said_in, with_file=with_file)
