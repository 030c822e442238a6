"""Which command lines start a Codex terminal UI, and to which session a pane is then bound."""

import re
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.e2e.live_app import CODEX

from bascule.core.watch.binding import Bindings
from bascule.core.watch.launch import (
    NO_UI,
    TAKES_VALUE,
    CodexStart,
    parse_launch,
)

INNER_COMMANDS = {
    "login": ("status",),
    "app-server": ("generate-ts", "generate-json-schema"),
    "sandbox": ("seatbelt", "landlock", "windows"),
    "execpolicy": ("check",),
    "features": ("list",),
}
ALIASES = {"exec": "e", "apply": "a", "sandbox": "debug", "cloud": "cloud-tasks"}
ID = "01a1e2e1-9688-71e0-afcf-a846f82f276f"
START, RESUME, FORK = CodexStart("start"), CodexStart("resume"), CodexStart("fork")

LINES: list[tuple[str, CodexStart | None]] = [
    ("codex", START),
    ("codex.exe", START),
    ("/usr/local/bin/codex", START),
    (r"C:\Tools\codex.exe --model o5", START),
    ("'/opt/my tools/codex'", START),
    ("codex -m o5 -C /p --search", START),
    ("codex --model=o5", START),
    ("codex -c a=b -c resume=1", START),
    ("codex resume", RESUME),
    ("codex resume --last", RESUME),
    (f"codex resume {ID}", CodexStart("resume", ID)),
    (f"codex -m o5 resume {ID}", CodexStart("resume", ID)),
    (f"codex resume -m o5 {ID} --search", CodexStart("resume", ID)),
    ("codex resume my-name", RESUME),
    ("codex fork", FORK),
    (f"codex fork {ID}", FORK),
    (f"codex --search fork {ID}", FORK),
    # not a terminal UI
    ("codex -h", None),
    ("codex --help", None),
    ("codex resume --help", None),
    ("codex -V", None),
    ("codex --version", None),
    ("codex 'fix the bug'", None),  # the seed: an unknown word is none
    ("codex dance", None),
    ("codex exec resume " + ID, None),
    ("codex -m o5 exec hello", None),
    ("codexx", None),
    ("my-codex", None),
    ("echo codex", None),
    ("vim codex", None),
    ("", None),
    ("codex 'unbalanced", None),
    ("codex | tee log", None),
    ("codex > log", None),
    ("codex & ", None),
    ("x" * 30_000, None),
    # beyond the first word
    ("cd /p && codex", START),
    ("cd '/my p' && cd q ; codex resume", RESUME),
    ("make && codex", None),
    ("cd /p", None),
    ("A=b codex", START),
    ("env A=b C=d codex fork", FORK),
    ("command codex", START),
    ("npx codex", START),
    ("npx -y @openai/codex@latest resume", RESUME),
    ("npx cowsay codex", None),
    ("pnpm dlx @openai/codex", START),
    ("npm exec -- codex exec hi", None),
    ("codex && echo done", START),
]


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_each_line_is_judged_by_its_words(line: str, expected: CodexStart | None) -> None:
    assert parse_launch(line) == expected


@pytest.mark.parametrize("name", sorted(NO_UI))
def test_commands_of_the_black_list_are_none(name: str) -> None:
    assert parse_launch(f"codex {name}") is None
    assert parse_launch(f"codex --search {name} resume") is None
    for inner in INNER_COMMANDS.get(name, ()):
        assert parse_launch(f"codex {name} {inner}") is None


def test_the_lists_are_those_of_the_specification() -> None:
    assert all(name in NO_UI and alias in NO_UI for name, alias in ALIASES.items())


@given(st.lists(st.sampled_from(["--search", "-m o5", "--full-auto", "--config a=b", "-i x.png"])))
def test_global_flags_before_or_after_change_nothing(flags: list[str]) -> None:
    said = " ".join(flags)
    assert parse_launch(f"codex {said}") == START
    assert parse_launch(f"codex {said} resume {ID}") == CodexStart("resume", ID)
    assert parse_launch(f"codex resume {said} {ID}") == CodexStart("resume", ID)
    assert parse_launch(f"codex {said} exec") is None


@given(st.text(max_size=200))
def test_no_line_raises(line: str) -> None:
    parse_launch(line)
    parse_launch(f"codex {line}")


def test_flags_with_values_are_known() -> None:
    assert {"-m", "-c", "-C", "-p", "-s", "-a", "-i"} <= TAKES_VALUE


# -- binding --


def test_resume_with_a_known_id_binds_at_once() -> None:
    bindings = Bindings()
    assert bindings.start("p1", CodexStart("resume", ID), frozenset({ID})) == ID
    assert bindings.find_pane(ID) == "p1"
    assert bindings.pending == ()


@pytest.mark.parametrize("launch", [START, FORK, RESUME])
def test_other_starts_wait_for_the_next_new_session_of_that_pane(launch: CodexStart) -> None:
    bindings = Bindings()
    assert bindings.start("p1", launch, frozenset({ID})) is None
    assert bindings.find_pane(ID) is None
    assert bindings.appear("new") == "p1"
    assert bindings.find_session("p1") == "new"
    assert bindings.appear("newer") is None  # the marker is used up


def test_a_named_session_is_waited_for_and_no_other() -> None:
    bindings = Bindings()
    assert bindings.start("p1", CodexStart("resume", ID), frozenset(), "/a") is None
    assert bindings.appear("another", "/a") is None
    assert bindings.appear(ID, "/b") == "p1"


def test_the_next_start_replaces_the_marker_and_the_panes_end_drops_it() -> None:
    bindings = Bindings()
    bindings.start("p1", START, frozenset(), "/a")
    bindings.start("p1", START, frozenset(), "/b")
    assert bindings.appear("x", "/a") is None
    assert bindings.leave("p1") is None
    assert bindings.appear("y", "/b") is None


def test_a_session_that_two_panes_could_have_made_is_bound_to_neither() -> None:
    bindings = Bindings()
    bindings.start("p1", START, frozenset(), "/a")
    bindings.start("p2", START, frozenset(), "/a")
    assert bindings.appear("x", "/a") is None
    bindings.bind("p2", "x")  # something proved it
    assert bindings.appear("y", "/a") == "p1"


def test_the_folder_tells_two_pending_panes_apart() -> None:
    bindings = Bindings()
    bindings.start("p1", START, frozenset(), "/a")
    bindings.start("p2", START, frozenset(), "/b")
    assert bindings.appear("x", "/b") == "p2"
    assert bindings.pending == ("p1",)


def test_a_returning_prompt_unbinds_and_names_the_session() -> None:
    bindings = Bindings()
    bindings.start("p1", CodexStart("resume", ID), frozenset({ID}))
    assert bindings.leave("p1") == ID
    assert bindings.find_pane(ID) is None
    assert bindings.leave("p1") is None


@pytest.mark.real
def test_of_the_commands_that_codex_itself_lists_only_two_start_its_ui() -> None:
    said = subprocess.run([CODEX, "--help"], capture_output=True, text=True, check=True).stdout
    listed = said.partition("Commands:\n")[2].partition("\n\n")[0]
    commands = re.findall(r"^  (\S+)  ", listed, re.MULTILINE)
    aliases = re.findall(r"\[aliases: (\w+)\]", listed)
    assert {"exec", "apply", "resume", "fork", "sandbox", "features"} <= set(commands)
    assert set(aliases) <= set(ALIASES.values())
    starts = {one for one in (*commands, *aliases) if parse_launch(f"codex {one}") is not None}
    assert starts == {"resume", "fork"}
