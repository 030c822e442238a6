"""What a surface asks for: sessions made and changed, files, artifacts, history, todos."""

import asyncio

import msgspec
import pytest
from tests.e2e.live_app import of_kind, said
from tests.e2e.mirror_surface import MirrorSurface, onlooker
from tests.e2e.surfaces.app_with_surfaces import AppWithSurfaces, begin

from bascule.core.wire import rpc
from bascule.model.blocks import CommandBlock, FileChangeBlock

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="module")]


# -- sessions --


async def test_a_session_is_made_with_a_model(app_with_surfaces: AppWithSurfaces, one: MirrorSurface) -> None:
    made = await one.call("session.create", model="demo-small", effort="low")
    head = app_with_surfaces.has(made.session_id)
    assert (head.model, head.effort, head.driver) == ("demo-small", "low", one.label)


async def test_a_surface_without_a_workspace_must_name_one(app_with_surfaces: AppWithSurfaces) -> None:
    async with onlooker(app_with_surfaces.daemon, "homeless") as homeless:
        refused = await homeless.refused("session.create")
        assert (refused.code, "Name a workspace" in refused.message) == (rpc.INVALID_PARAMS, True)
        made = await homeless.call("session.create", workspace=str(app_with_surfaces.live.project))
        assert app_with_surfaces.has(made.session_id).workspace == str(app_with_surfaces.live.project)


async def test_rename_hide_open_and_model(app_with_surfaces: AppWithSurfaces, one: MirrorSurface) -> None:
    session = await begin(one)
    await one.run(session, "demo:text")
    await app_with_surfaces.at_rest(session)
    await one.call("session.rename", session_id=session, title="  A   bridge ")
    await one.call("session.hide", session_id=session)
    await one.call("session.model", session_id=session, model="demo-small", effort="high")
    seen = await one.until(session, lambda seen: seen.model == "demo-small")
    assert (seen.title, seen.title_by, seen.hidden, seen.effort) == ("A bridge", "person", True, "high")
    await one.call("session.open", session_id=session)
    assert not (await one.until(session, lambda seen: not seen.hidden)).hidden
    assert (await one.refused("session.model", session_id=session, model="none")).code == rpc.FAILED
    assert (await one.refused("session.rename", session_id=session, title=" ")).code == rpc.FAILED


