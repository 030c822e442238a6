"""A command that joins or hosts a daemon: what it says of a silent agent, and how a signal ends it."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from msgspec import Raw
from tests.core.watch.logs.rollouts import ID, WORDS
from tests.patience import PATIENCE_S

from bascule.cli.connect.join_daemon import Joined
from bascule.cli.connect.start_options import EXIT_INTERRUPTED
from bascule.core.wire import rpc
from bascule.host.files.data_folder import open_folder
from bascule.host.network.registration import find_daemon
from bascule.host.processes.tasks import Tasks
from bascule.model.ids import SessionId
from bascule.model.protocol.sessions import AgentNotify, SnapshotNotify
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


@pytest.mark.skipif(sys.platform == "win32", reason="signals are not sent like this there")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_command_that_hosts_is_closed_to_its_end_by_a_signal(
    number: signal.Signals, tmp_path: Path
) -> None:
    rollout = tmp_path / ".codex" / "sessions" / "2026" / "11" / "18" / f"rollout-{ID}.jsonl"
    rollout.parent.mkdir(parents=True)
    rollout.write_bytes(WORDS["meta"] + b"\n" + WORDS["user"] + b"\n")
    folder = open_folder(tmp_path / "data")
    env = {**os.environ, "HOME": str(tmp_path), "BASCULE_HOME": str(folder.root)}
    command = [sys.executable, "-m", "bascule", "watch", "--json"]
    with subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.PIPE) as watch:
        assert watch.stdout is not None
        assert ID.encode() in watch.stdout.readline()
        assert find_daemon(folder) is not None
        for _ in range(2):  # a terminal that closes says so twice
            watch.send_signal(number)
        assert watch.wait(PATIENCE_S) == EXIT_INTERRUPTED
    assert find_daemon(folder) is None
    assert not list(folder.root.glob("daemon.json"))
