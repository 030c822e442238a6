"""The driver of tests/daemon/line_agent.py: as much of the boundary as a plain agent has, and no more."""

import asyncio
import sys
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from bascule.agents.driver import (
    Agent,
    Confinement,
    Driver,
    DriverPorts,
    FolderRules,
    ModelChoice,
    OnOpened,
    OpenedThread,
    Policy,
)
from bascule.core.faults import AgentGone
from bascule.core.prompts.prompt_context import NO_CONTEXT, PromptContext
from bascule.model.agents import AgentCapabilities, Launch
from bascule.model.asks import Answer, Ask, Choice, CommandSubject, Refuse
from bascule.model.blocks import AssistantBlock, UserBlock
from bascule.model.changes import (
    AskClosed,
    AskOpened,
    BlockPut,
    Change,
    HistoryPut,
    RunPut,
    StatusSet,
    TextGrew,
)
from bascule.model.ids import AskId, BlockId, RunId, ThreadId
from bascule.model.session import Prompt, Run
from bascule.model.settings import Settings

PLAIN = AgentCapabilities(
    steer=False,
    fork=False,
    compact=False,
    models=False,
    images=False,
    read_only=False,
    mcp=False,
    skills=False,
    sign_out=False,
)
YES = Choice(id="yes", label="Yes", grants=True)
NO = Choice(id="no", label="No", grants=False)


class LineDriver(Driver):
    """One run at a time; this side names the runs."""

    def __init__(self, ports: DriverPorts) -> None:
        self._ports = ports
        self._rest = b""
        self._waiting: deque[tuple[asyncio.Future[list[str]], Callable[[list[str]], None]]] = deque()
        self._loaded: dict[ThreadId, FolderRules] = {}
        self._prompt: Prompt | None = None
        self._run = RunId("")
        self._runs = 0
        self._ask: tuple[ThreadId, AskId] | None = None

    @property
    def capabilities(self) -> AgentCapabilities:
        return PLAIN

    @property
    def is_waiting(self) -> bool:
        return bool(self._waiting)

    # -- the wire --

    def _say(self, *words: str) -> None:
        self._ports.send(" ".join(words).encode() + b"\n")

    async def _call(self, *words: str, then: Callable[[list[str]], None] = lambda _words: None) -> list[str]:
        answer: asyncio.Future[list[str]] = asyncio.get_running_loop().create_future()
        self._waiting.append((answer, then))
        self._say(*words)
        return await answer

    def feed(self, chunk: bytes) -> None:
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            self._take(line.decode().split(" ", 2))

    def _take(self, words: list[str]) -> None:
        match words:
            case ["hello" | "opened", *_]:
                answer, then = self._waiting.popleft()
                then(words)
                answer.set_result(words)
            case ["begun", name]:
                assert self._prompt is not None
                said = UserBlock(id=BlockId(self._prompt.key), run=self._run, text=self._prompt.text)
                self._tell(name, RunPut(Run(id=self._run)), StatusSet("working"), BlockPut(said))
            case ["text", name, text]:
                block = BlockId(f"answer-{self._run}")
                self._tell(name, TextGrew(block, "text", msgspec.json.decode(text), run=self._run))
            case ["ask", name, command]:
                self._open_ask(ThreadId(name), msgspec.json.decode(command))
            case ["done" | "stopped" as how, name]:
                outcome = Run(id=self._run, outcome="completed" if how == "done" else "interrupted")
                self._tell(name, RunPut(outcome), StatusSet("completed"))
            case _:
                raise AssertionError(f"not of this wire: {words}")

    def _tell(self, name: str, *changes: Change) -> None:
        self._ports.deliver([(ThreadId(name), list(changes))], [])

    def fail(self, why: str) -> None:
        while self._waiting:
            self._waiting.popleft()[0].set_exception(AgentGone(why))
        if self._ask is not None:
            self._tell(self._ask[0], AskClosed(self._ask[1], "withdrawn", why=why))

    # -- the boundary --

    async def greet(self, version: str) -> str:
        return (await self._call("hello", version))[1]

    def is_loaded(self, thread: ThreadId) -> bool:
        return thread in self._loaded

    def find_rules(self, thread: ThreadId) -> FolderRules | None:
        return self._loaded.get(thread)

    async def start(
        self, cwd: str, confinement: Confinement, model: str, on_opened: OnOpened
    ) -> OpenedThread:
        assert model == "", "it offers none"
        return await self._open(("new", cwd), confinement, on_opened)

    async def resume(
        self, thread: ThreadId, cwd: str, confinement: Confinement, page_runs: int, on_opened: OnOpened
    ) -> OpenedThread:
        assert (cwd, page_runs) != ("", 0)
        return await self._open(("open", thread), confinement, on_opened)

    async def _open(
        self, words: tuple[str, str], confinement: Confinement, on_opened: OnOpened
    ) -> OpenedThread:
        def then(answer: list[str]) -> None:
            self._loaded[ThreadId(answer[1])] = confinement.rules
            on_opened(_opened(answer))

        return _opened(await self._call(*words, then=then))

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
        assert (policy, context, model, effort) == (POLICY, NO_CONTEXT, "", "")
        self._runs += 1
        self._prompt, self._run = prompt, RunId(f"{self._ports.epoch}-{self._runs}")
        on_named(self._run)
        self._say("say", thread, msgspec.json.encode(prompt.text).decode())
        return self._run

    async def interrupt(self, thread: ThreadId, run: RunId) -> None:
        if run == self._run:
            self._say("stop", thread)

    def _open_ask(self, thread: ThreadId, command: str) -> None:
        self._ask = thread, AskId(f"{self._run}-ask")
        subject = CommandSubject(command=command, original=command)
        ask = Ask(id=self._ask[1], title="Run this?", subject=subject, choices=(YES, NO), run=self._run)
        self._tell(thread, AskOpened(ask), StatusSet("waiting_user"))

    def answer(self, answer: Answer) -> Refuse | None:
        if self._ask is None or self._ask[1] != answer.ask:
            return Refuse("it no longer waits for this")
        thread, self._ask = self._ask[0], None
        closed = AskClosed(answer.ask, "answered", choice=answer.choice, by=answer.by)
        self._tell(thread, closed, StatusSet("working"))
        self._say(answer.choice, thread)
        return None


