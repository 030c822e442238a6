"""settings.*, setup.inspect and commands.list over the protocol: written, recorded, in force at once."""

from collections.abc import AsyncIterator

import pytest
from tests.e2e.live_app import CODEX, LiveApp, Setup
from tests.e2e.mirror_surface import onlooker
from tests.e2e.peer import Message, Peer, daemon
from tests.e2e.test_edits_over_protocol import open_peer, record

from bascule.core.prompts.slash import COMMANDS
from bascule.demo.plays import KINDS
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.ids import SessionId
from bascule.model.settings import TABLE


@pytest.fixture
async def scene(live: LiveApp) -> AsyncIterator[tuple[LiveApp, Peer, SessionId]]:
    session = await live.begin()
    async with open_peer(live) as peer:
        yield live, peer, session


def row(listed: Message, key: str) -> Message:
    found: Message = next(setting for setting in listed["settings"] if setting["key"] == key)
    return found


async def test_every_setting_is_listed_with_who_set_it(scene: tuple[LiveApp, Peer, SessionId]) -> None:
    live, peer, session = scene
    (live.project / ".vscode").mkdir()
    theirs = '{"bascule.codex.effort": "low", "bascule.codex.approvals": "untrusted"}'
    (live.project / ".vscode" / "settings.json").write_text(theirs)
    listed = await peer.call("settings.list", {"session_id": session})
    assert [setting["key"] for setting in listed["settings"]] == [row.shown for row in TABLE.values()]
    keys = ("command", "approvals", "effort")  # the last may be set by a workspace that is trusted
    sources = [row(listed, f"bascule.codex.{key}")["source"] for key in keys]
    assert sources == ["user", "workspace", "default"]
    assert row(listed, "bascule.contextMaxFiles") == {
        "key": "bascule.contextMaxFiles",
        "kind": "number",
        "value": 10,
        "default": 10,
        "doc": TABLE["contextMaxFiles"].doc,
        "source": "default",
        "workspace": "free",
        "least": 0,
        "most": 100,
    }


async def test_a_setting_is_written_recorded_and_in_force(scene: tuple[LiveApp, Peer, SessionId]) -> None:
    live, peer, session = scene
    file = live.project.parent / "data" / "settings.toml"
    before = file.read_text()
    file.write_text("# mine\n" + before)
    wish = {"session_id": session, "key": "bascule.contextMaxFiles", "value": 3}
    listed = await peer.call("settings.set", wish)
    assert (row(listed, "bascule.contextMaxFiles")["value"], listed["user_file"]) == (3, str(file))
    assert file.read_text() == "# mine\ncontextMaxFiles = 3\n\n" + before
    preview = await peer.call("context.preview", {"session_id": session, "context": {"files": []}})
    assert preview["max_files"] == 3
    await peer.call("settings.set", {**wish, "value": None})
    assert file.read_text() == "# mine\n\n" + before
    assert record(live) == [("setting", "none", "started"), ("setting", "none", "done")] * 2


async def test_a_workspace_may_only_tighten_and_what_is_wrong_is_refused(
    scene: tuple[LiveApp, Peer, SessionId],
) -> None:
    live, peer, session = scene
    for scope, key, value, why in (
        ("workspace", "bascule.allowRunTerminal", True, "may only tighten"),
        ("workspace", "bascule.codex.command", "evil", "cannot be set by a workspace"),
        ("user", "bascule.contextMaxFiles", 1000, "must be 0 to 100"),
        ("user", "bascule.nothing", 1, "There is no setting"),
    ):
        wish = {"session_id": session, "key": key, "value": value, "scope": scope}
        assert why in (await peer.refused("settings.set", wish)).message
    assert not (live.project / ".vscode").exists()
    tighter = {
        "session_id": session,
        "key": "bascule.allowApplyPatch",
        "value": False,
        "scope": "workspace",
    }
    listed = await peer.call("settings.set", tighter)
    assert row(listed, "bascule.allowApplyPatch")["source"] == "workspace"
    assert (live.project / ".vscode" / "settings.json").read_text() == (
        '{\n  "bascule.allowApplyPatch": false\n}\n'
    )
    assert record(live)[-1] == ("setting", "none", "done")
    free = {"session_id": session, "key": "bascule.codex.effort", "value": "low", "scope": "workspace"}
    listed = await peer.call("settings.set", free)
    shown = row(listed, "bascule.codex.effort")
    assert (shown["value"], shown["source"]) == ("low", "workspace"), "a person set it here, so it counts"
    assert (await peer.call("trust.list"))["folders"] == [], "and it makes no folder a trusted one"
    standing = await live.app.trust.look(str(live.project))
    assert (standing.trusted, standing.inventory.is_empty) == (False, True), "nobody is asked about it"
    file = live.project / ".vscode" / "settings.json"
    file.write_text(file.read_text().replace('"low"', '"high"'))
    assert not (await live.app.trust.look(str(live.project))).inventory.is_empty, "another set this one"
    assert live.app.settings(str(live.project)).codex.effort == ""
    other = {"session_id": session, "key": "bascule.contextMaxFiles", "value": 9, "scope": "workspace"}
    assert row(await peer.call("settings.set", other), "bascule.codex.effort")["value"] == ""


