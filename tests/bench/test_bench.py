"""The benches run, end in the right state, and say it in one well-formed line each; how fast is not asked."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from bench.__main__ import parse_arguments

ROOT = Path(__file__).parents[2]


def bench(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "bench", *arguments], cwd=ROOT, capture_output=True, text=True
    )


def figures(*arguments: str) -> dict[str, Any]:
    done = bench(*arguments)
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)
    told = json.loads(done.stdout)
    assert isinstance(told, dict)
    return told


def test_a_small_flood_ends_in_the_right_state_at_the_surface() -> None:
    told = figures("flood", "--deltas", "1234", "--rounds", "1")
    assert (told["bench"], told["deltas"], told["rounds"]) == ("flood", 1234, 1)
    assert (told["characters"], told["characters_4x"]) == (1234 * 5, 4 * 1234 * 5)
    assert told["rss_peak_mb"] >= told["rss_before_mb"] > 1
    assert told["ratio_to_sdk"] == pytest.approx(told["deltas_per_s"] / told["sdk_decodes_per_s"], abs=0.01)
    assert told["ratio_to_bare"] == pytest.approx(told["deltas_per_s"] / told["bare_decodes_per_s"], abs=0.01)


def test_the_store_and_the_fold_are_measured_too() -> None:
    store = figures("store", "--blocks", "30", "--rounds", "1")
    assert (store["bench"], store["blocks"]) == ("store", 30)
    search = figures("search", "--sessions", "20", "--rounds", "1")
    assert (search["bench"], search["sessions"], search["find_rare_ms"] > 0) == ("search", 20, True)
    fold = figures("fold", "--rounds", "1")
    assert (fold["bench"], fold["changes_per_s"] > 0) == ("fold", True)


def test_a_flood_over_a_websocket_ends_in_the_right_state_while_others_are_served() -> None:
    told = figures("surface", "--deltas", "2345", "--rounds", "1")
    assert (told["bench"], told["deltas"]) == ("surface", 2345)
    assert told["small_changes"] > 0
    assert told["delay_p99_ms"] >= told["delay_p50_ms"] > 0
    assert told["ratio_to_bare"] == pytest.approx(told["deltas_per_s"] / told["bare_decodes_per_s"], abs=0.01)


def test_a_daemon_is_started_and_weighed() -> None:
    told = figures("up", "--rounds", "1")
    assert (told["bench"], told["stored_sessions"]) == ("up", 50)
    assert told["up_to_first_answer_ms"] >= told["up_command_ms"] > told["bare_python_ms"]
    assert told["rss_idle_50_stored_mb"] > 1


def test_sessions_are_opened_and_the_daemon_is_weighed_and_pinged() -> None:
    told = figures("memory", "--sessions", "3", "--blocks", "30")
    assert (told["bench"], told["sessions"], told["blocks_each"]) == ("memory", 3, 30)
    assert told["rss_after_mb"] > 1
    assert told["ping_opening_max_ms"] >= told["ping_opening_p50_ms"] > 0
    assert told["ping_listing_max_ms"] >= told["ping_listing_p50_ms"] > 0


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
    told = figures("edits", "--rounds", "1", "--files", "60")
    assert (told["files"], told["rounds"]) == (60, 1)
    figures_of_disks = [value for key, value in told.items() if key.endswith(("_ms", "_ratio_to_git"))]
    assert (len(figures_of_disks) >= 5, min(told["parse_mb_per_s"], *figures_of_disks) > 0) == (True, True)
