"""What Codex has beside the conversation: its MCP servers and its skills, as it lists them."""

from msgspec import Raw, field

from bascule.agents.codex.wire.items import Wire


class ServerInfo(Wire, frozen=True, kw_only=True):
    name: str = ""


class McpStatus(Wire, frozen=True, kw_only=True):
    name: str
    runtime_status: str | None = None  # of a thread's own connection; without a thread there is none
    http_origin: str | None = None
    server_info: ServerInfo | None = None
    tools: dict[str, Raw] = field(default_factory=dict)
    tools_error: str | None = None
    auth_status: str = ""


class McpPage(Wire, frozen=True, kw_only=True):
    data: list[McpStatus]
    next_cursor: str | None = None


class SkillMetadata(Wire, frozen=True, kw_only=True):
    name: str
    path: str
    scope: str
    description: str = ""
    enabled: bool = True


class SkillFault(Wire, frozen=True, kw_only=True):
    path: str
    message: str


class SkillsEntry(Wire, frozen=True, kw_only=True):
    cwd: str
    skills: list[SkillMetadata]
    errors: list[SkillFault]


class SkillsAnswer(Wire, frozen=True, kw_only=True):
    data: list[SkillsEntry]
