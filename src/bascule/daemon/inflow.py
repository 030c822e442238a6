"""What agents tell: brought to the right session, and into its lane."""

from collections.abc import Callable, Iterable
from pathlib import PurePath

from bascule.agents.codex.scribe import Entry
from bascule.core.faults import CODES, AgentGone
from bascule.core.lane import Step
from bascule.core.text import shorten
from bascule.daemon.hub import Hub
from bascule.daemon.patches import Patches
from bascule.daemon.prompts import MAX_TOLD, Prompts
from bascule.daemon.roster import Roster
from bascule.model.asks import Ask
from bascule.model.attachments import ErrorAttachment
from bascule.model.blocks import ErrorBlock, InfoBlock, UserBlock
from bascule.model.changes import AskClosed, BlockGone, BlockPut, Change, RunPut, StatusSet
from bascule.model.ids import BlockId, PromptKey, SessionId, ThreadId
from bascule.model.session import Prompt, Run, Session

STOPPED = "The agent stopped"
STOPPED_MEANWHILE = "Bascule was stopped while this was going on."


class Inflow:
    def __init__(
        self,
        *,
        hub: Hub,
        roster: Roster,
        prompts: Prompts,
        patches: Patches,
        new_id: Callable[[str], str],
        now_ms: Callable[[], int],
    ) -> None:
        self._hub = hub
        self._roster = roster
        self._prompts = prompts
        self._patches = patches
        self._new_id = new_id
        self._now_ms = now_ms
        self._held: dict[SessionId, list[RunPut | StatusSet]] = {}  # ends of runs that are being judged

    def take(self, workspace: str, entries: list[Entry]) -> None:
        for thread, changes in entries:
            if self._roster.has_left(thread):
                continue
            session = self._roster.find_by_thread(thread) or self._adopt(workspace, thread)
            self._hub.load(session)
            self._take(session, changes)

    def _take(self, session: SessionId, changes: Iterable[Change]) -> None:
        """In wire order. A run whose answer is to be judged goes on, for whoever watches, until it is."""
        waiting: list[Change] = []
        for change in changes:
            if isinstance(change, RunPut):
                self._hub.apply(session, waiting)
                waiting = []
                self._prompts.go(session, self._take_run(session, change))
            elif isinstance(change, StatusSet) and session in self._held:
                self._held[session].append(change)
            else:
                waiting.append(change)
        self._hub.apply(session, waiting)

    def _take_run(self, session: SessionId, change: RunPut) -> list[Step]:
        lane, run = self._roster.lane(session), change.run
        judged = run.outcome == "completed" and lane.knows(run.id) and self._patches.wants(session, run.id)
        if not judged:
            self._hub.apply(session, [change])
            return lane.started(run.id) if run.outcome == "running" else lane.ended(run.id, run.outcome)
        self._settle(session)  # one before it, should its judge still think
        self._held[session] = [change, StatusSet("completed")]
        self._hub.apply(session, [StatusSet("working")])  # Codex says that it rests before it ends the run
        steps = lane.ended(run.id, run.outcome, hold=True)
        self._patches.judge(session, run.id, lambda: self._settle(session))
        return steps

    def _settle(self, session: SessionId) -> None:
        """The end of what was judged; the status only where nothing else has begun."""
        head, lane = self._roster.get(session), self._roster.lane(session)
        running = {run.id for run in head.runs if run.outcome == "running"}
        busy = lane.run is not None or lane.starting is not None
        held = self._held.pop(session, [])
        ends = [one for one in held if (one.run.id in running if isinstance(one, RunPut) else not busy)]
        self._hub.apply(session, ends)

    def _adopt(self, workspace: str, thread: ThreadId) -> SessionId:
        """A thread that nobody here began: an agent's helper. Shown, but not among the tabs."""
        session = Session(
            id=SessionId(self._new_id("s")),
            workspace=workspace,
            thread=thread,
            title=default_title(workspace, thread),
            hidden=True,
            created_at_ms=self._now_ms(),
            updated_at_ms=self._now_ms(),
        )
        self._hub.add(session)
        self._roster.bind(thread, session.id)
        return session.id

    def agent_died(self, workspace: str, why: str) -> None:
        """Running work has failed; the sessions stay usable."""
        for session in self._roster.busy(workspace):
            self._settle(session)
            self._roster.lane(session).lost()
            self._hub.apply(session, self._failed(session, why))
            self._roster.publish_queue(session)
            self._prompts.on_trouble(f"{STOPPED}: {shorten(why, MAX_TOLD)}")

    def recover(self) -> None:
        """After a crash of ours: what was going on is over, and nothing that was open counts as a yes."""
        for head in self._hub.heads():
            if head.asks or head.status in ("working", "waiting_user"):
                self._hub.load(head.id)
                self._hub.apply(head.id, [*self._expired(head), *self._failed(head.id, STOPPED_MEANWHILE)])
                self._take_back_unsent(head.id)

    def _take_back_unsent(self, session: SessionId) -> None:
        """What the agent never said that it has goes back to the front of the queue, for a person to see."""
        blocks = self._hub.session(session).blocks
        unsent = [block for block in blocks if isinstance(block, UserBlock) and not block.sent]
        self._hub.apply(session, [BlockGone(block.id) for block in unsent])
        lane = self._roster.lane(session)
        lane.queue[:0] = [
            Prompt(key=PromptKey(block.id), text=block.text, images=block.images, context=block.context)
            for block in unsent
        ]
        lane.held = bool(lane.queue)
        self._roster.publish_queue(session)

    def _expired(self, head: Session) -> list[Change]:
        return [
            change
            for ask in head.asks
            for change in (
                AskClosed(ask.id, "expired", why=STOPPED_MEANWHILE),
                BlockPut(
                    InfoBlock(
                        id=BlockId(f"expired:{ask.id}"),
                        run=ask.run,
                        at_ms=self._now_ms(),
                        title=f"Expired without an answer: {ask.title}",
                        text=f"{_about(ask)}\n{STOPPED_MEANWHILE} It counts as a no.".strip(),
                        status="cancelled",
                    )
                ),
            )
        ]

    def _failed(self, session: SessionId, why: str) -> list[Change]:
        head = self._roster.get(session)
        ended: list[Change] = [
            RunPut(
                Run(
                    id=run.id,
                    outcome="failed",
                    started_at_ms=run.started_at_ms,
                    ended_at_ms=self._now_ms(),
                    why=why,
                )
            )
            for run in head.runs
            if run.outcome == "running"
        ]
        last = head.runs[-1].id if head.runs else None
        block = ErrorBlock(
            id=BlockId(self._new_id("stopped")),
            run=last,
            at_ms=self._now_ms(),
            title=STOPPED,
            text=why,
            attachments=(ErrorAttachment(code=CODES[AgentGone], message=why, title=STOPPED),),
        )
        return [*ended, BlockPut(block), StatusSet("stopped")]


def default_title(workspace: str, thread: ThreadId) -> str:
    """A thread's id begins with its time; its end tells two of one minute apart."""
    return f"{PurePath(workspace).name or workspace} ({thread[-8:]})"


def _about(ask: Ask) -> str:
    subject = ask.subject
    match subject.__struct_config__.tag:
        case "command":
            return shorten(getattr(subject, "command", ""), 200)
        case "files":
            return ", ".join(edit.path for edit in getattr(subject, "files", ())[:20])
        case _:
            return ask.reason
