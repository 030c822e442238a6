"""The page in a real Chromium: first list, a long session, a flood while somebody types, a vast diff."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Locator

from bascule.host.files.data_folder import open_folder
from bench.page_stored import DIFF, FILES, FLOODED, LAST, LONG_LINE, SMALL, long_session, store_all
from bench.page_viewer import Viewer, open_browser, open_viewer
from bench.scale import Figures, Scale, megabytes, spread_percent

AIM_LISTED_MS = 300
AIM_OPENED_MS = 300
AIM_TASK_MS = 50  # the longest one of the main thread
AIM_KEY_MS = 50  # from a keystroke to its paint, p95
FLOOD_S = 30
QUIET_S = 10
KEY_EVERY_MS = 80
WHEEL_STEPS = 60
WHEEL = 700  # pixels


def measure(scale: Scale) -> Figures:
    with running_daemon(scale) as (root, daemon), open_browser() as browser:
        return {
            **_list(browser, root, scale),
            **_open(browser, root, scale),
            **_quiet(browser, root),
            **_flood(browser, root, daemon, "runs"),
            **_flood(browser, root, daemon, "answer"),
            **_diff(browser, root),
        }


@contextmanager
def running_daemon(scale: Scale) -> "Iterator[tuple[Path, subprocess.Popen[str]]]":
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        workspace = root / "workspace"
        workspace.mkdir()
        store_all(open_folder(root / "data"), workspace, blocks=scale.blocks, long=scale.rounds)
        pipe = subprocess.PIPE
        argv = [sys.executable, "-m", "bench.page_daemon", folder]
        with subprocess.Popen(argv, stdin=pipe, stdout=pipe, text=True) as daemon:
            assert daemon.stdin is not None
            assert daemon.stdout is not None
            assert daemon.stdout.readline() == "ready\n"
            yield root, daemon
            daemon.stdin.close()


def _list(browser: Browser, root: Path, scale: Scale) -> Figures:
    """With nothing in the browser's cache."""
    listed, painted, spent, first, all_ = [], [], [], [], []
    for _ in range(scale.rounds):
        with open_viewer(browser, root) as viewer:
            spent.append(viewer.spent_ms())
            listed.append(viewer.page.evaluate("probe.listed"))
            painted.append(viewer.page.evaluate("performance.getEntriesByType('paint').at(-1).startTime"))
            first = viewer.page.evaluate("probe.listed.then((at) => probe.downloads(at))")
            viewer.page.get_by_role("log").wait_for()
            all_ = viewer.page.evaluate("probe.downloads(Infinity)")
    return {
        "sessions": SMALL,
        "list_painted_ms": round(min(listed)),
        "aim_list_painted_ms": AIM_LISTED_MS,
        "first_paint_ms": round(min(painted)),
        "list_cpu_ms": round(min(spent)),
        "list_spread_percent": spread_percent(listed),
        **_sum_up(first, "download_for_list"),
        **_sum_up(all_, "download_for_session"),
    }


def _sum_up(downloads: list[tuple[str, int, int]], name: str) -> Figures:
    return {
        f"{name}_kb": round(sum(sent for _, sent, _ in downloads) / 1000, 1),
        f"{name}_unpacked_kb": round(sum(used for _, _, used in downloads) / 1000, 1),
        f"{name}_files": len(downloads),
    }


def _open(browser: Browser, root: Path, scale: Scale) -> Figures:
    """Each round another session that the daemon has on its disk only."""
    opened, spent = [], []
    with open_viewer(browser, root) as viewer:
        viewer.page.get_by_role("log").wait_for()
        before = viewer.weigh()
        for number in range(scale.rounds):
            start_ms = viewer.spent_ms()
            opened.append(_open_once(viewer, number))
            spent.append(viewer.spent_ms() - start_ms)
        after = viewer.weigh()
        shown = viewer.page.locator("[data-block]").count()
    return {
        "blocks": scale.blocks,
        "open_ms": round(min(opened)),
        "aim_open_ms": AIM_OPENED_MS,
        "open_cpu_ms": round(min(spent)),
        "open_spread_percent": spread_percent(opened),
        "blocks_in_document": shown,
        "nodes": after.nodes,
        "heap_mb": megabytes(before.heap),
        "heap_growth_per_session_mb": megabytes((after.heap - before.heap) / scale.rounds),
    }


def _open_once(viewer: Viewer, number: int) -> float:
    """From the click in the list until the last screen is painted."""
    _wait_until(viewer, f"() => probe.isAtEnd('{LAST}')")
    _click(viewer, long_session(number))
    return float(viewer.page.evaluate("probe.shown.then((at) => at - probe.clickedAt)"))


def _wait_until(viewer: Viewer, shown: str) -> None:
    """Begins to look only once something was clicked: what is shown before does not count."""
    viewer.page.evaluate(
        f"""() => {{
          probe.clickedAt = 0;
          const isShown = {shown};
          const title = () => document.querySelector('[role="option"][aria-selected="true"]')?.id;
          const before = title();
          probe.shown = probe.until(() => probe.clickedAt > 0 && title() !== before && isShown());
        }}"""
    )


