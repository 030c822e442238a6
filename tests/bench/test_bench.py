"""The benches run, end in the right state, and say it in one well-formed line each; how fast is not asked."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from bench.__main__ import parse_arguments
from bench.scale import Scale

from bench import fold as bench_fold
from bench import panes as bench_panes
from bench import search as bench_search
from bench import store as bench_store
from bench import watch as bench_watch

ROOT = Path(__file__).parents[2]


def bench(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "bench", *arguments], cwd=ROOT, capture_output=True, text=True
    )


def figures(*arguments: str) -> dict[str, Any]:
    done = bench(*arguments)
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)
    result = json.loads(done.stdout)
    assert isinstance(result, dict)
    return result


def test_a_small_flood_ends_in_the_right_state_at_the_surface() -> None:
    result = figures("flood", "--deltas", "1234", "--rounds", "1")
    assert (result["bench"], result["deltas"], result["rounds"]) == ("flood", 1234, 1)
    assert (result["characters"], result["characters_4x"]) == (1234 * 5, 4 * 1234 * 5)
    assert result["rss_peak_mb"] >= result["rss_before_mb"] > 1
    assert result["ratio_to_sdk"] == pytest.approx(
        result["deltas_per_s"] / result["sdk_decodes_per_s"], abs=0.01
    )
    assert result["ratio_to_bare"] == pytest.approx(
        result["deltas_per_s"] / result["bare_decodes_per_s"], abs=0.01
    )


def test_the_store_and_the_fold_are_measured_too() -> None:
    """Here, since each would only start another Python to do it."""
    assert bench_store.measure(Scale(blocks=30, rounds=1))["blocks"] == 30
    search = bench_search.measure(Scale(sessions=20, rounds=1))
    assert (search["sessions"], search["find_rare_ms"] > 0) == (20, True)
    assert bench_fold.measure(Scale(rounds=1))["changes_per_s"] > 0


def test_a_flood_in_a_pane_is_shown_to_its_end() -> None:
    result = bench_panes.measure(Scale(megabytes=1, rounds=1))
    assert result["megabytes"] == 1
    assert result["bare_mb_per_s"] > 0
    assert result["pane_mb_per_s"] > 0


def test_the_board_loses_no_record() -> None:
    result = bench_watch.measure(Scale(watched=12, seconds=1))
    assert (result["files"], result["records"], result["records_lost"]) == (12, 1_770, 0)
    assert result["delay_p95_ms"] >= result["delay_p50_ms"] > 0


def test_a_flood_over_a_websocket_ends_in_the_right_state_while_others_are_served() -> None:
    result = figures("surface", "--deltas", "2345", "--rounds", "1")
    assert (result["bench"], result["deltas"]) == ("surface", 2345)
    assert result["small_changes"] > 0
    assert result["delay_p99_ms"] >= result["delay_p50_ms"] > 0
    assert result["ratio_to_bare"] == pytest.approx(
        result["deltas_per_s"] / result["bare_decodes_per_s"], abs=0.01
    )


def test_a_daemon_is_started_and_weighed() -> None:
    result = figures("up", "--rounds", "1")
    assert (result["bench"], result["stored_sessions"]) == ("up", 50)
    assert result["up_to_first_answer_ms"] >= result["up_command_ms"] > result["bare_python_ms"]
    assert result["rss_idle_50_stored_mb"] > 1


def test_sessions_are_opened_and_the_daemon_is_weighed_and_pinged() -> None:
    result = figures("memory", "--sessions", "3", "--blocks", "30")
    assert (result["bench"], result["sessions"], result["blocks_each"]) == ("memory", 3, 30)
    assert result["rss_after_mb"] > 1
    assert result["ping_opening_max_ms"] >= result["ping_opening_p50_ms"] > 0
    assert result["ping_listing_max_ms"] >= result["ping_listing_p50_ms"] > 0
    assert result["ping_listing_bare_p99_ms"] > 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["flod"], "invalid choice: 'flod'"), (["flood", "--deltas", "0"], "0 is too few")],
)
def test_a_wrong_word_is_named(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse_arguments(arguments)
    out, err = capsys.readouterr()
    assert (ended.value.code, out, said in err) == (2, "", True)


def test_a_diff_is_written_as_git_writes_it_and_measured_beside_it() -> None:
    result = figures("edits", "--rounds", "1", "--files", "60")
    assert (result["files"], result["rounds"]) == (60, 1)
    figures_of_disks = [value for key, value in result.items() if key.endswith(("_ms", "_ratio_to_git"))]
    assert (len(figures_of_disks) >= 5, min(result["parse_mb_per_s"], *figures_of_disks) > 0) == (True, True)
