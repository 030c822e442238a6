"""The record: every question, answer and writing, on the disk before what it allows is done."""

import asyncio
import hashlib
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import assert_never

import msgspec
from msgspec.structs import replace

from bascule.core.consent.answer_check import find_choice
from bascule.core.consent.ask_subjects import title_with_plan
from bascule.core.consent.line_budget import LineBudget
from bascule.core.consent.who import who_answered
from bascule.core.faults import UserError
from bascule.core.session.growing_text import shorten
from bascule.host.clock import new_id
from bascule.host.processes.tasks import Tasks, whole
from bascule.host.storage.audit import Audit, audit_in, who_is_here
from bascule.model.asks import (
    ActionSubject,
    Answer,
    Ask,
    AskEnd,
    CommandSubject,
    DeviceSubject,
    FilesSubject,
    PermissionsSubject,
    QuestionsSubject,
    SettingSubject,
    TrustSubject,
)
from bascule.model.changes import AskClosed
from bascule.model.consent.audit import (
    Asker,
    Entry,
    Kind,
    Lasts,
    Line,
    Local,
    Outcome,
    Outside,
    Remote,
    Reply,
    Who,
)
from bascule.model.protocol.ui import UiToastNotify
from bascule.model.session import Session

MAX_ASKED = 1_000
MAX_LOOKED = 1_000  # of the latest lines, for what a crash left without an end
MAX_WAITING = 10_000  # entries of what is over, on their way to the disk; more are counted in the log

DEEDS: frozenset[Kind] = frozenset({"apply", "undo", "test", "shell"})  # what follows a yes
ENDS: dict[AskEnd, Outcome] = {"withdrawn": "withdrawn", "expired": "expired"}  # an answer has its own line

INTERRUPTED = "the program that asked left before the end, so it may have been done or not"
NOT_BEGUN = "the program that asked left before it began"
CRASHED = "it crashed; `bascule logs` says how"

log = logging.getLogger("bascule.record")


