"""A Chromium before the page, and what its own clocks say: tasks of the main thread, heap, elements."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright
from tools.system_programs import MISSING, QUIET, find_browser

from bascule.cli.connect.daemon_call import call
from bascule.host.files.data_folder import Folder
from bascule.host.network.registration import find_daemon
from bascule.serve.http import LinkReport
from bench.mirror import PATIENCE_S

PROBE = Path(__file__).with_name("page_probe.js")
PRECISE = "--enable-precise-memory-info"
TASK = "ThreadControllerImpl::RunTask"
MAIN_THREAD = "CrRendererMain"


class Event(Struct):
    """Of a trace; times are in microseconds."""

    name: str
    pid: int
    tid: int
    dur: float = 0
    tdur: float = 0  # of the processor, where the system tells
    args: dict[str, object] = {}


class Trace(Struct):
    traceEvents: list[Event]  # noqa: N815


class Weight(Struct, frozen=True):
    heap: int  # bytes in use, after collecting
    nodes: int


class Viewer:
    def __init__(self, page: Page, devtools: CDPSession) -> None:
        self.page = page
        self._devtools = devtools

    def spent_ms(self) -> float:
        """The processor's time of the main thread so far: what else runs on the machine is not in it."""
        return 1000 * self._metrics()["TaskDuration"]

    def weigh(self) -> Weight:
        self._devtools.send("HeapProfiler.collectGarbage")
        metrics = self._metrics()
        return Weight(int(metrics["JSHeapUsedSize"]), int(metrics["Nodes"]))

    def _metrics(self) -> dict[str, float]:
        metrics = self._devtools.send("Performance.getMetrics")["metrics"]
        return {one["name"]: one["value"] for one in metrics}

    def longest_task_ms(self, do: Callable[[], object]) -> tuple[float, float]:
        """Of the main thread while something is done: by the clock, and of the processor alone."""
        browser = self.page.context.browser
        assert browser is not None
        browser.start_tracing(page=self.page, categories=["toplevel"])
        try:
            do()
        finally:
            trace = browser.stop_tracing()
        return _find_longest(msgspec.json.decode(trace, type=Trace).traceEvents)


def _find_longest(events: list[Event]) -> tuple[float, float]:
    main = {(one.pid, one.tid) for one in events if one.args.get("name") == MAIN_THREAD}
    tasks = [one for one in events if one.name == TASK and (one.pid, one.tid) in main]
    assert tasks, "the trace holds no tasks of the page: nothing was measured"
    return max(one.dur for one in tasks) / 1000, max(one.tdur for one in tasks) / 1000


@contextmanager
def open_browser() -> Iterator[Browser]:
    program = find_browser()
    assert program is not None, MISSING
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(
            executable_path=program, args=[*QUIET, PRECISE], downloads_path=folder
        )
        yield browser
        browser.close()


@contextmanager
def open_viewer(browser: Browser, root: Path) -> Iterator[Viewer]:
    """A profile that has never been here, let in by a link, with the list before it."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(PATIENCE_S * 1000)
    context.add_init_script(path=PROBE)
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(_new_link(root))
    page.evaluate("probe.listed")
    yield Viewer(page, devtools)
    context.close()


def _new_link(root: Path) -> str:
    daemon = find_daemon(Folder(root / "data"))
    assert daemon is not None
    return msgspec.json.decode(call(daemon, "POST", "/link", str(root / "workspace")), type=LinkReport).url
