"""initialize, runs, sessions, models, MCP servers and skills: what every client of the protocol knows."""

from typing import Any, Literal

from msgspec import Struct

from bascule.model.context import ContextRequest
from bascule.model.protocol.devices import Access

RunState = Literal["running", "awaiting_ui", "completed", "error", "cancelled"]


class Client(Struct, frozen=True, kw_only=True):
    name: str
    version: str = ""


class UiCapabilities(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`supports_session_sync` chooses state (snapshots and Changes) instead of events."""

    supports_confirm: bool = False
    supports_prompt: bool = False
    supports_pick: bool = False
    supports_markdown: bool = False
    supports_images: bool = False
    supports_permission_preflight_events: bool = False
    supports_session_sync: bool = False


class InitializeParams(Struct, frozen=True, kw_only=True):
    protocol_version: str
    client: Client
    ui_capabilities: UiCapabilities = UiCapabilities()


class ServerIdentity(Struct, frozen=True, kw_only=True):
    name: str
    version: str


class ServerCapabilities(Struct, frozen=True, kw_only=True):
    supports_run_cancel: bool = True
    supports_ui_requests: bool = True
    supports_mcp_list: bool = True
    supports_skills_list: bool = True
    supports_context_inspect: bool = True
    supports_shell_exec: bool = True
    supports_permission_preflight_events: bool = True
    supports_session_sync: bool = True


class InitializeResult(Struct, frozen=True, kw_only=True, omit_defaults=True):
    protocol_version: str
    server: ServerIdentity
    server_capabilities: ServerCapabilities
    surface_id: str = ""  # this connection's name among those who may drive a session
    workspace: str = ""
    home: str = ""  # the person's own folder, which a surface may write as ~
    access: Access | None = None  # what this connection may do
    start_command: str = ""  # what a person types to start this daemon again


class ImageUrl(Struct, frozen=True):
    url: str


class InputPart(Struct, frozen=True, kw_only=True, omit_defaults=True):
    type: str  # text, image_url
    text: str = ""
    image_url: ImageUrl | None = None


class RunInput(Struct, frozen=True, kw_only=True, omit_defaults=True):
    type: str  # text, or parts
    text: str = ""
    parts: tuple[InputPart, ...] = ()


class FileRef(Struct, frozen=True, kw_only=True, omit_defaults=True):
    path: str
    language_id: str = ""


class Position(Struct, frozen=True):
    line: int
    column: int


class Range(Struct, frozen=True):
    start: Position
    end: Position


class UiSelection(Struct, frozen=True, kw_only=True, omit_defaults=True):
    path: str
    range: Range  # 0-based, the end exclusive
    selected_text: str = ""


class UiContext(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where the person is working; `ui.context.update` replaces what was sent before."""

    cwd: str = ""
    workspace_root: str = ""
    active_file: FileRef | None = None
    selection: UiSelection | None = None
    context: ContextRequest | None = None  # what later prompts carry, where they do not say it themselves
    extensions: dict[str, Any] = {}


class RunStartParams(Struct, frozen=True, kw_only=True, omit_defaults=True):
    input: RunInput
    session_id: str = ""  # without it: the session that this surface used last, or a new one
    ui_context: UiContext | None = None
    context: ContextRequest | None = None  # what is sent of the workspace
    meta: dict[str, Any] = {}
    force_compaction: bool = False
    how: Literal["start", "queue", "steer"] = (
        "start"  # while a run is going: refuse as busy, wait, or join it
    )
    key: str = ""  # one key is one prompt, however often it is sent
    take_over: bool = False  # from the surface that drives the session now
    extra: dict[str, Any] = {}  # fields of tomorrow: kept, and given back beside the run's events


class RunStartResult(Struct, frozen=True, kw_only=True, omit_defaults=True):
    run_id: str  # empty while it waits in the queue
    session_id: str = ""
    queued: bool = False
    unsent: str = ""  # why it could not be sent: it waits in the queue, and the log says so


class RunCancelParams(Struct, frozen=True, kw_only=True):
    run_id: str
    reason: str = ""


class RunCancelResult(Struct, frozen=True, kw_only=True, omit_defaults=True):
    ok: bool
    status: RunState | None = None


class AgentEventNotify(Struct, frozen=True, kw_only=True, omit_defaults=True):
    run_id: str
    seq: int  # from 0, per run
    event: dict[str, Any]
    meta: dict[str, Any] = {}


class RunStatusNotify(Struct, frozen=True, kw_only=True, omit_defaults=True):
    run_id: str
    status: RunState
    message: str = ""


class RunContextNotify(Struct, frozen=True, kw_only=True):
    run_id: str
    context_left_percent: int


class SessionListParams(Struct, frozen=True, kw_only=True):
    limit: int = 50
    scope: Literal["current_workspace", "all"] = "all"


class ListedSession(Struct, frozen=True, kw_only=True, omit_defaults=True):
    session_id: str
    updated_at: str  # ISO 8601
    run_id: str = ""
    message_count: int = 0
    last_user_message: str = ""
    workspace_root: str = ""
    title: str = ""
    status: str = ""
    outcome: str = ""  # of its last run: completed, failed, interrupted or declined
    agent: str = ""


class SessionListResult(Struct, frozen=True, kw_only=True, omit_defaults=True):
    sessions: tuple[ListedSession, ...]
    current_workspace_root: str = ""


class SessionHistoryParams(Struct, frozen=True, kw_only=True):
    session_id: str
    max_runs: int = 20
    max_events: int = 1500


class SessionHistoryResult(Struct, frozen=True, kw_only=True):
    runs: int
    events_sent: int
    truncated: bool = False


class ModelListParams(Struct, frozen=True, kw_only=True):
    provider: str = "openai"
    include_details: bool = False
    session_id: str = ""  # the session at hand, when empty


class ModelDetails(Struct, frozen=True, kw_only=True, omit_defaults=True):
    context_window: int | None = None
    max_input_tokens: int | None = None
    max_output_tokens: int | None = None
    description: str = ""
    reasoning_efforts: tuple[str, ...] = ()


class ModelListResult(Struct, frozen=True, kw_only=True, omit_defaults=True):
    provider: str
    models: tuple[str, ...]
    current: str | None = None
    reasoning: str | None = None
    details: dict[str, ModelDetails] | None = None


class ModelSetParams(Struct, frozen=True, kw_only=True):
    name: str
    provider: str = "openai"
    reasoning: str = ""
    session_id: str = ""


class ModelSetResult(Struct, frozen=True, kw_only=True, omit_defaults=True):
    provider: str
    name: str
    source: Literal["config", "session"]  # where it is kept; nothing is written to a configuration here
    reasoning: str | None = None


class McpListParams(Struct, frozen=True, kw_only=True):
    scope: Literal["loaded", "configured"] = "loaded"


class McpServer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: str
    transport: Literal["http", "stdio"]
    enabled: bool
    state: Literal["disabled", "connecting", "auth_required", "ready", "error"]
    source: Literal["project", "global"] | None = None
    tools: int | None = None
    last_error: str | None = None
    last_connected_at: str | None = None


class McpListResult(Struct, frozen=True, kw_only=True):
    servers: tuple[McpServer, ...]


class SkillsListParams(Struct, frozen=True, kw_only=True):
    cwd: str = ""
    force_reload: bool = False


class Skill(Struct, frozen=True, kw_only=True):
    id: str
    name: str
    description: str
    path: str
    dir: str
    scope: Literal["repo", "user"]
    mtime_ms: int


class SkillError(Struct, frozen=True, kw_only=True):
    path: str
    message: str


class SkillsListResult(Struct, frozen=True, kw_only=True):
    skills: tuple[Skill, ...]
    errors: tuple[SkillError, ...]
    truncated: bool


class ContextInspectParams(Struct, frozen=True, kw_only=True):
    include_agents: bool = False
    include_skills: bool = False


class InspectedUi(Struct, frozen=True, kw_only=True, omit_defaults=True):
    cwd: str = ""
    workspace_root: str = ""
    active_file_path: str = ""
    extensions: dict[str, Any] = {}  # and every other field that was sent


class ContextInspectResult(Struct, frozen=True, kw_only=True, omit_defaults=True):
    runtime_working_dir: str
    runtime_sandbox_root: str
    execution_environment: str
    ui_context: InspectedUi | None = None


class AuthLogoutParams(Struct, frozen=True, kw_only=True):
    clear_session: bool = False


class AuthLogoutResult(Struct, frozen=True, kw_only=True, omit_defaults=True):
    ok: bool
    auth_cleared: bool = False
    session_cleared: bool = False
    cancelled: bool = False


class ShellExecParams(Struct, frozen=True, kw_only=True):
    command: str
    timeout_seconds: float = 120
    cwd: str = ""


class Truncated(Struct, frozen=True, kw_only=True):
    stdout: bool = False
    stderr: bool = False
    combined: bool = False


class ShellExecResult(Struct, frozen=True, kw_only=True, omit_defaults=True):
    command_preview: str
    exit_code: int | None
    stdout: str
    stderr: str
    truncated: Truncated
    duration_ms: int
    signal: str | None = None
