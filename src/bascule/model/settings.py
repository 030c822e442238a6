"""Settings: one typed table, from which the checks, the merging and the docs are all derived."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

PREFIX = "bascule."

Kind = Literal["text", "texts", "number", "choice", "flag"]
Workspace = Literal["free", "tighten", "never"]  # what a workspace may do with a setting
Value = str | int | bool | tuple[str, ...]

FREE: dict[str, Any] = {"workspace": "free"}
TIGHTEN: dict[str, Any] = {"workspace": "tighten"}  # the choices are listed tightest first
NEVER: dict[str, Any] = {"workspace": "never"}
# Names a program, or widens who may do what: any change over the protocol needs a yes.
GUARDED: dict[str, Any] = {"workspace": "never", "guarded": True}
LIMIT: dict[str, Any] = {"workspace": "never", "limit": True}  # a higher value loosens, and needs a yes


class CodexSettings(msgspec.Struct, frozen=True, rename="camel"):
    command: Annotated[
        str, Meta(description="Program to run as the Codex agent.", min_length=1, extra=GUARDED)
    ] = "codex"
    args: Annotated[tuple[str, ...], Meta(description="Arguments for that program.", extra=GUARDED)] = (
        "app-server",
    )
    sandbox: Annotated[
        Literal["read-only", "workspace-write"],
        Meta(description="What commands may write without approval.", extra=TIGHTEN),
    ] = "read-only"
    approvals: Annotated[
        Literal["untrusted", "on-request"],
        Meta(
            description="When Codex asks for approval: before anything it doesn't trust (untrusted), or only "
            "when it needs more than the sandbox allows (on-request).",
            extra=TIGHTEN,
        ),
    ] = "on-request"
    model: Annotated[str, Meta(description="Model to use. Empty: the agent's default.", extra=FREE)] = ""
    effort: Annotated[str, Meta(description="Reasoning effort. Empty: the model's default.", extra=FREE)] = ""


AnswerKind = Literal["command", "files", "permissions", "questions"]


class DeviceSettings(msgspec.Struct, frozen=True, rename="camel"):
    answers: Annotated[
        tuple[AnswerKind, ...],
        Meta(
            description="Kinds of questions that an enrolled device may approve remotely. "
            "It may always decline.",
            extra=GUARDED,
        ),
    ] = ()


class LogSettings(msgspec.Struct, frozen=True, rename="camel"):
    max_bytes: Annotated[
        int, Meta(description="Maximum size of the log on disk, in bytes.", ge=100_000, extra=NEVER)
    ] = 5_000_000


class HistorySettings(msgspec.Struct, frozen=True, rename="camel"):
    page_runs: Annotated[
        int, Meta(description="Runs to load at a time when a session is reopened.", ge=1, le=200, extra=FREE)
    ] = 20
    deleted_days: Annotated[
        int,
        Meta(description="Days in which a deleted session can be restored.", ge=0, le=3_650, extra=GUARDED),
    ] = 7
    keep_days: Annotated[
        int,
        Meta(
            description="Delete sessions that were not used for this many days, except pinned ones. "
            "0: keep them forever.",
            ge=0,
            le=36_500,
            extra=GUARDED,
        ),
    ] = 0


class UiSettings(msgspec.Struct, frozen=True, rename="camel"):
    enable_chat_view: Annotated[
        bool, Meta(description="Show the chat view in VS Code. Read by the extension.", extra=FREE)
    ] = True
    max_messages: Annotated[
        int,
        Meta(
            description="Blocks kept of each session. The oldest leave first; the agent keeps its own copy.",
            ge=50,
            le=20_000,
            extra=GUARDED,
        ),
    ] = 20_000


class AgentsSettings(msgspec.Struct, frozen=True, rename="camel"):
    idle_minutes: Annotated[
        int,
        Meta(
            description="Minutes before an unused agent is stopped. The next prompt starts it again. "
            "0: never stop.",
            ge=0,
            le=100_000,
            extra=NEVER,
        ),
    ] = 30


class PanesSettings(msgspec.Struct, frozen=True, rename="camel"):
    shell: Annotated[
        str, Meta(description="Shell that terminal panes start. Empty: your login shell.", extra=GUARDED)
    ] = ""
    keep_text: Annotated[
        bool,
        Meta(description="Keep what terminal panes show, as text, for after a restart.", extra=LIMIT),
    ] = True
    from_outside: Annotated[
        bool,
        Meta(description="Allow enrolled devices to use terminal panes from other machines.", extra=GUARDED),
    ] = False


OrderCommands = Literal["deny", "ask", "read-only"]  # the tightest first


class OrdersSettings(msgspec.Struct, frozen=True, rename="camel"):
    commands: Annotated[
        OrderCommands,
        Meta(
            description="Commands that an agent wants to run for a remote order: all refused (deny), each "
            "one asked about at this machine (ask), or run without asking in a sandbox that can't write and "
            "has no network (read-only).",
            extra=TIGHTEN,
        ),
    ] = "ask"
    workspaces: Annotated[
        tuple[str, ...],
        Meta(
            description="Folders that remote orders may work in, each as NAME=FOLDER. The first is the "
            "default; `@dev patch @NAME …` picks another.",
            extra=GUARDED,
        ),
    ] = ()
    answer_seconds: Annotated[
        int,
        Meta(
            description="Seconds that a remote order waits here for an answer. No answer means no.",
            ge=1,
            le=86_400,
            extra=LIMIT,
        ),
    ] = 900
    generate_seconds: Annotated[
        int,
        Meta(
            description="Time limit for a plan or a diff of a remote order, in seconds. Waiting for an "
            "answer or in the queue doesn't count.",
            ge=1,
            le=86_400,
            extra=LIMIT,
        ),
    ] = 900
    max_age_minutes: Annotated[
        int,
        Meta(
            description="Remote orders older than this many minutes are refused.",
            ge=1,
            le=100_000,
            extra=LIMIT,
        ),
    ] = 60
    at_once: Annotated[
        int,
        Meta(
            description="Remote orders carried out at once in a workspace. The others wait in line.",
            ge=1,
            le=32,
            extra=LIMIT,
        ),
    ] = 1


class Settings(msgspec.Struct, frozen=True, rename="camel"):
    codex: CodexSettings = CodexSettings()
    orders: OrdersSettings = OrdersSettings()
    devices: DeviceSettings = DeviceSettings()
    log: LogSettings = LogSettings()
    history: HistorySettings = HistorySettings()
    agents: AgentsSettings = AgentsSettings()
    ui: UiSettings = UiSettings()
    panes: PanesSettings = PanesSettings()
    allow_apply_patch: Annotated[
        bool, Meta(description="Allow diffs to be applied, after approval.", extra=TIGHTEN)
    ] = True
    allow_run_terminal: Annotated[
        bool,
        Meta(description="Allow tests and typed commands to run, after approval.", extra=TIGHTEN),
    ] = False
    context_max_files: Annotated[
        int, Meta(description="Maximum number of files sent with a prompt.", ge=0, le=100, extra=FREE)
    ] = 10
    context_max_file_bytes: Annotated[
        int,
        Meta(description="Maximum bytes sent from each of those files.", ge=0, le=1_000_000, extra=FREE),
    ] = 12_000
    machine_id: Annotated[
        str,
        Meta(description="This machine's name in remote orders. Empty: its host name.", extra=GUARDED),
    ] = ""
    relay_url: Annotated[
        str,
        Meta(description="Address of the relay. Empty: the one that this machine joined.", extra=GUARDED),
    ] = ""
    reconnect_ms: Annotated[
        int,
        Meta(
            description="Milliseconds before the bridge to a relay reconnects. It waits longer each time.",
            ge=100,
            le=600_000,
            extra=NEVER,
        ),
    ] = 3_000
    heartbeat_ms: Annotated[
        int,
        Meta(
            description="Milliseconds between two heartbeats to the relay.", ge=1_000, le=30_000, extra=NEVER
        ),
    ] = 10_000
    test_timeout_seconds: Annotated[
        int, Meta(description="Time limit for a test, in seconds.", ge=1, le=86_400, extra=LIMIT)
    ] = 300
    default_test_command: Annotated[
        str,
        Meta(
            description="Command that runs a project's tests. Empty: detected from the project's files.",
            extra=GUARDED,
        ),
    ] = ""
    test_commands: Annotated[
        tuple[str, ...],
        Meta(description="Commands allowed as tests: those that start with these words.", extra=GUARDED),
    ] = (
        "pytest",
        "python -m pytest",
        "python -m unittest",
        "python3 -m pytest",
        "python3 -m unittest",
        "npm test",
        "npm run test",
        "pnpm test",
        "yarn test",
        "cargo test",
        "go test",
        "make test",
    )


class Setting(msgspec.Struct, frozen=True):
    """One row of the table, as the structs above declare it."""

    key: str
    kind: Kind
    default: Value
    doc: str
    workspace: Workspace
    guarded: bool = False
    is_limit: bool = False
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None

    @property
    def shown(self) -> str:
        return PREFIX + self.key


KINDS: dict[object, Kind] = {str: "text", int: "number", bool: "flag", tuple: "texts", Literal: "choice"}


def _row(group: str, field: msgspec.structs.FieldInfo, annotation: Any) -> Setting:
    bare, meta = get_args(annotation)
    kind = KINDS[get_origin(bare) or bare]
    return Setting(
        key=f"{group}.{field.encode_name}" if group else field.encode_name,
        kind=kind,
        default=field.default,
        doc=meta.description,
        workspace=meta.extra["workspace"],
        guarded=meta.extra.get("guarded", False),
        is_limit=meta.extra.get("limit", False),
        choices=_choices(bare),
        least=meta.ge if kind == "number" else meta.min_length,
        most=meta.le,
    )


def _choices(bare: Any) -> tuple[str, ...]:
    """Of one value, or of each in a list."""
    if get_origin(bare) is tuple:
        return _choices(get_args(bare)[0])
    return get_args(bare) if get_origin(bare) is Literal else ()


def _rows() -> Iterator[Setting]:
    whole = get_type_hints(Settings, include_extras=True)
    for group in msgspec.structs.fields(Settings):
        if not (isinstance(group.type, type) and issubclass(group.type, msgspec.Struct)):
            yield _row("", group, whole[group.name])
            continue
        hints = get_type_hints(group.type, include_extras=True)
        for field in msgspec.structs.fields(group.type):
            yield _row(group.encode_name, field, hints[field.name])


TABLE: dict[str, Setting] = {row.key: row for row in _rows()}
