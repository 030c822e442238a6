"""A real VS Code in a real Chromium, with the extension in it, before a real daemon with an offline Codex."""

import asyncio
import json
import os
import re
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
from playwright.async_api import Browser, FrameLocator, Locator, Page, expect
from tests.e2e.live_app import SUITE, SUITE_ID, left_over
from tests.e2e.mirror_surface import onlooker

from bascule.demo.home import prepare_settings
from bascule.demo.project import prepare_project
from bascule.host.files.data_folder import Folder, open_folder
from bascule.host.network.registration import find_daemon
from tools import code_server, vscode

PATIENCE_MS = 30_000  # the editor is large, and a busy machine slow
START_S = 60.0
FILTER_MS = 3_000  # for the list of commands to follow what is typed
BASCULE = Path(sys.executable).with_name("bascule")
QUIET_EDITOR = {
    "bascule.demo": True,
    "extensions.ignoreRecommendations": True,
    "files.autoSave": "off",
    "git.enabled": False,
    "security.workspace.trust.banner": "never",
    "security.workspace.trust.startupPrompt": "never",
    "telemetry.telemetryLevel": "off",
    "window.commandCenter": False,
    "workbench.colorTheme": "Default Dark Modern",
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": False,
}
# In every frame: what a policy has kept from happening.
TELL_REFUSED = """addEventListener("securitypolicyviolation", (event) =>
  console.error("POLICY", event.effectiveDirective, event.blockedURI, event.sourceFile));"""


class Home:
    """Folders of one person: the daemon's, the demo's project, the editor's own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.user = root / "editor"
        self.extensions = root / "extensions"
        self.data: Folder = open_folder(open_folder(root / "data").demo)

    @property
    def project(self) -> Path:
        return self.data.project

    def prepare(self) -> None:
        prepare_project(self.project, os.environ)
        prepare_settings(self.data.settings)
        self.install()

    def install(self) -> None:
        (self.user / "User").mkdir(parents=True)
        self.program.write_text(f'#!/bin/sh\necho "$*" >> "{self._starts}"\nexec "{BASCULE}" "$@"\n')
        self.program.chmod(0o755)
        self.configure()
        code_server.install_extension(vscode.PACKED, self.extensions, self.user)

    @property
    def program(self) -> Path:
        """`bascule`, which notes each time that it is started."""
        return self.root / "bascule"

    @property
    def _starts(self) -> Path:
        return self.root / "starts"

    def starts(self) -> list[str]:
        return self._starts.read_text(encoding="utf-8").splitlines() if self._starts.exists() else []

    def configure(self, **more: object) -> None:
        """The person's own settings, for the next window, in place of those that a window has set."""
        settings = QUIET_EDITOR | {"bascule.command": str(self.program)}
        settings |= {key.replace("__", "."): value for key, value in more.items()}
        (self.user / "User" / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
        (self.user / "Machine" / "settings.json").unlink(missing_ok=True)

    def environ(self) -> dict[str, str]:
        own = {"HOME": str(self.root), "BASCULE_HOME": str(self.root / "data"), SUITE: SUITE_ID}
        careless = (".", str(self.workspace_bin), os.environ["PATH"])
        path = os.pathsep.join(careless)
        return {**os.environ, **own, "PATH": path}

    @property
    def workspace_bin(self) -> Path:
        return self.project / "node_modules" / ".bin"

    def daemon_pid(self) -> int | None:
        daemon = find_daemon(self.data)
        return daemon.pid if daemon else None

    async def answer_elsewhere(self, *, grants: bool) -> None:
        """The one question that is open, on another surface."""
        daemon = find_daemon(self.data)
        assert daemon is not None
        async with onlooker(daemon, "another") as other:
            (one,) = (await other.call("ask.list")).asks
            choice = next(choice.id for choice in one.ask.choices if choice.grants == grants)
            await other.answer(one.session_id, ask_id=one.ask.id, choice=choice)

    async def begin_elsewhere(self, prompt: str) -> None:
        """A session in the same folder, on another surface."""
        daemon = find_daemon(self.data)
        assert daemon is not None
        async with onlooker(daemon, "another") as other:
            created = await other.call("session.create", workspace=str(self.project))
            await other.run(created.session_id, prompt)

    async def run(self, *words: str, stdin: str = "") -> str:
        """`bascule` with these words, in the demo."""
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            BASCULE, *words, "--demo", stdin=pipe, stdout=pipe, env=self.environ(), cwd=self.root
        )
        out, _ = await process.communicate(stdin.encode())
        return out.decode()


