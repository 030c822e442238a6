"""What a person types, with a real Codex behind it: commands stay here, mentions travel as paths only."""

import msgspec
import pytest
from tests.e2e.live_app import LiveApp, of_kind, said

from bascule.client.in_process import InProcessWire
from bascule.client.link import Link
from bascule.core.prompts.mentions import Selection
from bascule.core.prompts.slash import help_text
from bascule.daemon.prompts.composer import Submitted, TypedPrompt
from bascule.daemon.prompts.prompt_outcomes import PromptOutcome
from bascule.daemon.surfaces.surfaces import SurfaceClosed
from bascule.host.clock import new_id
from bascule.host.processes.tasks import Tasks
from bascule.model.asks import Refuse
from bascule.model.attachments import StatusAttachment
from bascule.model.blocks import SystemBlock
from bascule.model.consent.origin import Origin
from bascule.model.ids import PromptKey, SessionId
from bascule.model.protocol import runs
from bascule.model.said import Said

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="module")]


async def type_in(
    live: LiveApp, session: SessionId, text: str, selection: Selection | None = None
) -> Submitted | Refuse:
    typed = TypedPrompt(text=text, key=PromptKey(new_id("k")), selection=selection)
    return await live.app.composer.take(session, typed)


async def test_new_makes_a_session_of_its_own_in_the_same_folder(shared: LiveApp) -> None:
    session = await shared.begin()
    went = await type_in(shared, session, "/new")
    assert isinstance(went, Submitted)
    before, made = shared.see(session), shared.see(went.session)
    assert (made.workspace, went.outcome) == (before.workspace, None)
    assert len({before.id, made.id}) == len({before.thread, made.thread}) == 2
    assert made.id in {head.id for head in shared.app.hub.heads()}


async def test_rename_with_a_title_is_done_and_without_one_is_refused(shared: LiveApp) -> None:
    session = await shared.begin()
    assert await type_in(shared, session, "/rename  The north leaf ") == Submitted(session)
    assert (shared.see(session).title, shared.see(session).title_by) == ("The north leaf", "person")
    assert isinstance(await type_in(shared, session, "/rename"), Refuse)
    assert shared.see(session).title == "The north leaf"


async def test_help_and_the_latest_diff_are_system_blocks(shared: LiveApp) -> None:
    session = await shared.begin()
    assert await type_in(shared, session, "/diff") == Refuse(
        "This session has no diff yet.", said=Said("diff.none")
    )
    edited = await shared.play(session, "demo:edit")
    assert edited.diff is not None
    for command in ("/diff", "/help"):
        assert await type_in(shared, session, command) == Submitted(session)
    shown = [(block.title, block.text) for block in of_kind(shared.see(session), SystemBlock)]
    assert shown == [
        ("Latest diff", f"```diff\n{edited.diff.unified.rstrip()}\n```"),
        ("Help", help_text()),
    ]
    assert said(shared.see(session)) == ["demo:edit"]


async def test_an_unknown_command_is_consumed_and_never_sent(shared: LiveApp) -> None:
    session = await shared.begin()
    before = shared.see(session)
    refused = await type_in(shared, session, "/archive this")
    assert refused == Refuse("/archive is not a command. Type /help for the list. Nothing was sent.")
    assert shared.see(session) == before


async def test_a_mention_is_checked_and_sent_as_a_path(shared: LiveApp) -> None:
    session = await shared.begin()
    for bad in ("@no-such-file.py", "@/etc/passwd", "@selection"):
        assert isinstance(await type_in(shared, session, f"demo:search {bad}"), Refuse)
    assert said(shared.see(session)) == []
    picked = Selection(
        path=str(shared.project / "wordkit.py"), start_line=0, start_column=0, end_line=2, end_column=0
    )
    went = await type_in(shared, session, "demo:search @file:README.md @selection", picked)
    assert isinstance(went, Submitted)
    assert isinstance(went.outcome, PromptOutcome)
    seen = await shared.until_idle(session)
    assert said(seen) == ["demo:search @README.md @wordkit.py#L1-L2"]


async def test_selection_means_what_the_surface_sent_of_itself(shared: LiveApp) -> None:
    session = await shared.begin()
    surface = shared.app.surfaces.connect(Origin(door="terminal"), workspace=str(shared.project))
    link = Link(InProcessWire(surface, SurfaceClosed), lambda _method, _params: None)
    picked = runs.UiSelection(
        path="wordkit.py", range=runs.Range(start=runs.Position(2, 1), end=runs.Position(4, 3))
    )
    prompt = runs.RunStartParams(
        input=runs.RunInput(type="text", text="demo:search @selection"),
        session_id=session,
        ui_context=runs.UiContext(selection=picked, cwd="/elsewhere"),
    )
    async with Tasks() as tasks:
        tasks.start("link", link.run())
        await link.initialize("editor")
        await link.call("run.start", prompt)
        surface.close()
        await surface.finish()
    assert said(await shared.until_idle(session)) == ["demo:search @wordkit.py#L3-L5"]


async def test_status_answers_with_figures_beside_its_text(shared: LiveApp) -> None:
    session = await shared.begin()
    shared.say(session, "demo:text")
    await shared.until_idle(session)
    await type_in(shared, session, "/status")
    (block,) = of_kind(shared.see(session), SystemBlock)
    (status,) = block.attachments
    assert isinstance(status, StatusAttachment)
    head = shared.see(session)
    assert f"- model: {head.model}" in block.text
    assert head.usage is not None
    assert status.json == {
        "session": session,
        "status": "completed",
        "agent": {"name": "codex", "running": True},
        "account": status.json["account"],
        "model": {"name": head.model, "effort": head.effort},
        "context": msgspec.to_builtins(head.usage),
        "limits": {"plan": status.json["limits"]["plan"], "windows": status.json["limits"]["windows"]},
        "queue": {"waiting": 0, "held": False},
        "sandbox": {"mode": "read-only", "approvals": "on-request"},
    }
