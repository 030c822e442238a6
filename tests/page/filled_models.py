"""One text in every field of every block, Ask and head that a person can see."""

from typing import Any

from bascule.model.asks import (
    ActionSubject,
    Ask,
    Choice,
    CommandSubject,
    DeviceSubject,
    FilesSubject,
    Option,
    PermissionsSubject,
    Question,
    QuestionsSubject,
    RealPath,
    SettingSubject,
    Subject,
    TrustSubject,
)
from bascule.model.attachments import (
    Attachment,
    DiffAttachment,
    DiffFileSummary,
    ErrorAttachment,
    LogsAttachment,
    StatusAttachment,
)
from bascule.model.blocks import (
    AssistantBlock,
    Block,
    CommandBlock,
    DividerBlock,
    ErrorBlock,
    Fact,
    FileChangeBlock,
    FileEdit,
    ImageBlock,
    InfoBlock,
    McpBlock,
    PlanBlock,
    PlanStep,
    ReasoningBlock,
    RemoteBlock,
    SystemBlock,
    UserBlock,
    WebSearchBlock,
)
from bascule.model.consent.audit import Outside, Remote
from bascule.model.consent.trust import TrustFinding
from bascule.model.context import ContextPart
from bascule.model.edits import ShownHunk
from bascule.model.ids import AskId, BlockId, PromptKey, RunId
from bascule.model.said import Said
from bascule.model.session import AgentState, LatestDiff, Limit, Prompt


def make_hunk(text: str) -> str:
    lines = text.splitlines() or [""]
    return f"@@ -1,1 +1,{len(lines)} @@ {lines[0][:80]}\n-{lines[0]}\n" + "".join(
        f"+{line}\n" for line in lines
    )


def make_edit(text: str, path: str = "") -> FileEdit:
    return FileEdit(
        path=path or text, change="update", moved_to=text, diff=make_hunk(text), additions=1, deletions=1
    )


def make_edits(text: str) -> tuple[FileEdit, ...]:
    """An agent's own change, which is text, and one of a plan of ours, which has hunks."""
    own = FileEdit(path=text, change="update", hunks=(ShownHunk(**make_numbers(text)),))
    return (make_edit(text), own)


def make_numbers(text: str) -> dict[str, Any]:
    """A hunk with that text in its lines."""
    lines = tuple(f"{sign}{line}" for sign in "-+" for line in text.split("\n"))
    count = len(lines) // 2
    return {
        "number": 1,
        "old_start": 1,
        "old_count": count,
        "new_start": 1,
        "new_count": count,
        "lines": lines,
    }


def make_diff(text: str) -> str:
    name = text.splitlines()[0] if text else ""
    return f"diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n{make_hunk(text)}"


def make_attachments(text: str) -> tuple[Attachment, ...]:
    return (
        DiffAttachment(
            title=text,
            diff_id="diff-of-a-test",
            unified_diff=make_diff(text),
            files=(DiffFileSummary(path=text, additions=1, deletions=2),),
        ),
        LogsAttachment(title=text, text=text),
        StatusAttachment(title=text, json={text: text, "__proto__": {"polluted": text}}),
        ErrorAttachment(title=text, code=text, message=text, details={"why": text}),
    )


def make_said(text: str) -> Said:
    """A sentence that the page has no words for, so that it shows what the daemon wrote."""
    return Said("no.such.code", {"name": text})


