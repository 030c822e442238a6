"""Windows in which no daemon comes up, or one that misses something: each says so, with the next step."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.async_api import Locator, expect
from tests.vscode.conftest import OpenWindow
from tests.vscode.editor import BASCULE, Editor, Home

from bascule.model.protocol.setup import Check, Inspected

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(180)]

# Answers as a daemon of such a version does, with what its setup misses.
FAKE = """#!{python}
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    result = {answers}.get(asked["method"], {{}})
    if "id" in asked:
        print(json.dumps({{"jsonrpc": "2.0", "id": asked["id"], "result": result}}), flush=True)
"""


def make_fake(home: Home, version: str, *checks: Check) -> str:
    hello = {
        "protocol_version": version,
        "server": {"name": "bascule", "version": "9.9"},
        "server_capabilities": {},
    }
    place = home.root / f"fake-{version}-{len(checks)}-{os.urandom(4).hex()}"
    setup = msgspec.to_builtins(Inspected(checks=checks))
    answers = {"initialize": hello, "setup.inspect": setup, "ask.list": {"asks": []}}
    place.write_text(FAKE.format(python=sys.executable, answers=answers), encoding="utf-8")
    place.chmod(0o755)
    return str(place)


async def offered(editor: Editor, text: str, *buttons: str) -> Locator:
    """Looked at first: after some seconds the editor moves a notice to its bell."""
    notice = editor.notice(text)
    for name in buttons:
        await expect(notice.get_by_role("button", name=name)).to_be_visible()
    return notice


async def test_a_named_program_that_is_missing(window: OpenWindow) -> None:
    async with window(bascule__command="/nowhere/bascule") as editor:
        await editor.show_bascule()
        await offered(editor, "Can't find /nowhere/bascule", "Open Settings", "Try Again")
        await expect(editor.page.get_by_role("button", name="Bascule: Can't reach Bascule.")).to_be_visible()


async def test_nothing_is_installed(window: OpenWindow) -> None:
    async with window(bascule__command="") as editor:
        await editor.show_bascule()
        notice = await offered(editor, "isn't installed", "How to Install", "Open Settings", "Try Again")
        await notice.get_by_role("button", name="How to Install").click()
        await expect(editor.page.get_by_role("tab", name=re.compile("Preview readme"))).to_be_visible()
        await expect(editor.tree).to_contain_text("Bascule wasn't found on this machine")
        await expect(editor.chat.get_by_text("isn't installed on this machine")).to_be_visible()
        await editor.close_editors()
        await editor.chat.get_by_role("button", name="How to Install").click()
        await expect(editor.page.get_by_role("tab", name=re.compile("Preview readme"))).to_be_visible()


async def test_a_daemon_of_another_version(window: OpenWindow, home: Home) -> None:
    async with window(bascule__command=make_fake(home, "99")) as editor:
        await editor.show_bascule()
        await offered(
            editor, "Bascule 9.9 speaks another version of the protocol", "How to Install", "Try Again"
        )


INSTALL = Check(name="codex", state="missing", text="not found", step="install", commands=("true",))
NAMED = Check(name="codex", state="missing", text="/x does not run", next="Set another.", step="install")


@pytest.mark.parametrize(
    ("check", "text", "button"),
    [
        (INSTALL, "Codex is not installed yet.", "Install in Terminal"),
        (NAMED, "Codex: /x does not run Set another.", "Check the Setup"),
    ],
)
async def test_no_codex(window: OpenWindow, home: Home, check: Check, text: str, button: str) -> None:
    async with window(bascule__command=make_fake(home, "0", check)) as editor:
        await editor.show_bascule()
        await offered(editor, text, button)


async def test_a_codex_that_is_logged_out(window: OpenWindow, logged_out: Path) -> None:
    """A real one; where a person has a model provider of their own, it is said only once."""
    ours = {"bascule__command": str(logged_out), "bascule__demo": False}
    as_text = {"terminal__integrated__gpuAcceleration": "off"}
    async with window(**ours, **as_text) as editor:
        await editor.show_bascule()
        notice = await offered(editor, "Nobody is signed in to Codex.", "Don't Show Again")
        await notice.get_by_role("button", name="Sign In in Terminal").click()
        await expect(editor.page.locator(".xterm-rows")).to_contain_text("login --device-auth")
        await editor.run("Terminal: Kill All Terminals")
        await editor.reload()  # which shows Bascule again
        await notice.get_by_role("button", name="Don't Show Again").click()
        await editor.reload()
        await editor.show_bascule()
        await expect(editor.chat.get_by_text("Nobody is signed in.")).to_be_visible()  # in the chat
        await expect(notice).to_have_count(0)


@pytest.fixture
def logged_out(home: Home) -> Iterator[Path]:
    """`bascule` with a data folder of its own, without the demo."""
    program = home.root / "logged-out"
    environ = home.environ() | {"BASCULE_HOME": str(home.root / "logged-out-data")}
    program.write_text(f'#!/bin/sh\nBASCULE_HOME="{environ["BASCULE_HOME"]}" exec "{BASCULE}" "$@"\n')
    program.chmod(0o755)
    yield program
    program.unlink()  # extensions outlive their window, and would start another daemon
    subprocess.run([BASCULE, "down"], env=environ, check=True)


@pytest.fixture
def planted(home: Home) -> Iterator[Path]:
    """Programs of the workspace's own, everywhere that one could be looked for; what they leave when run."""
    ran = home.root / "planted-ran"
    places = [home.project / ".venv/bin/bascule", home.workspace_bin / "bascule", home.project / "bascule"]
    for place in places:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f'#!/bin/sh\necho "$0" >> "{ran}"\n', encoding="utf-8")
        place.chmod(0o755)
    settings = home.project / ".vscode" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(json.dumps({"bascule.command": str(places[2])}), encoding="utf-8")
    yield ran
    for place in (*places, settings):
        place.unlink()


@pytest.mark.parametrize("trusted", [False, True])
async def test_a_program_of_the_workspace_runs_only_after_a_yes(
    window: OpenWindow, planted: Path, *, trusted: bool
) -> None:
    settings = {} if trusted else {"security__workspace__trust__enabled": True}
    async with window(bascule__command="", **settings) as editor:
        await editor.show_bascule()
        text = "only found inside a project" if trusted else "starts nothing in a folder that you don't trust"
        await expect(editor.chat.get_by_text(text)).to_be_visible()
        for command in ("New Session", "Open in Browser", "Doctor: Check the Setup"):
            await editor.run("Notifications: Clear All Notifications")
            await editor.run(f"Bascule: {command}")
            await expect(editor.notice(text)).to_be_visible()
        assert not planted.exists()
        help_ = "How to Install" if trusted else "Manage Workspace Trust"  # in the chat, never a yes
        await expect(editor.chat.get_by_role("button", name=help_)).to_be_visible()
        await expect(editor.chat.get_by_role("button", name="Use It Anyway")).to_have_count(0)
        if trusted:
            yes = editor.notice(text).get_by_role("button", name="Use It Anyway")
            await yes.click()
            await expect(editor.tree).to_contain_text("Can't reach Bascule")  # it was started, and ended
            assert planted.read_text(encoding="utf-8").startswith(str(editor.home.project))