class Editor:
    """One window of the editor."""

    def __init__(self, page: Page, home: Home, address: str) -> None:
        self.page = page
        self.home = home
        self.refused: list[str] = []
        self._address = address
        page.on("console", lambda said: self.refused.append(said.text) if "POLICY" in said.text else None)

    async def open(self, query: str = "") -> None:
        await self.page.goto(f"{self._address}/?{query or f'folder={self.home.project}'}")
        await expect(self.page.locator(".monaco-workbench .statusbar")).to_be_visible()

    async def reload(self) -> None:
        """As the editor does it: a browser's own reload leaves it no time to store its layout."""
        async with self.page.expect_navigation():
            await self.run("Developer: Reload Window")
        await expect(self.page.locator(".monaco-workbench .statusbar")).to_be_visible()

    async def known(self) -> None:
        """The extension, to a window that has just been opened."""
        await expect(self.page.get_by_role("tab", name="Bascule")).to_be_visible()

    async def show_bascule(self) -> None:
        """By a command: a click on the side bar's button would close it where it is about to be restored."""
        await self.known()
        await self.run("View: Show Bascule")
        await expect(self.tree).to_be_visible()

    @property
    def tree(self) -> Locator:
        return self.page.locator(".pane", has=self.page.get_by_role("button", name="Sessions Section"))

    @property
    def chat(self) -> FrameLocator:
        """The page in the side bar: the first of the webviews, which all lie over the window."""
        return self.page.frame_locator("iframe.webview.ready").first.frame_locator("#active-frame")

    @property
    def tab(self) -> FrameLocator:
        """The page in an editor tab, beside the one in the side bar."""
        return self.page.frame_locator("iframe.webview.ready").nth(1).frame_locator("#active-frame")

    @property
    def last_tab(self) -> FrameLocator:
        """The page in the editor tab that was opened last."""
        return self.page.frame_locator("iframe.webview.ready").last.frame_locator("#active-frame")

    @property
    def input(self) -> Locator:
        return self.chat.get_by_role("textbox", name="Prompt to the agent")

    @property
    def dialog(self) -> Locator:
        return self.page.locator(".monaco-dialog-box")

    def side(self, side: str, name: str) -> Locator:
        """A text editor of a diff: `before` or `after`, of the file whose name starts so."""
        kind = {"before": "original", "after": "modified"}[side]
        return self.page.locator(f'.{kind}-in-monaco-diff-editor[data-uri*="/{name}"]')

    def button(self, name: str) -> Locator:
        """Of an editor's own toolbar."""
        return self.page.locator(".editor-actions").get_by_role("button", name=name)

    async def in_gutter(self, editor: Locator, line: int, name: str) -> None:
        """The menu at a line's number."""
        number = editor.locator(".line-numbers", has_text=re.compile(f"^{line}\\D*$"))
        await number.click(button="right")
        await self.page.get_by_role("menuitem", name=name).hover()
        await self.page.keyboard.press("Enter")  # a menu that has just opened ignores clicks

    def notice(self, text: str) -> Locator:
        return self.page.locator(".notification-toast", has_text=text)

    async def connected(self) -> None:
        await expect(self.chat.locator("body")).to_have_attribute("data-connection", "open")

    async def trust(self) -> None:
        """The folder, which starts the daemon."""
        await expect(self.tree).to_contain_text("that you don't trust")  # before, there is no such command
        await self.run("Workspaces: Manage Workspace Trust")
        trusting = self.page.locator(".workspace-trust-editor").get_by_role(
            "button", name="Trust", exact=True
        )
        await trusting.first.click()
        await self.connected()
        await self.close_editors()

    async def tidy(self) -> None:
        """What another test has left open."""
        if await self.dialog.count():
            await self.page.keyboard.press("Escape")
        await self.run("Notifications: Clear All Notifications")
        await self.close_editors()
        await self.show_bascule()
        await self.connected()

    async def say(self, text: str) -> None:
        await self.input.fill(text)
        await self.input.press("Enter")

    async def run(self, command: str) -> None:
        """A command of the palette, by its whole name."""
        await self.page.keyboard.press("F1")
        field = self.page.locator(".quick-input-widget input")
        row = self.page.locator(".quick-input-list .monaco-list-row").first
        named = re.compile(f"^{re.escape(command)}")
        async with asyncio.timeout(PATIENCE_MS / 1000):
            while (
                True
            ):  # the list has what was known when it was filtered, and an editor that starts learns more
                await field.fill(f">{command}")
                with suppress(AssertionError):
                    await expect(row).to_have_attribute("aria-label", named, timeout=FILTER_MS)
                    break
                await field.fill(">")
        await row.click()

    async def new_session(self) -> None:
        shown = self.chat.get_by_role("main")
        before = await shown.get_attribute("data-session")
        await self.run("Bascule: New Session")
        another = re.compile(f"^(?!{re.escape(before)}$).+") if before else re.compile(".+")
        await expect(shown).to_have_attribute("data-session", another)
        await expect(self.input).to_be_visible()

    async def open_file(self, name: str) -> Locator:
        """In the explorer, as a person does; its text editor."""
        await self.run("View: Show Explorer")
        await self.page.get_by_role("treeitem", name=name, exact=True).first.dblclick()
        editor = self.page.locator(f'.monaco-editor[data-uri$="/{name}"]').first
        await expect(editor).to_be_visible()
        return editor

    async def select_lines(self, count: int) -> None:
        """The first ones of the file that has the focus."""
        await self.page.keyboard.press("Control+Home")
        for _ in range(count):
            await self.page.keyboard.press("Shift+ArrowDown")

    async def close_editors(self) -> None:
        await self.run("View: Close All Editors")


