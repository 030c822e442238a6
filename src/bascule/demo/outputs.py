"""What the scripted model can do in one answer."""

import enum
from collections.abc import Mapping

import msgspec


class Phase(enum.StrEnum):
    COMMENTARY = "commentary"
    FINAL = "final_answer"


class Think(msgspec.Struct, frozen=True):
    """A reasoning summary, in parts."""

    parts: tuple[str, ...]


class Say(msgspec.Struct, frozen=True):
    """Markdown to the person, streamed word by word; a slow one waits a beat after each word."""

    text: str
    slow: bool = False
    phase: Phase = Phase.COMMENTARY


class ToolUse(msgspec.Struct, frozen=True):
    """A tool of Codex, or of an MCP server when there is a namespace."""

    tool: str
    arguments: Mapping[str, object]
    namespace: str | None = None


class Patch(msgspec.Struct, frozen=True):
    """An edit in Codex's patch format."""

    text: str


class Search(msgspec.Struct, frozen=True):
    """A web search that the model's provider claims to have made."""

    query: str


class Fail(msgspec.Struct, frozen=True):
    """The answer breaks off with an error."""

    code: str
    message: str


Output = Think | Say | ToolUse | Patch | Search | Fail
