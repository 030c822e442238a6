"""Sessions: made, reopened, renamed, hidden, forked, cleared."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from msgspec.structs import replace

from bascule.agents.driver import Agent, AgentModel, Confinement, Driver, FolderRules, OpenedThread, Policy
from bascule.core.consent.trust_notes import has_just_ended
from bascule.core.faults import AgentFault, AgentRefused, ThreadHeld, UserError
from bascule.core.session.history import correct_history
from bascule.core.session.status import is_draft
from bascule.core.session.titles import default_title
from bascule.daemon.agents.pool import AgentPlace, AgentPool, place_of
from bascule.daemon.agents.roster import Roster
from bascule.daemon.consent.folder_trust import FolderState, Trust
from bascule.daemon.prompts.prompt_outcomes import PromptOutcome
from bascule.daemon.sessions.held_elsewhere import HeldElsewhere, name_nobody
from bascule.daemon.sessions.hub import Hub
from bascule.daemon.sessions.session_choices import (
    BUSY_CLEARING,
    BUSY_COMPACTING,
    choose_model,
    choose_policy,
    find_fork_bar,
    make_draft,
    make_fork,
    model_changes,
    real_folder,
)
from bascule.model.asks import Refuse
from bascule.model.blocks import Purpose
from bascule.model.changes import (
    AskOpened,
    BlockPut,
    CapabilitiesSet,
    Change,
    Cleared,
    ElsewhereSet,
    HiddenSet,
    ModelSet,
    PlaceSet,
    StatusSet,
    TitleSet,
)
from bascule.model.ids import PromptKey, RunId, SessionId, ThreadId
from bascule.model.said import Said
from bascule.model.session import Elsewhere, ListPlace, Session
from bascule.model.settings import Settings

MAX_TITLE = 200
MAX_UNUSED = 20  # sessions in which nothing was said

log = logging.getLogger("bascule.sessions")


class Sessions:
    def __init__(
        self,
        *,
        hub: Hub,
        roster: Roster,
        pool: AgentPool,
        trust: Trust,
        settings: Callable[[str], Settings],
        new_id: Callable[[str], str],
        now_ms: Callable[[], int],
    ) -> None:
        self._hub = hub
        self._roster = roster
        self._pool = pool
        self._trust = trust
        self._settings = settings  # of a workspace
        self._new_id = new_id
        self._now_ms = now_ms
        self.find_holder: Callable[[Session], Awaitable[Elsewhere]] = name_nobody

    # -- beginning and reopening --

    async def create(
        self,
        workspace: str,
        *,
        agent: str = "",
        model: str = "",
        effort: str = "",
        sender: str = "",
        relay: str = "",
    ) -> SessionId:
        """With the agent of that name; with `sender`: for the Orders of that person, by that relay.

        No agent is started and nothing is stored before its first prompt."""
        chosen, folder = self._pool.agents.get(agent), await asyncio.to_thread(real_folder, workspace)
        await asyncio.to_thread(self._pool.check, AgentPlace(chosen.name, folder))
        standing = await self._trust.look(folder)  # first: it says whether the folder's own settings count
        preferred = chosen.model(self._settings(folder))
        await self._drop_unused()
        session = SessionId(self._new_id("s"))
        draft = make_draft(session, folder, chosen.name, sender, relay, self._now_ms())
        self._hub.add(replace(draft, model=model or preferred.model, effort=effort or preferred.effort))
        self._trust.consider(session, standing)
        return session

    async def _drop_unused(self) -> None:
        """Sessions in which nothing was said are in memory only, and not without number."""
        unused = [head for head in self._hub.heads() if is_draft(head)]
        for head in unused[MAX_UNUSED - 1 :]:
            await self._hub.purge(head.id)

    def _add_fork(self, session: SessionId, parent: Session, driver: Driver, opened: OpenedThread) -> None:
        """In wire order: the thread has its session before anything more arrives for it."""
        self._hub.add(make_fork(session, parent, driver.capabilities, opened, self._now_ms()))
        self._roster.bind(parent.agent, opened.id, session)

    async def ready(self, session: SessionId) -> Driver:
        """The session's driver; a thread that it has not in memory is resumed first."""
        self._check_conversation(session)
        async with self._hub.held(session):
            return await self._make_ready(session)

    async def _make_ready(self, session: SessionId) -> Driver:
        head = self._check_conversation(session)
        if head.elsewhere is not None and head.elsewhere.joined:
            return await self._rejoin(session, head)
        agent = self._pool.agents.get(head.agent)
        if self._roster.lane(session).run is not None and self._pool.is_running(place_of(head)):
            driver = await self._pool.driver(place_of(head))
            if head.thread is not None and driver.is_loaded(head.thread):
                return driver  # what is steered into a run must be quick
        await self._trust.decided(head.workspace)
        standing = await self._trust.look(head.workspace)
        await self._trust.reload(session, await self._rules(head, standing))
        driver = await self._pool.driver(place_of(head))
        if driver.capabilities != head.capabilities:  # another version of it runs now
            self._hub.apply(session, [CapabilitiesSet(driver.capabilities)])
        if head.thread is None or not driver.is_loaded(head.thread):
            await self._load(session, head, driver, await self._confine(agent, head, standing))
        self._trust.consider(session, standing)
        self._trust.note_ignored(session)
        return driver

    async def _rejoin(self, session: SessionId, head: Session) -> Driver:
        """Through the daemon that a terminal shares. Nothing of how it runs is chosen here."""
        driver = await self._pool.driver(place_of(head))
        if head.thread is not None and not driver.is_loaded(head.thread):
            await self._resume(session, head, driver, Confinement(approvals=""))
        return driver

    async def _load(
        self, session: SessionId, head: Session, driver: Driver, confinement: Confinement
    ) -> None:
        if head.thread is None:
            await self._begin(session, driver, confinement)
            return
        if not driver.capabilities.resume and head.runs:
            title = self._pool.agents.get(head.agent).title
            raise UserError(f"{title} cannot continue an earlier conversation. Start a new session.")
        try:
            await self._resume(session, head, driver, confinement)
        except AgentRefused as refused:
            if head.runs:
                raise
            log.info("%s was never used, so it gets a fresh thread: %s", session, refused)
            await self._begin(session, driver, confinement)

    def _check_conversation(self, session: SessionId) -> Session:
        head = self._roster.get(session)
        if not head.agent:
            raise UserError(f"{head.title!r} is not a conversation: it has no agent.")
        return head

    async def _begin(self, session: SessionId, driver: Driver, confinement: Confinement) -> None:
        """A thread for its first prompt. An agent may keep nothing of one without runs: after a restart it
        is another, same log."""
        head = self._roster.get(session)

        def bind(opened: OpenedThread) -> None:
            seen = self._hub.session(session)
            kept: list[Change] = [
                *map(BlockPut, seen.blocks),
                *map(AskOpened, seen.asks),
                StatusSet(seen.status),
                ModelSet(opened.model or head.model, head.effort or opened.effort),
            ]
            self._rebind(session, opened.id, kept)

        await driver.start(head.workspace, confinement, head.model, bind)
        if head.title_by == "person":
            await self._tell_title(session, driver)

    async def _tell_title(self, session: SessionId, driver: Driver) -> None:
        """So that the agent's own lists show it too."""
        head = self._roster.get(session)
        assert head.thread is not None
        try:
            await driver.rename(head.thread, head.title)
        except AgentFault as fault:
            log.info("the agent did not take the title of %s: %s", session, fault)

    def _rebind(self, session: SessionId, thread: ThreadId, kept: list[Change]) -> None:
        head = self._roster.get(session)
        if head.thread is not None:
            self._roster.unbind(head.agent, head.thread)
        self._roster.bind(head.agent, thread, session)
        self._hub.apply(session, [Cleared(thread), *kept])

    async def open(self, session: SessionId) -> None:
        """Show it: back among the tabs, its history as the agent tells it. One that was never used has none,
        and needs no agent yet."""
        if self._check_conversation(session).hidden:
            self.hide(session, False)
        head = self._roster.get(session)
        if head.runs or head.usage is not None:
            await self.ready(session)

    async def _resume(
        self, session: SessionId, head: Session, driver: Driver, confinement: Confinement
    ) -> None:
        assert head.thread is not None
        page_runs = self._settings(head.workspace).history.page_runs

        def bind(opened: OpenedThread) -> None:
            if (page := opened.history) is not None:
                self._hub.apply(session, [page, *correct_history(self._hub.session(session), page)])

        try:
            await driver.resume(head.thread, head.workspace, confinement, page_runs, bind)
        except ThreadHeld:
            raise HeldElsewhere(await self.find_holder(head)) from None
        if head.elsewhere is not None and not head.elsewhere.joined:
            self._hub.apply(session, [ElsewhereSet(None)])
        if confinement.rules.trust_ended:
            await self._choose_own_model(session, driver)

    async def _choose_own_model(self, session: SessionId, driver: Driver) -> None:
        """That of the person's own settings: the thread may have another from a folder trusted before."""
        head = self._roster.get(session)
        wanted = self._pool.agents.get(head.agent).model(self._settings(head.workspace))
        models = await driver.list_models()
        usual = next((model.name for model in models if model.is_default), head.model)
        model = choose_model(models, wanted.model or usual, wanted.effort)
        if not isinstance(model, Refuse):
            self._hub.apply(session, model_changes(head, model, wanted.effort))

    async def load_earlier(self, session: SessionId) -> bool:
        """One more page of the past; False when there is none."""
        self._roster.get(session)
        async with self._hub.held(session):
            return await self._load_earlier(session)

    async def _load_earlier(self, session: SessionId) -> bool:
        head = self._roster.get(session)
        if not head.earlier or head.thread is None:
            return False
        driver = await self.ready(session)
        page_runs = self._settings(head.workspace).history.page_runs
        page = await driver.list_runs(head.thread, head.workspace, head.earlier, page_runs)
        self._hub.apply(session, [page, *correct_history(self._hub.session(session), page)])
        return True

    def policy(self, session: SessionId, purpose: Purpose = "talk") -> Policy:
        """Of a run for that purpose."""
        head, ordered = self._roster.get(session), self._roster.find_sender(session) is not None
        agent = self._pool.agents.get(head.agent)
        return choose_policy(agent, self._settings(head.workspace), purpose, ordered=ordered)

    async def _confine(self, agent: Agent, head: Session, standing: FolderState) -> Confinement:
        approvals = agent.policy(self._settings(standing.folder)).approvals
        return Confinement(approvals, await self._rules(head, standing))

    async def _rules(self, head: Session, standing: FolderState) -> FolderRules:
        """A session of Orders is confined as a whole, also where a person here speaks in it."""
        commands = self._settings(standing.folder).orders.commands != "deny"
        rules = await self._trust.rules(standing, commands if head.sender else None)
        if not head.id:  # of another program: no trust of ours was ever in it
            return rules
        ended = has_just_ended(self._hub.session(head.id).blocks, self._roster.latest_run(head.id))
        return replace(rules, trust_ended=ended)

    # -- naming and hiding --

    async def rename(self, session: SessionId, title: str) -> Refuse | None:
        """Kept here and by the agent."""
        title = " ".join(title.split())
        if not title or len(title) > MAX_TITLE:
            return Refuse(
                f"A title has 1 to {MAX_TITLE} characters.", said=Said("title.length", {"most": MAX_TITLE})
            )
        head = self._roster.get(session)
        self._hub.apply(session, [TitleSet(title, "person")])
        if head.thread is not None and self._pool.is_running(place_of(head)):
            await self._tell_title(session, await self._pool.driver(place_of(head)))
        return None

    def hide(self, session: SessionId, hidden: bool = True) -> None:
        """From the tab bar only; nothing is lost."""
        self._check_conversation(session)
        self._hub.apply(session, [HiddenSet(hidden)])

    def set_place(self, session: SessionId, place: ListPlace) -> None:
        """In lists only: pinned, archived or neither."""
        self._check_conversation(session)
        self._hub.apply(session, [PlaceSet(place)])

    # -- the conversation as a whole --

    async def fork(self, session: SessionId, run: RunId | None = None) -> SessionId | Refuse:
        """A new session that shares the past up to and with `run` (all of it when not given)."""
        head = self._roster.get(session)
        agent = self._pool.agents.get(head.agent)
        if (barred := find_fork_bar(agent, head, run)) is not None:
            return barred
        if head.elsewhere is None:
            await self.ready(session)
        return await self.copy(head, run)

    async def copy(self, head: Session, run: RunId | None = None) -> SessionId:
        """A new session from a conversation's stored log, also while another program has it open."""
        assert head.thread is not None
        agent, fork = self._pool.agents.get(head.agent), SessionId(self._new_id("s"))
        driver = await self._pool.driver(AgentPlace(head.agent, head.workspace))
        rules = await self._confine(agent, replace(head, sender=""), await self._trust.look(head.workspace))
        opened = await driver.fork(
            head.thread, run, rules, lambda opened: self._add_fork(fork, head, driver, opened)
        )
        page_runs = self._settings(head.workspace).history.page_runs
        self._hub.apply(fork, [await driver.list_runs(opened.id, head.workspace, "", page_runs)])
        return fork

    async def compact(self, session: SessionId) -> PromptOutcome | Refuse:
        self._roster.get(session)
        async with self._hub.held(session):
            return await self._compact(session)

    async def _compact(self, session: SessionId) -> PromptOutcome | Refuse:
        head = self._roster.get(session)
        if not self._roster.is_idle(session):
            return BUSY_COMPACTING
        if not head.capabilities.compact:
            return Refuse(f"{self._pool.agents.get(head.agent).title} cannot shorten its context.")
        driver = await self.ready(session)
        head = self._roster.get(session)
        assert head.thread is not None
        key = PromptKey(self._new_id("compact"))
        outcome = self._roster.outcomes.open(session, key)
        self._roster.change(session, lambda lane: lane.expect(key))
        try:
            await driver.compact(head.thread)
        except AgentFault as fault:
            why = str(fault)
            self._roster.change(session, lambda lane: lane.start_failed(why))
            raise
        return outcome

    async def clear(self, session: SessionId) -> Refuse | None:
        """The log starts empty with a new thread; the old one stays with the agent."""
        head = self._check_conversation(session)
        if not self._roster.is_idle(session):
            return BUSY_CLEARING
        if head.thread is None:
            return None  # nothing was said in it yet
        agent = self._pool.agents.get(head.agent)
        driver = await self._pool.driver(place_of(head))

        def bind(opened: OpenedThread) -> None:
            now = self._roster.get(session)
            kept: list[Change] = [*map(AskOpened, now.asks)]  # of ours: they go on waiting for their answer
            if now.title_by == "prompt":  # its next prompt names it
                kept.append(TitleSet(default_title(now.workspace, opened.id), "default"))
            self._rebind(session, opened.id, kept)

        standing = await self._trust.look(head.workspace)
        await driver.start(head.workspace, await self._confine(agent, head, standing), head.model, bind)
        self._trust.consider(session, standing)
        return None

    # -- models --

    async def models(self, place: AgentPlace) -> list[AgentModel]:
        return await (await self._pool.driver(place)).list_models()

    async def set_model(self, session: SessionId, name: str, effort: str = "") -> Refuse | None:
        """For the runs to come."""
        models = await self.models(place_of(self._roster.get(session)))
        model = choose_model(models, name, effort)
        if isinstance(model, Refuse):
            return model
        self._hub.apply(session, model_changes(self._roster.get(session), model, effort))
        return None
