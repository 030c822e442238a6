"""One owner of a data folder: whoever comes later joins, whoever comes first waits for the others."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
from tests.e2e.live_app import Setup
from tests.e2e.peer import (
    CAN_ASK,
    Message,
    Peer,
    argv,
    daemon,
    data_folder,
    dialled,
    environ,
    peer_of,
    project,
    runtime,
)
from tests.patience import PATIENCE_S

from bascule.host.locks.lockfile import find_owner
from bascule.host.network.registration import Registration, find_daemon

pytestmark = pytest.mark.real


@asynccontextmanager
async def asking(*words: str, env: Mapping[str, str], cwd: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    """`bascule ask` with these words."""
    process = await asyncio.create_subprocess_exec(
        *argv("ask", *words),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=env,
        cwd=cwd,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def finish(process: asyncio.subprocess.Process) -> tuple[int | None, str]:
    async with asyncio.timeout(PATIENCE_S):
        out, err = await process.communicate()
    assert err == b"", err
    return process.returncode, out.decode()


def agents(pid: int) -> list[str]:
    """The agents that a process has."""
    children = psutil.Process(pid).children()
    return [child.name() for child in children if child.name() == "codex"]


async def until_daemon(home: Path) -> Registration:
    """Somebody owns the folder and listens; nothing tells a process outside when that is so."""
    async with asyncio.timeout(PATIENCE_S):
        while (found := find_daemon(data_folder(home))) is None:
            await asyncio.sleep(0.02)
    return found


@asynccontextmanager
async def peer_at(home: Path, registration: Registration) -> AsyncIterator[Peer]:
    async with dialled(registration, project(home)) as wire, peer_of(wire) as peer:
        yield await peer.initialize(**CAN_ASK)


async def test_ask_joins_the_daemon_that_runs(tmp_path: Path) -> None:
    async with daemon(tmp_path, "--demo") as registration:
        for text in ("demo:text one", "demo:text two"):
            async with asking("--demo", text, env=environ(tmp_path), cwd=tmp_path) as ask:
                code, out = await finish(ask)
            assert (code, "A raised bridge" in out) == (0, True)
        async with peer_at(tmp_path, registration) as peer:
            listed = (await peer.call("session.list"))["sessions"]
        assert [one["last_user_message"] for one in listed] == ["demo:text two", "demo:text one"]
        assert agents(registration.pid) == ["codex"]
        owner = find_owner(data_folder(tmp_path).lock)
        assert owner is not None
        assert owner.pid == registration.pid


async def test_who_comes_later_joins_a_command_that_hosts_and_it_waits_for_them(tmp_path: Path) -> None:
    async with asking("--demo", "demo:slow", env=environ(tmp_path), cwd=tmp_path) as ask:
        registration = await until_daemon(tmp_path)
        assert registration.pid == ask.pid
        async with peer_at(tmp_path, registration) as peer:
            session = await working_session(peer)
            await peer.call("session.interrupt", {"session_id": session})
            assert ask.stderr is not None
            said = await asyncio.wait_for(ask.stderr.readline(), PATIENCE_S)
            assert said.startswith(b"bascule: 1 other surface(s) are connected; leaving when they do.")
            await peer.play("demo:text", session_id=session)  # the command is done, the daemon is not
        async with asyncio.timeout(PATIENCE_S):
            assert await ask.wait() != 0  # the run that it asked for was stopped
    assert find_owner(data_folder(tmp_path).lock) is None


async def working_session(peer: Peer) -> str:
    async with asyncio.timeout(PATIENCE_S):
        while True:
            for one in (await peer.call("session.list"))["sessions"]:
                if one["status"] == "working":
                    return str(one["session_id"])
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("attempt", range(2))
async def test_of_two_that_start_at_once_one_hosts_and_the_other_joins(setup: Setup, attempt: int) -> None:
    env = {**environ(setup.project), **setup.env, "BASCULE_HOME": str(setup.folder.root)}
    async with AsyncExitStack() as stack:
        both = [
            await stack.enter_async_context(asking(f"demo:text {name}", env=env, cwd=setup.project))
            for name in ("one", "two")
        ]
        async with asyncio.timeout(PATIENCE_S):
            ends = await asyncio.gather(*(process.communicate() for process in both))
    assert [process.returncode for process in both] == [0, 0], ends
    assert ["A raised bridge" in out.decode() for out, _ in ends] == [True, True]
    async with setup.run() as live:
        heads = live.app.hub.heads()
        prompts = {await live.app.hub.find_last_prompt(head.id) for head in heads}
    assert (len(heads), prompts) == (2, {"demo:text one", "demo:text two"})


async def test_a_relayed_runtime_behaves_as_a_hosted_one(tmp_path: Path) -> None:
    hosted_home, relayed_home = tmp_path / "hosted", tmp_path / "relayed"
    for home in (hosted_home, relayed_home):
        home.mkdir()
    async with runtime(hosted_home, "--demo") as wire, peer_of(wire) as peer:
        hosted = await converse(peer)
    async with daemon(relayed_home, "--demo") as registration:
        async with runtime(relayed_home, "--demo") as wire, peer_of(wire) as peer:
            relayed = await converse(peer)
            relay = wire.process.pid
            assert agents(relay) == []
        assert agents(registration.pid) == ["codex"]
    assert plain(relayed, relayed_home) == plain(hosted, hosted_home)


async def converse(peer: Peer) -> list[Message]:
    """A bit of everything: what was heard."""
    await peer.say(b"no JSON")
    await peer.until(lambda m: m.get("error"))
    await peer.refused("session.list")  # it is not initialized
    await peer.initialize(**CAN_ASK)
    await peer.refused("no.such.method")
    session = await peer.new_session()
    run = await peer.start("demo:text", session_id=session)
    await peer.finish(run)
    run = await peer.start("demo:question", session_id=session)
    await peer.reply(await peer.asked("ui.pick.request", run), {"ids": ["option-0"]})
    await peer.reply(await peer.asked("ui.pick.request", run), {"ids": ["option-1"]})
    await peer.finish(run)
    await peer.call("session.history", {"session_id": session, "max_runs": 1})
    await peer.refused("run.cancel", {"run_id": "nobody"})
    await peer.call("mcp.list")
    return peer.heard


VARIES = re.compile(  # ids of runs, sessions and surfaces; times
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]+|s_[0-9a-f]{32}|\([0-9a-f]{4}\)|'timestamp': \d+|T[\d:.]+Z"
)


def plain(heard: list[Message], home: Path) -> list[Any]:
    """Without ids, times and folders; a state of the context may be sent a moment earlier or later."""
    rest = [message for message in heard if message.get("method") != "run.context"]
    same = [
        str(message).replace(str(home), "HOME").replace("'door': 'stdio'", "'door': 'terminal'")
        for message in rest
    ]
    return [VARIES.sub("…", message) for message in same]


def test_two_demos_that_start_at_once_share_one_model(tmp_path: Path) -> None:
    """The one that comes second must not point the demo's Codex at a model that it takes away again."""
    env = {**os.environ, "BASCULE_HOME": str(tmp_path)}
    both = [
        subprocess.Popen(
            [sys.executable, "-m", "bascule", "ask", "--demo", f"demo:text {name}"],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in ("one", "two")
    ]
    said = [process.communicate(timeout=60) for process in both]
    assert [process.returncode for process in both] == [0, 0], said
