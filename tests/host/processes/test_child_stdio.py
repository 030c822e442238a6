"""A connection over a child's pipes: in order, under a ceiling, and with an end that says how."""

import sys
from pathlib import Path

import pytest

from bascule.core.faults import AgentFault
from bascule.host.processes.child_stdio import MAX_UNSENT, ChildStdio, Unsent
from bascule.host.processes.process_register import Register
from bascule.host.processes.tasks import Tasks

ECHO = "import sys\nfor line in sys.stdin: print(line.upper(), end='', flush=True)\nsys.exit(3)"


def test_what_a_child_has_not_read_has_a_ceiling() -> None:
    unsent = Unsent("codex")
    for _ in range(4):
        unsent.put(b"x" * (MAX_UNSENT // 4))
    with pytest.raises(AgentFault, match=f"codex has not read {MAX_UNSENT} bytes"):
        unsent.put(b"one more")


async def test_messages_go_out_in_order_and_its_end_says_how(tmp_path: Path) -> None:
    register = Register(tmp_path / "children.json", "folder")
    async with Tasks() as tasks:
        connection = await ChildStdio.start(
            "echo",
            [sys.executable, "-c", ECHO],
            cwd=tmp_path,
            env={},
            register=register,
            on_stderr=lambda _line: None,
            tasks=tasks,
        )
        for word in (b"one\n", b"two\n"):
            connection.send(word)
        heard = b""
        while heard.count(b"\n") < 2:
            heard += await connection.receive()
        assert (heard, connection.is_open) == (b"ONE\nTWO\n", True)
        assert [await connection.end(), await connection.end()] == ["ended with exit code 3"] * 2
        assert (await connection.receive(), connection.is_open, register.records) == (b"", False, ())
