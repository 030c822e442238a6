"""Edits: what is shown is what is written, and only after a yes that names its plan."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from bascule.core.bounded import forget_oldest
from bascule.core.diff.read.parse import parse_diff
from bascule.core.settings.reading import SettingsRefused
from bascule.core.text.visible import visible
from bascule.daemon.agents.roster import Roster
from bascule.daemon.consent.answer_wait import AnswerWait
from bascule.daemon.consent.asks import Asks
from bascule.daemon.consent.record import Record
from bascule.daemon.edits.edit_notes import EditNotes, Wanted, summarise, summary_said
from bascule.daemon.edits.offered_diffs import find_offered
from bascule.daemon.edits.prepared_plans import Ready, as_edits, as_prepared, as_viewed, make_ready
from bascule.daemon.sessions.hub import Hub
from bascule.host.edits.apply import FinishedEdit, apply_plan, list_past, undo
from bascule.host.edits.journal import journals_in
from bascule.host.edits.planning import Planned, plan_diff, plan_part, plan_undo
from bascule.host.edits.recovery import make_whole
from bascule.host.files.confined_path import find_moved
from bascule.host.files.private_places import NOTHING_PRIVATE, PrivatePaths
from bascule.host.processes.tasks import whole
from bascule.model.asks import Answer, Choice, FilesSubject, Refuse
from bascule.model.consent.audit import Asker, Entry, Outcome
from bascule.model.edits import Applied, Diff, EditPlan, EditRefused
from bascule.model.ids import SessionId
from bascule.model.protocol.edits import ChosenFile, Prepared, Viewed, Written
from bascule.model.said import Said
from bascule.model.settings import Settings

MAX_DIFFS = 100  # kept, the oldest go first
MAX_BYTES = 256 * 1024 * 1024  # of all of them, before and after and as they are shown; one is always kept
MAX_PLACED = 10_000  # diffs of which is known where they belong

EditPurpose = Literal["write", "revert", "undo"]
QUESTIONS: dict[EditPurpose, str] = {
    "write": "Write these files",
    "revert": "Revert these changes",
    "undo": "Undo this edit",
}

NOT_ALLOWED = Refuse(
    "bascule.allowApplyPatch is false here, so no diff is applied. Change it in settings.toml, "
    "and in .vscode/settings.json where this workspace sets it.",
    said=Said("edit.not_allowed", {"setting": "bascule.allowApplyPatch"}),
)
NOT_KEPT = "That diff is no longer kept. Ask for it again."
REVIEW_AGAIN = "Review the run again."  # nobody asked for a diff
NOT_CONFIRMED = "Nothing was written: it was not confirmed."
UNANSWERED = "Nobody at the machine confirmed it in time. Nothing was written."
WITHDRAWN = "Nothing was written: the program that asked no longer waited for an answer."


class PreparedEdit(Struct, frozen=True):
    session: SessionId | None  # None: of no conversation; it is asked about under "This machine"
    workspace: str
    ready: Ready
    purpose: EditPurpose = "write"
    of: str = ""  # the diff that it is a part of, or the run that it reverts some of
    reverts: str = ""  # the run of which nothing is left after it

    @property
    def plan(self) -> EditPlan:
        return self.ready.planned.plan


class Edits:
    def __init__(
        self,
        *,
        root: Path,
        hub: Hub,
        roster: Roster,
        asks: Asks,
        record: Record,
        settings: Callable[[str], Settings],
        private: PrivatePaths = NOTHING_PRIVATE,
        new_id: Callable[[str], str],
        now_ms: Callable[[], int],
    ) -> None:
        self._root = root
        self._journals = journals_in(root)
        self._hub = hub
        self._roster = roster
        self._asks = asks
        self._record = record
        self._settings = settings
        self._private = private
        self._new_id = new_id
        self.notes = EditNotes(hub=hub, roster=roster, now_ms=now_ms)
        self._kept: dict[str, PreparedEdit] = {}
        self._placed: dict[str, SessionId] = {}  # by diff, also of those that are no longer kept

    async def prepare(self, session: SessionId, text: str) -> Prepared | Refuse:
        """Checked against the files as they are; nothing is written."""
        return await self.prepare_in(self._roster.get(session).workspace, session, text)

    async def prepare_in(
        self, workspace: str, session: SessionId | None, text: str, strip: int | None = None
    ) -> Prepared | Refuse:
        """As `prepare`, also for a diff of no conversation."""
        diff = await asyncio.to_thread(parse_diff, text, strip)
        if isinstance(diff, EditRefused):
            return Refuse(diff.why)
        return await self._plan(workspace, session, diff)

    async def prepare_revert(
        self, session: SessionId, diff: Diff, run: str, *, is_all: bool
    ) -> Prepared | Refuse:
        """A diff that reverts what a run changed; `is_all`: nothing of it is left then."""
        workspace = self._roster.get(session).workspace
        return await self._plan(workspace, session, diff, "revert", of=run, reverts=run if is_all else "")

    async def _plan(
        self,
        workspace: str,
        session: SessionId | None,
        diff: Diff,
        purpose: EditPurpose = "write",
        of: str = "",
        reverts: str = "",
        diff_id: str = "",
    ) -> Prepared | Refuse:
        """What is private is refused before it is read: a diff that does not fit tells what is there."""
        barred = await asyncio.to_thread(self._private.find_bar_to_any, Path(workspace), _paths(diff))
        if barred is not None:
            return barred
        return await self._offer(
            session, workspace, lambda: plan_diff(Path(workspace), diff), purpose, of, reverts, diff_id
        )

    async def select(self, diff_id: str, chosen: tuple[ChosenFile, ...]) -> Prepared | Refuse:
        """A diff of its own, with its own hash, of only what was chosen; the whole one stays."""
        kept = await self._find_kept(diff_id)
        if isinstance(kept, Refuse):
            return kept
        place, whole = Path(kept.workspace), kept.ready.planned
        of = kept.of or diff_id
        return await self._offer(
            kept.session, kept.workspace, lambda: plan_part(place, whole, chosen), kept.purpose, of
        )

    async def _offer(
        self,
        session: SessionId | None,
        workspace: str,
        plan: Callable[[], Planned | EditRefused],
        purpose: EditPurpose = "write",
        of: str = "",
        reverts: str = "",
        diff_id: str = "",
    ) -> Prepared | Refuse:
        if moved := await asyncio.to_thread(find_moved, workspace):
            return moved
        ready = await asyncio.to_thread(make_ready, lambda: self._on_whole_files(workspace, plan))
        if isinstance(ready, EditRefused):
            return Refuse(ready.why, remote=ready.remote)
        diff_id = diff_id or self._new_id("diff")
        self._keep(diff_id, PreparedEdit(session, workspace, ready, purpose, of, reverts))
        return as_prepared(diff_id, ready, _why(self._find_bar(workspace)))

    def _on_whole_files(
        self, workspace: str, plan: Callable[[], Planned | EditRefused]
    ) -> Planned | EditRefused:
        return make_whole(self._root, Path(workspace)) or plan()

    def _keep(self, diff_id: str, kept: PreparedEdit) -> None:
        self._kept[diff_id] = kept
        if kept.session is not None:
            self._placed[diff_id] = kept.session
            forget_oldest(self._placed, MAX_PLACED)
        size = sum(one.ready.size for one in self._kept.values())
        while len(self._kept) > MAX_DIFFS or (len(self._kept) > 1 and size > MAX_BYTES):
            size -= self._kept.pop(next(iter(self._kept))).ready.size

    async def _find_kept(self, diff_id: str) -> PreparedEdit | Refuse:
        """After a restart, a diff that the log offers whole is checked against the files as they are now."""
        if kept := self._kept.get(diff_id):
            return kept
        session = await self._hub.find_diff(diff_id)
        text = find_offered(await self._hub.read(session), diff_id) if session is not None else ""
        if session is None or not text:
            return Refuse(NOT_KEPT, said=Said("diff.forgotten"))
        diff = await asyncio.to_thread(parse_diff, text)
        if isinstance(diff, EditRefused):
            return Refuse(diff.why)
        prepared = await self._plan(self._roster.get(session).workspace, session, diff, diff_id=diff_id)
        return prepared if isinstance(prepared, Refuse) else self._kept[diff_id]

    async def _show_kept(self, diff_id: str) -> PreparedEdit | Refuse:
        """As `_find_kept`; why there is none is said in its session."""
        kept = await self._find_kept(diff_id)
        if isinstance(kept, Refuse):
            self.notes.tell_failure(await self._find_session(diff_id), "view", diff_id, kept.why)
        return kept

    async def find(self, diff_id: str) -> Prepared | Refuse:
        """As it was prepared."""
        kept = await self._show_kept(diff_id)
        if isinstance(kept, Refuse):
            return kept
        return as_prepared(diff_id, kept.ready, _why(self._find_bar(kept.workspace)))

    async def view(self, diff_id: str) -> Viewed | Refuse:
        """Before and after."""
        kept = await self._show_kept(diff_id)
        return kept if isinstance(kept, Refuse) else as_viewed(diff_id, kept.ready)

    def is_kept(self, diff_id: str) -> bool:
        return diff_id in self._kept

    async def apply(self, diff_id: str, asker: Asker, wait: AnswerWait | None = None) -> Written:
        """Without an answer in time, or where `wait` is given up, nothing is written."""
        kept = await self._find_kept(diff_id)
        session = await self._find_session(diff_id) if isinstance(kept, Refuse) else kept.session
        wanted = Wanted(work="apply", session=session, ref=diff_id, asker=asker)
        if isinstance(kept, Refuse):
            return await self._refused(wanted, kept.why)
        plan = kept.plan
        wanted = replace(
            wanted,
            workspace=kept.workspace,
            plan=plan,
            of=kept.of,
            reverts=kept.reverts,
            is_revert=kept.purpose == "revert",
        )
        if bar := self._find_bar(kept.workspace):
            return await self._not_allowed(wanted, bar)
        answer = await (wait or AnswerWait()).wait(lambda: self._ask(wanted, kept))
        if answer is None:
            return Written(status="rejected", summary=UNANSWERED, declined=True)
        if not _is_yes(answer, plan):
            return await self._rejected(wanted, answer)
        if bar := self._find_bar(kept.workspace):  # forbidden while the question stood
            return await self._not_allowed(wanted, bar, answer)
        place, journals = Path(kept.workspace), self._journals
        return await self._write(
            wanted,
            plan,
            answer,
            lambda: apply_plan(place, plan, confirmed=plan.hash, journal_folder=journals),
        )

    def _find_bar(self, workspace: str) -> Refuse | None:
        """Why nothing may be applied here at this moment."""
        if moved := find_moved(workspace):
            return Refuse(moved.why)
        try:
            return None if self._settings(workspace).allow_apply_patch else NOT_ALLOWED
        except SettingsRefused as refused:
            return Refuse(str(refused))

    async def list_past(self) -> list[FinishedEdit]:
        """What was written in any workspace, the latest first."""
        return await asyncio.to_thread(list_past, self._journals)

    async def undo(self, session: SessionId | None, undo_id: str, asker: Asker) -> Written:
        """Byte for byte, refused by name where a file has changed since. Of a session: in its workspace."""
        past = next((one for one in await self.list_past() if one.journal == undo_id), None)
        workspace = past.workspace if past else ""
        if session is not None:
            workspace = self._roster.get(session).workspace
        wanted = Wanted(work="undo", session=session, ref=undo_id, asker=asker, workspace=workspace)
        if past is None or past.workspace != workspace:
            where = f" in {workspace}" if workspace else ""
            return await self._refused(wanted, f"No edit {undo_id[:100]} was written{where}.")
        if moved := await asyncio.to_thread(find_moved, workspace):
            return await self._refused(wanted, moved.why)
        journals = self._journals
        ready = await asyncio.to_thread(make_ready, lambda: plan_undo(undo_id, journal_folder=journals))
        if isinstance(ready, EditRefused):
            return await self._refused(wanted, ready.why)
        kept = PreparedEdit(session, workspace, ready, "undo")
        wanted = replace(wanted, plan=kept.plan)
        answer = await self._ask(wanted, kept)
        if not _is_yes(answer, kept.plan):
            return await self._rejected(wanted, answer)
        return await self._write(wanted, kept.plan, answer, lambda: undo(undo_id, journal_folder=journals))

    async def _ask(self, wanted: Wanted, kept: PreparedEdit) -> Answer:
        """The folder is named where no conversation tells it."""
        plan, workspace = kept.plan, kept.workspace
        where = f" in {visible(workspace)}" if kept.session is None else ""
        title = f"{QUESTIONS[kept.purpose]}{where}?"
        fields: dict[str, str | int] = {"run": kept.of} if kept.purpose == "revert" else {}
        said = Said(f"edit.{kept.purpose}", {**fields, "folder": workspace} if where else fields)
        no = Choice(id="decline", label="No", grants=False)
        subject = FilesSubject(files=as_edits(kept.ready))
        try:
            return await self._asks.ask(
                kept.session,
                title,
                subject,
                (_yes_to(plan), no),
                wanted.asker,
                plan=plan.hash,
                edit=wanted.ref,
                said=said,
                workspace=workspace,
            )
        except asyncio.CancelledError:
            self._record.later(self._entry(wanted, "withdrawn", why=WITHDRAWN))
            raise

    async def _write(
        self, wanted: Wanted, plan: EditPlan, answer: Answer, write: Callable[[], Applied | EditRefused]
    ) -> Written:
        """Once begun it is finished, reported and recorded, even where nobody waits for it any more."""

        async def finish() -> Written:
            written = self._ended(wanted, plan, answer, await asyncio.to_thread(write))
            await self._record.written()
            return written

        return await whole(f"{wanted.work} {wanted.ref}", finish())

    async def _refused(self, wanted: Wanted, why: str) -> Written:
        await self._record.write(self._entry(wanted, "refused", why=why))
        self.notes.tell_failure(wanted.session, wanted.action, wanted.ref, why)
        return Written(status="error", summary=why)

    async def _not_allowed(self, wanted: Wanted, bar: Refuse, answer: Answer | None = None) -> Written:
        await self._record.write(self._entry(wanted, "not_allowed", answer, why=bar.why))
        self.notes.tell_failure(wanted.session, wanted.action, wanted.ref, bar.why, "not_allowed")
        return Written(status="rejected", summary=bar.why, said=bar.said)

    async def _rejected(self, wanted: Wanted, answer: Answer) -> Written:
        await self._record.write(self._entry(wanted, "rejected", answer, why=NOT_CONFIRMED))
        return Written(status="rejected", summary=NOT_CONFIRMED, declined=True, said=Said("edit.declined"))

    def _ended(self, wanted: Wanted, plan: EditPlan, answer: Answer, done: Applied | EditRefused) -> Written:
        if isinstance(done, EditRefused):
            why = done.why
            if wanted.is_revert and done.advice:
                why = f"Edit refused: {done.reason} {REVIEW_AGAIN}"
            self._record.later(self._entry(wanted, "refused", answer, why=why))
            self.notes.tell_failure(wanted.session, wanted.action, wanted.ref, why)
            return Written(status="error", summary=why)
        self.notes.tell_done(wanted.session, wanted.done(done.journal), plan)
        self._record.later(self._entry(wanted, "done", answer, undo_id=done.journal))
        return Written(status="ok", summary=summarise(plan), undo_id=done.journal, said=summary_said(plan))

    def _entry(
        self, wanted: Wanted, outcome: Outcome, answer: Answer | None = None, undo_id: str = "", why: str = ""
    ) -> Entry:
        plan = wanted.plan
        granted = answer is not None and plan is not None and _is_yes(answer, plan)
        return self._record.entry(
            wanted.work,
            outcome,
            asker=wanted.asker,
            asked=", ".join(file.path for file in plan.files) if plan else wanted.ref,
            workspace=wanted.workspace,
            answer="none" if answer is None else "yes" if granted else "no",
            answered_by=answer,
            bound_to=plan.hash if plan else "",
            ref=undo_id or wanted.ref,
            why=why,
        )

    async def _find_session(self, diff_id: str) -> SessionId | None:
        """Where a diff belongs that is no longer kept: after a restart its answer is still shown."""
        return self._placed.get(diff_id) or await self._hub.find_diff(diff_id)


def _why(bar: Refuse | None) -> str:
    return bar.why if bar else ""


def _yes_to(plan: EditPlan) -> Choice:
    """It carries the plan's hash, so that it is a yes to these bytes and no others."""
    return Choice(id=f"apply:{plan.hash}", label="Yes, exactly this", grants=True)


def _is_yes(answer: Answer, plan: EditPlan) -> bool:
    return answer.choice == _yes_to(plan).id


def _paths(diff: Diff) -> Iterator[str]:
    for file in diff.files:
        yield from filter(None, (file.path, file.source))
