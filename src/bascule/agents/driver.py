"""The agent boundary: what the daemon needs of any agent, in types that no agent owns.

Written beside three wires: Codex's app-server, Claude Code's stream-json control protocol, and ACP. They
differ in what they can do, so the optional methods have a body here, which refuses; an agent says in its
capabilities which of them it has, and the others are never called."""

# ruff: noqa: ARG002  # what refuses does not look at what it was given

from collections.abc import Awaitable, Callable, Mapping
from typing import NoReturn, Protocol

from msgspec import Struct

from bascule.core.faults import AgentFault
from bascule.core.prompts.prompt_context import NO_CONTEXT, PromptContext
from bascule.model.agents import AgentCapabilities, Launch
from bascule.model.asks import Answer, Refuse
from bascule.model.changes import AgentChange, Change, HistoryPut
from bascule.model.ids import RunId, ThreadId
from bascule.model.protocol.runs import McpServer, SkillsListResult
from bascule.model.session import Prompt, Session
from bascule.model.settings import Settings

# What became true of one conversation, in the order of the wire.
ThreadChanges = tuple[ThreadId, list[Change]]
Deliver = Callable[[list[ThreadChanges], list[AgentChange]], None]


class Policy(Struct, frozen=True):
    """What a run may do by itself, in the agent's own words. The rest is asked."""

    sandbox: str
    approvals: str


class FolderFile(Struct, frozen=True):
    """One of a folder's own files for agents, as it was checked."""

    path: str  # relative to the workspace, with slashes
    data: bytes


class RemoteRules(Struct, frozen=True):
    """What holds besides in a conversation that is for somebody remote: no servers, no web, no helpers."""

    readable: tuple[str, ...] = ()  # all that a command reads of this machine; empty: as for everybody
    hidden: tuple[str, ...] = ()  # what no command reads, also one that a rule of the person's own allows
    commands: bool = True  # False: the agent has no tool to run one


class FolderRules(Struct, frozen=True):
    """What holds in a conversation whatever its runs may do."""

    trusted: bool = False
    trust_ended: bool = False  # since the last prompt: what the conversation was given of it counts no more
    files: tuple[FolderFile, ...] = ()  # to be obeyed as they are here; an agent reads none by itself
    folders: tuple[str, ...] = ()  # the workspace, and those above it up to the root of its project
    skills: tuple[str, ...] = ()  # files of the folder that are off unless it is trusted
    all_skills_off: bool = False  # there are more than were looked at
    readable: tuple[str, ...] = ()  # all that a sandboxed command reads; empty: everything
    protected: tuple[str, ...] = ()  # configuration of other trusted folders: no sandboxed command changes it
    programs: tuple[str, ...] = ()  # folders of PATH: no sandboxed command writes there
    path: str = ""  # PATH for sandboxed commands, where the agent's own leaves out what they may write
    tmp_writable: bool = True  # False where something private lies below the temp folder
    writable: bool = True  # False where something private lies below the workspace: every write is asked
    remote: RemoteRules | None = None  # of a conversation that Orders go into


class Confinement(Struct, frozen=True):
    """How a conversation is loaded: always read-only, with these rules. Each run says what it may do."""

    approvals: str
    rules: FolderRules = FolderRules()


class OpenedThread(Struct, frozen=True, kw_only=True):
    """A conversation that the agent has in memory now."""

    id: ThreadId
    model: str = ""
    effort: str = ""
    history: HistoryPut | None = None  # the latest page of its past, where the agent tells it


class AgentModel(Struct, frozen=True, kw_only=True):
    name: str
    other_name: str = ""  # by which the agent knows it too
    description: str = ""
    efforts: tuple[str, ...] = ()
    default_effort: str = ""
    is_default: bool = False


class ListedMcpServer(Struct, frozen=True):
    server: McpServer
    connected_at_ms: int | None = None  # when it was last seen to answer


class ModelChoice(Struct, frozen=True):
    """Empty: the choice is the agent's."""

    model: str = ""
    effort: str = ""


OnOpened = Callable[[OpenedThread], None]  # called in wire order, before anything more of that thread


