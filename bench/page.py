"""The page in a real Chromium: first list, a long session, a flood while somebody types, a vast diff."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser

from bascule.host.folder import open_folder
from bench.page_stored import DIFF, FLOODED, LAST, LONG_LINE, SMALL, long_session, store_all
from bench.page_viewer import Viewer, open_browser, open_viewer
from bench.scale import Figures, Scale, megabytes, spread_percent

AIM_LISTED_MS = 300
AIM_OPENED_MS = 300
AIM_TASK_MS = 50  # the longest one of the main thread
AIM_KEY_MS = 50  # from a keystroke to its paint, p95
FLOOD_S = 30
KEY_EVERY_MS = 80
WHEEL_STEPS = 60
WHEEL = 700  # pixels


def measure(scale: Scale) -> Figures:
    with _daemon(scale) as (root, daemon), open_browser() as browser:
        return {
            **_list(browser, root, scale),
            **_open(browser, root, scale),
            **_flood(browser, root, daemon, "runs"),
            **_flood(browser, root, daemon, "answer"),
            **_diff(browser, root),
        }


@contextmanager
def _daemon(scale: Scale) -> "Iterator[tuple[Path, subprocess.Popen[str]]]":
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
    listed, painted, downloads = [], [], []
    for _ in range(scale.rounds):
        with open_viewer(browser, root) as viewer:
            listed.append(viewer.page.evaluate("probe.listed"))
            painted.append(viewer.page.evaluate("performance.getEntriesByType('paint').at(-1).startTime"))
            downloads = viewer.page.evaluate("probe.downloads()")
    return {
        "sessions": SMALL,
        "list_painted_ms": round(min(listed)),
        "aim_list_painted_ms": AIM_LISTED_MS,
        "first_paint_ms": round(min(painted)),
        "list_spread_percent": spread_percent(listed),
        "download_kb": round(sum(sent for _, sent, _ in downloads) / 1000, 1),
        "download_unpacked_kb": round(sum(used for _, _, used in downloads) / 1000, 1),
        "download_files": len(downloads),
    }


def _open(browser: Browser, root: Path, scale: Scale) -> Figures:
    """Each round another session that the daemon has on its disk only."""
    opened = []
    with open_viewer(browser, root) as viewer:
        before = viewer.weigh()
        for number in range(scale.rounds):
            opened.append(_open_once(viewer, number))
        after = viewer.weigh()
        shown = viewer.page.locator("[data-block]").count()
    return {
        "blocks": scale.blocks,
        "open_ms": round(min(opened)),
        "aim_open_ms": AIM_OPENED_MS,
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


def _flood(browser: Browser, root: Path, daemon: "subprocess.Popen[str]", kind: str) -> Figures:
    assert daemon.stdin is not None
    assert daemon.stdout is not None
    with open_viewer(browser, root) as viewer:
        _click(viewer, FLOODED)
        field = viewer.page.get_by_role("textbox", name="Prompt to the agent")
        field.click()
        before = viewer.weigh()
        print(kind, FLOOD_S, file=daemon.stdin, flush=True)
        task, busy = viewer.longest_task_ms(lambda: _type(viewer))
        told = int(daemon.stdout.readline())
        keys = viewer.page.evaluate("probe.keys")
        assert field.input_value().strip(), "nothing was typed: nothing was measured"
        after = viewer.weigh()
        shown = viewer.page.locator("[data-block]").count()
    return {
        f"{kind}_changes_per_s": round(told / FLOOD_S),
        f"{kind}_longest_task_ms": round(task, 1),
        f"aim_{kind}_longest_task_ms": AIM_TASK_MS,
        f"{kind}_longest_task_cpu_ms": round(busy, 1),
        f"{kind}_keys": len(keys),
        f"{kind}_key_to_paint_p50_ms": round(_percentile(keys, 50), 1),
        f"{kind}_key_to_paint_p95_ms": round(_percentile(keys, 95), 1),
        f"aim_{kind}_key_to_paint_p95_ms": AIM_KEY_MS,
        f"{kind}_blocks_in_document": shown,
        f"{kind}_heap_growth_mb": megabytes(after.heap - before.heap),
    }


def _type(viewer: Viewer) -> None:
    words = "somebody types while it streams "
    keys = FLOOD_S * 1000 // KEY_EVERY_MS
    viewer.page.keyboard.type((words * (keys // len(words) + 1))[:keys], delay=KEY_EVERY_MS)


def _diff(browser: Browser, root: Path) -> Figures:
    with open_viewer(browser, root) as viewer:
        _click(viewer, DIFF)
        button = viewer.page.get_by_role("button", name="Open Latest Diff")
        _wait_for_diff(viewer)
        button.click()
        opened = viewer.page.evaluate("probe.shown.then((at) => at - probe.clickedAt)")
        scrolled, busy = viewer.longest_task_ms(lambda: _scroll(viewer))
        frames = viewer.page.evaluate("probe.recorded")
        after = viewer.weigh()
    return {
        "diff_files": 5_000,
        "diff_longest_line": LONG_LINE,
        "diff_open_ms": round(opened),
        "diff_scroll_longest_task_ms": round(scrolled, 1),
        "diff_scroll_longest_task_cpu_ms": round(busy, 1),
        "diff_scroll_frame_p95_ms": round(_percentile(frames, 95), 1),
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


def _percentile(values: Sequence[float], percent: int) -> float:
    assert values, "nothing came: nothing was measured"
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]
