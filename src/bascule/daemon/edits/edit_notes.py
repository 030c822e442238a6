"""Edit notes: what the log of a session says of an edit that was written, or why one was not."""

import hashlib
from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from bascule.core.session.growing_text import shorten
from bascule.core.text.counts import counted
from bascule.daemon.agents.roster import Roster
from bascule.daemon.sessions.hub import Hub
from bascule.model.attachments import ErrorAttachment
from bascule.model.blocks import Block, EditDone, ErrorBlock, SystemBlock
from bascule.model.changes import BlockPut
from bascule.model.consent.audit import Asker
from bascule.model.edits import EditPlan
from bascule.model.ids import BlockId, SessionId, short_id
from bascule.model.said import Said

MAX_NAMED = 20  # files in a block; the plan holds all
MAX_WHY = 2_000
SETTING = "bascule.allowApplyPatch"  # what forbids it, where it is not allowed

Work = Literal["apply", "undo"]
DoneWork = Literal["apply", "revert", "undo"]  # as the log says it
EditAction = Literal["parse", "view", "apply", "revert", "undo"]
FAILED: dict[EditAction, str] = {
    "parse": "The diff cannot be used",
    "view": "The diff cannot be shown",
    "apply": "The diff was not applied",
    "revert": "The changes were not reverted",
    "undo": "The edit was not undone",
}
DONE: dict[DoneWork, str] = {"apply": "Written", "revert": "Reverted", "undo": "Undone"}


class DoneEdit(Struct, frozen=True, kw_only=True):
    work: DoneWork
    undo_id: str
    diff_id: str
    of: str
    undoes: str
    reverts: str


class Wanted(Struct, frozen=True, kw_only=True):
    """A piece of work that somebody asked for: what its record and its block tell of."""

    work: Work
    session: SessionId | None  # None: of no conversation
    ref: str  # of the diff, or of the edit to undo
    asker: Asker
    workspace: str = ""
    plan: EditPlan | None = None
    of: str = ""  # the diff that it is a part of, or the run that it reverts some of
    reverts: str = ""  # the run of which nothing is left after it
    is_revert: bool = False

    def done(self, undo_id: str) -> DoneEdit:
        is_undo = self.work == "undo"
        return DoneEdit(
            work="revert" if self.is_revert else self.work,
            undo_id=undo_id,
            diff_id="" if is_undo else self.ref,
            of=self.of,
            undoes=self.ref if is_undo else "",
            reverts=self.reverts,
        )

    @property
    def action(self) -> EditAction:
        return "revert" if self.is_revert else self.work


class EditNotes:
    def __init__(self, *, hub: Hub, roster: Roster, now_ms: Callable[[], int]) -> None:
        self._hub = hub
        self._roster = roster
        self._now_ms = now_ms

    def tell_failure(
        self, session: SessionId | None, action: EditAction, ref: str, why: str, code: str = "refused"
    ) -> None:
        """Once for one failure, however often it is tried; nothing was written."""
        if session is None:
            return
        name = hashlib.sha256(f"{action}\0{ref}\0{why}".encode("utf-8", "replace")).hexdigest()[:16]
        why = shorten(why, MAX_WHY)
        error = ErrorAttachment(code=f"{action}_{code}", message=why, title=FAILED[action])
        self._put(
            session,
            ErrorBlock(
                id=BlockId(f"edit-failed:{name}"),
                run=self._roster.latest_run(session),
                at_ms=self._now_ms(),
                title=FAILED[action],
                text=why,
                said=Said(f"edit.failed.{action}", {"setting": SETTING} if code == "not_allowed" else {}),
                attachments=(error,),
            ),
        )

    def tell_done(self, session: SessionId | None, done: DoneEdit, plan: EditPlan) -> None:
        if session is None:
            return
        names = [f"- `{file.path}` +{file.additions} −{file.deletions}" for file in plan.files[:MAX_NAMED]]
        more = [f"- and {len(plan.files) - MAX_NAMED} more"] if len(plan.files) > MAX_NAMED else []
        how = f"`bascule undo {short_id(done.undo_id)}` undoes it."
        block = SystemBlock(
            id=BlockId(f"{done.work}:{done.undo_id}"),
            run=self._roster.latest_run(session),
            at_ms=self._now_ms(),
            title=f"{DONE[done.work]}: {summarise(plan)}",
            text="\n".join([*names, *more, "", f"{how} (undo id `{done.undo_id}`)"]),
            edit=EditDone(
                work=done.work,
                undo_id=done.undo_id,
                files=len(plan.files),
                additions=sum(file.additions for file in plan.files),
                deletions=sum(file.deletions for file in plan.files),
                plan=plan.short,
                diff_id=done.diff_id,
                of=done.of,
                undoes=done.undoes,
                reverts=done.reverts,
            ),
        )
        self._put(session, block)

    def _put(self, session: SessionId, block: Block) -> None:
        self._hub.apply(session, [BlockPut(block)])


def summarise(plan: EditPlan) -> str:
    additions = sum(file.additions for file in plan.files)
    deletions = sum(file.deletions for file in plan.files)
    files = counted(len(plan.files), "file")
    return f"{files}, +{additions} −{deletions}"


def summary_said(plan: EditPlan) -> Said:
    return Said(
        "edit.summary",
        {
            "files": len(plan.files),
            "additions": sum(file.additions for file in plan.files),
            "deletions": sum(file.deletions for file in plan.files),
            "plan": plan.short,
        },
    )
