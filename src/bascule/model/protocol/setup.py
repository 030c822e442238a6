"""settings.*, setup.inspect, commands.list, context.preview, ask.list, files.attach and files.link."""

from typing import Any, Literal

from msgspec import Struct

from bascule.model.agents import Capability
from bascule.model.asks import Ask
from bascule.model.context import ContextPart, ContextRequest
from bascule.model.settings import Kind, Workspace

Scope = Literal["user", "workspace"]
Step = Literal["", "install", "sign_in"]  # what stands between a person and the first prompt


class SettingsParams(Struct, frozen=True, kw_only=True, omit_defaults=True):
    session_id: str = ""  # its workspace, or the surface's own


class ListedSetting(Struct, frozen=True, kw_only=True, omit_defaults=True):
    key: str  # "bascule.codex.sandbox"
    kind: Kind
    value: Any
    default: Any
    doc: str
    source: Literal["default", "user", "workspace"]
    workspace: Workspace  # what a workspace may do with it
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None


class ListedSettings(Struct, frozen=True, kw_only=True, omit_defaults=True):
    settings: tuple[ListedSetting, ...]
    user_file: str
    workspace_file: str
    problems: tuple[str, ...] = ()  # why the user's file is refused as it is
    ignored: tuple[str, ...] = ()  # what the workspace's own file says that does not count, and why


class SetSettingParams(Struct, frozen=True, kw_only=True, omit_defaults=True):
    key: str
    value: Any = None  # None: back to the default
    scope: Scope = "user"
    session_id: str = ""


class Check(Struct, frozen=True, kw_only=True, omit_defaults=True):
    name: str
    state: Literal["ok", "note", "missing"]  # a note needs nothing done
    text: str
    next: str = ""  # what to do about it
    step: Step = ""
    commands: tuple[str, ...] = ()  # any one of them does it, in a terminal
    agent: str = ""  # that it is about


class DemoPrompt(Struct, frozen=True, kw_only=True):
    title: str
    text: str


class Inspected(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is found on this machine and what is missing; with `--demo`, what to try."""

    checks: tuple[Check, ...]
    workspaces: tuple[str, ...] = ()  # used lately, the latest first
    program: str = "bascule"  # as a person types it in a terminal here
    demo: bool = False
    prompts: tuple[DemoPrompt, ...] = ()


class InspectParams(Struct, frozen=True, kw_only=True):
    pass


class SlashCommand(Struct, frozen=True, kw_only=True, omit_defaults=True):
    name: str  # with its slash
    argument: str  # "TITLE", or empty
    doc: str
    needs: Capability | None = None  # of the agent


class CommandList(Struct, frozen=True, kw_only=True):
    commands: tuple[SlashCommand, ...]


class PreviewContextParams(Struct, frozen=True, kw_only=True):
    context: ContextRequest
    session_id: str = ""


class PreviewedContext(Struct, frozen=True, kw_only=True):
    parts: tuple[ContextPart, ...]
    max_files: int
    max_file_bytes: int


class WaitingAsk(Struct, frozen=True, kw_only=True):
    session_id: str
    title: str  # of the session
    ask: Ask
    yours: bool = False  # a call of this connection opened it


class AskList(Struct, frozen=True, kw_only=True):
    asks: tuple[WaitingAsk, ...]


class AttachParams(Struct, frozen=True, kw_only=True):
    """A file that has no path here: pasted, dropped or picked in a browser."""

    session_id: str
    name: str
    data: str  # base64


class LinkParams(Struct, frozen=True, kw_only=True):
    """A file of the workspace, one that was attached, or one that a block of the session shows."""

    session_id: str
    path: str


class LinkedFile(Struct, frozen=True, kw_only=True):
    """`GET /files/ID` gives it; a prompt names it as the image `bascule-file:ID`."""

    file_id: str
    path: str
    name: str
    size: int
    media_type: str
