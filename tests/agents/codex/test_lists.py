"""MCP servers and skills: what Codex says of them, in pages and in every state."""

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

import pytest
from tests.agents.codex.listening import NOW_MS, Json, Listener, dump

from bascule.agents.codex import lists
from bascule.agents.codex.events import change_sink
from bascule.agents.codex.lists import list_mcp_sources, list_servers, list_skills, skills_result
from bascule.agents.codex.wire.lists import SkillFault, SkillMetadata, SkillsEntry
from bascule.agents.driver import Confinement, ListedMcpServer
from bascule.model.ids import ThreadId
from bascule.model.protocol.runs import McpServer, Skill, SkillError, SkillsListResult

T = TypeVar("T")

THREAD = ThreadId("t")


async def during(codex: Listener, call: Awaitable[T], *results: Json) -> T:
    """The call's outcome, when what it says is answered with these, one after the other."""

    async def answer() -> None:
        for result in results:
            for _ in range(5):
                await asyncio.sleep(0)
            codex.feed(dump({"id": codex.said[-1]["id"], "result": result}))

    outcome, _ = await asyncio.gather(call, answer())
    return outcome


def server_status(name: str, **more: Any) -> Json:
    """A server as Codex tells of it."""
    return {
        "name": name,
        "runtimeStatus": None,
        "pluginId": None,
        "httpOrigin": None,
        "serverInfo": None,
        "serverCapabilities": None,
        "tools": {},
        "toolsError": None,
        "resources": [],
        "resourceTemplates": [],
        "authStatus": "unsupported",
        **more,
    }


TOOLS = {"define": {"name": "define", "inputSchema": {"type": "object"}}, "sign": {"name": "sign"}}
INFO = {"name": "bascule-demo", "version": "1"}


@pytest.mark.parametrize(
    ("server", "shown"),
    [
        (
            server_status("a", runtimeStatus="connected", serverInfo=INFO, tools=TOOLS),
            McpServer(id="a", transport="stdio", enabled=True, state="ready", tools=2),
        ),
        (
            server_status("a", runtimeStatus="starting", httpOrigin="https://mcp.example"),
            McpServer(id="a", transport="http", enabled=True, state="connecting"),
        ),
        (
            server_status("a", runtimeStatus="failed", toolsError="MCP startup failed:\n no such file"),
            McpServer(
                id="a",
                transport="stdio",
                enabled=True,
                state="error",
                last_error="MCP startup failed: no such file",
            ),
        ),
        (
            server_status("a", runtimeStatus="authenticationRequired", authStatus="notLoggedIn"),
            McpServer(id="a", transport="stdio", enabled=True, state="auth_required"),
        ),
        (
            server_status("a", runtimeStatus="disabled"),
            McpServer(id="a", transport="stdio", enabled=False, state="disabled"),
        ),
        # without a thread
        (
            server_status("a", serverInfo=INFO),
            McpServer(id="a", transport="stdio", enabled=True, state="ready", tools=0),
        ),
        (
            server_status("a", toolsError="timed out"),
            McpServer(id="a", transport="stdio", enabled=True, state="error", last_error="timed out"),
        ),
        (
            server_status("a", toolsError="401", authStatus="notLoggedIn"),
            McpServer(id="a", transport="stdio", enabled=True, state="auth_required", last_error="401"),
        ),
        (server_status("a"), McpServer(id="a", transport="stdio", enabled=False, state="disabled")),
        # of a Codex to come
        (
            {"name": "a", "runtimeStatus": "dreaming", "tools": TOOLS},
            McpServer(id="a", transport="stdio", enabled=True, state="ready", tools=2),
        ),
    ],
)
async def test_each_state_has_its_word(server: Json, shown: McpServer) -> None:
    codex = Listener()
    page = {"data": [server], "nextCursor": None}
    assert await during(codex, list_servers(codex.driver, None), page) == (shown,)
    seen = NOW_MS if shown.state == "ready" else None  # Codex connected to it to make this list
    assert codex.driver.find_connected_ms("a") == seen


