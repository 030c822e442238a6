"""One app-server connection: it is fed bytes, sends bytes, and speaks of threads and turns."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, TypeVar

import msgspec
from msgspec import Raw, Struct

from bascule.agents.codex.asks import ASKS, REFUSED_CALLS
from bascule.agents.codex.confining import Confined, Confining, OwnConfigAnswer, ThreadRules
from bascule.agents.codex.saying import NOTHING_BESIDE, ContextInput, Policy, turn_input
from bascule.agents.codex.scribe import Entry, PendingAsk, Scribe, ThreadView
from bascule.agents.codex.silence import SILENT_AFTER_S, Silence
from bascule.agents.codex.translator import AgentRequest, AgentResponse, Translator
from bascule.agents.codex.turns import withdraw_asks
from bascule.agents.codex.wire import UNREADABLE
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
from bascule.core.faults import AgentFault, AgentGone, AgentRefused, AgentSilent
from bascule.core.wire.lines import Lines, OverlongLine
from bascule.model.asks import Answer, Ask, Refuse
from bascule.model.changes import AgentChange, AskClosed, AskOpened, SilenceSet
from bascule.model.ids import AskId, RunId, ThreadId
from bascule.model.session import Prompt

CALL_TIMEOUT_S = 120.0  # a resume of a very long thread takes its time
MAX_PENDING = 1_000
MAX_RETRIES = 6
OVERLOADED = -32001  # "try again later"
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
REFUSED = -32000

T = TypeVar("T")
Deliver = Callable[[list[Entry], list[AgentChange]], None]


class Call(Struct):
    method: str
    answer: asyncio.Future[Raw]
    at_once: Callable[[Raw], None] | None  # run in wire order, before what follows on the wire


class CodexDriver:
    def __init__(
        self,
        *,
        send: Callable[[bytes], None],
        deliver: Deliver,
        pause: Callable[[int], Awaitable[None]],
        now_ms: Callable[[], int],
        epoch: str,
        silent_after_s: float = SILENT_AFTER_S,
    ) -> None:
        self._send = send
        self._deliver = deliver
        self._pause = pause  # waits before the n-th retry, with jitter
        self._now_ms = now_ms
        self._epoch = epoch  # makes the ids of this child's Asks its own
        self._lines = Lines()
        self._scribe = Scribe()
        self._silence = Silence(now_ms=now_ms, tell=self._tell_silence, after_s=silent_after_s)
        self._translator = Translator(self._scribe, self._take_call)
        self._calls: dict[RequestId, Call] = {}
        self._next_id = 0
        self._confining = Confining(epoch)
        self._gone: str = ""

    # -- bytes in --

    def feed(self, chunk: bytes) -> None:
        self._silence.heard()
        for part in self._lines.feed(chunk):
            if isinstance(part, OverlongLine):
                self._scribe.note(None, "codex sent a line over the ceiling:", f"{part.size} bytes, let go")
            else:
                self._translator.feed(part)
        self._flush()

    def fail(self, why: str) -> None:
        """The child is gone: every call ends, every Ask is withdrawn, nothing is answered yes."""
        self._gone = why
        for call in self._calls.values():
            if not call.answer.done():
                call.answer.set_exception(AgentGone(why))
                call.answer.exception()  # somebody may have stopped waiting: that is no news to the loop
        self._calls.clear()
        self._silence.end()
        for view in self._scribe.views():
            withdraw_asks(self._scribe, view, why)
        self._flush()

    def find_connected_ms(self, server: str) -> int | None:
        """When an MCP server was last seen to answer this child."""
        return self._scribe.connected.get(server)

    def saw_connected(self, server: str) -> None:
        """Just now, as an answer says."""
        self._scribe.saw_connected(server, self._now_ms())

    def is_loaded(self, thread: ThreadId) -> bool:
        return self._scribe.view(thread).loaded

    @property
    def is_waiting(self) -> bool:
        """For the answer to a call."""
        return bool(self._calls)

    def _tell_silence(self, since_ms: int | None) -> None:
        self._scribe.agent(SilenceSet(since_ms))
        self._flush()

    def find_rules(self, thread: ThreadId) -> ThreadRules | None:
        """Those that it was loaded with; None while it is not loaded."""
        return self._scribe.view(thread).rules

    def _flush(self) -> None:
        entries, agent = self._scribe.take()
        if entries or agent:
            self._deliver(entries, agent)

    # -- calls --

    async def call(
        self, method: str, params: object, kind: type[T], at_once: Callable[[T], None] | None = None
    ) -> T:
        """Ask, and read the answer; an overloaded server is asked again, later and later."""
        for attempt in range(MAX_RETRIES + 1):
            try:
                return await self._call_once(method, params, kind, at_once)
            except AgentRefused as refused:
                if refused.code != OVERLOADED or attempt == MAX_RETRIES:
                    raise
            await self._pause(attempt)
        raise AssertionError("the loop returns or raises")

    async def _call_once(
        self, method: str, params: object, kind: type[T], at_once: Callable[[T], None] | None
    ) -> T:
        if self._gone:
            raise AgentGone(self._gone)
        if len(self._calls) >= MAX_PENDING:
            raise AgentFault(f"codex has {MAX_PENDING} calls unanswered; {method} was not sent. Restart it.")
        our_id, self._next_id = self._next_id, self._next_id + 1
        hook = (lambda raw: at_once(self._read(method, raw, kind))) if at_once else None
        call = Call(method, asyncio.get_running_loop().create_future(), hook)
        self._calls[our_id] = call
        try:
            self._say({"id": our_id, "method": method, "params": params})
            async with asyncio.timeout(CALL_TIMEOUT_S):
                raw = await self._silence.wait_for(method, call.answer)
        except TimeoutError:
            raise AgentSilent(f"codex did not answer {method} within {CALL_TIMEOUT_S:.0f} s.") from None
        finally:
            self._calls.pop(our_id, None)
        return self._read(method, raw, kind)

    def _read(self, method: str, raw: Raw, kind: type[T]) -> T:
        try:
            return msgspec.json.decode(raw, type=kind)
        except UNREADABLE as broken:
            raise AgentFault(f"codex answered {method} in a shape that is not known: {broken}") from None

    def _say(self, message: object) -> None:
        self._send(msgspec.json.encode(message) + b"\n")

    def _take_call(self, told: AgentRequest | AgentResponse) -> None:
        if isinstance(told, AgentRequest):
            self._take_request(told)
        else:
            self._take_response(told)

    def _take_response(self, told: AgentResponse) -> None:
        call = self._calls.get(told.id)
        if call is None or call.answer.done():
            self._scribe.note(None, "codex answered a call that nobody made:", {"id": told.id})
            return
        if told.error is not None:
            call.answer.set_exception(_refused(call.method, told.error))
            return
        if call.at_once is not None:
            try:
                call.at_once(told.result)
            except AgentFault as fault:
                call.answer.set_exception(fault)
                return
        call.answer.set_result(told.result)

    # -- Asks --

    def _take_request(self, told: AgentRequest) -> None:
        if told.method in ASKS and not isinstance(told.params, Raw):
            self._open_ask(told)
        elif told.method in REFUSED_CALLS:
            _, result, why = REFUSED_CALLS[told.method]
            self._scribe.note(None, f"refused {told.method}:", why)
            self._reply(told.id, result, why)
        elif told.method == "currentTime/read":
            self._reply(told.id, {"currentTimeAt": self._now_ms() // 1000}, "")
        else:
            self._refuse_unknown(told)

    def _refuse_unknown(self, told: AgentRequest) -> None:
        known = told.method in ASKS
        why = "in a shape that is not known" if known else "which is not known here"
        self._scribe.note(None, f"codex asked {told.method}, {why}:", told.params)
        code = INVALID_PARAMS if known else METHOD_NOT_FOUND
        self._say({"id": told.id, "error": {"code": code, "message": f"Bascule was asked this {why}."}})

    def _open_ask(self, told: AgentRequest) -> None:
        legacy = hasattr(told.params, "conversation_id")
        thread = told.params.conversation_id if legacy else told.params.thread_id
        view = self._scribe.view(thread)
        opening = ASKS[told.method][1](view, told.params)
        ask_id = AskId(f"{self._epoch}-{told.id}")
        view.asks[told.id] = PendingAsk(ask_id, opening.reply)
        turn = getattr(told.params, "turn_id", None)
        ask = Ask(
            id=ask_id,
            title=opening.title,
            subject=opening.subject,
            choices=opening.choices,
            run=RunId(turn) if turn else view.run,
            reason=opening.reason,
            opened_at_ms=self._now_ms(),
        )
        self._scribe.put(thread, AskOpened(ask))
        self._scribe.put_status(view, "waiting_user")

    def answer(self, answer: Answer) -> Refuse | None:
        """Sent to Codex; a Refuse when it no longer waits for this. Whether it fits was checked before."""
        found = next(self._find_pending(answer.ask), None)
        if found is None:
            return Refuse("already answered, or withdrawn")
        view, request = found
        pending = view.asks.pop(request)
        self._say({"id": request, "result": pending.reply(answer)})
        closed = AskClosed(answer.ask, "answered", choice=answer.choice, by=answer.by, why=answer.reason)
        self._scribe.put(view.thread, closed)
        if view.working and not view.asks:
            self._scribe.put_status(view, "working")
        self._flush()
        return None

    def _find_pending(self, ask: AskId) -> Iterator[tuple[ThreadView, RequestId]]:
        for view in self._scribe.views():
            yield from ((view, request) for request, pending in view.asks.items() if pending.id == ask)

    def _reply(self, request: RequestId, result: object | None, why: str) -> None:
        if result is None:
            self._say({"id": request, "error": {"code": REFUSED, "message": why}})
        else:
            self._say({"id": request, "result": result})

    # -- what a session needs --

    async def initialize(self, version: str) -> Initialized:
        info = {"name": "bascule", "title": "Bascule", "version": version}
        params = {"clientInfo": info, "capabilities": {"experimentalApi": True}}
        answer = await self.call("initialize", params, Initialized)
        self._say({"method": "initialized"})
        return answer

    async def start_thread(
        self, cwd: str, confined: Confined, model: str, bind: Callable[[ThreadAnswer], None]
    ) -> ThreadAnswer:
        params = {"cwd": cwd, **await self._confine(confined), **({"model": model} if model else {})}
        return await self.call("thread/start", params, ThreadAnswer, self._loads(confined, bind))

    async def resume_thread(
        self, thread: ThreadId, confined: Confined, page_runs: int, bind: Callable[[ThreadAnswer], None]
    ) -> ThreadAnswer:
        """The last page of its history comes with it; the rest is fetched when it is looked at."""
        page = {"limit": page_runs, "sortDirection": "desc", "itemsView": "full"}
        rest = await self._confine(confined)
        params = {"threadId": thread, "excludeTurns": True, "initialTurnsPage": page, **rest}
        return await self.call("thread/resume", params, ThreadAnswer, self._loads(confined, bind))

    async def fork_thread(
        self, thread: ThreadId, last: RunId | None, confined: Confined, bind: Callable[[ThreadAnswer], None]
    ) -> ThreadAnswer:
        rest = await self._confine(confined)
        params = {"threadId": thread, "lastTurnId": last, "excludeTurns": True, **rest}
        return await self.call("thread/fork", params, ThreadAnswer, self._loads(confined, bind))

    async def _confine(self, confined: Confined) -> dict[str, object]:
        """The person's own configuration is asked for once for each child."""
        if not self._confining.knows_own:
            try:
                own = await self.call("config/read", {"includeLayers": False}, OwnConfigAnswer)
            except AgentRefused:  # a file that Codex cannot read: it says so itself
                own = OwnConfigAnswer()
            self._confining.learn(own)
        return self._confining.thread_params(confined)

    def _loads(
        self, confined: Confined, bind: Callable[[ThreadAnswer], None]
    ) -> Callable[[ThreadAnswer], None]:
        def at_once(answer: ThreadAnswer) -> None:
            view = self._scribe.view(answer.thread.id)
            view.loaded, view.cwd, view.rules = True, answer.thread.cwd, confined.rules
            bind(answer)

        return at_once

    async def list_turns(self, thread: ThreadId, cursor: str, limit: int) -> TurnsPage:
        params = {
            "threadId": thread,
            "cursor": cursor or None,
            "limit": limit,
            "sortDirection": "desc",
            "itemsView": "full",
        }
        return await self.call("thread/turns/list", params, TurnsPage)

    async def start_turn(
        self,
        thread: ThreadId,
        prompt: Prompt,
        *,
        policy: Policy,
        beside: ContextInput = NOTHING_BESIDE,
        model: str = "",
        effort: str = "",
        named: Callable[[RunId], None] = lambda _run: None,
    ) -> RunId:
        """`named` is called in wire order: a short run may be over before whoever awaits this goes on.

        Codex keeps a turn's policy for the turns that follow, so each turn says its own."""
        params = {
            "threadId": thread,
            "input": turn_input(prompt, beside),
            "clientUserMessageId": prompt.key,
            **self._confining.turn_params(policy),
            **({"model": model} if model else {}),
            **({"effort": effort} if effort else {}),
        }
        answer = await self.call(
            "turn/start", params, TurnAnswer, lambda answer: named(RunId(answer.turn.id))
        )
        return RunId(answer.turn.id)

    async def steer_turn(
        self, thread: ThreadId, run: RunId, prompt: Prompt, beside: ContextInput = NOTHING_BESIDE
    ) -> RunId:
        params = {
            "threadId": thread,
            "expectedTurnId": run,
            "input": turn_input(prompt, beside),
            "clientUserMessageId": prompt.key,
        }
        return RunId((await self.call("turn/steer", params, SteerAnswer)).turn_id)

    async def interrupt_turn(self, thread: ThreadId, run: RunId) -> None:
        await self.call("turn/interrupt", {"threadId": thread, "turnId": run}, Any)

    async def compact_thread(self, thread: ThreadId) -> None:
        await self.call("thread/compact/start", {"threadId": thread}, Any)

    async def name_thread(self, thread: ThreadId, name: str) -> None:
        await self.call("thread/name/set", {"threadId": thread, "name": name}, Any)

    async def log_out(self) -> None:
        """Codex forgets the account; `account/updated` tells what is left."""
        await self.call("account/logout", None, Any)

    async def list_models(self) -> list[Model]:
        models: list[Model] = []
        cursor: str | None = None
        for _ in range(20):  # pages; a server that never ends its list is not followed forever
            page = await self.call("model/list", {"cursor": cursor, "limit": 100}, ModelPage)
            models += page.data
            cursor = page.next_cursor
            if not cursor:
                break
        return models


def _refused(method: str, error: Any) -> AgentRefused:
    if isinstance(error, dict) and isinstance(error.get("code"), int):
        return AgentRefused(method, error["code"], str(error.get("message", "")))
    return AgentRefused(method, 0, str(error))
