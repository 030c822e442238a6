"""What sessions hold: large texts in pieces, the log, exports, the steps of the plan."""

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Literal

import msgspec
import pytest
from tests.daemon.hubs import ONE, make_session, open_hub

from bascule.core.text.redact import Redactor
from bascule.daemon.agents.roster import Roster, SessionMissing
from bascule.daemon.sessions import session_reader
from bascule.daemon.sessions.session_reader import SessionReader
from bascule.host.storage.store import Saved, Store
from bascule.model.asks import Refuse
from bascule.model.blocks import (
    Block,
    CommandBlock,
    FileChangeBlock,
    FileEdit,
    PlanBlock,
    PlanStep,
    ReasoningBlock,
    UserBlock,
)
from bascule.model.ids import BlockId
from bascule.model.protocol.sessions import (
    Artifact,
    ArtifactParams,
    Exported,
    ExportParams,
    HistoryRead,
    HistoryReadParams,
    SessionRef,
    Todo,
    Todos,
)
from bascule.model.session import LatestDiff, Session

BLOCKS: tuple[Block, ...] = (
    UserBlock(id=BlockId("u"), text="hi", images=("/a.png", "/b.png")),
    ReasoningBlock(id=BlockId("r"), summary=("one", "two")),
    CommandBlock(id=BlockId("warning:a/b"), command="make", output="0123456789", exit_code=2),
    FileChangeBlock(
        id=BlockId("f"),
        files=(
            FileEdit(path="x", change="add", diff="+x"),
            FileEdit(path="y", change="update", diff="+y"),
        ),
    ),
    PlanBlock(id=BlockId("p1"), steps=(PlanStep("Look", "completed"),)),
    PlanBlock(id=BlockId("p2"), steps=(PlanStep("Look", "completed"), PlanStep("Do", "pending"))),
    PlanBlock(id=BlockId("p3"), text="only words"),
)


@pytest.fixture
def stored() -> Session:
    return make_session(blocks=BLOCKS, diff=LatestDiff(unified="+diff", files=()))


@pytest.fixture
def file_links(tmp_path: Path, stored: Session) -> Iterator[SessionReader]:
    """The session lies in the store, and is read from it."""
    store = Store(tmp_path / "db")
    store.save([Saved(head=stored, blocks=tuple(enumerate(stored.blocks)), whole=True)])
    store.close()
    with open_hub(tmp_path / "db") as hub:
        yield SessionReader(hub=hub, roster=Roster(hub), redactor=Redactor())


@pytest.mark.parametrize(
    ("rest", "text"),
    [
        ("warning:a/b/output", "0123456789"),
        ("warning:a/b/command", "make"),
        ("u/text", "hi"),
        ("u/images", "/a.png\n\n/b.png"),
        ("u/images:1", "/b.png"),
        ("r/summary", "one\n\ntwo"),
        ("r/summary:0", "one"),
        ("f/files:1", "+y"),
        ("/diff", "+diff"),
        ("r/raw", ""),
    ],
)
async def test_every_text_has_a_name(file_links: SessionReader, rest: str, text: str) -> None:
    name = f"{ONE}/{rest}"
    assert await file_links.read_artifact(ArtifactParams(artifact_id=name)) == Artifact(
        artifact_id=name, text=text, size=len(text)
    )


@pytest.mark.parametrize(
    "rest",
    [
        *("", "u", "u/", "u/exit_code", "u/text:0", "u/images:2", "u/images:-1", "u/images:x", "u/images:²"),
        *("u/__class__", "gone/text", "/unified", "warning:a/b/exit_code", "p1/steps:0", "p1/steps"),
    ],
)
async def test_what_is_no_text_has_none(file_links: SessionReader, rest: str) -> None:
    name = f"{ONE}/{rest}"
    assert await file_links.read_artifact(ArtifactParams(artifact_id=name)) == Refuse(
        f"There is no artifact {name}. It is named SESSION/BLOCK/FIELD."
    )