async def test_pages_are_read_to_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    codex = Listener()
    pages = [
        {"data": [server_status(name)], "nextCursor": after}
        for name, after in (("a", "1"), ("b", "2"), ("c", ""))
    ]
    servers = await during(codex, list_servers(codex.driver, None), *pages)
    assert [server.id for server in servers] == ["a", "b", "c"]
    assert [said["params"]["cursor"] for said in codex.said] == [None, "1", "2"]
    monkeypatch.setattr(lists, "MAX_PAGES", 2)
    servers = await during(codex, list_servers(codex.driver, None), *pages[:2])
    assert [server.id for server in servers] == ["a", "b"]


async def test_a_thread_is_named_only_when_codex_has_it() -> None:
    codex = Listener()
    page: Json = {"data": [], "nextCursor": None}
    await during(codex, list_servers(codex.driver, THREAD), page)
    start = codex.driver.start("/w", Confinement("never"), "", lambda _: None)
    await during(codex, start, {"thread": {"id": "t"}})
    await during(codex, list_servers(codex.driver, THREAD), page)
    asked = [said["params"] for said in codex.said if said["method"] == "mcpServerStatus/list"]
    common = {"cursor": None, "limit": 100, "detail": "toolsAndAuthOnly"}
    assert asked == [{**common, "threadId": None}, {**common, "threadId": "t"}]


async def test_servers_that_the_person_added_since_are_not_started_by_a_thread_in_its_workspace() -> None:
    codex = Listener()
    codex.own_config = {"mcp_servers": {"known": {"command": "npx"}}}
    start = codex.driver.start("/w", Confinement("never"), "", lambda _: None)
    await during(codex, start, {"thread": {"id": "t"}})
    pages: list[Json] = [{"data": [], "nextCursor": None}, {"config": {}, "layers": []}]
    await during(codex, codex.driver.list_mcp_servers(THREAD, "/w"), *pages)
    codex.own_config = {"mcp_servers": {"known": {"command": "npx"}, "later": {"command": "npx"}}}
    await during(codex, codex.driver.list_mcp_servers(THREAD, "/w"), *pages)
    asked = [said["params"]["threadId"] for said in codex.said if said["method"] == "mcpServerStatus/list"]
    assert asked == ["t", None]


async def test_when_a_server_was_last_seen_to_answer_is_remembered() -> None:
    codex = Listener()
    start = codex.driver.start("/w", Confinement("never"), "", lambda _: None)
    await during(codex, start, {"thread": {"id": "t"}})
    page = {"data": [server_status(name, runtimeStatus="failed") for name in "abc"], "nextCursor": None}
    codex.tell("mcpServer/startupStatus/updated", 1_000_000_000_000, name="a", status="ready", error=None)
    codex.tell("mcpServer/startupStatus/updated", 1_000_000_001_000, name="a", status="failed", error="x")
    codex.tell("mcpServer/startupStatus/updated", 1_000_000_001_000, name="b", status="starting", error=None)
    await during(codex, list_servers(codex.driver, THREAD), page)
    assert [codex.driver.find_connected_ms(name) for name in "abc"] == [1_000_000_000_000, None, None]


async def test_a_server_is_listed_with_its_place_and_when_it_answered() -> None:
    codex = Listener()
    page = {"data": [server_status("a", tools=TOOLS)], "nextCursor": None}
    layers = {"config": {}, "layers": [layer("project", "a")]}
    (listed,) = await during(codex, codex.driver.list_mcp_servers(None, "/w"), page, layers)
    server = McpServer(id="a", transport="stdio", enabled=True, state="ready", tools=2, source="project")
    assert listed == ListedMcpServer(server, NOW_MS)


async def test_servers_remembered_have_a_ceiling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(change_sink, "MAX_CONNECTED", 2)
    codex = Listener()
    for name in "abac":
        codex.driver.saw_connected(name)
    seen = [name for name in "abc" if codex.driver.find_connected_ms(name) is not None]
    assert seen == ["a", "c"]