def make_blocks(text: str) -> tuple[Block, ...]:
    """One of every kind. Their ids are names of every object, so that a lookup by id shows its manners."""
    return (
        UserBlock(
            id=BlockId("__proto__"),
            run=RunId("constructor"),
            text=text,
            images=(text, f"data:image/png;base64,{text[:50]}", "https://away.invalid/user.png"),
            context=(ContextPart(kind="file", name=text, note=text, left_out=True),),
            attachments=make_attachments(text),
        ),
        RemoteBlock(id=BlockId("hasOwnProperty"), text=text, author=text),
        AssistantBlock(id=BlockId("constructor"), text=text, final=True, status="completed"),
        ReasoningBlock(id=BlockId("toString"), summary=(text,), raw=(text,), status="completed"),
        CommandBlock(
            id=BlockId("valueOf"),
            command=text,
            original=text,
            summary=text,
            cwd=text,
            output=text,
            stdin=text,
            status="failed",
            exit_code=1,
        ),
        FileChangeBlock(
            id=BlockId("prototype"), files=make_edits(text), detail=text, status="completed", has_diff=True
        ),
        McpBlock(
            id=BlockId("isPrototypeOf"),
            server=text,
            tool=text,
            arguments=text,
            progress=text,
            result=text,
            error=text,
            status="failed",
        ),
        WebSearchBlock(id=BlockId("__defineGetter__"), query=text, status="completed"),
        PlanBlock(id=BlockId("length"), steps=(PlanStep(text, "inProgress"),), text=text),
        ImageBlock(id=BlockId("name"), path=text, url="https://away.invalid/image.png", caption=text),
        ImageBlock(id=BlockId("images"), url="https://away.invalid/image.png", caption=text),
        ImageBlock(id=BlockId("forms"), url=text, caption=text),
        DividerBlock(id=BlockId("children"), title=text, text=text),
        InfoBlock(id=BlockId("body"), title=text, text=text, facts=(Fact(text, text),)),
        SystemBlock(id=BlockId('"]><b>'), title=text, text=text, said=make_said(text)),
        ErrorBlock(id=BlockId("session-panel"), title=text, text=text),
    )


def make_asks(text: str) -> tuple[Ask, ...]:
    questions = QuestionsSubject(
        server=text,
        message=text,
        url=text,
        questions=(
            Question(id="__proto__", text=text, header=text, options=(Option(text, text),), free_text=True),
            Question(id="constructor", text=text, type="integer", required=True, default=text),
        ),
    )
    subjects: tuple[Subject, ...] = (
        CommandSubject(command=text, original=f"sh -c {text}", cwd=text, real_cwd=text, host=text),
        FilesSubject(
            files=make_edits(text),
            links=(RealPath(text, text, is_outside=True),),
            grant_root=text,
            existing=(text,),
        ),
        PermissionsSubject(
            wants=(text,),
            cwd=text,
            command=text,
            paths=(text,),
            links=(RealPath(text, text, is_outside=True),),
        ),
        questions,
        SettingSubject(key=text, old=text, new=text, doc=text, file=text, effect=text),
        ActionSubject(text=text),
        DeviceSubject(name=text, fingerprint=text),
        TrustSubject(
            folder=text,
            findings=(TrustFinding(kind="hook", path=text, text=text, content=text),),
            fingerprint=text,
        ),
    )
    return tuple(make_ask(f"ask-{at}", text, subject) for at, subject in enumerate(subjects))


def make_ask(ask: str, text: str, subject: Subject) -> Ask:
    choices = (
        Choice(id="accept", label=text, grants=True, rule=text),
        Choice(id="decline", label="No", grants=False),
    )
    return Ask(
        id=AskId(ask),
        title=text,
        reason=text,
        subject=subject,
        choices=choices,
        plan=text,
        said=make_said(text),
        sender=make_sender(text),
        outside=Outside(credential=text, device=text, device_name=text, client=text),
    )


def make_sender(text: str) -> Remote:
    return Remote(via=text, user=text, command_id="order-of-a-test")


def make_queue(text: str) -> tuple[Prompt, ...]:
    images = (text, "https://away.invalid/queued.png")
    context = (ContextPart(kind="file", name=text, note=text),)
    return tuple(
        Prompt(
            key=PromptKey(key),
            text=text,
            images=images,
            context=context,
            selected=text,
            sender=make_sender(text),
        )
        for key in ("__proto__", "constructor")
    )


def make_latest(text: str) -> LatestDiff:
    return LatestDiff(unified=make_diff(text), files=make_edits(text))


def make_agent(workspace: str, text: str) -> AgentState:
    return AgentState(
        workspace=workspace,
        notices=(
            InfoBlock(
                id=BlockId("__proto__"),
                title=text,
                text=text,
                facts=(Fact(text, text),),
                attachments=make_attachments(text),
            ),
            SystemBlock(id=BlockId("constructor"), title=text, text=text, said=make_said(text)),
        ),
        account=text,
        plan=text,
        limits=(Limit(name=text, used_percent=50, window_minutes=300, resets_at_s=4_000_000_000),),
    )
