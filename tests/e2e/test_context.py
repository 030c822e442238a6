"""Context with a real Codex: contents reach the model, names are shown, nothing outside goes along."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.live_app import LiveApp, Setup, of_kind, said
from tests.e2e.peer import Message, Peer
from tests.e2e.test_edits_over_protocol import open_peer

from bascule.agents.driver import Confinement
from bascule.model.blocks import UserBlock
from bascule.model.context import ContextPart
from bascule.model.ids import SessionId

pytestmark = pytest.mark.real

SECRET = "the ferry leaves at nine"


@pytest.fixture
async def scene(live: LiveApp) -> AsyncIterator[tuple[LiveApp, Peer, SessionId]]:
    (live.project / "timetable.txt").write_text(f"one\n{SECRET}\nthree\n")
    session = await live.begin()
    async with open_peer(live) as peer:
        yield live, peer, session


async def say(peer: Peer, session: SessionId, context: Message, **more: Any) -> Any:
    params = {"session_id": session, "input": {"type": "text", "text": "demo:search"}, "context": context}
    return await peer.call("run.start", {**params, **more})


def rollouts(live: LiveApp) -> str:
    """What Codex itself has kept of the conversation."""
    home = live.project.parent / "codex"
    return "\n".join(path.read_text() for path in home.rglob("rollout-*.jsonl"))


def editor(live: LiveApp, path: Path | str, **selection: Any) -> Message:
    place: Message = {"workspace_root": str(live.project), "active_file": {"path": str(path)}}
    span = {"start": {"line": 1, "column": 0}, "end": {"line": 2, "column": 0}}
    return {**place, "selection": {"path": str(path), "range": span, **selection}}


async def test_a_named_file_goes_to_the_agent_and_is_shown_by_name(
    scene: tuple[LiveApp, Peer, SessionId],
) -> None:
    live, peer, session = scene
    await say(peer, session, {"files": ["timetable.txt"]})
    seen = await live.until_idle(session)
    (block,) = of_kind(seen, UserBlock)
    size = len(SECRET) + 11
    part = ContextPart(kind="file", name="timetable.txt", size=size, whole=size)
    assert (block.text, block.context) == ("demo:search", (part,))
    assert SECRET in rollouts(live)


async def test_the_active_file_the_selection_and_a_summary_go_along(
    scene: tuple[LiveApp, Peer, SessionId],
) -> None:
    live, peer, session = scene
    await peer.call("ui.context.update", editor(live, live.project / "timetable.txt"))
    wish = {"include_active_file": True, "include_selection": True, "include_workspace_summary": True}
    await say(peer, session, wish)
    seen = await live.until_idle(session)
    (block,) = of_kind(seen, UserBlock)
    assert [(part.kind, part.name, part.left_out) for part in block.context] == [
        ("workspace_summary", "workspace", False),
        ("active_file", "timetable.txt", False),
        ("selection", "timetable.txt#L2", False),
    ]
    assert block.context[2].size == len(SECRET) + 1
    kept = rollouts(live)
    assert f"{len(SECRET) + 11} timetable.txt" in kept


async def test_a_selection_that_is_not_saved_goes_as_the_editor_shows_it(
    scene: tuple[LiveApp, Peer, SessionId],
) -> None:
    live, peer, session = scene
    params = editor(live, "timetable.txt", selected_text="not on the disk")
    await say(peer, session, {"include_selection": True}, ui_context=params)
    await live.until_idle(session)
    assert "not on the disk" in rollouts(live)
    assert SECRET not in rollouts(live)


async def test_a_path_outside_is_refused_before_anything_is_sent(
    scene: tuple[LiveApp, Peer, SessionId],
) -> None:
    live, peer, session = scene
    outside = live.project.parent / "outside.txt"
    outside.write_text("not yours")
    (live.project / "link.txt").symlink_to(outside)
    for name in ("../outside.txt", str(outside), "link.txt", "missing.txt", "."):
        refused = await peer.refused(
            "run.start",
            {
                "session_id": session,
                "input": {"type": "text", "text": "demo:search"},
                "context": {"files": [name]},
            },
        )
        assert refused.message.startswith("context: ")
        assert refused.message.endswith("Nothing was sent.")
    for wish in ("include_active_file", "include_selection"):
        params = {"ui_context": editor(live, outside), "context": {wish: True}}
        refused = await peer.refused(
            "run.start", {"session_id": session, "input": {"type": "text", "text": "demo:search"}, **params}
        )
        assert "outside" in refused.message
    assert said(live.see(session)) == []


async def test_a_preview_tells_sizes_limits_and_what_is_left_out(
    scene: tuple[LiveApp, Peer, SessionId],
) -> None:
    live, peer, session = scene
    (live.project / "long.txt").write_text("ä" * 10_000)
    (live.project / "image.bin").write_bytes(b"\x89PNG\0\0")
    names = [f"f{number}.txt" for number in range(10)]
    for name in names:
        (live.project / name).write_text(name)
    preview = await peer.call(
        "context.preview",
        {"session_id": session, "context": {"files": ["long.txt", "image.bin", *names]}},
    )
    assert (preview["max_files"], preview["max_file_bytes"]) == (10, 12_000)
    by_name = {part["name"]: part for part in preview["parts"]}
    assert by_name["long.txt"]["note"] == "the first 12000 of 20000 bytes"
    assert by_name["long.txt"]["size"] == 12_000
    assert by_name["image.bin"]["note"] == "a binary file is not sent"
    assert by_name["image.bin"]["left_out"] is True
    assert by_name["f7.txt"] == {"kind": "file", "name": "f7.txt", "size": 6, "whole": 6}
    over = [name for name, part in by_name.items() if "over the limit" in part.get("note", "")]
    assert over == ["f8.txt", "f9.txt"]


async def test_what_codex_kept_of_it_is_reported_again_as_words_and_names(setup: Setup) -> None:
    async with setup.run() as live, open_peer(live) as peer:
        session = await live.begin()
        await say(peer, session, {"files": ["README.md"]})
        seen = await live.until_idle(session)
    (before,) = of_kind(seen, UserBlock)
    assert seen.thread is not None
    async with setup.run() as live:
        driver = await live.app.pool.driver(live.place)
        opened = await driver.resume(
            seen.thread, str(live.project), Confinement("on-request"), 5, lambda _opened: None
        )
    assert opened.history is not None
    (again,) = [block for block in opened.history.blocks if isinstance(block, UserBlock)]
    assert (again.text, again.context) == ("demo:search", before.context)
    assert [part.name for part in again.context] == ["README.md"]


async def test_a_context_that_was_set_goes_with_later_prompts_that_name_none(
    scene: tuple[LiveApp, Peer, SessionId],
) -> None:
    live, peer, session = scene
    includes = ("active_file", "selection", "workspace_summary")
    wanted = {"files": ["README.md"], **{f"include_{name}": True for name in includes}}
    await peer.call("ui.context.update", {**editor(live, "timetable.txt"), "context": wanted})
    params = {"session_id": session, "input": {"type": "text", "text": "demo:search"}}
    await peer.call("run.start", params)
    (first,) = of_kind(await live.until_idle(session), UserBlock)
    assert [(part.kind, part.name) for part in first.context] == [
        ("workspace_summary", "workspace"),
        ("active_file", "timetable.txt"),
        ("selection", "timetable.txt#L2"),
        ("file", "README.md"),
    ]
    await peer.call("run.start", {**params, "context": {"files": ["README.md"]}})
    second = of_kind(await live.until_idle(session), UserBlock)[-1]
    assert [part.name for part in second.context] == ["README.md"]