def _click(viewer: Viewer, session: str) -> None:
    viewer.page.locator(f'[role="option"][id$="-{session}"]').click()


def _quiet(browser: Browser, root: Path) -> Figures:
    """What typing costs here while nothing comes: what the floods are held against."""
    with open_viewer(browser, root) as viewer:
        _begin_typing(viewer)
        task, _ = viewer.longest_task_ms(lambda: _type(viewer, QUIET_S))
        keys = viewer.page.evaluate("probe.keys")
    return {
        "quiet_longest_task_ms": round(task, 1),
        "quiet_key_to_paint_p50_ms": round(percentile(keys, 50), 1),
        "quiet_key_to_paint_p95_ms": round(percentile(keys, 95), 1),
    }


def _begin_typing(viewer: Viewer) -> Locator:
    _click(viewer, FLOODED)
    field = viewer.page.get_by_role("textbox", name="Prompt to the agent")
    field.click()
    return field


def _flood(browser: Browser, root: Path, daemon: "subprocess.Popen[str]", kind: str) -> Figures:
    assert daemon.stdin is not None
    assert daemon.stdout is not None
    with open_viewer(browser, root) as viewer:
        field = _begin_typing(viewer)
        before, start_ms = viewer.weigh(), viewer.spent_ms()
        print(kind, FLOOD_S, file=daemon.stdin, flush=True)
        task, task_cpu = viewer.longest_task_ms(lambda: _type(viewer, FLOOD_S))
        spent = viewer.spent_ms() - start_ms
        changes = int(daemon.stdout.readline())
        keys = viewer.page.evaluate("probe.keys")
        assert field.input_value().strip(), "nothing was typed: nothing was measured"
        after = viewer.weigh()
        shown = viewer.page.locator("[data-block]").count()
    return {
        f"{kind}_changes_per_s": round(changes / FLOOD_S),
        f"{kind}_longest_task_ms": round(task, 1),
        f"aim_{kind}_longest_task_ms": AIM_TASK_MS,
        f"{kind}_longest_task_cpu_ms": round(task_cpu, 1),
        f"{kind}_main_thread_percent": round(spent / FLOOD_S / 10, 1),
        f"{kind}_keys": len(keys),
        f"{kind}_key_to_paint_p50_ms": round(percentile(keys, 50), 1),
        f"{kind}_key_to_paint_p95_ms": round(percentile(keys, 95), 1),
        f"aim_{kind}_key_to_paint_p95_ms": AIM_KEY_MS,
        f"{kind}_blocks_in_document": shown,
        f"{kind}_heap_growth_mb": megabytes(after.heap - before.heap),
    }


def _type(viewer: Viewer, seconds: int) -> None:
    words = "somebody types while it streams "
    keys = seconds * 1000 // KEY_EVERY_MS
    viewer.page.keyboard.type((words * (keys // len(words) + 1))[:keys], delay=KEY_EVERY_MS)


def _diff(browser: Browser, root: Path) -> Figures:
    with open_viewer(browser, root) as viewer:
        _click(viewer, DIFF)
        button = viewer.page.get_by_role("button", name="Open Latest Diff")
        _wait_for_diff(viewer)
        button.click()
        opened = viewer.page.evaluate("probe.shown.then((at) => at - probe.clickedAt)")
        scrolled, scrolled_cpu = viewer.longest_task_ms(lambda: _scroll(viewer))
        frames = viewer.page.evaluate("probe.recorded")
        after = viewer.weigh()
    return {
        "diff_files": FILES,
        "diff_longest_line": LONG_LINE,
        "diff_open_ms": round(opened),
        "diff_scroll_longest_task_ms": round(scrolled, 1),
        "diff_scroll_longest_task_cpu_ms": round(scrolled_cpu, 1),
        "diff_scroll_frame_p95_ms": round(percentile(frames, 95), 1),
        "diff_nodes": after.nodes,
    }


def _wait_for_diff(viewer: Viewer) -> None:
    viewer.page.evaluate(
        """() => {
          probe.clickedAt = 0;
          probe.shown = probe.until(() => probe.clickedAt > 0 && document.querySelector(".diff-row"));
        }"""
    )


def _scroll(viewer: Viewer) -> None:
    """Over the long line and on, then far down and back."""
    page = viewer.page
    page.evaluate("() => { probe.recorded = probe.recordFrames(4); }")
    page.locator(".diff-scroll").hover()
    for step in range(WHEEL_STEPS):
        page.mouse.wheel(0, WHEEL if step < WHEEL_STEPS // 2 else -WHEEL)
    page.keyboard.press("End")
    page.evaluate("probe.recorded.then(() => 0)")


def percentile(values: Sequence[float], percent: int) -> float:
    assert values, "nothing came: nothing was measured"
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]
