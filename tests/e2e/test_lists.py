"""MCP servers and skills of a real Codex, as the protocol's lists show them."""

import pytest
from tests.e2e.live_app import LiveApp, Setup

from bascule.daemon.protocol import lists
from bascule.demo.home import toml_string
from bascule.host.files.workspace_files import read_mtime_ms
from bascule.model.consent.origin import Origin
from bascule.model.protocol.runs import McpListParams, McpServer, SkillsListParams

pytestmark = pytest.mark.real

BROKEN = """
[mcp_servers.broken]
command = "no-such-program-anywhere"
[mcp_servers.off]
command = "cat"
enabled = false
[mcp_servers.web]
url = "http://127.0.0.1:9/mcp"
"""


async def test_mcp_servers_with_and_without_a_thread(setup: Setup) -> None:
    with (setup.folder.root.parent / "codex" / "config.toml").open("a", encoding="utf-8") as config:
        config.write(BROKEN)
    async with setup.run() as live:
        driver = await live.app.pool.driver(live.place)
        asked = await driver.list_mcp_servers(None, str(live.project))
        session = await live.begin()
        thread = live.app.roster.get(session).thread
        connected = await driver.list_mcp_servers(thread, str(live.project))
    for servers in ([one.server for one in listed] for listed in (asked, connected)):
        assert [(server.id, server.transport, server.state, server.tools) for server in servers] == [
            ("broken", "stdio", "error", None),
            ("demo", "stdio", "ready", 2),
            ("off", "stdio", "disabled", None),
            ("web", "http", "error", None),
        ]
        assert "No such file" in (servers[0].last_error or "")
        assert servers[2] == McpServer(
            id="off", transport="stdio", enabled=False, state="disabled", source="global"
        )


async def test_a_server_of_the_project_is_distinguished_from_one_of_the_person(setup: Setup) -> None:
    config = setup.folder.root.parent / "codex" / "config.toml"
    folder = setup.project / ".codex"
    folder.mkdir()
    (folder / "config.toml").write_text(
        '[mcp_servers.here]\ncommand = "cat"\nenabled = false\n', encoding="utf-8"
    )
    for trusted, wanted in ((False, {"demo": "global"}), (True, {"demo": "global", "here": "project"})):
        if trusted:
            with config.open("a", encoding="utf-8") as file:
                file.write(f'\n[projects.{toml_string(str(setup.project))}]\ntrust_level = "trusted"\n')
        async with setup.run() as live:
            surface = live.app.surfaces.connect(Origin(door="terminal"), workspace=str(live.project))
            surface.current = await live.begin()  # Codex reads a project's own file for a thread of it alone
            listed = await lists.list_mcp(live.app, surface, McpListParams())
            assert {server.id: server.source for server in listed.servers} == wanted


async def test_the_servers_can_be_listed_during_a_run(live: LiveApp) -> None:
    session = await live.begin()
    live.say(session, "demo:slow")
    await live.until_streaming(session)
    driver = await live.app.pool.driver(live.place)
    listed = await driver.list_mcp_servers(live.app.roster.get(session).thread, str(live.project))
    assert [(one.server.id, one.server.state) for one in listed] == [("demo", "ready")]
    assert not live.app.roster.lane(session).idle


async def test_skills_of_the_repository_and_of_the_person(live: LiveApp) -> None:
    folder = live.project / ".agents" / "skills"
    for name, text in (
        ("count", "---\nname: count\ndescription: Counts words.\n---\nCount.\n"),
        ("bad", "x"),
    ):
        (folder / name).mkdir(parents=True)
        (folder / name / "SKILL.md").write_text(text, encoding="utf-8")
    driver = await live.app.pool.driver(live.place)
    result = await driver.list_skills(str(live.project), force_reload=True, mtime_ms=read_mtime_ms)
    first, *others = result.skills
    assert (first.id, first.name, first.description) == (first.path, "count", "Counts words.")
    assert (first.path, first.dir) == (str(folder / "count" / "SKILL.md"), str(folder / "count"))
    assert (first.scope, first.mtime_ms) == ("repo", read_mtime_ms(first.path))
    assert {skill.scope for skill in others} == {"user"}  # those that come with Codex
    assert [error.path for error in result.errors] == [str(folder / "bad" / "SKILL.md")]
    assert "frontmatter" in result.errors[0].message
    assert not result.truncated


async def test_skills_of_another_folder_are_listed_when_it_is_named(live: LiveApp) -> None:
    other = live.project.with_name("other")
    (other / ".agents" / "skills" / "knit").mkdir(parents=True)
    text = "---\nname: knit\ndescription: Knits.\n---\nKnit.\n"
    (other / ".agents" / "skills" / "knit" / "SKILL.md").write_text(text, encoding="utf-8")
    surface = live.app.surfaces.connect(Origin(door="terminal"), workspace=str(live.project))
    for cwd, known in (("", False), (str(other), True)):
        listed = await lists.list_skills(live.app, surface, SkillsListParams(cwd=cwd))
        assert ("knit" in {skill.name for skill in listed.skills}) is known
    surface.close()
    await surface.finish()


async def test_logging_out_of_nothing_is_no_fault(live: LiveApp) -> None:
    await (await live.app.pool.driver(live.place)).sign_out()
