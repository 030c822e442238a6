"""Asks: we need a person's word; opened once, answered once, or withdrawn."""

from typing import Literal

from msgspec import Struct

from bascule.model.audit import Remote
from bascule.model.blocks import FileEdit
from bascule.model.ids import AskId, RunId

AskEnd = Literal["answered", "withdrawn", "expired"]


class Choice(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One legal answer. `rule` is what the agent would write down, for answers that outlive this Ask."""

    id: str
    label: str
    grants: bool
    rule: str = ""


class CommandSubject(Struct, frozen=True, kw_only=True, tag_field="about", tag="command", omit_defaults=True):
    command: str
    original: str
    cwd: str = ""
    host: str = ""  # for a network approval: where to


class FilesSubject(Struct, frozen=True, kw_only=True, tag_field="about", tag="files", omit_defaults=True):
    files: tuple[FileEdit, ...]
    grant_root: str = ""  # the agent asks to write below this folder from now on


class PermissionsSubject(
    Struct, frozen=True, kw_only=True, tag_field="about", tag="permissions", omit_defaults=True
):
    wants: tuple[str, ...]  # one readable line per permission
    cwd: str = ""


class Option(Struct, frozen=True, omit_defaults=True):
    label: str
    description: str = ""


class Question(Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: str
    text: str
    header: str = ""
    options: tuple[Option, ...] = ()
    free_text: bool = False  # an answer of one's own is allowed
    several: bool = False
    secret: bool = False
    required: bool = False
    type: Literal["text", "number", "integer", "boolean"] = "text"


class QuestionsSubject(
    Struct, frozen=True, kw_only=True, tag_field="about", tag="questions", omit_defaults=True
):
    questions: tuple[Question, ...]
    server: str = ""  # an MCP server, where one asks
    message: str = ""
    url: str = ""  # to be opened by the person


Subject = CommandSubject | FilesSubject | PermissionsSubject | QuestionsSubject


class Ask(Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: AskId
    title: str
    subject: Subject
    choices: tuple[Choice, ...]
    run: RunId | None = None
    reason: str = ""  # the agent's own words
    sender: Remote | None = None  # who wants it, where that is nobody here
    opened_at_ms: int = 0


class Answer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    ask: AskId
    choice: str
    answers: dict[str, tuple[str, ...]] = {}  # by question id
    reason: str = ""  # travels to the model as the next steer or prompt
    by: str = "local"  # the surface


class Refuse(Struct, frozen=True):
    """A no with its reason: a value, not an error."""

    why: str
