"""What a decision about a folder changes in its sessions: their agent is ended, and each says what stays."""

import logging
from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from bascule.agents.driver import Agent, FolderRules
from bascule.core.consent.trust_notes import ended_block, ignored_block
from bascule.core.faults import UserError
from bascule.daemon.agents.pool import AgentPool, place_of
from bascule.daemon.agents.roster import Roster
from bascule.daemon.sessions.hub import Hub
from bascule.daemon.workspace_settings import WorkspaceSettings
from bascule.host.config.trust_store import TrustStore
from bascule.host.processes.tasks import Tasks
from bascule.model.changes import BlockPut, ModelSet
from bascule.model.consent.trust import TrustedFolder
from bascule.model.ids import SessionId
from bascule.model.session import Session

# Files come and go, so these make no thread one that was loaded under other rules.
VARYING: dict[str, Any] = {
    "readable": (),
    "protected": (),
    "path": "",
    "programs": (),
    "folders": (),
    "trust_ended": False,
}
MAX_NOTED = 100  # sessions of one folder, the latest
STILL_USED = (
    "{folder} is no longer trusted, and another session there still works with what was trusted. "
    "Send the prompt again when that session is done."
)

log = logging.getLogger("bascule.trust")


class TrustEffects:
    def __init__(
        self,
        *,
        store: TrustStore,
        settings: WorkspaceSettings,
        hub: Hub,
        roster: Roster,
        pool: AgentPool,
        tasks: Tasks,
        new_id: Callable[[str], str],
        now_ms: Callable[[], int],
    ) -> None:
        self._store = store
        self._settings = settings
        self._hub = hub
        self._roster = roster
        self._pool = pool
        self._tasks = tasks
        self._new_id = new_id
        self._now_ms = now_ms
        self._reloading: set[str] = set()

    # -- after a decision --

    def begin(self, folder: str) -> None:
        """It is trusted from now on."""
        self._follow_settings(folder, trusted=True)
        self._reload_soon(folder)

    def end(self, folder: str, before: TrustedFolder | None) -> None:
        """It is not, or no longer: sessions that were used while it was say what stays in them."""
        self._follow_settings(folder, trusted=False)
        if before is None or before.decision != "trusted":
            return
        for head in list(self._used_since(folder, before.decided_at_ms))[:MAX_NOTED]:
            title = self._pool.agents.get(head.agent).title
            run = self._roster.latest_run(head.id)
            block = ended_block(self._new_id("trust"), title, run, self._now_ms())
            self._hub.apply(head.id, [BlockPut(block)])
        self._reload_soon(folder)

    def _used_since(self, folder: str, since_ms: int) -> Iterator[Session]:
        for head in self._hub.conversations():
            if head.workspace == folder and head.thread is not None and head.updated_at_ms >= since_ms:
                yield head

    def _follow_settings(self, folder: str, *, trusted: bool) -> None:
        """A session that has not begun has the model and effort of the settings, as they count now."""
        unbegun = [one for one in self._hub.conversations() if one.workspace == folder and one.thread is None]
        if not unbegun:
            return
        try:
            now, before = (self._settings.read_as(folder, trusted=state) for state in (trusted, not trusted))
        except UserError:
            return  # the user's own file is broken; the prompt says so
        for head in unbegun:
            agent: Agent = self._pool.agents.get(head.agent)
            has, had = agent.model(now), agent.model(before)
            model = has.model if head.model == had.model else head.model
            effort = has.effort if head.effort == had.effort else head.effort
            if (model, effort) != (head.model, head.effort):
                self._hub.apply(head.id, [ModelSet(model, effort)])

    # -- before a prompt --

    async def reload(self, session: SessionId, rules: FolderRules) -> None:
        """A thread that was loaded under other rules is loaded again, when nobody works.

        `UserError` where it would go on with what a person has said no to."""
        head = self._roster.get(session)
        if head.thread is None or not self._pool.is_running(place_of(head)):
            return
        loaded = (await self._pool.driver(place_of(head))).find_rules(head.thread)
        if loaded is None or _same(loaded, rules) or self._roster.lane(session).run is not None:
            return
        if not set(self._roster.busy(head.workspace)) - {session}:
            await self._end_agents(head.workspace)
        elif loaded.trusted and not self._is_decided_for(head.workspace):
            raise UserError(STILL_USED.format(folder=head.workspace))

    def _is_decided_for(self, folder: str) -> bool:
        known = self._store.find(folder)
        return known is not None and known.decision == "trusted"

    def note_ignored(self, session: SessionId) -> None:
        """What the folder's own settings say that does not count: once, and again when they change."""
        workspace = self._roster.get(session).workspace
        if not (ignored := self._settings.find_ignored(workspace)):
            return
        block = ignored_block(workspace, ignored, self._roster.latest_run(session), self._now_ms())
        if all(block.id != known.id for known in self._hub.session(session).blocks):
            self._hub.apply(session, [BlockPut(block)])

    # -- ending the agent --

    def _reload_soon(self, folder: str) -> None:
        if folder not in self._reloading and self._pool.running_in(folder):
            self._reloading.add(folder)
            self._tasks.start(f"reload the agent of {folder}", self._reload_when_idle(folder))

    async def _reload_when_idle(self, folder: str) -> None:
        try:
            while busy := self._roster.busy(folder):
                await self._wait_until_idle(busy[0])
            await self._end_agents(folder)  # without a pause before it: nobody begins to work in between
        finally:
            self._reloading.discard(folder)

    async def _wait_until_idle(self, session: SessionId) -> None:
        watcher = self._hub.watch(session)
        try:
            while not self._roster.is_idle(session):
                await watcher.next()
        finally:
            watcher.close()

    async def _end_agents(self, folder: str) -> None:
        await self._pool.end_in(folder)
        log.info("the agent of %s was ended: the next prompt starts it with what is trusted now", folder)


def _same(one: FolderRules, other: FolderRules) -> bool:
    return replace(one, **VARYING) == replace(other, **VARYING)
