"""Edits: what is shown is what is written, and only after a yes that names its plan."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from msgspec import Struct

from bascule.core.diff.parse import parse_diff
from bascule.core.diff.preview import preview, preview_all
from bascule.daemon.desk import Desk
from bascule.daemon.record import Record
from bascule.daemon.roster import Roster
from bascule.host.edits import apply_plan, list_past, undo
from bascule.host.journal import journals_in
from bascule.host.planning import Planned, plan_diff, plan_part, plan_undo
from bascule.model.asks import Choice, FilesSubject, Refuse
from bascule.model.audit import Outcome, Reply
from bascule.model.blocks import FileEdit
from bascule.model.edits import Applied, Diff, EditPlan, EditRefused, FileKind, PlannedFile
from bascule.model.ids import SessionId
from bascule.model.protocol.edits import ChosenFile, Prepared, PreparedFile, Viewed, ViewedFile, Written
from bascule.model.settings import Settings

MAX_DIFFS = 100  # kept, the oldest go first
MAX_BYTES = 64 * 1024 * 1024  # of all that they would write

Work = Literal["apply", "undo"]
CHANGE: dict[FileKind, Literal["add", "delete", "update"]] = {
    "add": "add",
    "copy": "add",
    "delete": "delete",
    "update": "update",
    "rename": "update",
}

NOT_ALLOWED = "bascule.allowApplyPatch is false here, so no diff is applied. Change it in settings.toml."
NOT_KEPT = "That diff is no longer kept. Ask for it again."
NOT_CONFIRMED = "Nothing was written: it was not confirmed."


class Kept(Struct, frozen=True):
    session: SessionId
    workspace: str
    planned: Planned


class Edits:
    def __init__(
        self,
        *,
        root: Path,
        roster: Roster,
        desk: Desk,
        record: Record,
        settings: Callable[[str], Settings],
        new_id: Callable[[str], str],
    ) -> None:
        self._journals = journals_in(root)
        self._roster = roster
        self._desk = desk
        self._record = record
        self._settings = settings
        self._new_id = new_id
        self._kept: dict[str, Kept] = {}

    async def prepare(self, session: SessionId, text: str) -> Prepared | Refuse:
        """Checked against the files as they are; nothing is written."""
        workspace = self._roster.get(session).workspace
        return self._offer(session, workspace, await asyncio.to_thread(_plan, workspace, text))

    async def prepare_diff(self, session: SessionId, diff: Diff) -> Prepared | Refuse:
        workspace = self._roster.get(session).workspace
        return self._offer(session, workspace, await asyncio.to_thread(plan_diff, Path(workspace), diff))

    async def select(self, diff_id: str, chosen: tuple[ChosenFile, ...]) -> Prepared | Refuse:
        """A diff of its own, with its own hash, of only what was chosen; the whole one stays."""
        kept = self._kept.get(diff_id)
        if kept is None:
            return Refuse(NOT_KEPT)
        planned = await asyncio.to_thread(plan_part, Path(kept.workspace), kept.planned, chosen)
        return self._offer(kept.session, kept.workspace, planned)

    def _offer(self, session: SessionId, workspace: str, planned: Planned | EditRefused) -> Prepared | Refuse:
        if isinstance(planned, EditRefused):
            return Refuse(planned.why)
        diff_id = self._new_id("diff")
        self._keep(diff_id, Kept(session, workspace, planned))
        return Prepared(
            diff_id=diff_id,
            hash=planned.plan.hash,
            files=tuple(_prepared(file) for file in planned.plan.files),
            preview=preview_all(planned.plan.files, planned.before),
        )

    def _keep(self, diff_id: str, kept: Kept) -> None:
        self._kept[diff_id] = kept
        while len(self._kept) > MAX_DIFFS or (len(self._kept) > 1 and self._size() > MAX_BYTES):
            del self._kept[next(iter(self._kept))]

    def _size(self) -> int:
        return sum(len(file.after or b"") for kept in self._kept.values() for file in kept.planned.plan.files)

    def view(self, diff_id: str) -> Viewed | Refuse:
        """Before and after, from memory."""
        kept = self._kept.get(diff_id)
        if kept is None:
            return Refuse(NOT_KEPT)
        return Viewed(diff_id=diff_id, files=tuple(_viewed(kept.planned, f) for f in kept.planned.plan.files))

    async def apply(self, diff_id: str, surface: str) -> Written:
        kept = self._kept.get(diff_id)
        if kept is None:
            return Written(status="error", summary=NOT_KEPT)
        plan = kept.planned.plan
        if not self._settings(kept.workspace).allow_apply_patch:
            await self._note("apply", "not_allowed", kept.workspace, plan, surface, why=NOT_ALLOWED)
            return Written(status="rejected", summary=NOT_ALLOWED)
        if not await self._confirmed(kept, f"Write these files? (plan {plan.short})"):
            await self._note(
                "apply", "rejected", kept.workspace, plan, surface, answer="no", why=NOT_CONFIRMED
            )
            return Written(status="rejected", summary=NOT_CONFIRMED)
        done = await asyncio.to_thread(
            apply_plan, Path(kept.workspace), plan, confirmed=plan.hash, journal_folder=self._journals
        )
        return await self._ended("apply", kept.workspace, plan, surface, done)

    async def undo(self, session: SessionId, undo_id: str, surface: str) -> Written:
        """Byte for byte, refused by name where a file has changed since."""
        workspace = self._roster.get(session).workspace
        past = await asyncio.to_thread(list_past, self._journals)
        if all((one.journal, one.workspace) != (undo_id, workspace) for one in past):
            return Written(status="error", summary=f"No edit {undo_id} was written in {workspace}.")
        planned = await asyncio.to_thread(plan_undo, undo_id, journal_folder=self._journals)
        if isinstance(planned, EditRefused):
            return Written(status="error", summary=planned.why)
        kept = Kept(session, workspace, planned)
        if not await self._confirmed(kept, f"Take this edit back? (plan {planned.plan.short})"):
            await self._note(
                "undo", "rejected", workspace, planned.plan, surface, answer="no", why=NOT_CONFIRMED
            )
            return Written(status="rejected", summary=NOT_CONFIRMED)
        done = await asyncio.to_thread(undo, undo_id, journal_folder=self._journals)
        return await self._ended("undo", workspace, planned.plan, surface, done)

    async def _confirmed(self, kept: Kept, title: str) -> bool:
        """The yes carries the plan's hash, so that it is a yes to these bytes and no others."""
        plan = kept.planned.plan
        yes = Choice(id=f"apply:{plan.hash}", label="Yes, exactly this", grants=True)
        no = Choice(id="decline", label="No", grants=False)
        subject = FilesSubject(files=tuple(_edit(kept.planned, file) for file in plan.files))
        answer = await self._desk.ask(kept.session, title, subject, (yes, no))
        return answer.choice == yes.id

    async def _ended(
        self, kind: Work, workspace: str, plan: EditPlan, surface: str, done: Applied | EditRefused
    ) -> Written:
        if isinstance(done, EditRefused):
            await self._note(kind, "refused", workspace, plan, surface, answer="yes", why=done.why)
            return Written(status="error", summary=done.why)
        await self._note(kind, "done", workspace, plan, surface, answer="yes", ref=done.journal)
        return Written(status="ok", summary=_summary(plan), undo_id=done.journal)

    async def _note(
        self,
        kind: Work,
        outcome: Outcome,
        workspace: str,
        plan: EditPlan,
        surface: str,
        *,
        answer: Reply = "none",
        ref: str = "",
        why: str = "",
    ) -> None:
        await self._record.write(
            kind,
            outcome,
            surface=surface,
            asked=", ".join(file.path for file in plan.files),
            workspace=workspace,
            answer=answer,
            hash_=plan.hash,
            ref=ref,
            why=why,
        )


