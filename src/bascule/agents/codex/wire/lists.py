"""What Codex has beside the conversation: its MCP servers and its skills, as it lists them."""

from msgspec import Raw, field

from bascule.agents.codex.wire.items import WireStruct


class ServerInfo(WireStruct, frozen=True, kw_only=True):
    name: str = ""


class McpStatus(WireStruct, frozen=True, kw_only=True):
    name: str
    runtime_status: str | None = None  # of a thread's own connection; without a thread there is none
    http_origin: str | None = None
    server_info: ServerInfo | None = None
    tools: dict[str, Raw] = field(default_factory=dict)
    tools_error: str | None = None
    auth_status: str = ""


class McpPage(WireStruct, frozen=True, kw_only=True):
    data: list[McpStatus]
    next_cursor: str | None = None


class BackgroundTerminal(WireStruct, frozen=True, kw_only=True):
    item_id: str
    process_id: str


class TerminalsPage(WireStruct, frozen=True, kw_only=True):
    data: list[BackgroundTerminal]


class LayerName(WireStruct, frozen=True, kw_only=True):
    type: str  # project, user, system and others of the person or the machine


class LayerConfig(WireStruct, frozen=True, kw_only=True):
    """Of the rest nothing is read: a configuration may hold secrets."""

    mcp_servers: dict[str, Raw] = field(default_factory=dict, name="mcp_servers")


class ConfigLayer(WireStruct, frozen=True, kw_only=True):
    name: LayerName
    config: Raw  # a LayerConfig, or anything
    disabled_reason: str | None = None


class ConfigAnswer(WireStruct, frozen=True, kw_only=True):
    """What overrides a lower layer comes first."""

    layers: list[ConfigLayer] | None = None


class SkillMetadata(WireStruct, frozen=True, kw_only=True):
    name: str
    path: str
    scope: str
    description: str = ""
    enabled: bool = True


class SkillFault(WireStruct, frozen=True, kw_only=True):
    path: str
    message: str


class SkillsEntry(WireStruct, frozen=True, kw_only=True):
    cwd: str
    skills: list[SkillMetadata]
    errors: list[SkillFault]


class SkillsAnswer(WireStruct, frozen=True, kw_only=True):
    data: list[SkillsEntry]
