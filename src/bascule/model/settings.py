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


class CodexSettings(msgspec.Struct, frozen=True, rename="camel"):
    command: Annotated[
        str, Meta(description="The program that runs as the Codex agent.", min_length=1, extra=GUARDED)
    ] = "codex"
    args: Annotated[tuple[str, ...], Meta(description="What that program is given.", extra=GUARDED)] = (
        "app-server",
    )
    sandbox: Annotated[
        Literal["read-only", "workspace-write"],
        Meta(description="What a command may write without an approval.", extra=TIGHTEN),
    ] = "read-only"
    approvals: Annotated[
        Literal["untrusted", "on-request"],
        Meta(
            description="When Codex asks: before anything it does not trust, or when it wants more than "
            "the sandbox allows.",
            extra=TIGHTEN,
        ),
    ] = "on-request"
    model: Annotated[str, Meta(description="The model; empty is the agent's own default.", extra=FREE)] = ""
    effort: Annotated[
        str, Meta(description="The reasoning effort; empty is the model's own default.", extra=FREE)
    ] = ""


AnswerKind = Literal["command", "files", "permissions", "questions"]


class DeviceSettings(msgspec.Struct, frozen=True, rename="camel"):
    answers: Annotated[
        tuple[AnswerKind, ...],
        Meta(
            description="Kinds of questions to which an enrolled device may say yes from outside. "
            "A no counts always.",
            extra=GUARDED,
        ),
    ] = ()


class LogSettings(msgspec.Struct, frozen=True, rename="camel"):
    max_bytes: Annotated[
        int, Meta(description="The most disk that the log may take, in bytes.", ge=100_000, extra=NEVER)
    ] = 5_000_000


class HistorySettings(msgspec.Struct, frozen=True, rename="camel"):
    page_runs: Annotated[
        int, Meta(description="Runs fetched a page when a session is reopened.", ge=1, le=200, extra=FREE)
    ] = 20
    deleted_days: Annotated[
        int,
        Meta(description="Days in which a deleted session can be restored.", ge=0, le=3_650, extra=NEVER),
    ] = 7
    keep_days: Annotated[
        int,
        Meta(
            description="Sessions unused for this many days are deleted. 0: kept forever.",
            ge=0,
            le=36_500,
            extra=NEVER,
        ),
    ] = 0


class AgentsSettings(msgspec.Struct, frozen=True, rename="camel"):
    idle_minutes: Annotated[
        int,
        Meta(
            description="An agent that nobody used for this many minutes is ended; the next prompt starts it "
            "again. 0: never.",
            ge=0,
            le=100_000,
            extra=NEVER,
        ),
    ] = 30


class Settings(msgspec.Struct, frozen=True, rename="camel"):
    codex: CodexSettings = CodexSettings()
    devices: DeviceSettings = DeviceSettings()
    log: LogSettings = LogSettings()
    history: HistorySettings = HistorySettings()
    agents: AgentsSettings = AgentsSettings()
    allow_apply_patch: Annotated[
        bool, Meta(description="Whether a diff may be applied at all, after its yes.", extra=TIGHTEN)
    ] = True
    allow_run_terminal: Annotated[
        bool,
        Meta(description="Whether tests and typed commands may run at all, after their yes.", extra=TIGHTEN),
    ] = False
    context_max_files: Annotated[
        int, Meta(description="The most files that go along with a prompt.", ge=0, le=100, extra=FREE)
    ] = 10
    context_max_file_bytes: Annotated[
        int,
        Meta(description="The most bytes of a file that go along.", ge=0, le=1_000_000, extra=FREE),
    ] = 12_000
    machine_id: Annotated[
        str,
        Meta(description="What orders from afar call this machine; empty: its host name.", extra=NEVER),
    ] = ""
    test_timeout_seconds: Annotated[
        int, Meta(description="How long a test may run, in seconds.", ge=1, le=86_400, extra=NEVER)
    ] = 300
    default_test_command: Annotated[
        str, Meta(description="How projects are tested; empty: guessed from each one's files.", extra=GUARDED)
    ] = ""
    test_commands: Annotated[
        tuple[str, ...],
        Meta(description="What may be run as a test: commands that begin with these words.", extra=GUARDED),
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
