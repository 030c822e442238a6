"""What a real Codex, told by its model to try, gets out of the daemon that runs it: nothing."""

import shlex
import sys
from pathlib import Path

import pytest
from tests.e2e.stage import Stage, accept, of_kind

from bascule.demo import plays
from bascule.demo.outputs import Say, ToolUse
from bascule.host.network.registration import registration_path
from bascule.model.blocks import CommandBlock
from bascule.serve.serving import serving

pytestmark = pytest.mark.real

KNOCK = """
import socket, sys
with socket.socket(socket.AF_UNIX) as sock:
    sock.connect(sys.argv[1])
    sock.sendall(b"GET /status HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
    print("answered", sock.recv(4096).split()[1].decode())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such socket")
async def test_an_agent_cannot_drive_the_daemon_in_its_sandbox_or_outside_of_it(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "knock.py"
    script.write_text(KNOCK)
    async with stage.life() as life, serving(life.app, stage.folder) as doors:
        knock = shlex.join([sys.executable, str(script), doors.registration.socket])
        read = shlex.join(["cat", str(registration_path(stage.folder))])

        def tries(_stage: plays.Stage) -> plays.Play:
            yield ToolUse("exec_command", {"cmd": f"{knock} 2>&1 | tail -1; {read}"})
            outside = {"sandbox_permissions": "require_escalated", "justification": "May I?"}
            yield ToolUse("exec_command", {"cmd": f"{knock}; {read}", **outside})
            yield Say("That is all I could do.")

        monkeypatch.setitem(plays.KINDS, "approval", plays.Kind("tries the doors", tries))
        session = await life.begin()
        seen = await life.play(session, "demo:approval", accept)
        inside, outside = [block.output for block in of_kind(seen, CommandBlock)]
        assert "answered 200" not in inside
        assert outside.startswith("answered 403")  # with the person's own yes to run it
        assert '"pid"' not in inside  # the data folder cannot be read from the sandbox
        assert ('"pid"' in outside, "token" in outside) == (True, False)
        assert life.app.surfaces.all() == []
