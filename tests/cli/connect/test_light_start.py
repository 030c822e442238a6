"""What a command that hosts a daemon loads before its first question: nothing that only others need."""

import os
import subprocess
import sys
from pathlib import Path

# Each takes tens of milliseconds, and is loaded by what needs it.
HEAVY = (
    "uvicorn",
    "starlette",
    "h11",
    "websockets",
    "cryptography",
    "tomlkit",
    "prometheus_client",
    "psycopg",
    "http.client",
    "webbrowser",
    "bascule.agents.codex.driver",
    "bascule.agents.codex.events.translator",
)
RUN = """
import sys
from bascule.cli import main
main(sys.argv[2:])
print(*sorted(set(sys.argv[1].split(",")) & set(sys.modules)))
"""
DIFF = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n"


def test_diff_apply_loads_no_server_before_its_question(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    (tmp_path / "change.diff").write_text(DIFF)
    words = ["diff", "apply", str(tmp_path / "change.diff"), "--workspace", str(tmp_path)]
    done = subprocess.run(  # in a session of its own: there is no terminal to ask on
        [sys.executable, "-c", RUN, ",".join(HEAVY), *words],
        capture_output=True,
        text=True,
        env={**os.environ, "BASCULE_HOME": str(tmp_path / "home")},
        start_new_session=True,
        timeout=60,
    )
    assert "terminal" in done.stderr
    assert done.stdout.strip() == ""
    assert (tmp_path / "a.txt").read_text() == "one\n"
