"""The extension in a real VS Code: its start, its size, and how typing feels while a session streams."""

import asyncio
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import psutil
from playwright.async_api import expect
from tests.page.viewer import open_browser
from tests.vscode.editor import Editor, Home, open_editor, open_server

from bascule.host.files.data_folder import open_folder
from bench.page import percentile, running_daemon
from bench.scale import Figures, Scale, spread_percent
from tools import code_server, vscode

AIM_ACTIVATION_CPU_MS = 50
AIM_KEY_MS = 50  # from a keystroke to its paint, p95
QUIET_S = 10
KEY_EVERY_MS = 80
SETTLED_S = 1.0  # without work, an extension host has nothing left to do
FILE = "typed.txt"
PROBE = Path(__file__).with_name("vscode_probe.js")
NOTES_ACTIVATION = Path(__file__).with_name("vscode_activation.js")


class StoredHome(Home):
    """With the sessions of the page's bench, and its daemon."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.data = open_folder(root / "data")

    @property
    def project(self) -> Path:
        return self.root / "workspace"

    def install(self) -> None:
        """With something before it that notes what its activation takes."""
        super().install()
        main = self._dist / "extension.js"
        main.rename(self._dist / "bascule.js")
        shutil.copyfile(NOTES_ACTIVATION, main)

    def activations(self) -> list[float]:
        """Processor time of the host for loading and activating the extension, in milliseconds."""
        lines = (self._dist / "activations.jsonl").read_text(encoding="utf-8").splitlines()
        return [sum(json.loads(line).values()) for line in lines]

    @property
    def _dist(self) -> Path:
        (dist,) = self.extensions.glob("bascule.bascule-*/dist")
        return dist


def measure(scale: Scale) -> Figures:
    assert code_server.main() == 0
    pack = [sys.executable, "-m", "tools.vscode", "pack"]
    subprocess.run(pack, stdout=sys.stderr, check=True)  # our own output is one line
    with running_daemon(scale) as (root, daemon):
        home = StoredHome(root)
        home.install()
        home.configure(bascule__demo=False, security__workspace__trust__enabled=False)
        (home.project / FILE).write_text("", encoding="utf-8")
        return asyncio.run(_measure(home, daemon, scale))


async def _measure(home: StoredHome, daemon: "subprocess.Popen[str]", scale: Scale) -> Figures:
    shown, painted, spent = [], [], []
    async with open_server(home) as address, open_browser() as browser:
        for _ in range(scale.rounds):
            async with open_editor(browser, home, address) as editor:
                opened_at = await _open(editor)
                cpu, first_ms, list_ms = await _show(editor, opened_at)
                spent.append(cpu)
                painted.append(first_ms)
                shown.append(list_ms)
        async with open_editor(browser, home, address) as editor:
            opened_at = await _open(editor)
            await editor.page.get_by_role("treeitem", name=FILE, exact=True).dblclick()
            await _show(editor, opened_at)
            typed = await _typing(editor, daemon, scale.seconds, opened_at)
    return {
        "vsix_kb": round(vscode.PACKED.stat().st_size / 1000),
        "activation_cpu_ms": round(min(home.activations()), 1),
        "aim_activation_cpu_ms": AIM_ACTIVATION_CPU_MS,
        "shown_host_cpu_ms": round(min(spent)),  # with the editor's own work, and the list of all sessions
        "chat_first_paint_ms": round(min(painted)),
        "chat_connected_ms": round(min(shown)),
        "spread_percent": spread_percent(painted),
        **typed,
    }


async def _open(editor: Editor) -> float:
    """The moment before: the hosts of earlier windows are older and may end at any time."""
    await editor.page.add_init_script(path=PROBE)
    opened_at = time.time()
    await editor.open()
    return opened_at


async def _show(editor: Editor, opened_at: float) -> tuple[float, float, float]:
    """From the click in the activity bar: the host's processor time, the first paint, the connection."""
    host = await _settled_host(opened_at)
    before = _cpu_ms(host)
    await editor.page.get_by_role("tab", name="Bascule").click()
    await editor.connected()
    connected: float = await editor.page.evaluate("probe.now() - probe.clickedAt")
    (frame,) = [one for one in editor.page.frames if "fake.html" in one.url]
    painted = await frame.evaluate("probe.painted")
    clicked = await editor.page.evaluate("probe.clickedAt")
    return _cpu_ms(await _settled_host(opened_at)) - before, painted - clicked, connected


async def _typing(editor: Editor, daemon: "subprocess.Popen[str]", seconds: int, opened_at: float) -> Figures:
    """Into a text editor, with the session beside it: while nothing comes, and while very much does."""
    assert daemon.stdin is not None
    assert daemon.stdout is not None
    await editor.tree.get_by_role("treeitem", name="Flooded").click()
    await expect(editor.input).to_be_visible()
    await editor.page.locator(f'.monaco-editor[data-uri$="/{FILE}"] .view-lines').click()
    quiet = await _type(editor, QUIET_S)
    host = await _settled_host(opened_at)
    before = _cpu_ms(host)
    print("runs", seconds, file=daemon.stdin, flush=True)
    keys = await _type(editor, seconds)
    changes = int(await asyncio.to_thread(daemon.stdout.readline))
    return {
        "changes_per_s": round(changes / seconds),
        "quiet_key_to_paint_p50_ms": round(percentile(quiet, 50), 1),
        "quiet_key_to_paint_p95_ms": round(percentile(quiet, 95), 1),
        "key_to_paint_p50_ms": round(percentile(keys, 50), 1),
        "key_to_paint_p95_ms": round(percentile(keys, 95), 1),
        "aim_key_to_paint_p95_ms": AIM_KEY_MS,
        "host_percent": round((_cpu_ms(host) - before) / seconds / 10, 1),
    }


async def _type(editor: Editor, seconds: int) -> list[float]:
    words = "somebody types while it streams "
    count = seconds * 1000 // KEY_EVERY_MS
    await editor.page.evaluate("probe.keys = []")
    await editor.page.keyboard.type((words * (count // len(words) + 1))[:count], delay=KEY_EVERY_MS)
    keys: list[float] = await editor.page.evaluate("probe.keys")
    return keys


async def _settled_host(opened_at: float) -> psutil.Process:
    """The extension host of the window opened then, once it has nothing more to do."""
    last, since = -1.0, 0.0
    while True:
        host = await asyncio.to_thread(_find_host, opened_at)
        spent = _cpu_ms(host) if host else -1.0
        since = since + 0.1 if spent == last and host else 0.0
        if host and since >= SETTLED_S:
            return host
        last = spent
        await asyncio.sleep(0.1)


def _find_host(opened_at: float) -> psutil.Process | None:
    children = psutil.Process().children(recursive=True)
    return next((child for child in children if _is_host(child, opened_at)), None)


def _is_host(process: psutil.Process, opened_at: float) -> bool:
    try:
        words = process.cmdline()
        return process.create_time() >= opened_at and any("extensionHost" in word for word in words)
    except psutil.Error:  # it has ended meanwhile
        return False


def _cpu_ms(process: psutil.Process) -> float:
    times = process.cpu_times()
    return 1000.0 * (times.user + times.system)
