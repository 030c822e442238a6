"""One app-server connection: it is fed bytes, sends bytes, and speaks of threads and turns."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from msgspec import Raw
from msgspec.structs import replace

from bascule.agents.codex import lists
from bascule.agents.codex.calls import Calls
from bascule.agents.codex.confining import Confining, OwnConfigAnswer
from bascule.agents.codex.events.asks import ASKS, NOES, REFUSED_CALLS
from bascule.agents.codex.events.change_sink import ChangeSink, PendingAsk, ThreadView
from bascule.agents.codex.events.history import history_page
from bascule.agents.codex.events.translator import AgentRequest, AgentResponse, Translator
from bascule.agents.codex.events.turns import withdraw_asks
from bascule.agents.codex.folder_files import TRUST_ENDED, join_instructions
from bascule.agents.codex.launch import check_version
from bascule.agents.codex.silence import SILENT_AFTER_S, Silence
from bascule.agents.codex.terminals import end_terminals
from bascule.agents.codex.turn_input import turn_input
from bascule.agents.codex.wire.requests import RequestId
from bascule.agents.codex.wire.threads import (
    Initialized,
    Model,
    ModelPage,
    SteerAnswer,
    ThreadAnswer,
    TurnAnswer,
    TurnsPage,
)
from bascule.agents.driver import (
    AgentModel,
    Confinement,
    Driver,
    DriverPorts,
    FolderRules,
    ListedMcpServer,
    OnOpened,
    OpenedThread,
    Policy,
)
from bascule.core.consent.answer_check import TOO_LATE
from bascule.core.faults import AgentRefused, ThreadHeld
from bascule.core.prompts.prompt_context import NO_CONTEXT, PromptContext
from bascule.core.wire.lines import Lines, OverlongLine
from bascule.model.agents import AgentCapabilities
from bascule.model.asks import Answer, Ask, Refuse
from bascule.model.changes import AskClosed, AskOpened, HistoryPut, SilenceSet
from bascule.model.ids import AskId, BlockId, RunId, ThreadId
from bascule.model.protocol.runs import SkillsListResult
from bascule.model.session import Prompt

METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
REFUSED = -32000

EVERYTHING = AgentCapabilities()
HELD = "already has an active writer"

T = TypeVar("T")


class CodexDriver(Driver):
    _ends_with_connection = True

    def __init__(self, ports: DriverPorts, *, silent_after_s: float = SILENT_AFTER_S) -> None:
        self._deliver = ports.deliver
        self._now_ms = ports.now_ms
        self._epoch = ports.epoch  # makes the ids of this child's Asks its own
        self._lines = Lines()
        self._sink = ChangeSink()
        self._silence = Silence(now_ms=ports.now_ms, tell=self._tell_silence, after_s=silent_after_s)
        self._calls = Calls(send=ports.send, pause=ports.pause, silence=self._silence)
        self._translator = Translator(self._sink, self._take_call)
        self._confining = Confining(ports.epoch, ports.neutral, ports.find_programs)

    @property
    def capabilities(self) -> AgentCapabilities:
        return EVERYTHING

    # -- bytes in --

    def feed(self, chunk: bytes) -> None:
        self._silence.heard()
        for part in self._lines.feed(chunk):
            if isinstance(part, OverlongLine):
                self._sink.note(None, "codex sent a line over the ceiling:", f"{part.size} bytes, dropped")
            else:
                self._translator.feed(part)
        self._flush()

    def fail(self, why: str) -> None:
        self._calls.fail(why)
        self._silence.end()
        for view in self._sink.views():
            withdraw_asks(self._sink, view, why, unbegun=self._ends_with_connection)
        self._flush()

    def find_connected_ms(self, server: str) -> int | None:
        """When an MCP server was last seen to answer this child."""
        return self._sink.connected.get(server)

    def saw_connected(self, server: str) -> None:
        """Just now, as an answer says."""
        self._sink.saw_connected(server, self._now_ms())

    def is_loaded(self, thread: ThreadId) -> bool:
        return self._sink.view(thread).loaded

    @property
    def is_waiting(self) -> bool:
        return self._calls.is_waiting

    def _tell_silence(self, since_ms: int | None) -> None:
        self._sink.agent(SilenceSet(since_ms))
        self._flush()

    def find_rules(self, thread: ThreadId) -> FolderRules | None:
        return self._sink.view(thread).rules

    def _flush(self) -> None:
        entries, agent = self._sink.take()
        if entries or agent:
            self._deliver(entries, agent)

    # -- calls --

    async def call(
        self, method: str, params: object, kind: type[T], at_once: Callable[[T], None] | None = None
    ) -> T:
        return await self._calls.call(method, params, kind, at_once)

    def _say(self, message: object) -> None:
        self._calls.say(message)

    def _take_call(self, received: AgentRequest | AgentResponse) -> None:
        if isinstance(received, AgentRequest):
            self._take_request(received)
        elif not self._calls.take(received):
            self._sink.note(None, "codex answered a call that nobody made:", {"id": received.id})

    # -- Asks --

    def _take_request(self, received: AgentRequest) -> None:
        if received.method in ASKS and not isinstance(received.params, Raw):
            self._open_ask(received)
        elif received.method in REFUSED_CALLS:
            _, result, why = REFUSED_CALLS[received.method]
            self._sink.note(None, f"refused {received.method}:", why)
            self._reply(received.id, result, why)
        elif received.method == "currentTime/read":
            self._reply(received.id, {"currentTimeAt": self._now_ms() // 1000}, "")
        else:
            self._refuse_unknown(received)

    def _refuse_unknown(self, received: AgentRequest) -> None:
        known = received.method in ASKS
        why = "in an unknown shape" if known else "which is unknown here"
        self._sink.note(None, f"codex asked {received.method}, {why}:", received.params)
        code = INVALID_PARAMS if known else METHOD_NOT_FOUND
        self._say({"id": received.id, "error": {"code": code, "message": f"Bascule was asked this {why}."}})

    def _open_ask(self, received: AgentRequest) -> None:
        legacy = hasattr(received.params, "conversation_id")
        thread = received.params.conversation_id if legacy else received.params.thread_id
        view = self._sink.view(thread)
        opening = ASKS[received.method][1](view, received.params)
        ask_id = AskId(f"{self._epoch}-{received.id}")
        item = BlockId(getattr(received.params, "item_id", ""))
        view.asks[received.id] = PendingAsk(ask_id, opening.reply, item)
        turn = getattr(received.params, "turn_id", None)
        ask = Ask(
            id=ask_id,
            title=opening.title,
            subject=opening.subject,
            choices=opening.choices,
            run=RunId(turn) if turn else view.run,
            reason=opening.reason,
            opened_at_ms=self._now_ms(),
        )
        self._sink.put(thread, AskOpened(ask))
        self._sink.put_status(view, "waiting_user")

    def answer(self, answer: Answer) -> Refuse | None:
        found = next(self._find_pending(answer.ask), None)
        if found is None:
            return TOO_LATE
        view, request = found
        pending = view.asks.pop(request)
        self._say({"id": request, "result": pending.reply(answer)})
        refused = view.changes.get(pending.item)
        if refused is not None and answer.choice in NOES:  # Codex tells no more of it when the run stops
            self._sink.put_changes_block(view, replace(refused, status="declined"))
        closed = AskClosed(answer.ask, "answered", choice=answer.choice, by=answer.by, why=answer.reason)
        self._sink.put(view.thread, closed)
        if view.working and not view.asks:
            self._sink.put_status(view, "working")
        self._flush()
        return None

    def _find_pending(self, ask: AskId) -> Iterator[tuple[ThreadView, RequestId]]:
        for view in self._sink.views():
            yield from ((view, request) for request, pending in view.asks.items() if pending.id == ask)

    def _reply(self, request: RequestId, result: object | None, why: str) -> None:
        refused = {"error": {"code": REFUSED, "message": why}}
        self._say({"id": request, **(refused if result is None else {"result": result})})

    # -- conversations --

    async def greet(self, version: str) -> str:
        info = {"name": "bascule", "title": "Bascule", "version": version}
        params = {"clientInfo": info, "capabilities": {"experimentalApi": True}}
        answer = await self.call("initialize", params, Initialized)
        self._say({"method": "initialized"})
        check_version(answer.user_agent)
        return answer.user_agent

    async def start(
        self, cwd: str, confinement: Confinement, model: str, on_opened: OnOpened
    ) -> OpenedThread:
        params = {"cwd": cwd, **await self._confine(confinement), **({"model": model} if model else {})}
        return await self._open("thread/start", params, confinement, on_opened)

    async def resume(
        self,
        thread: ThreadId,
        cwd: str,  # noqa: ARG002  # Codex remembers it
        confinement: Confinement,
        page_runs: int,
        on_opened: OnOpened,
    ) -> OpenedThread:
        """The last page of its history comes with it; the rest is fetched when it is looked at."""
        page = {"limit": page_runs, "sortDirection": "desc", "itemsView": "full"}
        rest = await self._confine(confinement)
        params = {"threadId": thread, "excludeTurns": True, "initialTurnsPage": page, **rest}
        try:
            return await self._open("thread/resume", params, confinement, on_opened)
        except AgentRefused as refused:
            if HELD in refused.message:
                raise ThreadHeld(str(refused)) from None
            raise

    async def fork(
        self, thread: ThreadId, last: RunId | None, confinement: Confinement, on_opened: OnOpened
    ) -> OpenedThread:
        rest = await self._confine(confinement)
        params = {"threadId": thread, "lastTurnId": last, "excludeTurns": True, **rest}
        return await self._open("thread/fork", params, confinement, on_opened)

    async def _open(
        self, method: str, params: object, confinement: Confinement, on_opened: OnOpened
    ) -> OpenedThread:
        def at_once(answer: ThreadAnswer) -> None:
            view = self._sink.view(answer.thread.id)
            view.loaded, view.cwd, view.rules = True, answer.thread.cwd, confinement.rules
            # Codex says a thread's instructions when it begins, and not when it goes on.
            view.instructions = "" if method == "thread/start" else _said_again(confinement.rules)
            on_opened(_opened(answer))
            self._look_at_opened(answer)

        return _opened(await self.call(method, params, ThreadAnswer, at_once))

    def _look_at_opened(self, answer: ThreadAnswer) -> None:
        """Nothing goes on yet in a thread that this process has opened."""

    async def _confine(self, confinement: Confinement) -> dict[str, object]:
        """With the person's own configuration as it is now."""
        self._confining.learn(await self._read_own())
        return self._confining.thread_params(confinement)

    async def _read_own(self) -> OwnConfigAnswer:
        try:
            return await self.call("config/read", {"includeLayers": False}, OwnConfigAnswer)
        except AgentRefused:  # a file that Codex cannot read: it says so itself
            return OwnConfigAnswer()

    async def list_runs(self, thread: ThreadId, cwd: str, cursor: str, limit: int) -> HistoryPut:
        params = {
            "threadId": thread,
            "cursor": cursor or None,
            "limit": limit,
            "sortDirection": "desc",
            "itemsView": "full",
        }
        page = await self.call("thread/turns/list", params, TurnsPage)
        return history_page(page, cwd, older=bool(cursor))

    async def compact(self, thread: ThreadId) -> None:
        await self.call("thread/compact/start", {"threadId": thread}, Any)

    async def rename(self, thread: ThreadId, title: str) -> None:
        await self.call("thread/name/set", {"threadId": thread, "name": title}, Any)

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
        view = self._sink.view(thread)
        view.approvals = policy.approvals
        params = {
            "threadId": thread,
            "input": turn_input(prompt, context, view.instructions),
            "clientUserMessageId": prompt.key,
            **self._choices(policy, model, effort),
        }
        answer = await self.call(
            "turn/start", params, TurnAnswer, lambda answer: on_named(RunId(answer.turn.id))
        )
        view.instructions = ""
        return RunId(answer.turn.id)

    def _choices(self, policy: Policy, model: str, effort: str) -> dict[str, object]:
        """Codex keeps a turn's policy for the turns that follow, so each turn says its own."""
        chosen = {"model": model, "effort": effort}
        return {
            **self._confining.turn_params(policy),
            **{name: value for name, value in chosen.items() if value},
        }

    async def steer(
        self, thread: ThreadId, run: RunId, prompt: Prompt, context: PromptContext = NO_CONTEXT
    ) -> RunId:
        params = {
            "threadId": thread,
            "expectedTurnId": run,
            "input": turn_input(prompt, context),
            "clientUserMessageId": prompt.key,
        }
        return RunId((await self.call("turn/steer", params, SteerAnswer)).turn_id)

    async def interrupt(self, thread: ThreadId, run: RunId) -> None:
        """Codex ends the turn, and leaves its commands running."""
        commands = self._sink.view(thread).commands
        await self.call("turn/interrupt", {"threadId": thread, "turnId": run}, Any)
        if commands:
            await end_terminals(self, thread, commands)

    # -- what it has --

    async def list_models(self) -> list[AgentModel]:
        models: list[Model] = []
        cursor: str | None = None
        for _ in range(20):  # pages; a server that never ends its list is not followed forever
            page = await self.call("model/list", {"cursor": cursor, "limit": 100}, ModelPage)
            models += page.data
            cursor = page.next_cursor
            if not cursor:
                break
        return [_model(model) for model in models if not model.hidden]

    async def list_mcp_servers(self, thread: ThreadId | None, cwd: str) -> tuple[ListedMcpServer, ...]:
        """A server that the person has added since is not asked through a thread: Codex would start it in the
        workspace."""
        is_same = thread is None or self._confining.knows_servers(await self._read_own())
        return await lists.list_mcp_servers(self, thread if is_same else None, cwd)

    async def list_skills(
        self, cwd: str, *, force_reload: bool, mtime_ms: Callable[[str], int]
    ) -> SkillsListResult:
        return await lists.list_skills(self, cwd, force_reload=force_reload, mtime_ms=mtime_ms)

    async def sign_out(self) -> None:
        """Codex forgets the account; `account/updated` tells what is left."""
        await self.call("account/logout", None, Any)


def _said_again(rules: FolderRules) -> str:
    return join_instructions(rules.files) or (TRUST_ENDED if rules.trust_ended else "")


def _opened(answer: ThreadAnswer) -> OpenedThread:
    page = answer.initial_turns_page
    return OpenedThread(
        id=ThreadId(answer.thread.id),
        model=answer.model,
        effort=answer.reasoning_effort or "",
        history=history_page(page, answer.thread.cwd) if page is not None else None,
    )


def _model(received: Model) -> AgentModel:
    return AgentModel(
        name=received.model,
        other_name=received.id,
        description=received.description,
        efforts=tuple(option.reasoning_effort for option in received.supported_reasoning_efforts),
        default_effort=received.default_reasoning_effort,
        is_default=received.is_default,
    )
