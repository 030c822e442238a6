"""The MCP servers and skills of a Codex, as every surface knows them."""

from collections.abc import Callable
from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from bascule.agents.codex.wire import UNREADABLE
from bascule.agents.codex.wire.lists import (
    ConfigAnswer,
    LayerConfig,
    McpPage,
    McpStatus,
    SkillMetadata,
    SkillsAnswer,
    SkillsEntry,
)
from bascule.agents.driver import ListedMcpServer
from bascule.core.faults import AgentRefused
from bascule.core.session.growing_text import shorten
from bascule.model.ids import ThreadId
from bascule.model.protocol.runs import McpServer, Skill, SkillError, SkillsListResult

if TYPE_CHECKING:
    from bascule.agents.codex.driver import CodexDriver

MAX_PAGES = 20
PAGE = 100
MAX_SKILLS = 500
MAX_ERRORS = 100
MAX_WORDS = 1_000  # characters of a description or an error

McpState = Literal["disabled", "connecting", "auth_required", "ready", "error"]
McpSource = Literal["project", "global"]

STATES: dict[str, McpState] = {
    "notStarted": "connecting",
    "starting": "connecting",
    "connected": "ready",
    "authenticationRequired": "auth_required",
    "failed": "error",
    "cancelled": "error",
    "disabled": "disabled",
}
# What comes with Codex or from an administrator belongs to the person, not to the repository.
SCOPES: dict[str, Literal["repo", "user"]] = {"repo": "repo"}


async def list_mcp_servers(
    driver: "CodexDriver", thread: ThreadId | None, cwd: str
) -> tuple[ListedMcpServer, ...]:
    """With where each is configured, and when it was last seen to answer."""
    servers = await list_servers(driver, thread)
    sources = await list_mcp_sources(driver, cwd)
    return tuple(
        ListedMcpServer(replace(server, source=sources.get(server.id)), driver.find_connected_ms(server.id))
        for server in servers
    )


async def list_servers(driver: "CodexDriver", thread: ThreadId | None) -> tuple[McpServer, ...]:
    """As the thread is connected to them; without a loaded thread, as Codex finds them when it asks each.

    Codex answers when the slowest server has answered or run into its own time limit."""
    known = thread if thread is not None and driver.is_loaded(thread) else None
    servers: list[McpServer] = []
    cursor: str | None = None
    for _ in range(MAX_PAGES):
        params = {"cursor": cursor, "limit": PAGE, "detail": "toolsAndAuthOnly", "threadId": known}
        page = await driver.call("mcpServerStatus/list", params, McpPage)
        servers += [_server(driver, reply, asked=known is None) for reply in page.data]
        cursor = page.next_cursor
        if not cursor:
            break
    return tuple(servers)


async def list_mcp_sources(driver: "CodexDriver", cwd: str) -> dict[str, McpSource]:
    """Where each server is configured; one that a plugin brings is in no file, and is left out."""
    params = {"cwd": cwd, "includeLayers": True}
    try:
        layers = (await driver.call("config/read", params, ConfigAnswer)).layers or []
    except AgentRefused:  # a file that cannot be read: Codex itself says so elsewhere
        return {}
    sources: dict[str, McpSource] = {}
    for layer in layers:
        if layer.disabled_reason is None:
            source: McpSource = "project" if layer.name.type == "project" else "global"
            sources = {**dict.fromkeys(_find_servers(layer.config), source), **sources}
    return sources


def _find_servers(config: Raw) -> list[str]:
    try:
        return list(msgspec.json.decode(config, type=LayerConfig).mcp_servers)
    except UNREADABLE:
        return []


def _server(driver: "CodexDriver", reply: McpStatus, *, asked: bool) -> McpServer:
    """`asked`: Codex connected to it for this very list."""
    state = STATES.get(reply.runtime_status or "") or _guess(reply)
    if asked and state == "ready":
        driver.saw_connected(reply.name)
    return McpServer(
        id=reply.name,
        transport="http" if reply.http_origin else "stdio",
        enabled=state != "disabled",
        state=state,
        tools=len(reply.tools) if state == "ready" else None,
        last_error=shorten(reply.tools_error, MAX_WORDS) if reply.tools_error else None,
    )


def _guess(reply: McpStatus) -> McpState:
    """Asked without a thread: a server that neither answered nor failed was not asked, so it is off."""
    if reply.auth_status == "notLoggedIn":
        return "auth_required"
    if reply.tools_error is not None:
        return "error"
    return "ready" if reply.server_info is not None or reply.tools else "disabled"


async def list_skills(
    driver: "CodexDriver", cwd: str, *, force_reload: bool, mtime_ms: Callable[[str], int]
) -> SkillsListResult:
    params = {"cwds": [cwd], "forceReload": force_reload}
    return skills_result((await driver.call("skills/list", params, SkillsAnswer)).data, mtime_ms)


def skills_result(entries: list[SkillsEntry], mtime_ms: Callable[[str], int]) -> SkillsListResult:
    """The skills that can be used, those of the repository first; `mtime_ms` looks at each file."""
    found = {skill.path: skill for entry in entries for skill in entry.skills if skill.enabled}
    skills = sorted(found.values(), key=lambda skill: (skill.scope != "repo", skill.name, skill.path))
    errors = [
        SkillError(path=e.path, message=shorten(e.message, MAX_WORDS)) for x in entries for e in x.errors
    ]
    return SkillsListResult(
        skills=tuple(_skill(skill, mtime_ms(skill.path)) for skill in skills[:MAX_SKILLS]),
        errors=tuple(errors[:MAX_ERRORS]),
        truncated=len(skills) > MAX_SKILLS or len(errors) > MAX_ERRORS,
    )


def _skill(reply: SkillMetadata, mtime_ms: int) -> Skill:
    flavour = PureWindowsPath if "\\" in reply.path else PurePosixPath
    return Skill(
        id=reply.path,  # two skills may have one name
        name=reply.name,
        description=shorten(reply.description, MAX_WORDS),
        path=reply.path,
        dir=str(flavour(reply.path).parent),
        scope=SCOPES.get(reply.scope, "user"),
        mtime_ms=mtime_ms,
    )
