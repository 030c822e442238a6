"""A real Codex in a terminal of somebody else's, and the end of the daemon that it starts."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psutil
from tests.e2e.live_app import CODEX, SUITE, SUITE_ID
from tests.e2e.screen import Screen

from bascule.core.watch.places import SOCKET
from bascule.demo.home import toml_string

# In Codex's own file: with such words on its command line, a terminal does not use the shared daemon.
ASK_FIRST = 'approval_policy = "on-request"\nsandbox_mode = "read-only"\n'
READY = "Ask Codex to do anything"
APPROVAL = "Would you like to run the following command?"


def let_ask(home: Path, project: Path) -> None:
    """Codex asks before it leaves the sandbox, and not whether the folder is trusted."""
    config = home / "config.toml"
    trusted = f'[projects.{toml_string(str(project))}]\ntrust_level = "trusted"\n'
    config.write_text(ASK_FIRST + config.read_text(encoding="utf-8") + trusted, encoding="utf-8")


@contextmanager
def elsewhere(argv: list[str], env: Mapping[str, str], cwd: Path) -> Iterator[Screen]:
    """A program in a terminal of its own. Whatever it started ends with it, also a daemon."""
    whole = {"TERM": "xterm-256color", "LANG": "C.UTF-8", **env, SUITE: SUITE_ID}
    screen = Screen(argv, whole, cwd)
    try:
        yield screen
    except (AssertionError, TimeoutError) as fault:
        fault.add_note(screen.text())
        raise
    finally:
        for started in psutil.Process(screen.process.pid).children(recursive=True):
            started.kill()
        screen.close()


@contextmanager
def codex_terminal(env: Mapping[str, str], cwd: Path) -> Iterator[Screen]:
    """As a person starts it: with the shared daemon, whose socket is outside its home."""
    try:
        with elsewhere([CODEX], env, cwd) as screen:
            yield screen
    finally:
        (Path(env["CODEX_HOME"]) / SOCKET).resolve().unlink(missing_ok=True)
