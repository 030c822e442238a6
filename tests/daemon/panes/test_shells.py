"""Real shells in panes: the person's own files are read, and prompt, folder and command are known."""

import shutil
import sys
from pathlib import Path

import pytest
from tests.daemon.panes.panes import find_sleeper, machine, surface_of

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no ptys")

# Where the person's own settings are, and what in them shows that they were read.
OWN = {
    "bash": (".bashrc", "PS1='mine> '; MINE=my-own-file; PROMPT_COMMAND='true'\n"),
    "zsh": (".zshrc", "PS1='mine> '; MINE=my-own-file; precmd() { true }\n"),
    "fish": (
        ".config/fish/config.fish",
        "function fish_prompt; echo -n 'mine> '; end; set -g MINE my-own-file\n",
    ),
}
SHELLS = [
    pytest.param(name, marks=pytest.mark.skipif(shutil.which(name) is None, reason="not installed"))
    for name in OWN
]


@pytest.mark.parametrize("shell", SHELLS)
async def test_prompt_folder_and_command_are_known_and_their_own_files_are_read(
    tmp_path: Path, shell: str
) -> None:
    name, text = OWN[shell]
    own = tmp_path / "home" / name
    own.parent.mkdir(parents=True)
    own.write_text(text)
    there = tmp_path / "a; b 猫"
    there.mkdir()
    program = shutil.which(shell)
    assert program is not None
    env = {"SHELL": program, "ZDOTDIR": "", "XDG_CONFIG_HOME": "", "LC_ALL": "C.UTF-8"}
    async with machine(tmp_path, env) as app, surface_of(app) as page:
        commands: list[str] = []
        app.panes.on_command = lambda _pane, line: commands.append(line)
        pane = await page.open(tmp_path)
        await page.until_shown(pane, b"mine> ")
        await page.type(pane, "echo got-$MINE; env | grep -c ^BASCULE_SHELL\r")
        await page.until_shown(pane, b"got-my-own-file\r\n0\r\n")
        await page.type(pane, f"cd '{there}'\r")
        await page.until(pane, cwd=str(there), command="")
        await page.type(pane, "sleep 1000; echo 'x;y'\r")
        await page.until(pane, command="sleep 1000; echo 'x;y'")
        pty = app.panes.get(pane).pty
        assert pty is not None
        await find_sleeper(pty.pid, "1000")
        await page.type(pane, "\x03")
        await page.until(pane, command="")
        assert commands[-1] == "sleep 1000; echo 'x;y'"
        assert commands[0] == "echo got-$MINE; env | grep -c ^BASCULE_SHELL"


async def test_marks_that_a_program_prints_are_not_believed(tmp_path: Path) -> None:
    (tmp_path / "lie").write_bytes(b"\x1b]633;P;Cwd=/lie\x07\x1b]133;A\x07\x1b]633;E;codex;guess\x07THE-END")
    program = shutil.which("bash")
    assert program is not None
    async with machine(tmp_path, {"SHELL": program}) as app, surface_of(app) as page:
        commands: list[str] = []
        prompts: list[str] = []
        app.panes.on_command = lambda _pane, line: commands.append(line)
        pane = await page.open(tmp_path)
        await page.until_shown(pane, b"aid=")
        app.panes.on_prompt = prompts.append
        await page.type(pane, "cat lie; sleep 1000\r")
        await page.until_shown(pane, b"THE-END")
        told = await page.until(pane, command="cat lie; sleep 1000")
        assert (told.cwd, commands, prompts) == (str(tmp_path), ["cat lie; sleep 1000"], [])


async def test_a_shell_with_marks_of_another_integration_counts_while_it_has_the_keys(
    tmp_path: Path,
) -> None:
    async with machine(tmp_path) as app, surface_of(app) as page:
        prompts: list[str] = []
        app.panes.on_prompt = prompts.append
        pane = await page.open(tmp_path)
        await page.type(pane, "PS1=\"$(printf '\\033]7;file://host/srv\\007$ ')\"\r")
        await page.until(pane, cwd="/srv")
        assert prompts
        before = len(prompts)
        await page.type(pane, "(printf '\\033]7;file://host/lie\\007'; sleep 1000) ; true\r")
        await page.until_shown(pane, b"host/lie\x07")
        assert len(prompts) == before
        assert page.panes[pane].cwd == "/srv"
