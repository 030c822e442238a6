"""Who may call what: one row for each method, with the question it asks and the line it records."""

from typing import Literal, get_args

from msgspec import Struct

from bascule.model.asks import Ask, Choice, FilesSubject, PermissionsSubject, Refuse, Subject
from bascule.model.consent.origin import Origin, Scope
from bascule.model.settings import PREFIX, TABLE, AnswerKind

Need = Literal[
    "look",  # reveals what is here
    "ask",  # starts or changes work; whatever then runs or writes asks at this machine
    "order",  # hands over an Order
    "answer",  # gives the yes or the no
    "manage",  # changes who may do what
    "type",  # a shell at the person's own hands
]

GIVES: dict[Scope, frozenset[Need]] = {
    "full": frozenset({"look", "ask", "order", "answer", "manage", "type"}),
    "look": frozenset({"look"}),
    "orders": frozenset({"order"}),
}
OUTSIDE: frozenset[Need] = frozenset({"look", "ask"})
ENROLLED: frozenset[Need] = OUTSIDE | {"answer"}
ENROLLED_WITH_PANES: frozenset[Need] = ENROLLED | {"type"}

# For every connection, whatever its door and its scope.
FREE = frozenset({"initialize", "daemon.ping", "daemon.state", "ui.toast"})
NOT_FROM_OUTSIDE: dict[Need, str] = {
    "answer": "From outside, only an enrolled device can answer. At the machine: `bascule devices add`.",
    "manage": "This can only be done at the machine itself.",
    "type": "Terminal panes can only be used at the machine itself. With the setting "
    "bascule.panes.fromOutside an enrolled device can use them too.",
    "order": "Orders do not come in by this door. Use the relay, or `bascule orders` at the machine.",
}


KINDS: tuple[str, ...] = tuple(str(one.__struct_config__.tag) for one in get_args(Subject))
FOR_DEVICES: tuple[str, ...] = get_args(AnswerKind)  # whatever the setting says: no other kind
YES_HERE = "A yes to this is given at the machine. From a device a no counts, and a yes to: {kinds}."
JOINED_HERE = (
    "This session belongs to a program at the machine, with rights of its own, so it is used there. "
    "From another machine you can watch and stop it."
)
LOOK_AT_JOINED = frozenset({"session.open", "session.earlier", "run.cancel", "session.interrupt"})
ASKED_OUTSIDE = "This was asked for from another machine, so the yes is given at this one."
LASTING_HERE = "A yes that lasts is given at the machine. From a device a yes is for this once."


class Rule(Struct, frozen=True, kw_only=True):
    need: Need
    effect: str  # what is run, written, sent or revealed
    ask: str = ""  # the Ask that a person answers first; empty: none
    record: str = ""  # the kinds of lines it leaves in the record; empty: none


def look(effect: str) -> Rule:
    return Rule(need="look", effect=effect)


def ask(effect: str, *, ask: str = "", record: str = "") -> Rule:
    return Rule(need="ask", effect=effect, ask=ask, record=record)


AGENT_ASKS = "the agent's own questions"
STARTED = "; starts the agent where it is not running"
NOT_BY_LOOKING = ", except for a pass for viewing, which gets what is stored here"
FOLDER_ASKS = "whether to trust the folder, once for its content"
STARTS = f"{AGENT_ASKS}; {FOLDER_ASKS}"  # what an agent that starts in a folder leads to