async def test_a_fork_shares_the_past_up_to_a_run(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    session = await begin(one)
    first = await one.run(session, "demo:text one")
    await app_with_surfaces.at_rest(session)
    await one.run(session, "demo:text two")
    await app_with_surfaces.at_rest(session)
    forked = (await one.call("session.fork", session_id=session, run_id=first.run_id)).session_id
    assert said(app_with_surfaces.has(forked)) == ["demo:text one"]
    assert (app_with_surfaces.has(forked).parent, app_with_surfaces.has(forked).driver) == (
        session,
        one.label,
    )
    assert (await one.refused("session.fork", session_id=session, run_id="nope")).code == rpc.FAILED


async def test_compacting_and_clearing(app_with_surfaces: AppWithSurfaces, one: MirrorSurface) -> None:
    session = await begin(one)
    await one.run(session, "demo:text")
    await app_with_surfaces.at_rest(session)
    compacted = await one.call("session.compact", session_id=session)
    await app_with_surfaces.at_rest(session)
    assert compacted.run_id == app_with_surfaces.has(session).runs[-1].id
    assert any(b.__struct_config__.tag == "divider" for b in app_with_surfaces.has(session).blocks)
    await one.call("session.clear", session_id=session)
    await one.agrees_with(app_with_surfaces.has(session))
    assert (said(one.seen(session)), one.seen(session).runs) == ([], ())


async def test_a_run_can_be_interrupted_before_it_has_a_name(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    session = await begin(one)
    started, _ = await asyncio.gather(
        one.run(session, "demo:slow"), one.call("session.interrupt", session_id=session)
    )
    await app_with_surfaces.at_rest(session)
    assert [(run.id, run.outcome) for run in app_with_surfaces.has(session).runs] == [
        (started.run_id, "interrupted")
    ]


async def test_the_past_comes_in_pages(app_with_surfaces: AppWithSurfaces, one: MirrorSurface) -> None:
    session = await begin(one)
    assert (await one.call("session.earlier", session_id=session)).more is False


OF_A_SESSION = (
    *("session.open", "session.earlier", "session.hide", "session.fork", "session.compact", "session.clear"),
    *("session.drive", "session.interrupt", "queue.release", "todos.list", "history.read", "history.export"),
)


@pytest.mark.parametrize("method", OF_A_SESSION)
async def test_a_session_that_is_not_there_is_named(one: MirrorSurface, method: str) -> None:
    refused = await one.refused(method, session_id="nobody")
    assert (refused.code, "nobody" in refused.message) == (rpc.SESSION_NOT_FOUND, True)


# -- files, artifacts, history, todos --


async def test_files_are_found_the_likeliest_first(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    (app_with_surfaces.live.project / "docs").mkdir(exist_ok=True)
    (app_with_surfaces.live.project / "docs" / "wordkit.md").write_text("about", encoding="utf-8")
    found = await one.call("files.find", query="wordkit")
    assert found.files[:2] == ("wordkit.py", "docs/wordkit.md")
    assert "test_wordkit.py" in found.files
    by_session = await one.call("files.find", query="wordkit.py", session_id=await begin(one), limit=1)
    assert by_session.files == ("wordkit.py",)


async def test_the_workspace_can_be_listed_read_and_searched(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    listed = await one.call("workspace.list")
    assert ("wordkit.py", "file") in [(entry.name, entry.kind) for entry in listed.entries]
    text = (app_with_surfaces.live.project / "wordkit.py").read_text(encoding="utf-8")
    first = await one.call("workspace.read", path="wordkit.py", limit=10)
    assert (first.text, first.next_offset, first.size) == (text[:10], 10, len(text.encode()))
    hits = (await one.call("workspace.search", query="import re")).hits
    assert ("wordkit.py", "import re") in [(hit.path, hit.text) for hit in hits]


@pytest.mark.parametrize("path", ["../", "/etc/passwd", "nowhere.py", "..\\x", "a/../../x", "\0"])
async def test_what_is_outside_the_workspace_is_not_read(one: MirrorSurface, path: str) -> None:
    for method in ("workspace.read", "workspace.list"):
        refused = await one.refused(method, path=path)
        assert refused.code in (rpc.FAILED, rpc.INVALID_PARAMS), refused.message


async def test_a_large_text_is_read_by_reference(
    app_with_surfaces: AppWithSurfaces, one: MirrorSurface
) -> None:
    session = await begin(one)
    await one.run(session, "demo:command")
    await app_with_surfaces.at_rest(session)
    [command] = of_kind(app_with_surfaces.has(session), CommandBlock)
    name = f"{session}/{command.id}/output"
    whole, at = "", 0
    while True:
        piece = await one.call("artifact.read", artifact_id=name, offset=at, limit=100)
        whole += piece.text
        if piece.next_offset is None:
            break
        at = piece.next_offset
    assert whole == command.output
    assert (await one.refused("artifact.read", artifact_id=f"{session}/none/output")).code == rpc.FAILED
    missing = await one.refused("artifact.read", artifact_id="nobody/none/output")
    assert missing.code == rpc.SESSION_NOT_FOUND


async def test_a_session_is_read_and_exported(app_with_surfaces: AppWithSurfaces, one: MirrorSurface) -> None:
    session = await begin(one)
    await one.run(session, "demo:edit")
    [ask] = (await one.until(session, lambda seen: seen.asks)).asks
    await one.answer(session, ask_id=ask.id, choice="accept")
    await app_with_surfaces.at_rest(session)
    assert of_kind(app_with_surfaces.has(session), FileChangeBlock)
    assert (await one.call("history.read", session_id=session)).session == app_with_surfaces.has(session)
    markdown = await one.call("history.export", session_id=session)
    assert markdown.format == "markdown"
    assert "demo:edit" in markdown.text
    exported = await one.call("history.export", session_id=session, format="json")
    assert msgspec.json.decode(exported.text)["id"] == session


async def test_the_plan_is_read_as_todos(app_with_surfaces: AppWithSurfaces, one: MirrorSurface) -> None:
    session = await begin(one)
    assert (await one.call("todos.list", session_id=session)).todos == ()
    await one.run(session, "demo:plan")
    await app_with_surfaces.at_rest(session)
    todos = (await one.call("todos.list", session_id=session)).todos
    assert [(todo.text, todo.status) for todo in todos] == [
        ("Stop the traffic", "completed"),
        ("Raise the leaf", "completed"),
        ("Let the ship through", "completed"),
    ]