class Driver(Protocol):
    """One connection to an agent. It opens nothing: it is handed a way to send, and fed what comes back.

    `AgentFault` where the agent breaks its rules, refuses or is gone."""

    # -- the connection --

    @property
    def capabilities(self) -> AgentCapabilities:
        """Known once it was greeted."""

    @property
    def is_waiting(self) -> bool:
        """For the answer to a call."""

    def feed(self, chunk: bytes) -> None:
        """Bytes as they came. All that follows from them is delivered before this returns."""

    def fail(self, why: str) -> None:
        """The connection ended: every call ends, every Ask is withdrawn, nothing is answered yes."""

    async def greet(self, version: str) -> str:
        """The first exchange; what the agent calls itself. `AgentGone` where it is too old."""

    # -- conversations --

    def is_loaded(self, thread: ThreadId) -> bool: ...

    def find_rules(self, thread: ThreadId) -> FolderRules | None:
        """Those that it was loaded with; None while it is not loaded."""

    async def start(
        self, cwd: str, confinement: Confinement, model: str, on_opened: OnOpened
    ) -> OpenedThread: ...

    async def resume(
        self, thread: ThreadId, cwd: str, confinement: Confinement, page_runs: int, on_opened: OnOpened
    ) -> OpenedThread:
        """With the latest page of its history. `ThreadHeld` where another process has it open."""
        cannot("reopen a conversation")

    async def fork(
        self, thread: ThreadId, last: RunId | None, confinement: Confinement, on_opened: OnOpened
    ) -> OpenedThread:
        """A copy up to and with that run; all of it without one."""
        cannot("fork a conversation")

    async def list_runs(self, thread: ThreadId, cwd: str, cursor: str, limit: int) -> HistoryPut:
        """A page of the past, before that cursor; the latest without one."""
        cannot("list what was said before")

    async def compact(self, thread: ThreadId) -> None:
        cannot("shorten its context")

    async def leave(self, thread: ThreadId) -> None:
        """Of a conversation that others have open too: its open Asks are theirs to answer from now on."""
        return

    async def rename(self, thread: ThreadId, title: str) -> None:
        """For the agent's own lists; one that keeps no titles has nothing to do."""
        return

    # -- runs --

    async def prompt(
        self,
        thread: ThreadId,
        prompt: Prompt,
        *,
        policy: Policy,
        context: PromptContext = NO_CONTEXT,
        model: str = "",
        effort: str = "",
        on_named: Callable[[RunId], None] = lambda _run: None,
    ) -> RunId:
        """`on_named` is called in wire order: a short run may be over before the caller goes on."""
        ...

    async def steer(
        self, thread: ThreadId, run: RunId, prompt: Prompt, context: PromptContext = NO_CONTEXT
    ) -> RunId:
        cannot("take words during a run")

    async def interrupt(self, thread: ThreadId, run: RunId) -> None: ...

    def answer(self, answer: Answer) -> Refuse | None:
        """Sent to the agent; a Refuse when it no longer waits for this. Whether it fits was checked."""

    # -- what it has --

    async def list_models(self) -> list[AgentModel]:
        return []

    async def list_mcp_servers(self, thread: ThreadId | None, cwd: str) -> tuple[ListedMcpServer, ...]:
        """As that thread is connected to them, or as they are configured."""
        return ()

    async def list_skills(
        self, cwd: str, *, force_reload: bool, mtime_ms: Callable[[str], int]
    ) -> SkillsListResult:
        """`mtime_ms` looks at each file."""
        return SkillsListResult(skills=(), errors=(), truncated=False)

    async def sign_out(self) -> None:
        cannot("sign out")


def cannot(what: str) -> NoReturn:
    raise AgentFault(f"This agent cannot {what}.")


class DriverPorts(Struct, frozen=True, kw_only=True):
    """What a driver is handed."""

    send: Callable[[bytes], None]  # one message, with its newline
    deliver: Deliver
    pause: Callable[[int], Awaitable[None]]  # waits before the n-th retry, with jitter
    now_ms: Callable[[], int]
    epoch: str  # makes the ids of this connection its own
    is_shared: bool = False  # others drive the agent at the same time, and their conversations are theirs
    neutral: str = ""  # an empty folder, for what must not start in a workspace
    find_programs: Callable[[], tuple[str, ...]] = lambda: ()  # files that the agent itself runs from


class Agent(Protocol):
    """One kind of agent: how it is started, what its settings mean, and who speaks with it."""

    name: str  # stored with its sessions
    title: str  # for people
    read_only: Policy | None  # nothing is written, and nobody is asked; None where it has no such thing
    asking: Policy | None  # nothing is written, and every command is asked; None where it has no such thing

    def launch(self, settings: Settings) -> Launch: ...

    def policy(self, settings: Settings) -> Policy:
        """Of a run in which a person talks with it."""

    def model(self, settings: Settings) -> ModelChoice:
        """Of a new session."""

    def find_credentials(self, environ: Mapping[str, str]) -> tuple[str, ...]:
        """Paths of files that no command may read, besides those that are known by their place."""

    def find_socket(self, home: str) -> str:
        """Of the daemon that terminals with that home share."""
        cannot(f"be joined in {home}")

    def find_rules_file(self, environ: Mapping[str, str]) -> str:
        """Where it keeps what it was always allowed; empty where it keeps nothing."""
        return ""

    def is_noise(self, line: str) -> bool:
        """A line of its stderr that does not say why it ended."""

    def make_driver(self, ports: DriverPorts) -> Driver: ...

    def replay(self, recording: bytes) -> tuple[list[Session], str]:
        """A recorded wire (`<` is what the agent said), folded: its sessions, and what belongs to none."""
        cannot("be replayed")


class Connection(Protocol):
    """A way to an agent: a child's pipes, or a WebSocket on a Unix socket.

    What is said and heard are messages, each with its newline. A transport with frames of its own adds the
    newline to what it hears and takes it from what it sends."""

    @property
    def name(self) -> str:
        """For the log: `codex[812]`."""

    @property
    def is_open(self) -> bool: ...

    def find_programs(self) -> tuple[str, ...]:
        """The files that it runs from, where that is known."""

    def send(self, message: bytes) -> None:
        """In order, without waiting. `AgentFault` where too much is unread by the agent."""

    async def receive(self) -> bytes:
        """What has come, cut anywhere; empty at the end."""

    async def end(self, grace_s: float | None = None) -> str:
        """Whatever state it is in; how it ended: `ended with exit code 3`. The same again for who comes
        later."""