RULES: dict[str, Rule] = {
    "initialize": look("version, this surface's name, the home folder"),
    "daemon.ping": look("nothing"),
    "run.start": ask(
        "a prompt goes to the agent; `/test` runs the project's tests",
        ask=f"{STARTS}; command, for `/test`",
        record="ask, trust, test",
    ),
    "run.cancel": ask("a run stops"),
    "session.list": look("names and last prompts of sessions"),
    "session.search": look("names of sessions, and what was said around the words"),
    "session.history": look("a session's log" + STARTED + NOT_BY_LOOKING),
    "model.list": ask("the agent's models" + STARTED),
    "model.set": ask("the model of later runs"),
    "mcp.list": ask("the agent's MCP servers" + STARTED),
    "skills.list": ask("the agent's skills" + STARTED),
    "context.inspect": look("where the agent works, its sandbox"),
    "shell.exec": ask("runs a command in the workspace", ask="command", record="ask, shell"),
    "auth.logout": ask("signs the agent out", ask="sign-out", record="ask, logout"),
    "ui.context.update": ask("what the person looks at, for the next prompt"),
    "session.watch": look("a session's log, as it grows"),
    "session.unwatch": look("nothing"),
    "session.create": ask("an agent starts in a folder opened here", ask=STARTS, record="ask, trust"),
    "session.open": ask("an agent resumes a session", ask=STARTS, record="ask, trust"),
    "session.earlier": ask("older parts of a session's log" + STARTED),
    "session.rename": ask("a session's title"),
    "session.hide": ask("a session's place in the list"),
    "session.place": ask("a session's place in the list"),
    "session.delete": ask("a session leaves the list, later the store", ask="session", record="ask, delete"),
    "session.restore": ask("a deleted session comes back", record="delete"),
    "session.deleted": look("names and last prompts of deleted sessions"),
    "session.fork": ask("a new session with the same past", ask=STARTS, record="ask, trust"),
    "session.compact": ask("the agent shortens its context", ask=STARTS, record="ask, trust"),
    "session.clear": ask(
        "an empty log; the agent keeps the old conversation", ask=STARTS, record="ask, trust"
    ),
    "session.model": ask("the model of later runs"),
    "session.drive": ask("which surface speaks to a session"),
    "session.interrupt": ask("a run stops"),
    "agent.restart": ask("an agent and its runs end, and it starts again"),
    "ask.answer": Rule(need="answer", effect="a yes or a no", record="ask"),
    "ask.list": look("every open question"),
    "grants.list": look("what the agent may do without asking again"),
    "grants.revoke": ask("an idle agent ends, and forgets what it was allowed", record="grant"),
    "queue.edit": ask("a waiting prompt"),
    "queue.move": ask("a waiting prompt's place"),
    "queue.remove": ask("a waiting prompt goes"),
    "queue.steer": ask("a waiting prompt goes into the run", ask=AGENT_ASKS, record="ask"),
    "queue.release": ask("waiting prompts go on", ask=STARTS, record="ask, trust"),
    "edits.prepare": look("how a diff fits the files"),
    "edits.prepared": look("a prepared diff"),
    "edits.view": look("files before and after a prepared diff"),
    "edits.apply": ask("writes files", ask="files, bound to the plan's hash", record="ask, apply"),
    "edits.select": look("a part of a prepared diff"),
    "edits.review": look("what a run changed"),
    "edits.revert": look("a diff that undoes chosen hunks"),
    "edits.comment": ask("a prompt goes to the agent", ask=STARTS, record="ask, trust"),
    "edits.list": look("names of files that were written, and where"),
    "edits.undo": ask("writes files", ask="files, bound to the plan's hash", record="ask, undo"),
    "test.run": ask("runs the project's tests", ask="command", record="ask, test"),
    "test.cancel": ask("a test stops"),
    "order.take": Rule(
        need="order",
        effect="a plan or a diff is made; applying and testing ask",
        ask="files or command, with the sender",
        record="order, ask, command, apply, test",
    ),
    "order.cancel": Rule(need="order", effect="an order stops", record="order"),
    "board.list": look("titles, folders and status of every agent's sessions"),
    "board.watch": look("the same, as it changes"),
    "board.unwatch": look("nothing"),
    "board.join": Rule(
        need="manage",
        effect="a session of another program is prompted and answered here too",
        ask=AGENT_ASKS,
        record="join, ask",
    ),
    "board.leave": Rule(need="manage", effect="such a session is only shown again", record="join"),
    "board.fork": Rule(
        need="manage",
        effect="a new session with the same past as another program's",
        ask=STARTS,
        record="join, ask, trust",
    ),
    "hooks.status": Rule(need="manage", effect="whether Claude's hooks are installed"),
    "hooks.install": Rule(
        need="manage",
        effect="writes hooks into Claude's settings",
        ask="the file and the hooks",
        record="ask, hooks",
    ),
    "hooks.uninstall": Rule(
        need="manage",
        effect="removes our hooks from Claude's settings",
        ask="the file",
        record="ask, hooks",
    ),
    "hooks.restore": Rule(
        need="manage",
        effect="writes the backup over Claude's settings",
        ask="the file",
        record="ask, hooks",
    ),
    "pane.list": Rule(need="type", effect="names, folders and commands of terminal panes"),
    "pane.watch": Rule(need="type", effect="the same, as it changes"),
    "pane.open": Rule(need="type", effect="a shell runs as this user, typed into by a person", record="pane"),
    "pane.attach": Rule(need="type", effect="what a pane shows"),
    "pane.detach": Rule(need="type", effect="nothing"),
    "pane.write": Rule(need="type", effect="keys go to what runs in a pane"),
    "pane.resize": Rule(need="type", effect="a pane's size"),
    "pane.drive": Rule(need="type", effect="which surface types in a pane"),
    "pane.ack": Rule(need="type", effect="how much of a pane was shown"),
    "pane.close": Rule(need="type", effect="a pane's shell ends", record="pane"),
    "settings.list": look("every setting"),
    "settings.set": ask("writes a setting", ask="old and new value, where it loosens", record="ask, setting"),
    "trust.list": Rule(need="manage", effect="folders that were decided about"),
    "trust.inspect": Rule(need="manage", effect="what a folder's own files would run; terminal only"),
    "trust.add": Rule(
        need="manage",
        effect="a folder's own configuration is obeyed; terminal only",
        ask="y/n at the terminal, with the findings",
        record="trust",
    ),
    "trust.ask": Rule(
        need="manage",
        effect="asks again whether to trust a folder that was decided about",
        ask="what is found in it",
        record="ask, trust",
    ),
    "trust.revoke": Rule(need="manage", effect="a folder is asked about again", record="trust"),
    "folders.list": Rule(need="manage", effect="names of folders on this machine"),
    "folders.open": Rule(
        need="manage",
        effect="a folder becomes a workspace; its own files are still not obeyed",
        record="folder",
    ),
    "setup.inspect": look("what is installed, as each program's `--version` says; folders in use"),
    "commands.list": look("the slash commands"),
    "context.preview": look("files that a prompt would carry"),
    "files.attach": ask("keeps a file in the data folder"),
    "files.link": look("a file of a workspace"),
    "files.find": look("names of a workspace's files"),
    "workspace.list": look("a folder of a workspace"),
    "workspace.read": look("a file of a workspace"),
    "workspace.search": look("lines of a workspace's files"),
    "artifact.read": look("a long text of a block"),
    "history.read": look("a stored session"),
    "history.export": look("a stored session"),
    "todos.list": look("the steps of a plan"),
    "device.list": Rule(need="manage", effect="names of devices and passes"),
    "device.invite": Rule(need="manage", effect="a device may offer its key", record="device"),
    "device.wait": Rule(need="manage", effect="the outcome of an invitation"),
    "device.link": Rule(need="manage", effect="a link by which a browser comes in", record="pass"),
    "device.revoke": Rule(need="manage", effect="a device or a pass ends", record="device, pass"),
    "device.offer": Rule(
        need="look",
        effect="a device is enrolled",
        ask="the device's name and the fingerprint of its key",
        record="ask, device",
    ),
    "device.challenge": look("a nonce"),
    "device.prove": Rule(need="look", effect="this connection is a device's", record="device"),
}  # fmt: skip


