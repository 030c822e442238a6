"""Real shells whose own files are odd: each goes on as the person left it, and its marks still come."""

import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.daemon.panes.panes import PaneSurface, machine, surface_of

import bascule.host.terminals

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no ptys")

FILES = {"bash": ".bashrc", "zsh": ".zshrc", "fish": ".config/fish/config.fish"}
ODD = {
    "bash": {
        "errexit": "set -e",
        "nounset": "set -u",
        "own printf": "printf() { echo lost; }; alias printf='echo lost'",
        "array of prompt commands": "PROMPT_COMMAND=(true 'false && true')",
        "posix": "set -o posix",
        "no globbing": "set -f; shopt -u extglob",
        "times in the history": "HISTTIMEFORMAT='%F %T 7 '",
    },
    "zsh": {
        "errexit": "setopt errexit",
        "nounset": "setopt nounset",
        "own printf": "printf() { echo lost }; alias printf='echo lost'",
        "no functions to load": "fpath=()",
        "ksh": "setopt ksh_arrays sh_word_split glob_subst no_prompt_subst",
    },
    "fish": {"own printf": "function printf; echo lost; end", "own prompt": "function fish_prompt; end"},
}
CASES = [
    pytest.param(shell, text, id=f"{shell}, {name}")
    for shell, texts in ODD.items()
    for name, text in texts.items()
    if shutil.which(shell)
]


class Shell:
    """One shell in a pane, and the commands that it marked."""

    def __init__(self, page: PaneSurface, pane: str) -> None:
        self.page, self.pane = page, pane
        self.commands: list[str] = []

    async def run(self, line: str, shows: bytes) -> None:
        await self.page.type(self.pane, line + "\r")
        await self.page.until_shown(self.pane, shows)
        await self.page.until(self.pane, command="")


@asynccontextmanager
async def opened(tmp_path: Path, shell: str, text: str, **env: str) -> AsyncIterator[Shell]:
    own = tmp_path / "home" / FILES[shell]
    own.parent.mkdir(parents=True)
    own.write_text(text + "\n")
    plain = {"SHELL": str(shutil.which(shell)), "ZDOTDIR": "", "XDG_CONFIG_HOME": "", "LC_ALL": "C.UTF-8"}
    async with machine(tmp_path, {**plain, **env}) as app, surface_of(app) as page:
        pane = await page.open(tmp_path)
        one = Shell(page, pane)
        app.panes.on_command = lambda _pane, line: one.commands.append(line)
        await page.until_shown(pane, b";aid=")
        yield one


@pytest.mark.parametrize(("shell", "text"), CASES)
async def test_odd_files_of_ones_own_cost_no_mark_and_no_shell(tmp_path: Path, shell: str, text: str) -> None:
    async with opened(tmp_path, shell, text) as one:
        await one.run("false && true", b"D;1")
        await one.run("echo is-$((3 + 4))" if shell != "fish" else "echo is-(math 3 + 4)", b"is-7\r\n")
        assert [line.split()[0] for line in one.commands] == ["false", "echo"]


@pytest.mark.parametrize("names", ["PROMPT_COMMAND", "PROMPT_COMMAND PS0", "PROMPT_COMMAND PS1 PS0"])
async def test_what_was_made_read_only_in_bash_is_left_and_nothing_is_complained_of(
    tmp_path: Path, names: str
) -> None:
    text = f"PROMPT_COMMAND=true; PS0=; PS1='mine> '; readonly {names}"
    own = tmp_path / "home" / ".bashrc"
    own.parent.mkdir()
    own.write_text(text + "\n")
    env = {"SHELL": str(shutil.which("bash"))}
    async with machine(tmp_path, env) as app, surface_of(app) as page:
        commands: list[str] = []
        prompts: list[str] = []
        app.panes.on_command = lambda _pane, line: commands.append(line)
        app.panes.on_prompt = prompts.append
        pane = await page.open(tmp_path)
        await page.until_shown(pane, b"mine> ")
        await page.type(pane, "cd /; echo is-$((3 + 4))\r")
        shown = await page.until_shown(pane, b"is-7\r\n")
        assert b"readonly" not in shown
        if "PS1" not in names:
            await page.until(pane, cwd="/")
            assert len(prompts) >= 2
        assert [line for line in commands if line] == []  # it can't be known, and isn't guessed


async def test_a_prompt_that_bash_must_not_expand_is_left_as_it_is(tmp_path: Path) -> None:
    async with opened(tmp_path, "bash", "shopt -u promptvars; PS0='zero '") as one:
        await one.run("echo is-$((3 + 4))", b"zero is-7\r\n")
        assert b"__bascule" not in one.page.shown[one.pane]


@pytest.mark.skipif(not shutil.which("zsh"), reason="missing")
async def test_the_history_of_zsh_is_never_beside_our_files(tmp_path: Path) -> None:
    """As where a system-wide zshrc says HISTFILE=${ZDOTDIR:-$HOME}/.zhistory."""
    ours = Path(bascule.host.terminals.__file__).parent / "integration/zsh/.zhistory"
    async with opened(tmp_path, "zsh", "", HISTFILE=str(ours)) as one:
        await one.run("echo at-$HISTFILE-", b"at-%s-\r\n" % str(tmp_path / "home/.zsh_history").encode())


@pytest.mark.parametrize("shell", [name for name in ("bash", "zsh") if shutil.which(name)])
async def test_no_program_that_ones_own_files_start_sees_the_nonce(tmp_path: Path, shell: str) -> None:
    async with opened(tmp_path, shell, "env > ~/seen") as one:
        await one.run("echo is-$((3 + 4))", b"is-7\r\n")
        assert "BASCULE_SHELL_NONCE" not in (tmp_path / "home/seen").read_text()