class Record:
    """Raises UserError where it cannot be written: then nothing may be done."""

    def __init__(self, root: Path, now_ms: Callable[[], int]) -> None:
        self._audit = Audit(audit_in(root))
        self._now_ms = now_ms
        self._budget = LineBudget()
        self._waiting: deque[tuple[Entry, asyncio.Future[None] | None]] = deque()  # and who waits for it
        self._tasks = Tasks()
        self._writing: asyncio.Task[None] | None = None
        self.loss = ""  # what was found to be missing from the record since this life began
        self.on_loss: Callable[[str], None] = lambda _loss: None

    def check(self) -> None:
        """At the start, before anything else is recorded."""
        try:
            self._tell(self._audit.check())
        except UserError as fault:
            self._tell(str(fault))

    def _tell(self, loss: str) -> None:
        if loss:
            log.error("%s `bascule audit --verify` has details.", loss)
            self.loss = loss
            self.on_loss(loss)

    def find_answer(self, ask: str) -> Line | None:
        """The yes or no that an Ask ended with, also in an earlier life."""
        found: Line | None = None
        for line in self._audit.find_ref(ask):
            if line.entry.kind == "ask":  # a line without an answer cancels the one before it
                found = None if line.entry.answer == "none" else found or line
        return found

    def find_lasting(self, workspace: str) -> list[Line]:
        """Yeses that an agent keeps for good there, among the latest lines."""
        return [line for line in self._audit.last(MAX_LOOKED) if _is_lasting(line.entry, workspace)]

    def find_yes(self, bound_to: str) -> Line | None:
        """The last yes to a plan."""
        lines = [line for line in self._audit.find_hash(bound_to, 0) if line.entry.kind == "ask"]
        return next((line for line in reversed(lines) if line.entry.answer == "yes"), None)

    def is_known(self, ref: str) -> bool:
        return bool(self._audit.find_ref(ref))

    def find_outcome(self, ask: Ask, answer: Line) -> Line | None:
        """Its outcome, as far as that is recorded: of a plan by its hash, of a command by its Ask."""
        found = self._audit.find_hash(ask.plan, answer.seq) if ask.plan else self._audit.find_ref(ask.id)
        ends = (line for line in found if line.entry.kind in DEEDS and line.entry.outcome != "started")
        return next(ends, None)

    def find_unfinished(self) -> list[Entry]:
        """What was started lately, and has no line of its end."""
        started = [line.entry for line in self._audit.last(MAX_LOOKED) if line.entry.outcome == "started"]
        return [entry for entry in started if not self._has_end(entry)]

    def _has_end(self, entry: Entry) -> bool:
        lines = [line.entry for line in self._audit.find_ref(entry.ref)]
        return any(one.kind == entry.kind and one.outcome != "started" for one in lines)

    async def answered(self, ask: Ask, answer: Answer, workspace: str) -> None:
        """Who answered what, for how long, before it counts."""
        choice = find_choice(ask, answer)
        entry = self._ask_entry(ask, "done", who_answered(answer), workspace, answer.reason)
        said: Reply = "yes" if choice.grants else "no"
        asked_by = ask.sender or ask.outside
        await self.write(replace(entry, answer=said, lasts=choice.lasts, rule=choice.rule, asked_by=asked_by))

    async def overtaken(self, ask: Ask, answer: Answer, workspace: str, why: str) -> None:
        """An answer that is recorded, and did not count any more by then."""
        await self.write(self._ask_entry(ask, "refused", who_answered(answer), workspace, why))

    def unheard(self, ask: Ask, answer: Answer, workspace: str, why: str) -> None:
        """An answer that is recorded, and that who asked had left before it arrived."""
        self.later(self._ask_entry(ask, "refused", who_answered(answer), workspace, why))

    def closed(self, session: Session, ask: Ask, closed: AskClosed, asker: Asker) -> None:
        """An Ask that nobody answered."""
        self.later(self._ask_entry(ask, ENDS[closed.end], asker, session.workspace, closed.why))

    def _ask_entry(self, ask: Ask, outcome: Outcome, asker: Asker, workspace: str, why: str) -> Entry:
        return self.entry(
            "ask",
            outcome,
            asker=asker,
            asked=f"{title_with_plan(ask)} {name_subject(ask)}",
            workspace=ask.workspace or workspace,
            bound_to=_bound_to(ask),
            ref=ask.id,
            why=why,
        )

    def entry(
        self,
        kind: Kind,
        outcome: Outcome,
        *,
        asker: Asker,
        asked: str,
        workspace: str,
        answer: Reply = "none",
        lasts: Lasts = "once",
        answered_by: Answer | None = None,
        bound_to: str = "",
        ref: str = "",
        why: str = "",
    ) -> Entry:
        """Who answered is named where that was another than who asked."""
        other = who_answered(answered_by) if answered_by is not None else asker
        return Entry(
            at_ms=self._now_ms(),
            kind=kind,
            who=_who(asker),
            asked=shorten(asked, MAX_ASKED),
            outcome=outcome,
            answer=answer,
            lasts=lasts,
            answered_by=_here_or_outside(other) if other != asker else None,
            hash=bound_to,
            workspace=workspace,
            ref=ref,
            why=shorten(why, MAX_ASKED),
        )

    async def write(self, entry: Entry) -> None:
        """After everything that came before it; also where who waits for it is cancelled meanwhile."""
        ends: list[asyncio.Future[None]] = []
        for one in self._budget.feed(entry):
            ends.append(asyncio.get_running_loop().create_future())
            self._put(one, ends[-1])
        for end in ends:
            await end

    async def start(self, entry: Entry) -> Entry:
        """Before it is done. What this gives is for `finish`; after a crash the next start writes the end."""
        started = replace(entry, outcome="started", ref=entry.ref or new_id("act"))
        try:
            await whole(f"record the start of {entry.kind}", self.write(started))
        except asyncio.CancelledError:
            await whole(f"record the end of {entry.kind}", self.finish(started, "cancelled", NOT_BEGUN))
            raise
        return started

    async def finish(self, started: Entry, outcome: Outcome, why: str = "") -> None:
        """It happened, so nobody is refused where the disk is full by now."""
        why = shorten(why, MAX_ASKED) or started.why
        try:
            await self.write(replace(started, at_ms=self._now_ms(), outcome=outcome, why=why))
        except UserError as fault:
            log.error("the end of what was started is not recorded: %s: %s", _short(started), fault)

    @asynccontextmanager
    async def doing(self, entry: Entry, outcome: Outcome = "done") -> AsyncIterator[None]:
        """Its start before it is done, and its end: that outcome, or why it failed or was cut short."""
        started = await self.start(entry)
        ended, why = outcome, ""
        try:
            yield
        except UserError as fault:
            ended, why = "failed", str(fault)
            raise
        except asyncio.CancelledError:
            ended, why = "cancelled", INTERRUPTED
            raise
        except Exception:
            ended, why = "failed", CRASHED
            raise
        finally:
            await whole(f"record the end of {entry.kind}", self.finish(started, ended, why))

    def later(self, entry: Entry) -> None:
        """Of what is over and allows nothing, where nobody can wait for the disk; `close` does."""
        for one in self._budget.feed(entry):
            if len(self._waiting) < MAX_WAITING:
                self._put(one)
            else:
                log.error("not recorded, %d others wait: %s", MAX_WAITING, _short(one))

    def _put(self, entry: Entry, end: asyncio.Future[None] | None = None) -> None:
        self._waiting.append((entry, end))
        if self._writing is None or self._writing.done():
            self._writing = self._tasks.start("the record", self._write_waiting())

    async def _write_waiting(self) -> None:
        """The one writer: lines stand in the order in which they were asked for."""
        while self._waiting:
            entry, end = self._waiting.popleft()
            appending = asyncio.to_thread(self._audit.append, entry)
            [said] = await asyncio.gather(appending, return_exceptions=True)
            if isinstance(said, str):
                self._tell(said)
            elif end is None or end.done():
                log.error("not recorded: %s: %s", _short(entry), said)
            else:
                end.set_exception(said)
            if end is not None and not end.done():
                end.set_result(None)

    async def written(self) -> None:
        """Until nothing waits."""
        if self._writing is not None:
            await asyncio.shield(self._writing)

    async def close(self) -> None:
        """When nobody writes any more."""
        for one in self._budget.rest():
            self._put(one)
        await self.written()
        await self._tasks.close()


