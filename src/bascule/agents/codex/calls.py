"""Calls to the app-server and their answers: retried while it is overloaded, read in wire order."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import msgspec
from msgspec import Raw, Struct

from bascule.agents.codex.events.translator import AgentResponse
from bascule.agents.codex.silence import Silence
from bascule.agents.codex.wire import UNREADABLE
from bascule.agents.codex.wire.requests import RequestId
from bascule.core.faults import AgentFault, AgentGone, AgentRefused, AgentSilent
from bascule.core.wire.pending_calls import PendingCalls

CALL_TIMEOUT_S = 120.0  # a resume of a very long thread takes its time
MAX_PENDING = 1_000
MAX_RETRIES = 6
OVERLOADED = -32001  # "try again later"

T = TypeVar("T")


class SentCall(Struct):
    method: str
    at_once: Callable[[Raw], None] | None  # run in wire order, before what follows on the wire


class Calls:
    def __init__(
        self,
        *,
        send: Callable[[bytes], None],
        pause: Callable[[int], Awaitable[None]],
        silence: Silence,
    ) -> None:
        self._send = send
        self._pause = pause  # waits before the n-th retry, with jitter
        self._silence = silence
        self._calls: PendingCalls[RequestId, SentCall] = PendingCalls(lambda count: count - 1)
        self._gone: str = ""

    @property
    def is_waiting(self) -> bool:
        """For the answer to a call."""
        return len(self._calls) > 0

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
        hook = (lambda raw: at_once(_read(method, raw, kind))) if at_once else None
        answer: asyncio.Future[Raw] = asyncio.get_running_loop().create_future()
        try:
            with self._calls.wait(answer, SentCall(method, hook)) as our_id:
                self.say({"id": our_id, "method": method, "params": params})
                async with asyncio.timeout(CALL_TIMEOUT_S):
                    raw = await self._silence.wait_for(method, answer)
        except TimeoutError:
            raise AgentSilent(f"codex did not answer {method} within {CALL_TIMEOUT_S:.0f} s.") from None
        return _read(method, raw, kind)

    def say(self, message: object) -> None:
        self._send(msgspec.json.encode(message) + b"\n")

    def take(self, reply: AgentResponse) -> bool:
        """False where nobody made that call."""
        call = self._calls.find(reply.id)
        if call is None:
            return False
        if reply.error is not None:
            return self._calls.refuse(reply.id, _refused(call.method, reply.error))
        if call.at_once is not None:
            try:
                call.at_once(reply.result)
            except AgentFault as fault:
                return self._calls.refuse(reply.id, fault)
        return self._calls.answer(reply.id, reply.result)

    def fail(self, why: str) -> None:
        """The server is gone: everyone who waits is notified."""
        self._gone = why
        self._calls.fail(lambda: AgentGone(why))


def _read(method: str, raw: Raw, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(raw, type=kind)
    except UNREADABLE as broken:
        raise AgentFault(f"codex answered {method} in an unknown shape: {broken}") from None


def _refused(method: str, error: Any) -> AgentRefused:
    if isinstance(error, dict) and isinstance(error.get("code"), int):
        return AgentRefused("codex", method, error["code"], str(error.get("message", "")))
    return AgentRefused("codex", method, 0, str(error))
