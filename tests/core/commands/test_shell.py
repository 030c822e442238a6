"""Commands as a person means them."""

import pytest

from bascule.core.commands.shell import (
    SUMMARY_LENGTH,
    Action,
    is_unreadable,
    join_words,
    kind_of,
    summarise,
    unwrap,
)

BASE64 = (
    "powershell -EncodedCommand "
    + "SQBuAHYAbwBrAGUALQBXAGUAYgBSAGUAcQB1AGUAcwB0ACAALQBVAHIAaQAgAGgAdAB0AHAA" * 3
)


@pytest.mark.parametrize(
    ("command", "cwd", "meant"),
    [
        ("/bin/zsh -lc 'make test'", "/x", "make test"),
        ("/bin/zsh -lc cd /x && make test", "/x", "make test"),
        ("/bin/bash -lc 'cd /x && make test'", "/x", "make test"),
        ("/bin/bash -lc 'cd \"/x y\" && make'", "/x y", "make"),
        ("/bin/bash -lc 'cd /other && make'", "/x", "cd /other && make"),
        ("/bin/bash -lc 'cd /x/ && make'", "/x", "make"),
        ("bash -c 'echo a; echo b'", "", "echo a; echo b"),
        ("sh -e -c ls", "", "ls"),
        ("/usr/bin/fish -c 'ls -l'", "", "ls -l"),
        (r"C:\Windows\System32\cmd.exe /d /c dir", "", "dir"),
        ("powershell.exe -NoProfile -Command Get-ChildItem", "", "Get-ChildItem"),
        ("pwsh -ExecutionPolicy Bypass -c ls", "", "ls"),
        # other options make the next word a script's name, or run something else first
        ("bash -C ls", "", "bash -C ls"),
        ("bash -s -c ls", "", "bash -s -c ls"),
        ("BASH -c ls", "", "BASH -c ls"),
        ("pwsh -File evil -c ls", "", "pwsh -File evil -c ls"),
        ("powershell -e ZQBjAGgAbwAgADEA -c ls", "", "powershell -e ZQBjAGgAbwAgADEA -c ls"),
        ("cmd /k evil /c dir", "", "cmd /k evil /c dir"),
        ("git status", "/x", "git status"),
        ("cd /x && git status", "/x", "git status"),
        ("bashful -lc ls", "", "bashful -lc ls"),
        ("/bin/bash -lc 'it is not closed", "", "'it is not closed"),
        ("/bin/bash -lc 'ls' extra", "", "'ls' extra"),
        ('cd "/x/$(touch y)" && git status', "/x/$(touch y)", 'cd "/x/$(touch y)" && git status'),
        ("cd '/x/$(touch y)' && git status", "/x/$(touch y)", "git status"),
        ('cd "/x/`id`" && make', "/x/`id`", 'cd "/x/`id`" && make'),
        ("/tmp/evil/bash -lc 'make'", "", "/tmp/evil/bash -lc 'make'"),
        ("./bash -lc 'make'", "", "./bash -lc 'make'"),
        ("""cd "'/x'" && sh run.sh""", "/x", """cd "'/x'" && sh run.sh"""),
        ("""cd '"/x"' && sh run.sh""", "/x", """cd '"/x"' && sh run.sh"""),
        ("cd '/x/a'$(id)'b' && ls", "/x/a'$(id)'b", "cd '/x/a'$(id)'b' && ls"),
        ("cd '/x/a'`id`'b' && ls", "/x/a'`id`'b", "cd '/x/a'`id`'b' && ls"),
        ('cd "/x/a"$(id)"b" && ls', '/x/a"$(id)"b', 'cd "/x/a"$(id)"b" && ls'),
        ("cd /x/$HOME && ls", "/x/$HOME", "cd /x/$HOME && ls"),
        ("cd\n/x && ls", "/x", "cd\n/x && ls"),
        ("cd /x\n&& ls", "/x", "cd /x\n&& ls"),
        ("", "", ""),
        ("   ", "", "   "),
    ],
)
def test_the_shell_wrapper_is_left_out(command: str, cwd: str, meant: str) -> None:
    assert unwrap(command, cwd) == meant


def test_a_multi_line_script_keeps_its_lines() -> None:
    assert unwrap("/bin/bash -lc 'for i in 1 2; do\n  echo $i\ndone'") == "for i in 1 2; do\n  echo $i\ndone"


def test_join_words_quotes_what_needs_it() -> None:
    assert join_words(["bash", "-lc", "echo 'a b'"]) == """bash -lc 'echo '"'"'a b'"'"''"""
    assert unwrap(join_words(["bash", "-lc", "echo 'a b'"])) == "echo 'a b'"


def test_a_long_command_is_cut_with_an_ellipsis() -> None:
    summary = summarise("rg -n " + "word " * 100)
    assert len(summary) <= SUMMARY_LENGTH
    assert summary.startswith("rg -n word word")
    assert summary.endswith("…")


def test_a_readable_command_is_its_own_summary_whatever_the_actions_say() -> None:
    assert summarise("cat a.py", (Action(kind="read", what="a.py"),)) == "cat a.py"


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Action(kind="read", what="a.py"), "read a.py"),
        (Action(kind="read", where="src/a.py"), "read src/a.py"),
        (Action(kind="listFiles", where="src"), "list files src"),
        (Action(kind="listFiles"), "list files"),
        (Action(kind="search", what="needle", where="src"), "search needle in src"),
        (Action(kind="search", what="needle"), "search needle"),
        (Action(kind="search"), "search"),
    ],
)
def test_an_unreadable_command_is_summarised_from_its_actions(action: Action, words: str) -> None:
    assert summarise(BASE64, (action, action)) == f"{words}, {words}"


def test_an_unreadable_command_without_known_actions_shows_its_beginning() -> None:
    assert summarise(BASE64, (Action(kind="unknown", what="?"),)).startswith(
        "powershell -EncodedCommand SQBu"
    )


READ, LIST = Action(kind="read", what="a.py", where="/p/a.py"), Action(kind="listFiles", where="src")


@pytest.mark.parametrize(
    ("actions", "deed"),
    [
        ((), ("run", 0)),
        ((READ,), ("read", 1)),
        ((READ, READ, Action(kind="read", what="b.py")), ("read", 2)),
        ((LIST,), ("list", 0)),
        ((Action(kind="search", what="needle"),), ("search", 0)),
        ((READ, LIST), ("run", 0)),
        ((READ, Action(kind="unknown")), ("run", 0)),
    ],
)
def test_a_command_does_what_all_of_its_actions_do(
    actions: tuple[Action, ...], deed: tuple[str, int]
) -> None:
    assert kind_of(actions) == deed


def test_long_paths_and_words_are_readable() -> None:
    assert is_unreadable(BASE64)
    assert not is_unreadable("cat src/Very/Long/path1/to/some/Deeply/nested/folder2/with/many/parts/File3.py")
    assert not is_unreadable("pytest tests/test_a_name_that_is_rather_long_but_made_of_plain_words_only.py")
    assert not is_unreadable("")
