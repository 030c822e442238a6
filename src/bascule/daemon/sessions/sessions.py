"""Sessions: made, reopened, renamed, hidden, forked, cleared."""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec.structs import replace

from bascule.agents.codex.confining import Confined
from bascule.agents.codex.driver import CodexDriver
from bascule.agents.codex.history import history_page
from bascule.agents.codex.saying import Policy
from bascule.agents.codex.wire.threads import Model, ThreadAnswer
from bascule.core.faults import AgentFault, AgentRefused, UserError
from bascule.core.session.growing_text import shorten
from bascule.daemon.agents.agent_events import STOPPED, default_title
from bascule.daemon.agents.pool import AgentPool
from bascule.daemon.agents.roster import Roster
from bascule.daemon.consent.folder_trust import FolderState, Trust
from bascule.daemon.sessions.hub import Hub
from bascule.model.asks import Refuse
from bascule.model.blocks import ErrorBlock, UserBlock
from bascule.model.changes import (
    AskOpened,
    BlockGone,
    BlockPut,
    Change,
    Cleared,
    HiddenSet,
    HistoryPut,
    ModelSet,
    RunPut,
    StatusSet,
    TitleSet,
    UsageSet,
)
from bascule.model.ids import RunId, SessionId, ThreadId
from bascule.model.session import Session
from bascule.model.settings import Settings

