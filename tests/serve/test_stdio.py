"""The protocol on stdin and stdout, in a process of its own with real pipes."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import psutil
import pytest
from tests.patience import PATIENCE_S

from bascule.core.wire import rpc

ECHO = """
import asyncio, os, subprocess, sys
import msgspec
from bascule.daemon.surfaces.surfaces import Surfaces
from bascule.host.clock import new_id
from bascule.serve.stdio import attend, take_stdio
from bascule.model.consent.origin import Origin

async def echo(surface, method, params):
    if method == "print":
        print("a stray word")
        os.write(1, b"a stray byte\\n")
        subprocess.run([sys.executable, "-c", "import sys; print('a child says', repr(sys.stdin.read()))"])
    if method == "slow":
        await asyncio.sleep(0.2)
    if method == "never":
        await asyncio.Event().wait()
    if method == "flood":
        for number in range(20):
            surface.notify("flood", "x" * 100_000)
    return msgspec.json.decode(params)

async def main():
    surfaces = Surfaces(dispatch=echo, new_id=new_id)
    with take_stdio() as stdio:
        await attend(stdio, surfaces.connect(Origin(door="stdio")))
    print("and after it stdout is what it was", flush=True)

asyncio.run(main())
"""

STARTER = """
import subprocess, sys
started = subprocess.Popen([sys.executable, "-c", sys.argv[1]])
print(started.pid, flush=True)
started.wait()
"""


class Runtime:
    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process

    def send(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def hear(self) -> Any:
        assert self.process.stdout is not None
        return msgspec.json.decode(self.process.stdout.readline())

    def ask(self, id_: str, method: str = "hello", params: object = ()) -> Any:
        self.send(rpc.request(id_, method, params) + b"\n")
        return self.hear()

    def end(self) -> tuple[bytes, bytes]:
        out, err = self.process.communicate(timeout=PATIENCE_S)
        return out, err


@contextmanager
def runtime(program: str = ECHO) -> Iterator[Runtime]:
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            yield Runtime(process)
        finally:
            process.kill()


def test_requests_are_answered_and_the_end_of_stdin_ends_it() -> None:
    with runtime() as peer:
        assert peer.ask("1", params={"a": "ü"}) == {"jsonrpc": "2.0", "id": "1", "result": {"a": "ü"}}
        out, err = peer.end()
        assert (out, err) == (b"and after it stdout is what it was\n", b"")
        assert peer.process.returncode == 0


def test_what_is_printed_goes_to_stderr_and_a_child_reads_nothing() -> None:
    with runtime() as peer:
        assert peer.ask("1", "print")["id"] == "1"
        assert peer.ask("2")["id"] == "2"
        _, err = peer.end()
    assert sorted(err.splitlines()) == [b"a child says ''", b"a stray byte", b"a stray word"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"not json\n", rpc.PARSE_ERROR),
        (b"\xff\xfe\n", rpc.PARSE_ERROR),
        (b"[1]\n", rpc.INVALID_REQUEST),
        (b'{"id": 1}\r\n', None),
        (b"\n\n  \r\n", None),
    ],
)
def test_a_bad_line_gets_an_error_and_the_connection_lives(line: bytes, code: int | None) -> None:
    with runtime() as peer:
        peer.send(line)
        if code is not None:
            assert peer.hear()["error"]["code"] == code
        assert peer.ask("2")["id"] == "2"


def test_a_line_over_the_ceiling_gets_an_error_and_the_connection_lives() -> None:
    with runtime() as peer:
        peer.send(b"x" * (rpc.MAX_FRAME + 10) + b"\n")
        error = peer.hear()["error"]
        assert error["code"] == rpc.INVALID_REQUEST
        assert str(rpc.MAX_FRAME + 10) in error["message"]
        assert peer.ask("2")["id"] == "2"


@pytest.mark.parametrize(
    ("last", "answer"),
    [
        (rpc.request("1", "slow", {}), b'"id":"1","result"'),
        (rpc.request("1", "slow", {})[:-1], b'"code":-32700'),
        (b"x" * (rpc.MAX_FRAME + 10), b"Send it in parts."),
    ],
)
def test_a_last_line_without_a_newline_is_answered(last: bytes, answer: bytes) -> None:
    with runtime() as peer:
        assert peer.ask("0")["id"] == "0"
        assert answer in peer.process.communicate(last, timeout=PATIENCE_S)[0]


def test_lines_may_come_in_any_pieces() -> None:
    with runtime() as peer:
        two = rpc.request("1", "hello", {}) + b"\n" + rpc.request("2", "hello", {}) + b"\n"
        for at in range(len(two)):
            peer.send(two[at : at + 1])
        assert {peer.hear()["id"], peer.hear()["id"]} == {"1", "2"}


def test_a_reader_that_is_slow_gets_everything_in_order() -> None:
    with runtime() as peer:
        peer.send(rpc.request("1", "flood", {}) + b"\n")
        heard = [peer.hear() for _ in range(21)]
    assert [message.get("method", message.get("id")) for message in heard] == ["flood"] * 20 + ["1"]


def test_it_ends_when_nobody_reads_any_more() -> None:
    with runtime() as peer:
        assert peer.ask("1")["id"] == "1"
        assert peer.process.stdout is not None
        peer.process.stdout.close()
        peer.send(rpc.request("2", "hello", {}) + b"\n")
        peer.process.wait(PATIENCE_S)


def test_it_waits_at_its_end_for_answers_and_for_nothing_else() -> None:
    patience = "import bascule.serve.stdio\nbascule.serve.stdio.LAST_WORDS_S = 1e6\n"
    patient = ECHO.replace("async def main():", f"{patience}async def main():")
    for method in ("hello", "slow"):
        with runtime(patient) as peer:
            peer.send(rpc.request("1", method, {}) + b"\n")
            assert b'"id":"1","result"' in peer.end()[0]
            assert peer.process.returncode == 0


def test_an_answer_that_never_comes_does_not_hold_it() -> None:
    with runtime() as peer:
        assert peer.ask("1")["id"] == "1"
        peer.send(rpc.request("2", "never", {}) + b"\n")
        assert peer.end()[0] == b"and after it stdout is what it was\n"


def test_standard_input_may_be_a_file(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_bytes(rpc.request("1", "hello", {}) + b"\n")
    with source.open("rb") as stdin:
        done = subprocess.run(
            [sys.executable, "-c", ECHO], stdin=stdin, capture_output=True, timeout=PATIENCE_S
        )
    assert done.returncode == 0
    assert (
        msgspec.json.decode(done.stdout.splitlines()[0])["id"] == "1"
    )  # also what was asked at the very end


@pytest.mark.skipif(sys.platform == "win32", reason="pipes are not handed on like this there")
def test_it_ends_with_its_parent_although_somebody_holds_the_pipe() -> None:
    """The parent dies while another process still has the writing end of stdin: no end of file comes."""
    reading, writing = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-c", STARTER, ECHO], stdin=reading, stdout=subprocess.PIPE
    ) as parent:
        assert parent.stdout is not None
        runtime_process = psutil.Process(int(parent.stdout.readline()))
        os.write(writing, rpc.request("1", "hello", {}) + b"\n")
        assert b'"1"' in parent.stdout.readline()
        parent.kill()
    deadline = time.monotonic() + PATIENCE_S
    while runtime_process.is_running() and runtime_process.status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    os.close(reading)
    os.close(writing)
