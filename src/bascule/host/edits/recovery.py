"""After a crash: edits that were cut off are put back, and that is recorded."""

from pathlib import Path

from bascule.core.text.counts import counted
from bascule.host.clock import now_ms
from bascule.host.edits.apply import Recovered, find_bar, name_files, recover
from bascule.host.edits.journal import journals_in
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.consent.audit import Entry, Local
from bascule.model.edits import EditRefused

SURFACE = "recovery"


def recover_edits(root: Path) -> list[str]:
    """For every start: what was done, in sentences for a person. Mostly there is nothing to do."""
    found = recover(journals_in(root))
    for one in found:
        Audit(audit_in(root)).append(_entry(one))
    return [describe(one) for one in found]


def make_whole(root: Path, workspace: Path) -> EditRefused | None:
    """Before files are looked at: what another process that crashed left half written is put back.

    Why not, where that cannot be done yet: the files are neither what they were nor what they will be."""
    recover_edits(root)
    return find_bar(workspace, journals_in(root))


def describe(one: Recovered) -> str:
    if one.why:
        return f"An edit in {one.workspace} was cut off and is not put back: {one.why}"
    files = counted(len(one.files), "file")
    end = "is not put back yet" if one.failed else "was put back"
    parts = [f"An edit of {files} in {one.workspace} was cut off, and {end}."]
    if one.failed:
        parts.append(f"Tried again at the next start: {name_files(one.failed)}.")
    if one.left:
        parts.append(f"Changed by somebody since, and left as they are: {name_files(one.left)}.")
    return " ".join(parts)


def _entry(one: Recovered) -> Entry:
    return Entry(
        at_ms=now_ms(),
        kind="apply",
        who=Local(surface=SURFACE),
        asked=", ".join(one.files),
        outcome="failed",
        hash=one.hash,
        workspace=one.workspace,
        ref=one.journal,
        why=describe(one),
    )
