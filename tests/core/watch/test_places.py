"""Where things are: homes of agents, names of files, WSL from both sides, and times."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bascule.core.watch.places import find_claude_home, find_session_id, is_rollout, list_codex_homes
from bascule.core.watch.times import clamp_ms, parse_time_ms
from bascule.core.watch.wsl import (
    CROSSING,
    add_to_wslenv,
    join_unc,
    list_homes,
    parse_distros,
    split_unc,
    to_inside,
)

ID = "01a1e2e1-9688-71e0-afcf-a846f82f276f"


@pytest.mark.parametrize(
    ("value", "homes"),
    [
        (None, ["/home/me/.codex"]),
        ("", ["/home/me/.codex"]),
        ("/a", ["/a", "/home/me/.codex"]),
        ("/a:~/b:/a", ["/a", "/home/me/b", "/home/me/.codex"]),
        ("~/.codex", ["/home/me/.codex"]),
        (" : ", ["/home/me/.codex"]),
    ],
)
def test_codex_homes_are_all_that_are_listed_and_the_usual_one(value: str | None, homes: list[str]) -> None:
    env = {} if value is None else {"CODEX_HOME": value}
    assert list_codex_homes(env, "/home/me") == homes


def test_windows_lists_are_split_at_semicolons() -> None:
    assert list_codex_homes({"CODEX_HOME": r"C:\a;D:\b"}, "", ";") == [r"C:\a", r"D:\b"]


def test_claudes_home_is_the_one_that_is_named_or_the_usual_one() -> None:
    assert find_claude_home({}, "/h") == "/h/.claude"
    assert find_claude_home({"CLAUDE_CONFIG_DIR": "~/c"}, "/h") == "/h/c"
    assert find_claude_home({}, "") == ""


@pytest.mark.parametrize(
    ("name", "session"),
    [
        (f"rollout-2026-11-16T05-43-17-{ID}.jsonl", ID),
        (f"rollout-{ID[:-1]}0-{ID}.jsonl", ID),
        ("rollout-" + "ab" * 16 + ".jsonl", "ab" * 16),
        ("rollout-x-last.jsonl", "last"),
    ],
)
def test_a_files_name_tells_its_session(name: str, session: str) -> None:
    assert find_session_id(name) == session
    assert is_rollout(name)
    assert not is_rollout(f"{name}.zst")


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        (r"\\wsl$\Ubuntu\home\me", ("Ubuntu", "/home/me")),
        (r"\\wsl.localhost\Debian\root", ("Debian", "/root")),
        ("//WSL$/Ubuntu/home/me", ("Ubuntu", "/home/me")),
        (r"\\wsl$\Ubuntu", ("Ubuntu", "/")),
        (r"\\server\share\x", None),
        (r"C:\Users\me", None),
        ("/home/me", None),
    ],
)
def test_a_unc_path_names_its_distribution(path: str, parts: tuple[str, str] | None) -> None:
    assert split_unc(path) == parts


def test_homes_inside_wsl_are_reached_by_unc_paths() -> None:
    homes = list_homes("Ubuntu", ["me", "ann"])
    assert homes == [join_unc("Ubuntu", one) for one in ("/home/ann", "/home/me", "/root")]
    assert split_unc(homes[1]) == ("Ubuntu", "/home/me")


@pytest.mark.parametrize(
    "output",
    [
        "Ubuntu\r\nDebian\r\n".encode("utf-16-le"),
        b"\xff\xfe" + "Ubuntu\r\nDebian\r\n".encode("utf-16-le"),
        b"Ubuntu\nDebian\nUbuntu\n",
    ],
)
def test_distributions_are_read_in_either_encoding(output: bytes) -> None:
    assert parse_distros(output) == ["Ubuntu", "Debian"]


def test_wslenv_passes_names_as_they_are_and_converts_paths() -> None:
    pane = {"BASCULE_PANE_ID": "p1", "BASCULE_NOTIFY_PATH": r"C:\n", "BASCULE_NOTIFY_DEBUG_PATH": r"C:\d"}
    assert add_to_wslenv({**pane, "WSLENV": "GOPATH/l"}) == {
        **pane,
        "WSLENV": "GOPATH/l:BASCULE_PANE_ID/u:BASCULE_NOTIFY_PATH/p:BASCULE_NOTIFY_DEBUG_PATH/p",
    }
    assert CROSSING["BASCULE_INSTANCE_ID"] == "/u"


@given(st.lists(st.from_regex(r"[A-Z]{1,8}(/[pulw]{1,2})?", fullmatch=True)))
def test_wslenv_keeps_what_is_there_and_is_the_same_when_done_again(present: list[str]) -> None:
    once = add_to_wslenv({"BASCULE_PANE_ID": "p1", "WSLENV": ":".join(present)})
    assert once["WSLENV"].split(":") == [*present, "BASCULE_PANE_ID/u"]
    assert add_to_wslenv(once) == once


@pytest.mark.parametrize(
    ("path", "inside"),
    [
        (r"C:\Users\me\data", "/mnt/c/Users/me/data"),
        ("d:/data", "/mnt/d/data"),
        (r"\\wsl$\Ubuntu\home\me", "/home/me"),
        ("/home/me", "/home/me"),
    ],
)
def test_a_path_of_windows_is_found_inside_wsl(path: str, inside: str) -> None:
    assert to_inside(path) == inside


@pytest.mark.parametrize(
    ("text", "ms"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("2026-11-15T19:12:39.721Z", 1_794_769_959_721),
        ("2026-11-15T20:12:39.721+01:00", 1_794_769_959_721),
        ("2026-11-15T19:12:39", 1_794_769_959_000),
        ("2024-02-29T00:00:00.5Z", 1_709_164_800_500),
        ("2026-13-01T00:00:00Z", 0),
        ("yesterday", 0),
        ("", 0),
    ],
)
def test_times_are_read_as_milliseconds(text: str, ms: int) -> None:
    assert parse_time_ms(text) == ms


@given(st.datetimes(min_value=datetime(1970, 1, 1)))  # noqa: DTZ001  (hypothesis wants it without a zone)
def test_times_agree_with_the_standard_library(moment: datetime) -> None:
    expected = int(moment.replace(tzinfo=UTC, microsecond=0).timestamp()) * 1000 + moment.microsecond // 1000
    assert parse_time_ms(moment.isoformat(timespec="milliseconds") + "Z") == expected


@pytest.mark.parametrize(("value", "ms"), [(5, 5), (5.9, 5), (True, 0), (-1, 0), ("5", 0), (1e300, 0)])
def test_a_number_that_can_be_no_time_is_none(value: object, ms: int) -> None:
    assert clamp_ms(value) == ms
