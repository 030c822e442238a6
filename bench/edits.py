"""A diff of many files parsed, planned and written, beside `git apply`; and the wait for the question."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

import psutil

from bascule.core.diff.plan.edit_plan import plan_edits
from bascule.core.diff.read.parse import parse_diff
from bascule.core.diff.show.preview import preview_all
from bascule.host.edits.apply import apply_plan
from bascule.host.edits.planning import plan_diff
from bascule.model.edits import Applied, Diff, EditPlan, EditRefused
from bench.scale import Figures, Scale, milliseconds, spread_percent

LINES = 40  # of each file
CHANGED = 20  # the line that becomes another
MEMORY = Path("/dev/shm")
ANSWERS = {b"Apply hunk": b"q\n", b"[y/n]": b"n\n"}  # to the question of several hunks, of one
HEAD = "--- a/x\n+++ b/x\n"
HUNKS_A_FILE = 2  # of the one with many hunks, for each file of the diff: 10,000 for 5,000
LONG_A_FILE = 1_000  # characters of the long line, likewise


def measure(scale: Scale) -> Figures:
    diff = make_diff(scale.files)
    parsing = [processor_time(lambda: parse_diff(diff)) for _ in range(4 * scale.rounds)]
    figures: Figures = {
        "files": scale.files,
        "diff_mb": round(len(diff) / 1e6, 2),
        "parse_mb_per_s": round(len(diff) / 1e6 / min(parsing), 1),
        "rounds": scale.rounds,
    }
    for folder in (Path(tempfile.gettempdir()), MEMORY):
        if os.access(folder, os.W_OK):
            figures |= measure_on(file_system_of(folder), folder, diff, scale)
    figures |= measure_start("one_file_", make_diff(1), lambda folder: make_files(folder, 1), scale)
    figures |= measure_start("", diff, lambda folder: make_files(folder, scale.files), scale)
    for name, make in LARGE.items():
        before, text = make(scale.files)
        figures[f"{name}_preview_ms"] = min(measure_preview(text, before) for _ in range(scale.rounds))
        figures |= measure_start(f"{name}_", text, partial(make_one, before), scale)
    return figures


def measure_preview(text: str, before: list[str]) -> float:
    """Parsed, planned and shown, all of it."""
    files = {"x": "".join(before).encode()}

    def show() -> None:
        diff = parse_diff(text)
        assert isinstance(diff, Diff), diff
        plan = plan_edits(diff, files.get)
        assert isinstance(plan, EditPlan), plan
        preview_all(plan.files, files)

    return milliseconds(timed(show))


def measure_on(name: str, folder: Path, diff: str, scale: Scale) -> Figures:
    rounds = [measure_round(diff, folder, scale.files) for _ in range(scale.rounds)]
    planning, writing, git, git_synced = zip(*rounds, strict=True)
    ratios = [(plan + write) / theirs for plan, write, theirs, _ in rounds]
    return {
        f"{name}_plan_ms": milliseconds(min(planning)),
        f"{name}_apply_ms": milliseconds(min(writing)),
        f"{name}_git_apply_ms": milliseconds(min(git)),
        f"{name}_git_apply_synced_ms": milliseconds(min(git_synced)),
        f"{name}_plan_and_apply_ratio_to_git": round(median(ratios), 2),
        f"{name}_worst_ratio_to_git": round(max(ratios), 2),
        f"{name}_apply_spread_percent": spread_percent(list(writing)),
    }


def file_system_of(folder: Path) -> str:
    done = subprocess.run(["df", "--output=fstype", str(folder)], capture_output=True, text=True, check=False)
    return done.stdout.split()[-1] if done.returncode == 0 else folder.name


def measure_round(diff: str, folder: Path, files: int) -> tuple[float, float, float, float]:
    """Each begins after a sync: files that are not on the disk yet make whoever rewrites them look quick.

    Ratios are taken within a round: from one minute to the next a disk may delete five times slower."""
    with tempfile.TemporaryDirectory(dir=folder) as root:
        ours, theirs, journal = Path(root, "ours"), Path(root, "theirs"), Path(root, "journal")
        for workspace in (ours, theirs):
            make_files(workspace, files)
        journal.mkdir()
        parsed = parse_diff(diff)
        assert isinstance(parsed, Diff)
        os.sync()
        start = time.perf_counter()
        planned = plan_diff(ours, parsed)
        planning = time.perf_counter() - start
        assert not isinstance(planned, EditRefused), planned
        plan = planned.plan
        start = time.perf_counter()
        done = apply_plan(ours, plan, confirmed=plan.hash, journal_folder=journal)
        writing = time.perf_counter() - start
        assert isinstance(done, Applied), done
        os.sync()
        git = timed(lambda: run_git(theirs, diff))
        git_synced = git + timed(os.sync)
        assert read_all(ours) == read_all(theirs)
        return planning, writing, git, git_synced


def measure_start(name: str, diff: str, fill: Callable[[Path], None], scale: Scale) -> Figures:
    """Of the command as it is installed, with its bytecode; the start that compiles it is not counted."""
    with tempfile.TemporaryDirectory() as bytecode:
        starts = [wait_for_question(diff, fill, bytecode) for _ in range(scale.rounds + 1)][1:]
    screen, busy, question = (min(figure) for figure in zip(*starts, strict=True))
    return {
        f"{name}first_screen_ms": milliseconds(screen),
        f"{name}first_screen_processor_ms": milliseconds(busy),
        f"{name}question_ms": milliseconds(question),
    }


def wait_for_question(diff: str, fill: Callable[[Path], None], bytecode: str) -> tuple[float, float, float]:
    """From the start of `bascule diff apply` on a terminal to what it shows first, in seconds and in seconds
    of processor time; and to its question, which waits until no key was pressed for a moment."""
    import pty

    with tempfile.TemporaryDirectory() as root:
        workspace, home, file = Path(root, "ws"), Path(root, "home"), Path(root, "change.diff")
        fill(workspace)
        file.write_text(diff, encoding="utf-8")
        environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        ours, theirs = pty.openpty()
        start = time.perf_counter()
        child = subprocess.Popen(
            [sys.executable, "-m", "bascule", "diff", "apply", str(file), "--workspace", str(workspace)],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**environ, "BASCULE_HOME": str(home), "PYTHONPYCACHEPREFIX": bytecode},
        )
        os.close(theirs)
        seen = os.read(ours, 65_536)
        screen, busy = time.perf_counter() - start, processor_time_of(child.pid)
        while (answer := next((ANSWERS[one] for one in ANSWERS if one in seen), None)) is None:
            seen = seen[-100:] + os.read(ours, 65_536)
        question = time.perf_counter() - start
        os.write(ours, answer)
        child.wait()
        os.close(ours)
        return screen, busy, question


def processor_time_of(pid: int) -> float:
    """Of all its threads so far, also those that have ended; in seconds."""
    times = psutil.Process(pid).cpu_times()
    return times.user + times.system


def run_git(workspace: Path, diff: str) -> None:
    subprocess.run(["git", "apply", "-"], cwd=workspace, input=diff.encode(), check=True)


def processor_time(work: Callable[[], object]) -> float:
    """Of work on one thread that waits for nothing: what else the machine does counts less."""
    start = time.process_time()
    work()
    return time.process_time() - start


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def make_files(workspace: Path, files: int) -> None:
    for number in range(files):
        path = workspace / name(number)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line(number, at)}\n" for at in range(1, LINES + 1)), encoding="utf-8")


def make_one(lines: list[str], workspace: Path) -> None:
    workspace.mkdir(parents=True)
    (workspace / "x").write_text("".join(lines), encoding="utf-8")


def make_hunks(files: int) -> tuple[list[str], str]:
    """As many hunks as one file may have: the file, and the diff."""
    lines = [f"line {at}\n" for at in range(HUNKS_A_FILE * files * 10)]
    hunks = []
    for at in range(5, len(lines), 10):
        above, below = (" " + " ".join(part) for part in (lines[at - 3 : at], lines[at + 1 : at + 4]))
        hunks.append(f"@@ -{at - 2},7 +{at - 2},7 @@\n{above}-{lines[at]}+other {at}\n{below}")
    return lines, HEAD + "".join(hunks)


def make_long_line(files: int) -> tuple[list[str], str]:
    line = "x" * (LONG_A_FILE * files)
    return ["a\n", f"{line}\n", "b\n"], f"{HEAD}@@ -1,3 +1,3 @@\n a\n-{line}\n+{line}y\n b\n"


LARGE = {"hunks": make_hunks, "long_line": make_long_line}


def make_diff(files: int) -> str:
    return "".join(file_diff(number) for number in range(files))


def file_diff(number: int) -> str:
    path = name(number)
    context = range(CHANGED - 3, CHANGED + 4)
    body = "".join(
        f"-{line(number, at)}\n+{line(number, at)} and more\n" if at == CHANGED else f" {line(number, at)}\n"
        for at in context
    )
    head = f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n"
    return f"{head}@@ -{CHANGED - 3},7 +{CHANGED - 3},7 @@\n{body}"


def name(number: int) -> str:
    return f"part{number % 50:02}/file{number:04}.txt"


def line(number: int, at: int) -> str:
    return f"line {at} of file {number}"


def read_all(workspace: Path) -> dict[str, bytes]:
    paths = (path for path in workspace.rglob("*.txt") if path.is_file())
    return {path.relative_to(workspace).as_posix(): path.read_bytes() for path in paths}