@asynccontextmanager
async def open_server(home: Home) -> AsyncIterator[str]:
    """code-server, until its port answers; it and the daemon are ended afterwards."""
    port = _free_port()
    words = ("--auth=none", f"--bind-addr=127.0.0.1:{port}", "--disable-telemetry", "--disable-update-check")
    folders = (f"--user-data-dir={home.user}", f"--extensions-dir={home.extensions}")
    log = (home.root / "server.log").open("wb")
    process = await asyncio.create_subprocess_exec(
        *code_server.server_argv(*words, *folders), env=home.environ(), cwd=home.root, stdout=log, stderr=log
    )
    try:
        await _until_listening(port, process)
        yield f"http://127.0.0.1:{port}"
    finally:
        log.close()
        if process.returncode is None:
            process.terminate()
        await process.wait()
        await asyncio.to_thread(_end_hosts, home)
        await home.run("down")


def _is_host(process: psutil.Process, root: str) -> bool:
    with suppress(psutil.NoSuchProcess):
        return process.name() == "node" and process.environ().get("HOME") == root
    return False


def _end_hosts(home: Home) -> None:
    """Of extensions: they wait for a window that could come back."""
    root = str(home.root)
    hosts = [one for one in left_over() if _is_host(one, root)]
    _, alive = psutil.wait_procs(hosts, timeout=1)
    for one in alive:
        with suppress(psutil.NoSuchProcess):
            one.kill()
    psutil.wait_procs(alive, timeout=5)


async def _until_listening(port: int, process: asyncio.subprocess.Process) -> None:
    async with asyncio.timeout(START_S):
        while True:
            assert process.returncode is None, "code-server has ended; see server.log"
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                await asyncio.sleep(0.1)  # a server that is about to listen tells nobody
            else:
                writer.close()
                return


@asynccontextmanager
async def open_editor(browser: Browser, home: Home, address: str, **wishes: Any) -> AsyncIterator[Editor]:
    context = await browser.new_context(viewport={"width": 1280, "height": 800}, **wishes)
    await context.add_init_script(TELL_REFUSED)
    page = await context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    try:
        yield Editor(page, home, address)
    finally:
        await context.close()


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port