def loss_toast(loss: str) -> UiToastNotify:
    """For every surface, also for one that comes later."""
    return UiToastNotify(level="error", message=f"{loss} `bascule audit --verify` has details.")


def _short(entry: Entry) -> str:
    return f"{entry.kind} {entry.asked} ({entry.outcome})"


def _who(asker: Asker) -> Who:
    return asker if isinstance(asker, Remote) else _here_or_outside(asker)


def _here_or_outside(asker: Asker) -> Local | Outside:
    """With the person whose process this is, where they are at this machine."""
    match asker:
        case Outside():
            return asker
        case Local():
            return replace(asker, person=who_is_here("").person)
        case Remote():
            raise TypeError("who sends an Order answers nothing")
        case _:
            return who_is_here(asker)


def hash_command(command: str, cwd: str) -> str:
    """What a yes to a command is bound to."""
    return hashlib.sha256(f"{cwd}\0{command}".encode("utf-8", "surrogateescape")).hexdigest()


def _bound_to(ask: Ask) -> str:
    """What the question is about, by its hash: the plan's own, or that of what was shown."""
    if ask.plan:
        return ask.plan
    match ask.subject:
        case CommandSubject(original=original, cwd=cwd):
            return hash_command(original, cwd)
        case _:
            return hashlib.sha256(msgspec.json.encode(ask.subject)).hexdigest()


def _is_lasting(entry: Entry, workspace: str) -> bool:
    """Our own settings and trusted folders have no rule: they are changed where they are listed."""
    is_yes = entry.kind == "ask" and entry.answer == "yes" and entry.lasts == "always"
    return is_yes and bool(entry.rule) and entry.workspace == workspace


def name_subject(ask: Ask) -> str:
    match ask.subject:
        case CommandSubject(original=original):
            return original
        case FilesSubject(files=files, links=links, existing=existing, grant_root=root):
            real = {link.path: f"{link.path} (in fact {link.real})" for link in links}
            said = {path: f"{real.get(path, path)} (replaced)" for path in existing}
            names = {**real, **said}
            named = [[names.get(name, name) for name in (edit.path, edit.moved_to) if name] for edit in files]
            below = f"everything below {root}; " if root else ""
            return below + ", ".join(" → ".join(names) for names in named)
        case SettingSubject(key=key, new=new):
            return f"{key} = {new}"
        case DeviceSubject(name=name, fingerprint=fingerprint):
            return f"{name}, key {fingerprint}"
        case TrustSubject(folder=folder):
            return folder
        case QuestionsSubject(server=server, message=message, url=url):
            return " ".join(part for part in (server, url, message, ask.reason) if part)
        case PermissionsSubject(wants=wants):  # a long command, which may be one of them, comes last
            return "; ".join(part for part in (*sorted(wants, key=len), ask.reason) if part)
        case ActionSubject(text=text):
            return text
        case _:
            assert_never(ask.subject)
