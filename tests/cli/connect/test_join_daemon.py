"""What a command says of an agent that falls silent: only what can be done about it from here."""

import asyncio

import msgspec
import pytest
from msgspec import Raw

from bascule.cli.connect.join_daemon import Joined
from bascule.core.wire import rpc
from bascule.host.processes.tasks import Tasks
from bascule.model.ids import SessionId
from bascule.model.protocol.sync import AgentNotify, SnapshotNotify
from bascule.model.session import AgentState, Session

HEAD = Session(id=SessionId("0198-abc"), workspace="/w", agent="codex")


class Daemon:
    """A wire whose other side answers every call with nothing."""

    def __init__(self) -> None:
        self._frames: asyncio.Queue[bytes] = asyncio.Queue(100)

    async def send(self, frame: bytes) -> None:
        message = rpc.parse_frame(frame)
        assert isinstance(message, rpc.Request)
        await self._frames.put(rpc.result(message.id, {}))

    async def receive(self) -> bytes:
        return await self._frames.get()


def raw(value: object) -> Raw:
    return Raw(msgspec.json.encode(value))


@pytest.mark.parametrize(("demo", "words"), [(False, "0198-abc"), (True, "0198-abc --demo")])
async def test_a_silent_agent_is_restarted_from_another_terminal(
    demo: bool, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async with Tasks() as tasks:
        link = Joined(Daemon(), "/w", tasks, demo=demo)
        tasks.start("link", link._link.run())
        await link.watch(HEAD.id)
        link._notified("session.snapshot", raw(SnapshotNotify(session_id=HEAD.id, seq=1, session=HEAD)))
        silent = AgentState(workspace="/w", silent_since_ms=1)
        for _ in range(2):  # said once
            link._notified("agent.state", raw(AgentNotify(state=silent)))
        link._notified("agent.state", raw(AgentNotify(state=AgentState(workspace="/w"))))
    silence = "bascule: The agent codex in /w does not answer. Wait, or restart it from another terminal:"
    assert capsys.readouterr().err.splitlines() == [
        f"{silence} bascule session restart {words}",
        "bascule: The agent codex in /w answers again, or was ended.",
    ]
