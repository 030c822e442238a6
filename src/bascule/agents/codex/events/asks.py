"""Server requests become Asks, and a person's answer becomes a reply that Codex accepts."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from bascule.agents.codex.events.blocks import count_more, relative
from bascule.agents.codex.events.change_sink import ThreadView, readable
from bascule.agents.codex.events.forms import form_content, form_questions, items_of
from bascule.agents.codex.events.legacy import legacy_edits
from bascule.agents.codex.wire import UNREADABLE, requests
from bascule.core.commands.shell import join_words, unwrap
from bascule.core.session.growing_text import shorten
from bascule.model.asks import (
    Answer,
    Choice,
    CommandSandbox,
    CommandSubject,
    FilesSubject,
    Option,
    PermissionsSubject,
    Question,
    QuestionsSubject,
    Subject,
)
from bascule.model.said import Said

Decision = str | requests.ExecAmendment | requests.NetworkAmendment
Reply = Callable[[Answer], object]  # what goes back as `result`


class Opening(Struct, frozen=True, kw_only=True):
    """An Ask in the making: what is asked, what may be answered, and how an answer is spelt."""

    title: str
    subject: Subject
    choices: tuple[Choice, ...]
    reply: Reply
    reason: str = ""


PLAIN: dict[str, Choice] = {
    "accept": Choice(id="accept", label="Yes, once", grants=True),
    "acceptForSession": Choice(
        id="acceptForSession",
        label="Yes, for this session",
        grants=True,
        lasts="session",
        rule="Codex runs this same command without asking until this session ends.",
    ),
    "decline": Choice(id="decline", label="No, go on without it", grants=False),
    "cancel": Choice(id="cancel", label="No, and stop the run", grants=False),
}
FILES_FOR_SESSION = replace(
    PLAIN["acceptForSession"],
    rule="Codex changes these files without asking until this session ends, whatever it writes into them.",
)
PERMISSIONS = "Give these permissions?"
DEFAULT_DECISIONS = ("accept", "acceptForSession", "decline", "cancel")
NOES = ("decline", "cancel")
ASKS_ABOUT_ALL = "untrusted"  # the approvals with which Codex asks about every command but a few
ANSWERABLE = ("form", "url", "openai/form", "openaiForm")
KEEPS: dict[str, Callable[[str], Choice]] = {
    "session": lambda server: Choice(
        id="session",
        label="Yes, for this session",
        grants=True,
        lasts="session",
        rule=f"Codex calls this tool of {server} without asking until this session ends.",
    ),
    "always": lambda server: Choice(
        id="always",
        label="Yes, and always",
        grants=True,
        lasts="always",
        rule=f"Codex writes into its own configuration: call this tool of {server} without asking.",
    ),
}
MAX_PATHS = 500  # that permissions may name; there is no yes to more
# A decision of a later version that we cannot explain is never offered as a plain yes.
UNEXPLAINED = "not known here"
LEGACY_DECISIONS: dict[str, object] = {
    "accept": "approved",
    "acceptForSession": "approved_for_session",
    "cancel": "abort",
}


def command_approval(view: ThreadView, request: requests.CommandApproval) -> Opening:
    original = request.command or ""
    cwd = request.cwd or view.cwd
    network = request.network_approval_context
    decisions = _decisions(request.available_decisions)
    subject: Subject = CommandSubject(
        command=unwrap(original, cwd),
        original=original,
        cwd=cwd,
        host=network.host if network else "",
        sandbox="" if network else _sandbox(view),
    )
    title = f"Reach {network.host}?" if network else "Run this command?"
    given = _permissions(_granted(request.additional_permissions), cwd, cwd)
    if given.wants:  # the yes gives them, too
        title, subject = (
            PERMISSIONS,
            replace(given, wants=(f"run {original}", *given.wants), command=original),
        )
    choices = tuple(choice for choice, _ in decisions.values())
    is_said = bool(original or network) and len(given.paths) <= MAX_PATHS
    return Opening(
        title=title,
        subject=subject,
        choices=choices if is_said else _take_yeses(choices),
        reply=lambda answer: {"decision": decisions[answer.choice][1]},
        reason=request.reason or "",
    )


def _take_yeses(choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """No yes to what is not said."""
    return tuple(choice for choice in choices if not choice.grants) or (PLAIN["cancel"],)


def _sandbox(view: ThreadView) -> CommandSandbox:
    """Codex does not say it. It asks about a command that wants out of the sandbox, or that failed in it;
    with "untrusted" also about others, which then run inside."""
    return "unknown" if view.approvals in ("", ASKS_ABOUT_ALL) else "outside"


def _decisions(request: list[Raw] | None) -> dict[str, tuple[Choice, object]]:
    """Exactly what the agent allows, each with the words that it wants to hear."""
    if request is None:
        return {name: (PLAIN[name], name) for name in DEFAULT_DECISIONS}
    found: dict[str, tuple[Choice, object]] = {}
    for raw in request:
        choice = _choice(raw, taken=found)
        found[choice.id] = (choice, raw.copy())
    return found or {"cancel": (PLAIN["cancel"], "cancel")}  # an agent that offers no decision gets a no


def _choice(raw: Raw, taken: dict[str, tuple[Choice, object]]) -> Choice:
    match _read_decision(raw):
        case str(name):
            return PLAIN.get(name) or _unexplained(name, name)
        case requests.ExecAmendment(accept_with_execpolicy_amendment=allowed):
            words = join_words(allowed.execpolicy_amendment)
            return Choice(
                id=_unique("acceptWithExecpolicyAmendment", taken),
                label="Yes, and always",
                grants=True,
                lasts="always",
                rule=f"allow commands that begin with: {words}",
                rule_said=Said("rule.acceptWithExecpolicyAmendment", {"words": words}),
            )
        case requests.NetworkAmendment(apply_network_policy_amendment=written):
            host = written.network_policy_amendment
            return Choice(
                id=_unique("applyNetworkPolicyAmendment", taken),
                label="Always, for this host",
                grants=host.action != "deny",
                lasts="always",
                rule=f"{host.action} {host.host}",
            )
        case None:
            label = shorten(readable(raw), 60)
            return _unexplained(_unique("other", taken), label)


def _unexplained(name: str, label: str) -> Choice:
    return Choice(id=name, label=label, grants=True, lasts="unknown", rule=UNEXPLAINED)


def _read_decision(raw: Raw) -> Decision | None:
    kinds: tuple[type[Decision], ...] = (str, requests.ExecAmendment, requests.NetworkAmendment)
    for kind in kinds:
        try:
            return msgspec.json.decode(raw, type=kind)
        except UNREADABLE:
            continue
    return None


def _unique(name: str, taken: dict[str, tuple[Choice, object]]) -> str:
    return name if name not in taken else f"{name}:{len(taken)}"


def file_approval(view: ThreadView, request: requests.FileApproval) -> Opening:
    block = view.changes.get(request.item_id)
    return _files(
        FilesSubject(
            files=block.files if block else (),
            more=block.more_files if block else 0,
            grant_root=request.grant_root or "",
        ),
        request.reason or "",
        reply=lambda answer: {"decision": answer.choice},
    )


def _files(subject: FilesSubject, reason: str, *, reply: Reply) -> Opening:
    """No yes to files that are not listed."""
    choices = (PLAIN["accept"], FILES_FOR_SESSION, PLAIN["decline"], PLAIN["cancel"])
    is_listed = bool(subject.files or subject.grant_root) and not subject.more
    return Opening(
        title="Write these files?",
        subject=subject,
        choices=choices if is_listed else _take_yeses(choices),
        reply=reply,
        reason=reason,
    )


def permissions_approval(view: ThreadView, request: requests.PermissionsApproval) -> Opening:
    nothing: dict[str, object] = {"permissions": {}, "scope": "turn"}
    granted = _granted(request.permissions)
    replies: dict[str, object] = {
        "turn": {"permissions": granted, "scope": "turn"},
        "session": {"permissions": granted, "scope": "session"},
        "decline": nothing,
    }
    rule = "Codex keeps these permissions until this session ends."
    subject = _permissions(granted, view.cwd, request.cwd)
    choices = (
        Choice(id="turn", label="Yes, for this run", grants=True, lasts="run"),
        Choice(id="session", label="Yes, for this session", grants=True, lasts="session", rule=rule),
        PLAIN["decline"],
    )
    is_said = subject.wants and len(subject.paths) <= MAX_PATHS
    return Opening(
        title=PERMISSIONS,
        subject=subject,
        choices=choices if is_said else _take_yeses(choices),
        reply=lambda answer: replies[answer.choice],
        reason=request.reason or "",
    )


def _granted(permissions: Any) -> dict[str, Any]:
    named = permissions.items() if isinstance(permissions, dict) else ()
    return {name: value for name, value in named if value is not None}


def _permissions(granted: dict[str, Any], workspace: str, cwd: str) -> PermissionsSubject:
    paths = islice(_texts(granted.get("fileSystem")), MAX_PATHS + 1)
    return PermissionsSubject(wants=_wants(granted, workspace), cwd=cwd, paths=tuple(paths))


def _texts(value: Any) -> Iterator[str]:
    """Whatever may be a path in it, in order."""
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict | list):
            left += reversed(list(one.values()) if isinstance(one, dict) else one)


def _wants(granted: dict[str, Any], cwd: str) -> tuple[str, ...]:
    """All of it: what has another shape than we know is shown as it came."""
    lines: list[str] = []
    for name, value in granted.items():
        if name == "fileSystem" and isinstance(value, dict):
            lists = {verb: value[verb] for verb in ("read", "write") if isinstance(value.get(verb), list)}
            lines += [f"{verb} {relative(str(path), cwd)}" for verb in lists for path in lists[verb]]
            rest = {key: kept for key, kept in value.items() if key not in lists and kept}
        elif name == "network" and isinstance(value, dict):
            lines += ["use the network"] if value.get("enabled") is True else []
            rest = {
                key: kept for key, kept in value.items() if kept and not (key == "enabled" and kept is True)
            }
        else:
            rest = {name: value}
        lines += [f"{key}: {msgspec.json.encode(kept).decode()}" for key, kept in rest.items()]
    return tuple(lines)


def user_input(_view: ThreadView, request: requests.UserInput) -> Opening:
    questions = tuple(
        Question(
            id=asked.id,
            text=asked.question,
            header=asked.header,
            options=tuple(Option(option.label, option.description) for option in asked.options or ()),
            free_text=asked.is_other or not asked.options,
            secret=asked.is_secret,
        )
        for asked in request.questions
    )
    return Opening(
        title="The agent has a question" if len(questions) == 1 else "The agent has questions",
        subject=QuestionsSubject(questions=questions),
        choices=(Choice(id="answer", label="Answer", grants=True), PLAIN["decline"]),
        reply=_input_reply,
    )


def _input_reply(answer: Answer) -> object:
    if answer.choice != "answer":
        return {"answers": {}}
    return {"answers": {name: {"answers": list(values)} for name, values in answer.answers.items()}}


def elicitation(_view: ThreadView, request: requests.Elicitation) -> Opening:
    """An MCP server's form or link, or Codex's own question whether its tool may be called."""
    meta = request.meta if isinstance(request.meta, dict) else {}
    questions = form_questions(request.requested_schema)
    keeping = _keeping(meta, request.server_name) if request.mode in ANSWERABLE else {}
    accept = (Choice(id="accept", label="Send" if questions else "Yes, once", grants=True),)

    def reply(answer: Answer) -> object:
        if answer.choice in NOES:
            return {"action": answer.choice, "content": None, "_meta": None}
        content = None if request.mode == "url" else form_content(questions, answer.answers)
        kept = {"persist": answer.choice} if answer.choice in keeping else None
        return {"action": "accept", "content": content, "_meta": kept}

    params = meta.get("tool_params")
    details = f"\n{msgspec.json.encode(params).decode()}" if params else ""
    message = (request.message or request.title or request.description) + details
    noes = (PLAIN["decline"], PLAIN["cancel"])
    is_said = bool(questions or request.url or message.strip())
    yeses = (*(accept if request.mode in ANSWERABLE else ()), *keeping.values())
    return Opening(
        title="Call this tool?" if meta.get("codex_approval_kind") else f"{request.server_name} asks",
        subject=QuestionsSubject(
            questions=questions, server=request.server_name, message=message, url=request.url
        ),
        choices=(*yeses, *noes) if is_said else noes,
        reply=reply,
    )


def _keeping(meta: dict[str, Any], server: str) -> dict[str, Choice]:
    """The answers that outlive this call, as far as Codex offers them."""
    persist = meta.get("persist")
    offered = [persist] if isinstance(persist, str) else items_of(persist)
    return {name: KEEPS[name](server) for name in KEEPS if name in offered}


def legacy_patch(view: ThreadView, request: requests.LegacyPatchApproval) -> Opening:
    subject = FilesSubject(
        files=legacy_edits(request.file_changes, view.cwd),
        more=count_more(request.file_changes),
        grant_root=request.grant_root or "",
    )
    return _files(subject, request.reason or "", reply=_legacy_decision)


def legacy_command(view: ThreadView, request: requests.LegacyCommandApproval) -> Opening:
    original = join_words(request.command)
    cwd = request.cwd or view.cwd
    return Opening(
        title="Run this command?",
        subject=CommandSubject(
            command=unwrap(original, cwd), original=original, cwd=cwd, sandbox=_sandbox(view)
        ),
        choices=tuple(PLAIN[name] for name in DEFAULT_DECISIONS),
        reply=_legacy_decision,
        reason=request.reason or "",
    )


def _legacy_decision(answer: Answer) -> object:
    denied = {"denied": {"rejection": answer.reason or "declined by the user"}}
    return {"decision": LEGACY_DECISIONS.get(answer.choice, denied)}


ASKS: dict[str, tuple[type, Callable[[ThreadView, Any], Opening]]] = {
    "item/commandExecution/requestApproval": (requests.CommandApproval, command_approval),
    "item/fileChange/requestApproval": (requests.FileApproval, file_approval),
    "item/permissions/requestApproval": (requests.PermissionsApproval, permissions_approval),
    "item/tool/requestUserInput": (requests.UserInput, user_input),
    "mcpServer/elicitation/request": (requests.Elicitation, elicitation),
    "applyPatchApproval": (requests.LegacyPatchApproval, legacy_patch),
    "execCommandApproval": (requests.LegacyCommandApproval, legacy_command),
}

# Requests that a person cannot help with; each gets a proper answer at once.
NO_CLIENT_TOOLS = "Bascule offers no tools of its own to the agent."
REFUSED_CALLS: dict[str, tuple[type, object | None, str]] = {
    "item/tool/call": (
        requests.ToolCall,
        {"contentItems": [{"type": "inputText", "text": NO_CLIENT_TOOLS}], "success": False},
        NO_CLIENT_TOOLS,
    ),
    "account/chatgptAuthTokens/refresh": (
        requests.TokenRefresh,
        None,
        "Bascule holds no tokens. Sign in again with `codex login`.",
    ),
    "attestation/generate": (requests.Attestation, None, "Bascule cannot attest this device."),
}