async def test_a_file_with_problems_is_reported_and_not_written(setup: Setup) -> None:
    async with setup.run() as live, open_peer(live) as peer:
        session = await live.begin()
        setup.folder.settings.write_text("nonsense = 1\n")
        listed = await peer.call("settings.list", {"session_id": session})
        assert listed["problems"] == ["settings.toml line 1: unknown key bascule.nonsense"]
        wish = {"session_id": session, "key": "bascule.contextMaxFiles", "value": 3}
        assert "unknown key" in (await peer.refused("settings.set", wish)).message
        assert setup.folder.settings.read_text() == "nonsense = 1\n"


async def test_a_change_made_by_hand_holds_at_once_and_problems_bar_what_would_be_done(setup: Setup) -> None:
    async with setup.run() as live, open_peer(live) as peer:
        session, good = await live.begin(), setup.folder.settings.read_text()
        preview = {"session_id": session, "context": {"files": []}}
        assert (await peer.call("context.preview", preview))["max_files"] == 10
        setup.folder.settings.write_text("contextMaxFiles = 4\n" + good)
        assert (await peer.call("context.preview", preview))["max_files"] == 4
        setup.folder.settings.write_text("allowRunTerminal = ture\n" + good)
        assert (await peer.call("context.preview", preview))["max_files"] == 4  # as it was before
        done = await peer.call("test.run", {"session_id": session, "command": "pytest"})
        assert (done["status"], "settings.toml line 1: not valid TOML" in done["summary"]) == (
            "rejected",
            True,
        )


async def test_the_record_tells_what_was_added_to_a_list(scene: tuple[LiveApp, Peer, SessionId]) -> None:
    live, peer, _ = scene
    await peer.confirmed("settings.set", {"key": "bascule.testCommands", "value": ["pytest", "evil --now"]})
    (line,) = Audit(audit_in(live.project.parent / "data")).last(1)
    assert line.entry.outcome == "done"
    assert line.entry.asked == 'bascule.testCommands = ["pytest", "evil --now"]'
    assert '"cargo test"' in line.entry.why  # what it was


async def test_the_commands_are_those_that_are_carried_out(scene: tuple[LiveApp, Peer, SessionId]) -> None:
    _, peer, _ = scene
    listed = await peer.call("commands.list")
    assert [command["name"] for command in listed["commands"]] == list(COMMANDS)
    patch = {"name": "/patch", "argument": "PROMPT", "doc": COMMANDS["/patch"].doc, "needs": "read_only"}
    assert patch in listed["commands"]
    assert {"name": "/new", "argument": "", "doc": COMMANDS["/new"].doc} in listed["commands"]


async def test_inspecting_says_what_is_found_and_where_work_was_done(
    scene: tuple[LiveApp, Peer, SessionId],
) -> None:
    live, peer, _ = scene
    found = await peer.call("setup.inspect")
    checks = {check["name"]: check["state"] for check in found["checks"]}
    assert (checks["codex"], checks["settings"]) == ("ok", "ok")
    assert found["workspaces"] == [str(live.project)]
    assert "prompts" not in found


async def test_what_is_missing_says_what_to_do(setup: Setup) -> None:
    setup.write_settings(command="no-such-codex")
    async with setup.run() as live, open_peer(live) as peer:
        found = await peer.call("setup.inspect")
    (codex,) = [check for check in found["checks"] if check["name"] == "codex"]
    assert (codex["state"], "no-such-codex" in codex["text"]) == ("missing", True)


async def test_another_codex_is_used_from_then_on(setup: Setup) -> None:
    setup.write_settings(command="no-such-codex")
    async with setup.run() as live, open_peer(live) as peer:
        assert "no-such-codex" in (await peer.refused("session.create")).message
        await peer.confirmed("settings.set", {"key": "bascule.codex.command", "value": CODEX})
        assert (await peer.call("session.create"))["session_id"]


async def test_the_demo_says_what_to_try(tmp_path_factory: pytest.TempPathFactory) -> None:
    home = tmp_path_factory.mktemp("home")
    async with daemon(home, "--demo") as registration, onlooker(registration, "page") as page:
        found = await page.link.call("setup.inspect", {})
    assert found.demo is True
    assert [prompt.text for prompt in found.prompts] == [kind.says for kind in KINDS.values()]
