"""What a verb puts on record: the question and its answer first, then what came of it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bascule.cli import complain
from bascule.core.faults import UserError
from bascule.model.audit import Entry, Kind, Outcome, Reply
from bascule.model.edits import Applied, EditRefused

if TYPE_CHECKING:
    from bascule.host.files.data_folder import Folder

STOPPED = "It was stopped while it wrote, and what was written by then was put back."


class Recorder:
    """One piece of work from a terminal. Its yes is on record before anything is done."""

    def __init__(self, folder: "Folder", kind: Kind, *, workspace: str, hash: str) -> None:  # noqa: A002
        from bascule.host.storage.audit import Audit, audit_in, who_is_here

        self._audit = Audit(audit_in(folder.root))
        self._who = who_is_here("terminal")
        self._kind, self._workspace, self._hash = kind, workspace, hash
        self._asked = ""
        self._answer: Reply = "none"

    def about(self, asked: str, *, hash: str = "") -> None:  # noqa: A002
        """What it is about; with the hash of the part that was chosen."""
        self._asked = asked
        self._hash = hash or self._hash

    def not_allowed(self, why: str) -> str:
        self._write(self._kind, "not_allowed", why)
        return why

    def rejected(self, why: str) -> str:
        self._write(self._kind, "rejected", why)
        return why

    def answered_no(self, why: str) -> str:
        self._answer = "no"
        self._write("ask", "done")
        return self.rejected(why)

    @contextmanager
    def noting_ctrl_c(self, why: str, outcome: Outcome = "rejected") -> Iterator[None]:
        """Whoever presses Ctrl+C at a question has not said yes; both are on record, and told."""
        try:
            yield
        except KeyboardInterrupt:
            sys.stderr.write("\n")
            complain(why)
            self._write(self._kind, outcome, why)
            raise

    def answered_yes(self) -> None:
        """Raises where it cannot be recorded; then nothing must be done."""
        self._answer = "yes"
        self._write("ask", "done")

    def ended(self, done: Applied | EditRefused) -> None:
        """It has happened, so a record that cannot be written is complained of, not raised."""
        try:
            if isinstance(done, EditRefused):
                self._write(self._kind, "refused", done.why)
            else:
                self._write(self._kind, "done", ref=done.journal)
        except UserError as fault:
            complain(str(fault))

    def _write(self, kind: Kind, outcome: Outcome, why: str = "", ref: str = "") -> None:
        from bascule.host.clock import now_ms

        self._audit.append(
            Entry(
                at_ms=now_ms(),
                kind=kind,
                who=self._who,
                asked=self._asked,
                outcome=outcome,
                answer=self._answer,
                hash=self._hash,
                workspace=self._workspace,
                ref=ref,
                why=why,
            )
        )


def tell_mended(folder: "Folder") -> None:
    """Before anything else is done to files."""
    from bascule.host.edits.recovery import mend

    for sentence in mend(folder.root):
        complain(sentence)