def _plan(workspace: str, text: str) -> Planned | EditRefused:
    diff = parse_diff(text)
    return diff if isinstance(diff, EditRefused) else plan_diff(Path(workspace), diff)


def _prepared(file: PlannedFile) -> PreparedFile:
    return PreparedFile(
        path=file.path,
        kind=file.kind,
        additions=file.additions,
        deletions=file.deletions,
        moved=file.moved,
    )


def _viewed(planned: Planned, file: PlannedFile) -> ViewedFile:
    before = planned.before.get(file.source or file.path) if file.kind != "add" else None
    return ViewedFile(path=file.path, before=_text(before), after=_text(file.after))


def _text(content: bytes | None) -> str | None:
    return None if content is None else content.decode("utf-8", "replace")


def _edit(planned: Planned, file: PlannedFile) -> FileEdit:
    before = planned.before.get(file.source or file.path, b"") if file.kind != "add" else b""
    return FileEdit(
        path=file.source or file.path,
        change=CHANGE[file.kind],
        moved_to=file.path if file.source else None,
        diff=preview(file, before),
        additions=file.additions,
        deletions=file.deletions,
    )


def _summary(plan: EditPlan) -> str:
    additions = sum(file.additions for file in plan.files)
    deletions = sum(file.deletions for file in plan.files)
    return f"{len(plan.files)} file(s), +{additions} -{deletions}, plan {plan.short}"