MAX_TITLE = 200
MAX_SENDER = 60

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

    # -- beginning and reopening --

    async def create(
        self, workspace: str, *, model: str = "", effort: str = "", sender: str = ""
    ) -> SessionId:
        """With `sender`: for the Orders of that person."""
        workspace = real_folder(workspace)
        settings = self._settings(workspace).codex
        standing = await self._trust.look(workspace)
        confined = await self._confine(standing)
        driver = await self._pool.driver(workspace)
        session = SessionId(self._new_id("s"))
        chosen = (model or settings.model, effort or settings.effort)
        await driver.start_thread(
            workspace,
            confined,
            chosen[0],
            lambda answer: self._begin(session, workspace, answer, sender=sender),
        )
        await self._trust.check_unchanged(standing)
        self._trust.consider(session, standing)
        if effort or settings.effort:
            self._hub.apply(session, [ModelSet(self._roster.get(session).model, chosen[1])])
        return session

    def _begin(
        self,
        session: SessionId,
        workspace: str,
        answer: ThreadAnswer,
        parent: SessionId | None = None,
        sender: str = "",
    ) -> None:
        """In wire order: the thread has its session before anything more is told of it."""
        thread = ThreadId(answer.thread.id)
        now = self._now_ms()
        title = f"Orders of {shorten(sender, MAX_SENDER)}" if sender else default_title(workspace, thread)
        self._hub.add(
            Session(
                id=session,
                workspace=workspace,
                thread=thread,
                title=title,
                title_by="person" if sender else "default",
                model=answer.model,
                effort=answer.reasoning_effort or "",
                parent=parent,
                sender=sender,
                created_at_ms=now,
                updated_at_ms=now,
            )
        )
        self._roster.bind(thread, session)

    async def ready(self, session: SessionId) -> CodexDriver:
        """The session's driver; a thread that it has not in memory is resumed first."""
        self._check_conversation(session)
        async with self._hub.held(session):
            return await self._make_ready(session)

    async def _make_ready(self, session: SessionId) -> CodexDriver:
        head = self._check_conversation(session)
        assert head.thread is not None
        if self._roster.lane(session).run is not None and self._pool.is_running(head.workspace):
            driver = await self._pool.driver(head.workspace)
            if driver.is_loaded(head.thread):  # what is steered into a run must be quick
                return driver
        standing = await self._trust.look(head.workspace)
        confined = await self._confine(standing)
        await self._trust.reload(session, confined.rules)
        driver = await self._pool.driver(head.workspace)
        if not driver.is_loaded(head.thread):
            await self._load(session, head, driver, confined)
            await self._trust.check_unchanged(standing)
        self._trust.consider(session, standing)
        return driver

    async def _load(self, session: SessionId, head: Session, driver: CodexDriver, confined: Confined) -> None:
        try:
            await self._resume(session, head, driver, confined)
        except AgentRefused as refused:
            if head.runs:
                raise
            log.info("%s was never used, so it gets a fresh thread: %s", session, refused)
            await self._begin_afresh(session, driver, confined)

    def _check_conversation(self, session: SessionId) -> Session:
        head = self._roster.get(session)
        if head.thread is None:
            raise UserError(f"{head.title!r} is no conversation: it has no agent.")
        return head

    async def _begin_afresh(self, session: SessionId, driver: CodexDriver, confined: Confined) -> None:
        """Codex keeps nothing of a thread without turns: after a restart it is another, with the same log."""
        head = self._roster.get(session)

        def bind(answer: ThreadAnswer) -> None:
            seen = self._hub.session(session)
            kept: list[Change] = [
                *map(BlockPut, seen.blocks),
                *map(AskOpened, seen.asks),
                StatusSet(seen.status),
            ]
            self._rebind(session, ThreadId(answer.thread.id), kept)

        await driver.start_thread(head.workspace, confined, head.model, bind)

    def _rebind(self, session: SessionId, thread: ThreadId, kept: list[Change]) -> None:
        left = self._roster.get(session).thread
        if left is not None:
            self._roster.unbind(left)
        self._roster.bind(thread, session)
        self._hub.apply(session, [Cleared(thread), *kept])

    async def open(self, session: SessionId) -> None:
        """Show it: back among the tabs, its history as the agent tells it."""
        self._check_conversation(session)
        if self._roster.get(session).hidden:
            self.hide(session, False)
        await self.ready(session)

    async def _resume(
        self, session: SessionId, head: Session, driver: CodexDriver, confined: Confined
    ) -> None:
        assert head.thread is not None
        page_runs = self._settings(head.workspace).history.page_runs

        def bind(answer: ThreadAnswer) -> None:
            if answer.initial_turns_page is not None:
                page = history_page(answer.initial_turns_page, answer.thread.cwd)
                self._hub.apply(session, [page, *self._ours(session, page)])

        await driver.resume_thread(head.thread, confined, page_runs, bind)

    def _ours(self, session: SessionId, page: HistoryPut) -> Iterator[Change]:
        """What we know better: why a run was cut off, and what the agent has not heard yet.

        What the agent knows better: a run that we missed the end of did not stop."""
        cut_off = {run.id for run in page.runs if run.outcome == "interrupted"}
        done = {run.id for run in page.runs if run.outcome == "completed"}
        seen = self._hub.session(session)
        for run in seen.runs:
            if run.id in cut_off and run.outcome == "failed":
                yield RunPut(run)
        for block in seen.blocks:
            if isinstance(block, UserBlock) and not block.sent:
                yield from (BlockGone(block.id), BlockPut(block))  # it comes after all of the past
            if isinstance(block, ErrorBlock) and block.title == STOPPED and block.run in done:
                yield BlockGone(block.id)

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
        turns = await driver.list_turns(head.thread, head.earlier, page_runs)
        page = history_page(turns, head.workspace, older=True)
        self._hub.apply(session, [page, *self._ours(session, page)])
        return True

    def policy(self, workspace: str) -> Policy:
        codex = self._settings(workspace).codex
        return Policy(sandbox=codex.sandbox, approvals=codex.approvals)

    async def _confine(self, standing: FolderState) -> Confined:
        approvals = self.policy(standing.folder).approvals
        return Confined(approvals, await self._trust.rules(standing))

    # -- naming and hiding --

    async def rename(self, session: SessionId, title: str) -> Refuse | None:
        """Kept here, and told to the agent so that its own lists show it too."""
        title = " ".join(title.split())
        if not title or len(title) > MAX_TITLE:
            return Refuse(f"A title has 1 to {MAX_TITLE} characters.")
        head = self._roster.get(session)
        self._hub.apply(session, [TitleSet(title, "person")])
        if head.thread is not None and self._pool.is_running(head.workspace):
            driver = await self._pool.driver(head.workspace)
            try:
                await driver.name_thread(head.thread, title)
            except AgentFault as fault:
                log.info("codex did not take the title of %s: %s", session, fault)
        return None

    def hide(self, session: SessionId, hidden: bool = True) -> None:
        """From the tab bar only; nothing is lost."""
        self._check_conversation(session)
        self._hub.apply(session, [HiddenSet(hidden)])

    # -- the conversation as a whole --

    async def fork(self, session: SessionId, run: RunId | None = None) -> SessionId | Refuse:
        """A new session that shares the past up to and with `run` (all of it when not given)."""
        head = self._roster.get(session)
        if run is not None and all(run != known.id for known in head.runs):
            return Refuse(f"Session {session} has no run {run}.")
        if head.thread is None:
            return Refuse("A session that has not begun cannot be forked.")
        if any(known.outcome == "running" and run in (None, known.id) for known in head.runs):
            return Refuse(
                "A run that is still going cannot be forked. Wait, stop it, or name an earlier run."
            )
        driver = await self.ready(session)
        standing = await self._trust.look(head.workspace)
        confined = await self._confine(standing)
        fork = SessionId(self._new_id("s"))
        answer = await driver.fork_thread(
            head.thread,
            run,
            confined,
            lambda answer: self._begin(fork, head.workspace, answer, parent=session),
        )
        await self._trust.check_unchanged(standing)
        thread = ThreadId(answer.thread.id)
        page = await driver.list_turns(thread, "", self._settings(head.workspace).history.page_runs)
        self._hub.apply(fork, [history_page(page, head.workspace)])
        return fork

    async def compact(self, session: SessionId) -> Refuse | None:
        self._roster.get(session)
        async with self._hub.held(session):
            return await self._compact(session)

    async def _compact(self, session: SessionId) -> Refuse | None:
        head = self._roster.get(session)
        if not self._roster.lane(session).idle:
            return Refuse("The agent is at work. Stop the run, or wait, before compacting.")
        driver = await self.ready(session)
        assert head.thread is not None
        lane = self._roster.lane(session)
        lane.expect()
        try:
            await driver.compact_thread(head.thread)
        except AgentFault:
            lane.start_failed()
            self._roster.publish_queue(session)
            raise
        return None

    async def clear(self, session: SessionId) -> Refuse | None:
        """The log starts anew with a fresh thread; the old one stays with the agent."""
        head = self._check_conversation(session)
        if not self._roster.is_idle(session):
            return Refuse("The agent is at work. Stop the run, or wait, before clearing.")
        standing = await self._trust.look(head.workspace)
        confined = await self._confine(standing)
        driver = await self._pool.driver(head.workspace)

        def bind(answer: ThreadAnswer) -> None:
            asks = self._roster.get(session).asks  # of ours: they go on waiting for their answer
            self._rebind(session, ThreadId(answer.thread.id), [*map(AskOpened, asks)])

        await driver.start_thread(head.workspace, confined, head.model, bind)
        await self._trust.check_unchanged(standing)
        self._trust.consider(session, standing)
        return None

    # -- models --

    async def models(self, workspace: str) -> list[Model]:
        driver = await self._pool.driver(workspace)
        return [model for model in await driver.list_models() if not model.hidden]

    async def set_model(self, session: SessionId, name: str, effort: str = "") -> Refuse | None:
        """For the runs to come."""
        models = await self.models(self._roster.get(session).workspace)
        model = choose_model(models, name, effort)
        if isinstance(model, Refuse):
            return model
        head = self._roster.get(session)
        changes: list[Change] = [ModelSet(model.model, effort or model.default_reasoning_effort)]
        if head.usage is not None and head.model != model.model:
            changes.append(UsageSet(replace(head.usage, context_window=None)))  # it was the other model's
        self._hub.apply(session, changes)
        return None


def choose_model(models: list[Model], name: str, effort: str) -> Model | Refuse:
    """The model of that name, where it has that effort."""
    model = next((model for model in models if name in (model.model, model.id)), None)
    if model is None:
        return Refuse(f"There is no model {name}. There are: {', '.join(m.model for m in models)}.")
    efforts = [option.reasoning_effort for option in model.supported_reasoning_efforts]
    if effort and effort not in efforts:
        return Refuse(f"{model.model} has no effort {effort}. It has: {', '.join(efforts)}.")
    return model


def real_folder(workspace: str) -> str:
    """One folder is one child, however it is written."""
    try:
        return str(Path(workspace).resolve())
    except ValueError:
        raise UserError("The workspace is no path: it holds a NUL. Name a folder.") from None
