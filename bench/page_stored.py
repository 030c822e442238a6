"""What lies on the disk before the page is opened: very many small sessions, long ones, a vast diff."""

from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from bascule.host.files.data_folder import Folder
from bascule.host.storage.store import Saved, Store
from bascule.model.blocks import AssistantBlock, Block, FileEdit, UserBlock
from bascule.model.ids import BlockId, SessionId, ThreadId
from bascule.model.session import LatestDiff, Session
from bench.plays import empty_session, tell_until

SMALL = 10_000  # sessions
FOLDERS = 40  # that they are in
FILES = 5_000  # of the diff
LONG_LINE = 1_000_000  # characters, in one of its files
NOW_MS = 1_790_000_000_000

FLOODED = SessionId("s_flooded")
DIFF = SessionId("s_diff")
LAST = BlockId("the_last")


def long_session(number: int) -> SessionId:
    return SessionId(f"s_long_{number}")


def store_all(folder: Folder, workspace: Path, *, blocks: int, long: int) -> None:
    store = Store(folder.database)
    store.save(_save(session) for session in _special(str(workspace), blocks, long))
    store.save(_save(session) for session in _small(workspace))
    store.close()


def _save(session: Session) -> Saved:
    return Saved(head=session, blocks=tuple(enumerate(session.blocks)), whole=True)


def _special(workspace: str, blocks: int, long: int) -> Iterator[Session]:
    """The latest ones, so that the list shows them without scrolling."""
    session = tell_until(blocks - 1)
    for number in range(long):
        named = replace(
            session, blocks=(*session.blocks, AssistantBlock(id=LAST, text="The end.", status="completed"))
        )
        yield _place(named, long_session(number), workspace, f"Long {number}")
    yield _place(replace(empty_session(), diff=make_diff()), DIFF, workspace, "Diff")
    yield _place(empty_session(), FLOODED, workspace, "Flooded")


def _place(session: Session, id_: SessionId, workspace: str, title: str) -> Session:
    return replace(
        session,
        id=id_,
        workspace=workspace,
        thread=ThreadId(f"t_{id_}"),
        title=title,
        status="completed",
        asks=(),
        created_at_ms=NOW_MS,
        updated_at_ms=NOW_MS + 1_000_000,
    )


def _small(workspace: Path) -> Iterator[Session]:
    """The one that was made last is what a new page shows first."""
    for number in range(SMALL):
        id_ = SessionId(f"s_small_{number}")
        said: tuple[Block, ...] = (
            UserBlock(id=BlockId(f"u_{number}"), text=f"What is {number} and one?"),
            AssistantBlock(id=BlockId(f"a_{number}"), text=f"It is **{number + 1}**.", status="completed"),
        )
        where = workspace if number == 0 else workspace.with_name(f"project-{number % FOLDERS}")
        placed = _place(replace(empty_session(), blocks=said), id_, str(where), f"Session {number}")
        yield replace(
            placed, created_at_ms=NOW_MS + SMALL - number, updated_at_ms=NOW_MS + 60 * (SMALL - number)
        )


def make_diff() -> LatestDiff:
    """Files of a few lines each; the third holds a line that is very long."""
    files = tuple(_edit(number) for number in range(FILES))
    return LatestDiff(unified="".join(_head(file.path) + file.diff for file in files), files=files)


def _edit(number: int) -> FileEdit:
    added = f"x = {number}" if number != 2 else "data = '" + "0123456789abcdef" * (LONG_LINE // 16) + "'"
    diff = f"@@ -1,3 +1,4 @@\n import os\n-x = 0\n+{added}\n+y = os.sep\n \n"
    path = f"src/part_{number // 100}/module_{number}.py"
    return FileEdit(path=path, change="update", diff=diff, additions=2, deletions=1)


def _head(path: str) -> str:
    return f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n"
