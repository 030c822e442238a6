"""A driver on a wire of our own writing: what it says, what it tells, and the sessions that come of it."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from bascule.agents.codex.driver import CodexDriver
from bascule.agents.driver import DriverPorts, ThreadChanges
from bascule.core.session.agent_fold import fold_agent
from bascule.core.session.fold import Fold
from bascule.model.asks import Ask
from bascule.model.blocks import AssistantBlock, Block, SystemBlock
from bascule.model.changes import AgentChange, Change
from bascule.model.ids import BlockId, SessionId, ThreadId
from bascule.model.session import AgentState, Session

PLAYS = Path(__file__).resolve().parent.parent.parent / "plays"
NOW_MS = 1_800_000_000_000
CWD = "/home/dev/demo"

Json = dict[str, Any]


async def at_once(_attempt: int) -> None:
    return


class Listener:
    """Feed it; every thread is folded into a session of the same name."""

    def __init__(
        self, pause: Callable[[int], Awaitable[None]] = at_once, driver: type[CodexDriver] = CodexDriver
    ) -> None:
        self.said: list[Json] = []
        self.own_config: Json = {}
        self.changes: dict[ThreadId, list[Change]] = {}
        self.agent_changes: list[AgentChange] = []
        self.on_agent: Callable[[], None] = lambda: None
        self.driver = driver(
            DriverPorts(
                neutral="/neutral",
                send=lambda line: self._hear(json.loads(line)),
                deliver=self._deliver,
                pause=pause,
                now_ms=lambda: NOW_MS,
                epoch="e",
            )
        )

    def _hear(self, said: Json) -> None:
        """The person's own configuration is sent at once; it is asked for before a child's first thread."""
        if said.get("method") == "config/read" and said["params"] == {"includeLayers": False}:
            self.feed(dump({"id": said["id"], "result": {"config": self.own_config}}))
        else:
            self.said.append(said)

    def _deliver(self, entries: list[ThreadChanges], agent: list[AgentChange]) -> None:
        for thread, changes in entries:
            self.changes.setdefault(thread, []).extend(changes)
        self.agent_changes.extend(agent)
        if agent:
            self.on_agent()

    # -- what Codex says --

    def feed(self, *lines: bytes) -> None:
        self.driver.feed(b"".join(line + b"\n" for line in lines))

    def tell(self, method: str, at_ms: int | None = None, /, **params: Any) -> None:
        """A notification of the thread "t", as the v2 wire tells it."""
        message = {"method": method, "params": {"threadId": "t", **params}}
        self.feed(dump({**message, "emittedAtMs": at_ms} if at_ms else message))

    def tell_agent(self, method: str, /, **params: Any) -> None:
        """A notification of no thread."""
        self.feed(dump({"method": method, "params": params}))

    def tell_legacy(self, kind: str, conversation: str | None = "t", /, **msg: Any) -> None:
        params: Json = {"id": "0", "msg": {"type": kind, **msg}}
        named = {**params, "conversationId": conversation} if conversation else params
        self.feed(dump({"method": f"codex/event/{kind}", "params": named}))

    def ask(self, method: str, /, request: int | str = 0, **params: Any) -> None:
        self.feed(dump({"id": request, "method": method, "params": {"threadId": "t", **params}}))

    def begin(self, run: str = "r", at_ms: int | None = None) -> None:
        self.tell("turn/started", at_ms, turn={"id": run, "status": "inProgress", "items": []})

    def end(self, run: str = "r", status: str = "completed", **turn: Any) -> None:
        self.tell("turn/completed", turn={"id": run, "status": status, "items": [], **turn})

    def item(self, kind: str, /, done: bool = True, run: str = "r", **item: Any) -> None:
        fields = {"type": kind, "id": "i", **item}
        self.tell("item/completed" if done else "item/started", turnId=run, item=fields)

    # -- what came of it --

    def session(self, thread: str = "t") -> Session:
        fold = Fold(Session(id=SessionId(thread), workspace=CWD))
        fold.apply_all(self.changes.get(ThreadId(thread), ()))
        return fold.session()

    def sessions(self) -> dict[ThreadId, Session]:
        return {thread: self.session(thread) for thread in self.changes}

    def agent(self) -> AgentState:
        state = AgentState(workspace=CWD)
        for change in self.agent_changes:
            state = fold_agent(state, change)
        return state

    def block(self) -> Block:
        (block,) = self.session().blocks
        return block

    def open_ask(self) -> Ask:
        (ask,) = self.session().asks
        return ask

    def other_events(self, thread: str | None = None) -> str:
        """What is shown under "Other events (debug)": of the agent, or of a session."""
        blocks = self.agent().notices if thread is None else self.session(thread).blocks
        found = [b for b in blocks if isinstance(b, SystemBlock) and b.debug]
        return "".join(block.text for block in found)


def dump(message: object) -> bytes:
    return json.dumps(message, ensure_ascii=False).encode()


def read_play(path: Path) -> list[bytes]:
    """What Codex said, line by line; what we said is not fed."""
    lines = path.read_bytes().split(b"\n")
    return [line[2:] for line in lines if line.startswith(b"< ")]


HEALTHY = b'{"method":"item/agentMessage/delta","params":{"threadId":"healthy","itemId":"m","delta":"fine"}}'
FINE = (AssistantBlock(id=BlockId("m"), text="fine"),)


def is_healthy(listener: Listener) -> bool:
    listener.feed(HEALTHY)
    return listener.session("healthy").blocks == FINE