def _opened(answer: list[str]) -> OpenedThread:
    _, name, *past = answer
    return OpenedThread(id=ThreadId(name), history=_history(past[0]) if past else None)


def _history(stored: str) -> HistoryPut:
    past: list[tuple[str, str]] = msgspec.json.decode(stored, type=list[tuple[str, str]])
    runs = [RunId(f"past-{number}") for number in range(len(past))]
    blocks = [
        block
        for run, (said, answered) in zip(runs, past, strict=True)
        for block in (
            UserBlock(id=BlockId(f"{run}-said"), run=run, text=said),
            AssistantBlock(id=BlockId(f"{run}-answer"), run=run, text=answered, status="completed"),
        )
    ]
    return HistoryPut(blocks=tuple(blocks), runs=tuple(Run(id=run, outcome="completed") for run in runs))


POLICY = Policy(sandbox="none", approvals="always")


class LineAgent(Agent):
    name = "line"
    title = "Line agent"
    read_only = None
    asking = None

    def launch(self, _settings: Settings) -> Launch:
        program = Path(__file__).with_name("line_agent.py")
        return Launch(program=sys.executable, args=("-I", str(program)), missing="There is no Python.")

    def policy(self, _settings: Settings) -> Policy:
        return POLICY

    def model(self, _settings: Settings) -> ModelChoice:
        return ModelChoice()

    def find_credentials(self, _environ: Mapping[str, str]) -> tuple[str, ...]:
        return ()

    def is_noise(self, _line: str) -> bool:
        return False

    def make_driver(self, ports: DriverPorts) -> LineDriver:
        return LineDriver(ports)