async def test_a_large_text_comes_in_pieces(
    file_links: SessionReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_reader, "MAX_PIECE", 4)
    name, offset, pieces = f"{ONE}/warning:a/b/output", 0, []
    while True:
        piece = await file_links.read_artifact(ArtifactParams(artifact_id=name, offset=offset, limit=1_000))
        assert isinstance(piece, Artifact)
        pieces.append(piece.text)
        if piece.next_offset is None:
            break
        offset = piece.next_offset
    assert pieces == ["0123", "4567", "89"]
    beyond = await file_links.read_artifact(ArtifactParams(artifact_id=name, offset=99))
    assert beyond == Artifact(artifact_id=name, text="", size=10)
    before = await file_links.read_artifact(ArtifactParams(artifact_id=name, offset=-1))
    assert before == Refuse("An artifact begins at 0, not at -1.")


async def test_the_log_is_as_it_is_stored(file_links: SessionReader, stored: Session) -> None:
    assert await file_links.read_history(HistoryReadParams(session_id=ONE)) == HistoryRead(session=stored)


async def test_a_session_is_exported(
    file_links: SessionReader, stored: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_json = await file_links.export(ExportParams(session_id=ONE, format="json"))
    assert isinstance(as_json, Exported)
    assert msgspec.json.decode(as_json.text, type=Session) == stored
    markdown = await file_links.export(ExportParams(session_id=ONE))
    assert isinstance(markdown, Exported)
    assert (markdown.session_id, markdown.format) == (ONE, "markdown")
    assert "```text\n0123456789\n```" in markdown.text
    monkeypatch.setattr(session_reader, "MAX_EXPORT", 10)
    assert await file_links.export(ExportParams(session_id=ONE)) == Refuse(
        f"As markdown the session has {len(markdown.text)} characters, and 10 can be sent at once. "
        "Read its blocks one by one with artifact.read."
    )


async def test_todos_are_the_steps_of_the_latest_plan(file_links: SessionReader) -> None:
    steps = (Todo(text="Look", status="completed"), Todo(text="Do", status="pending"))
    assert await file_links.todos(SessionRef(session_id=ONE)) == Todos(session_id=ONE, todos=steps)


def test_without_a_plan_there_are_none(tmp_path: Path) -> None:
    assert session_reader.latest_todos(make_session(blocks=BLOCKS[:3])) == ()


async def test_a_session_that_is_not_there_is_named(file_links: SessionReader) -> None:
    asked: tuple[Callable[[], Awaitable[object]], ...] = (
        lambda: file_links.read_artifact(ArtifactParams(artifact_id="s_gone/u/text")),
        lambda: file_links.read_history(HistoryReadParams(session_id="s_gone")),
        lambda: file_links.todos(SessionRef(session_id="s_gone")),
    )
    for ask in asked:
        with pytest.raises(SessionMissing, match="There is no session s_gone"):
            await ask()
    with pytest.raises(SessionMissing):
        await file_links.export(ExportParams(session_id="s_gone"))


@pytest.mark.parametrize("form", ["markdown", "json"])
async def test_an_export_holds_no_secret_and_the_log_keeps_its_words(
    tmp_path: Path, form: Literal["markdown", "json"]
) -> None:
    said = 'use ghp_0123456789abcdefABCD and "password": "hunter2" and our-own-token'
    redactor = Redactor()
    redactor.watch(lambda: ["our-own-token"])
    with open_hub(tmp_path / "db") as hub:
        hub.add(make_session(blocks=(UserBlock(id=BlockId("u"), text=said),)))
        file_links = SessionReader(hub=hub, roster=Roster(hub), redactor=redactor)
        exported = await file_links.export(ExportParams(session_id=ONE, format=form))
        assert isinstance(exported, Exported)
        assert [word for word in ("0123456789", "hunter2", "our-own-token") if word in exported.text] == []
        assert exported.text.count("[redacted]") == 3
        (block,) = (await file_links.read_history(HistoryReadParams(session_id=ONE))).session.blocks
        assert block == UserBlock(id=BlockId("u"), text=said)