def layer(kind: str, *servers: str, **more: Any) -> Json:
    config = {"model": "demo", "mcp_servers": {name: {"env": {"KEY": "secret"}} for name in servers}}
    return {"name": {"type": kind, "file": "/f"}, "version": "1", "config": config, **more}


async def test_a_server_is_of_the_project_or_of_the_person() -> None:
    codex = Listener()
    layers = [
        layer("project", "untrusted", "both of them", disabledReason="not trusted"),
        layer("project", "mine", "both"),
        layer("user", "both", "both of them", "theirs", "a.b"),
        {**layer("system"), "config": {}},
        {**layer("mdm"), "config": ["of another shape"]},
    ]
    sources = await during(codex, list_mcp_sources(codex.driver, "/w"), {"config": {}, "layers": layers})
    everywhere = dict.fromkeys(("both of them", "theirs", "a.b"), "global")
    assert sources == {"mine": "project", "both": "project", **everywhere}
    assert codex.said[-1]["params"] == {"cwd": "/w", "includeLayers": True}
    assert await during(codex, list_mcp_sources(codex.driver, "/w"), {"config": {}, "layers": None}) == {}


async def test_a_configuration_that_cannot_be_read_says_nothing_of_servers() -> None:
    codex = Listener()

    async def refuse() -> None:
        for _ in range(5):
            await asyncio.sleep(0)
        codex.feed(dump({"id": codex.said[-1]["id"], "error": {"code": -32600, "message": "bad toml"}}))

    sources, _ = await asyncio.gather(list_mcp_sources(codex.driver, "/w"), refuse())
    assert sources == {}


def skill(name: str, scope: str = "user", path: str = "", **more: Any) -> SkillMetadata:
    return SkillMetadata(
        name=name, path=path or f"/s/{name}/SKILL.md", scope=scope, description=f"does {name}", **more
    )


async def test_skills_are_asked_for_by_folder() -> None:
    codex = Listener()
    entry = {"cwd": "/w", "skills": [], "errors": [{"path": "/x", "message": "bad"}]}
    listing = list_skills(codex.driver, "/w", force_reload=True, mtime_ms=len)
    result = await during(codex, listing, {"data": [entry]})
    errors = (SkillError(path="/x", message="bad"),)
    assert result == SkillsListResult(skills=(), errors=errors, truncated=False)
    assert codex.said == [{"id": 0, "method": "skills/list", "params": {"cwds": ["/w"], "forceReload": True}}]


def test_skills_of_the_repository_come_first_and_disabled_ones_not_at_all() -> None:
    told_skills = [
        skill("z"),
        skill("b", "system", path="C:\\codex\\skills\\b\\SKILL.md"),
        skill("off", enabled=False),
        skill("r", "repo"),
    ]
    entry = SkillsEntry(cwd="/w", skills=told_skills, errors=[SkillFault(path="/x", message="no\nname")])
    result = skills_result([entry], len)
    assert result == SkillsListResult(
        skills=(
            Skill(
                id="/s/r/SKILL.md",
                name="r",
                description="does r",
                path="/s/r/SKILL.md",
                dir="/s/r",
                scope="repo",
                mtime_ms=13,
            ),
            *result.skills[1:],
        ),
        errors=(SkillError(path="/x", message="no name"),),
        truncated=False,
    )
    assert [(each.name, each.scope, each.dir) for each in result.skills] == [
        ("r", "repo", "/s/r"),
        ("b", "user", "C:\\codex\\skills\\b"),
        ("z", "user", "/s/z"),
    ]


def test_a_long_list_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "MAX_SKILLS", 2)
    entries = [SkillsEntry(cwd="/w", skills=[skill(name) for name in "cab"], errors=[])]
    result = skills_result(
        entries, {"/s/a/SKILL.md": 1, "/s/b/SKILL.md": 2}.__getitem__
    )  # c is not looked at
    assert ([each.name for each in result.skills], result.truncated) == (["a", "b"], True)


async def test_logging_out_is_one_call() -> None:
    codex = Listener()
    await during(codex, codex.driver.sign_out(), {})
    assert codex.said == [{"id": 0, "method": "account/logout", "params": None}]
