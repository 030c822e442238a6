"""`bascule runtime`: when it ends."""

import asyncio
import sys
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec
import psutil
import pytest
from tests.e2e.peer import Pipes, argv, daemon, environ, peer_of, runtime
from tests.patience import PATIENCE_S

from bascule.core.wire import rpc
from bascule.host.files.data_folder import open_folder
from bascule.host.network.registration import find_daemon

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="module")]


@pytest.mark.parametrize("where", ["hosted", "relayed"])
async def test_a_runtime_ends_when_its_stdin_closes(tmp_path: Path, where: str) -> None:
    async with AsyncExitStack() as stack:
        if where == "relayed":
            await stack.enter_async_context(daemon(tmp_path, "--demo"))
        pipes = await stack.enter_async_context(runtime(tmp_path, "--demo"))
        peer = await stack.enter_async_context(peer_of(pipes))
        await peer.initialize()
        run = await peer.start("demo:slow")  # also in the middle of a run
        await peer.status(run, "running")
        await pipes.close()
        assert pipes.process.returncode == 0


@pytest.mark.parametrize("where", ["hosted", "relayed"])
async def test_what_was_asked_just_before_the_end_is_answered(tmp_path: Path, where: str) -> None:
    async with AsyncExitStack() as stack:
        if where == "relayed":
            await stack.enter_async_context(daemon(tmp_path, "--demo"))
        pipes = await stack.enter_async_context(runtime(tmp_path, "--demo"))
        hello = {"protocol_version": "0", "client": {"name": "echo"}}
        frames = [rpc.request("1", "initialize", hello), b"not JSON", rpc.request("2", "session.list", {})]
        out, _ = await pipes.process.communicate(b"".join(frame + b"\n" for frame in frames))
        heard = [msgspec.json.decode(line) for line in out.splitlines()]
        assert {message["id"] for message in heard if "method" not in message} == {"1", None, "2"}
        assert pipes.process.returncode == 0


STARTER = """
import subprocess, sys
started = subprocess.Popen(sys.argv[1:])
print(started.pid, file=sys.stderr, flush=True)
started.wait()
"""


async def test_a_runtime_ends_when_its_parent_dies(tmp_path: Path) -> None:
    """Its pipes stay open: this test holds their other ends."""
    pipe = asyncio.subprocess.PIPE
    parent = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", STARTER, *argv("runtime", "--demo")),
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        env=environ(tmp_path),
        cwd=tmp_path,
    )
    assert parent.stderr is not None
    started = psutil.Process(int(await parent.stderr.readline()))
    async with peer_of(Pipes(parent)) as peer:
        await peer.initialize()
        parent.kill()
        await peer.ended()
        gone, _ = await asyncio.to_thread(psutil.wait_procs, [started], PATIENCE_S)
        assert gone == [started]
        await parent.wait()


async def test_a_daemon_started_in_the_background_outlives_the_runtime(tmp_path: Path) -> None:
    """An editor's window may be closed or loaded again; what its agents do goes on."""
    data = open_folder(tmp_path / "data")
    folder = open_folder(data.demo)
    try:
        async with runtime(tmp_path, "--demo", "--background") as pipes, peer_of(pipes) as peer:
            await peer.initialize()
            started = find_daemon(folder)
        assert started is not None
        async with runtime(tmp_path, "--demo", "--background") as pipes, peer_of(pipes) as peer:
            await peer.initialize()
        assert find_daemon(folder) == started  # the same: the second one joined it
    finally:
        stop = await asyncio.create_subprocess_exec(*argv("down", "--demo"), env=environ(tmp_path))
        assert await stop.wait() == 0
