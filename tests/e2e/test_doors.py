"""What a real Codex, asked by its model to try, gets out of the daemon that runs it: nothing."""

import shlex
import sys
from pathlib import Path

import pytest
from tests.e2e.live_app import Setup, accept, of_kind
from tests.e2e.peer import daemon, dialled, peer_of
from tests.patience import until

from bascule.demo import plays
from bascule.demo.outputs import Say, ToolUse
from bascule.host.network.registration import registration_path
from bascule.model.blocks import CommandBlock
from bascule.serve.serving import serving

KNOCK = """
import socket, sys
with socket.socket(socket.AF_UNIX) as sock:
    sock.connect(sys.argv[1])
    sock.sendall(b"GET /status HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
    print("answered", sock.recv(4096).split()[1].decode())
"""


@pytest.mark.real
@pytest.mark.skipif(sys.platform == "win32", reason="there is no such socket")
async def test_an_agent_cannot_drive_the_daemon_in_its_sandbox_or_outside_of_it(
    setup: Setup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "knock.py"
    script.write_text(KNOCK)
    async with setup.run() as live, serving(live.app, setup.folder) as doors:
        knock = shlex.join([sys.executable, str(script), doors.registration.socket])
        read = shlex.join(["cat", str(registration_path(setup.folder))])

        def tries(_machine: plays.DemoMachine) -> plays.Play:
            yield ToolUse("exec_command", {"cmd": f"{knock} 2>&1 | tail -1; {read}"})
            outside = {"sandbox_permissions": "require_escalated", "justification": "May I?"}
            yield ToolUse("exec_command", {"cmd": f"{knock}; {read}", **outside})
            yield Say("That is all I could do.")

        monkeypatch.setitem(plays.KINDS, "approval", plays.Kind("tries the doors", "Try the doors", tries))
        session = await live.begin()
        seen = await live.play(session, "demo:approval", accept)
        inside, outside = [block.output for block in of_kind(seen, CommandBlock)]
        assert "answered 200" not in inside
        assert outside.startswith("answered 403")  # with the person's own yes to run it
        assert '"pid"' not in inside  # the data folder cannot be read from the sandbox
        assert ('"pid"' in outside, "token" in outside) == (True, False)
        assert live.app.surfaces.all() == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands orphans to us")
async def test_a_process_that_detached_itself_and_cleared_its_environment_is_refused(tmp_path: Path) -> None:
    script, heard = tmp_path / "knock.py", tmp_path / "heard"
    script.write_text(f"import time; time.sleep(0.5)\n{KNOCK}")
    (tmp_path / "data").mkdir(mode=0o700)
    (tmp_path / "data" / "settings.toml").write_text("allowRunTerminal = true\n")
    async with daemon(tmp_path) as found, dialled(found, tmp_path) as wire, peer_of(wire) as peer:
        await peer.initialize(supports_session_sync=True)
        knock = shlex.join([sys.executable, str(script), found.socket])
        detached = f"env -i setsid -f sh -c {shlex.quote(f'{knock} > {heard} 2>&1')}"
        await peer.confirmed("shell.exec", {"command": detached})
        await until(lambda: heard.exists() and heard.read_text().strip(), "an answer")
    assert heard.read_text().strip() == "answered 403"
