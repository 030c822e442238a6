"""Where an agent's writes went: the links in their paths, compared with those that its question showed."""

from collections.abc import Callable, Iterable

from bascule.core.bounded import forget_oldest
from bascule.core.consent.answer_check import find_choice
from bascule.daemon.agents.roster import Roster
from bascule.daemon.consent.record import Record
from bascule.host.files.confined_path import find_linked
from bascule.model.asks import Answer, Ask, FilesSubject, RealPath
from bascule.model.blocks import FileChangeBlock, FileEdit, InfoBlock
from bascule.model.changes import BlockPut, Change
from bascule.model.consent.audit import Local
from bascule.model.ids import BlockId, SessionId
from bascule.model.said import Said

MAX_KEPT = 200  # yeses whose writing has not been seen yet, and those for the rest of a session

TITLE = "Files were written to another place than the question showed"
TEXT = "A link changed between your answer and the write: {paths}. It is recorded; check these places."

Key = tuple[SessionId, tuple[str, ...]]


class WriteCheck:
    """Nothing can hold a link still in a folder that others may write. What happened is said."""

    def __init__(self, *, roster: Roster, record: Record, now_ms: Callable[[], int]) -> None:
        self._roster = roster
        self._record = record
        self._now_ms = now_ms
        self._shown: dict[Key, tuple[RealPath, ...]] = {}

    def note(self, session: SessionId, ask: Ask, answer: Answer) -> None:
        """A yes to files that an agent has asked about."""
        if isinstance(ask.subject, FilesSubject) and find_choice(ask, answer).grants:
            self._shown[session, _names(ask.subject.files)] = ask.subject.links
            forget_oldest(self._shown, MAX_KEPT)

    def take(self, session: SessionId, change: Change) -> list[Change]:
        """The change, and after the end of a write what is to be said of it. Recorded where it differs."""
        block = change.block if isinstance(change, BlockPut) else None
        if not isinstance(block, FileChangeBlock) or block.status == "inProgress":
            return [change]
        names = _names(block.files)
        shown, head = self._shown.get((session, names)), self._roster.get(session)
        if shown is None:
            return [change]
        moved = _say_moved(shown, find_linked(head.workspace, names))
        if not moved:
            return [change]
        agent = Local(surface="agent", client=head.agent)
        entry = self._record.entry(
            "apply",
            "done" if block.status == "completed" else "failed",
            asker=agent,
            asked=", ".join(names),
            workspace=head.workspace,
            why=f"{TITLE}: {moved}",
        )
        self._record.later(entry)
        return [change, BlockPut(self._say(block, moved))]

    def _say(self, block: FileChangeBlock, moved: str) -> InfoBlock:
        return InfoBlock(
            id=BlockId(f"{block.id}:moved"),
            run=block.run,
            at_ms=self._now_ms(),
            status="failed",
            title=TITLE,
            text=TEXT.format(paths=moved),
            said=Said("write.moved", {"paths": moved}),
        )


def _names(files: Iterable[FileEdit]) -> tuple[str, ...]:
    return tuple(sorted({name for edit in files for name in (edit.path, edit.moved_to) if name}))


def _say_moved(shown: Iterable[RealPath], now: Iterable[RealPath]) -> str:
    """Each path that leads elsewhere than it did."""
    before = {link.path: link.real for link in shown}
    after = {link.path: link.real for link in now}
    moved = sorted(path for path in {*before, *after} if before.get(path, path) != after.get(path, path))
    return ", ".join(f"{path} is {after.get(path, path)} (was {before.get(path, path)})" for path in moved)
