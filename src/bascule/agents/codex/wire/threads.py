"""Threads and turns, and what the calls about them answer."""

from typing import Any, Literal

from msgspec import Raw

from bascule.agents.codex.wire.items import Int, WireStruct

TurnStatus = Literal["inProgress", "completed", "failed", "interrupted"]


class TurnError(WireStruct, frozen=True, kw_only=True):
    message: str
    additional_details: str | None = None
    codex_error_info: Any = None


class Turn(WireStruct, frozen=True, kw_only=True):
    id: str
    status: TurnStatus = "inProgress"
    items: tuple[Raw, ...] = ()  # read one by one, and only for history: one unknown kind spoils no turn
    error: TurnError | None = None
    started_at: Int | None = None  # seconds
    completed_at: Int | None = None
    duration_ms: Int | None = None


class GitInfo(WireStruct, frozen=True, kw_only=True):
    origin_url: str | None = None
    branch: str | None = None


class ThreadStatus(WireStruct, frozen=True, kw_only=True):
    type: str
    active_flags: tuple[str, ...] = ()


class Thread(WireStruct, frozen=True, kw_only=True):
    id: str
    cwd: str = ""
    cli_version: str = ""
    preview: str = ""
    name: str | None = None
    parent_thread_id: str | None = None
    forked_from_id: str | None = None
    agent_nickname: str | None = None
    agent_role: str | None = None
    git_info: GitInfo | None = None
    status: ThreadStatus | None = None
    created_at: Int | None = None


class TurnsPage(WireStruct, frozen=True, kw_only=True):
    data: list[Turn]
    next_cursor: str | None = None


class SandboxPolicy(WireStruct, frozen=True, kw_only=True):
    type: str


class ThreadAnswer(WireStruct, frozen=True, kw_only=True):
    """thread/start, thread/resume and thread/fork answer alike."""

    thread: Thread
    model: str = ""
    reasoning_effort: str | None = None
    sandbox: SandboxPolicy | None = None
    approval_policy: Any = None  # a word, or an object of finer choices
    initial_turns_page: TurnsPage | None = None


class TurnAnswer(WireStruct, frozen=True, kw_only=True):
    turn: Turn


class SteerAnswer(WireStruct, frozen=True, kw_only=True):
    turn_id: str


class Initialized(WireStruct, frozen=True, kw_only=True):
    user_agent: str
    codex_home: str = ""


class Effort(WireStruct, frozen=True, kw_only=True):
    reasoning_effort: str
    description: str = ""


class Model(WireStruct, frozen=True, kw_only=True):
    id: str
    model: str
    display_name: str = ""
    description: str = ""
    hidden: bool = False
    is_default: bool = False
    default_reasoning_effort: str = ""
    supported_reasoning_efforts: tuple[Effort, ...] = ()


class ModelPage(WireStruct, frozen=True, kw_only=True):
    data: list[Model]
    next_cursor: str | None = None