def find_may(origin: Origin, *, panes_outside: bool = False) -> frozenset[Need]:
    """All that this connection may; `panes_outside` is what the setting says of panes."""
    allowed = GIVES[origin.scope]
    if origin.is_here:
        return allowed
    of_device = ENROLLED_WITH_PANES if panes_outside else ENROLLED
    return allowed & (of_device if origin.device else OUTSIDE)


def may_start(origin: Origin) -> bool:
    """Whether what this connection calls may start an agent. Who only looks starts no program."""
    return "ask" in find_may(origin)


def find_joined_bar(origin: Origin, method: str) -> Refuse | None:
    """Of a session that was joined: what it may do without asking was chosen elsewhere."""
    is_looking = RULES[method].need in ("look", "answer") or method in LOOK_AT_JOINED
    return None if origin.is_here or is_looking else Refuse(JOINED_HERE)


def find_kinds(origin: Origin, allowed: tuple[AnswerKind, ...]) -> tuple[str, ...]:
    """Kinds of Asks to which its yes counts; `allowed` is what the setting says of devices."""
    if "answer" not in find_may(origin):
        return ()
    return KINDS if origin.is_here else tuple(kind for kind in FOR_DEVICES if kind in allowed)


def find_answer_bar(
    origin: Origin, ask: Ask, choice: Choice, allowed: tuple[AnswerKind, ...]
) -> Refuse | None:
    """Why this answer does not count, if it does not."""
    if "answer" not in find_may(origin):
        return Refuse(NOT_FROM_OUTSIDE["answer"])
    if origin.is_here or not choice.grants:
        return None
    if ask.outside is not None:
        return Refuse(ASKED_OUTSIDE)
    kinds = find_kinds(origin, allowed)
    if not _needed_kinds(ask.subject) <= set(kinds):
        return Refuse(YES_HERE.format(kinds=", ".join(kinds) or "nothing"))
    lasts = (
        choice.lasts != "once"
        or choice.rule
        or (isinstance(ask.subject, FilesSubject) and ask.subject.grant_root)
    )
    return Refuse(LASTING_HERE) if lasts else None


def _needed_kinds(subject: Subject) -> set[str]:
    """Permissions may come with the command that uses them."""
    runs = isinstance(subject, PermissionsSubject) and bool(subject.command)
    return {str(subject.__struct_config__.tag), *(("command",) if runs else ())}


def find_setting_bar(origin: Origin, key: str) -> Refuse | None:
    """From outside nothing is loosened: not who may answer, nor what may run."""
    row = TABLE.get(key.removeprefix(PREFIX))
    if origin.is_here or row is None or row.workspace == "free":
        return None
    return Refuse(f"{row.shown} can only be changed at the machine itself.")


def find_bar(origin: Origin, method: str, *, panes_outside: bool = False) -> Refuse | None:
    """Why this surface may not call it at all."""
    need = RULES[method].need
    if method in FREE:
        return None
    if need not in GIVES[origin.scope]:
        return Refuse(f"This connection is for {'looking' if origin.scope == 'look' else 'Orders'} only.")
    if need in find_may(origin, panes_outside=panes_outside):
        return None
    return Refuse(NOT_FROM_OUTSIDE[need])
