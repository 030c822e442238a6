"""Asks: we need a person's word; opened once, answered once, or withdrawn."""

from typing import Literal

from msgspec import Struct

from bascule.model.blocks import FileEdit
from bascule.model.consent.audit import Lasts, Outside, Remote
from bascule.model.consent.origin import Origin
from bascule.model.consent.trust import TrustFinding
from bascule.model.ids import AskId, RunId
from bascule.model.said import Said

AskEnd = Literal["answered", "withdrawn", "expired"]


class Choice(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One legal answer. `rule` is what the agent would write down, for answers that outlive this Ask."""

    id: str
    label: str
    grants: bool
    lasts: Lasts = "once"  # unknown: the agent offers it and does not say
    rule: str = ""
    said: Said | None = None  # the label, where it is ours and its id does not name it
    rule_said: Said | None = None  # the rule, where it holds words that are not ours


CommandSandbox = Literal["", "outside", "unknown"]  # whether a yes lets it leave the sandbox; "": not said


class RealPath(Struct, frozen=True):
    """A file that is written elsewhere than its path says: a folder of the path is a link."""

    path: str
    real: str
    is_outside: bool  # of the workspace


class CommandSubject(Struct, frozen=True, kw_only=True, tag_field="about", tag="command", omit_defaults=True):
    command: str
    original: str
    cwd: str = ""
    real_cwd: str = ""  # where it leads, when a link is in its path
    host: str = ""  # for a network approval: where to
    sandbox: CommandSandbox = ""
    per_process: bool = False  # a path leads each process elsewhere: nobody can say yes to it


class FilesSubject(Struct, frozen=True, kw_only=True, tag_field="about", tag="files", omit_defaults=True):
    files: tuple[FileEdit, ...]
    more: int = 0  # files that are not listed: nobody can say yes to them
    mixed: bool = False  # inside and outside of the workspace: nobody can say yes to them together
    links: tuple[RealPath, ...] = ()  # where links lead, as it was when the question was asked
    existing: tuple[str, ...] = ()  # "new" files that exist: a yes replaces them
    grant_root: str = ""  # the agent asks to write below this folder from now on
    per_process: bool = False  # a path leads each process elsewhere: nobody can say yes to it


class PermissionsSubject(
    Struct, frozen=True, kw_only=True, tag_field="about", tag="permissions", omit_defaults=True
):
    wants: tuple[str, ...]  # one readable line per permission, and one for the command
    cwd: str = ""
    command: str = ""  # what runs with them once they are given; empty: nothing yet
    paths: tuple[str, ...] = ()  # that they name, for `links`
    links: tuple[RealPath, ...] = ()  # where links lead, as it was when the question was asked
    per_process: bool = False  # a path leads each process elsewhere: nobody can say yes to it


class Option(Struct, frozen=True, omit_defaults=True):
    label: str
    description: str = ""


class Question(Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: str
    text: str
    header: str = ""
    options: tuple[Option, ...] = ()
    free_text: bool = False  # an answer in free words is allowed
    several: bool = False
    secret: bool = False
    required: bool = False
    type: Literal["text", "number", "integer", "boolean"] = "text"
    default: str = ""  # what the field of an answer in words begins with


class QuestionsSubject(
    Struct, frozen=True, kw_only=True, tag_field="about", tag="questions", omit_defaults=True
):
    questions: tuple[Question, ...]
    server: str = ""  # an MCP server, where one asks
    message: str = ""
    url: str = ""  # to be opened by the person


class SettingSubject(Struct, frozen=True, kw_only=True, tag_field="about", tag="setting", omit_defaults=True):
    key: str
    old: str  # as JSON
    new: str
    effect: str = ""  # what the change means, in words
    doc: str = ""
    file: str = ""  # where it would be written


class ActionSubject(Struct, frozen=True, kw_only=True, tag_field="about", tag="action", omit_defaults=True):
    """Something that this program itself would do; the title names it."""

    text: str  # what follows from it
    said: Said | None = None  # the text, where it has a code


class DeviceSubject(Struct, frozen=True, kw_only=True, tag_field="about", tag="device", omit_defaults=True):
    """Another machine wants its yes to count here."""

    name: str
    fingerprint: str  # of its key; the device shows the same


class TrustSubject(Struct, frozen=True, kw_only=True, tag_field="about", tag="trust", omit_defaults=True):
    """A folder whose own configuration would be run or obeyed from a yes on."""

    folder: str
    findings: tuple[TrustFinding, ...]
    more: int = 0  # findings that are not listed
    fingerprint: str = ""  # the yes holds for this content only


Subject = (
    CommandSubject
    | FilesSubject
    | PermissionsSubject
    | QuestionsSubject
    | SettingSubject
    | ActionSubject
    | DeviceSubject
    | TrustSubject
)


class Ask(Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: AskId
    title: str
    subject: Subject
    choices: tuple[Choice, ...]
    run: RunId | None = None
    reason: str = ""  # the agent's own words
    sender: Remote | None = None  # whose Order it is for
    outside: Outside | None = None  # who asked for it from another machine, over the outer door
    by: Literal["agent", "bascule"] = "agent"  # who asks; the reason of a no goes to an agent only
    opened_at_ms: int = 0
    said: Said | None = None  # the title, where it is ours
    plan: str = ""  # the hash of the plan that its yes is bound to
    edit: str = ""  # what it would write: the prepared diff's id, or that of the edit to undo
    workspace: str = ""  # the folder that it is about, where its session has none
    shown: int = 0  # how often it was shown again because what it is about had changed


class Answer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    ask: AskId
    choice: str
    answers: dict[str, tuple[str, ...]] = {}  # by question id
    reason: str = ""  # for the agent, as a steer; of a no that stops the run, for the log
    shown: int = 0  # of the Ask as the person saw it: a yes counts only for that
    follow_up: bool = False  # the reason is the next prompt where the no stops the run
    by: str = "local"  # the surface, for people
    origin: Origin | None = None  # the same, for the policy and the record; None: this process itself
    client: str = ""  # what the surface calls itself


class Refuse(Struct, frozen=True):
    """A no with its reason: a value, not an error."""

    why: str
    late: bool = False  # it was answered before, or is no longer asked
    remote: str = ""  # the same for somebody remote, where `why` quotes files of this machine
    said: Said | None = None
