"""The shell and its environment: the person's own, without what is ours."""

from pathlib import Path

from bascule.host.terminals.shell_program import find_shell, make_environment


def test_the_daemons_own_variables_stay_out_of_a_pane() -> None:
    env = {"BASCULE_HOME": "/x", "PATH": "/bin", "TMUX": "1", "TERM": "dumb", "LANG": "ja_JP.UTF-8"}
    assert make_environment(env, {"BASCULE_PANE_ID": "p"}) == {
        "PATH": "/bin",
        "LANG": "ja_JP.UTF-8",
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "TERM_PROGRAM": "bascule",
        "BASCULE_PANE_ID": "p",
    }


def test_the_chosen_shell_comes_before_the_persons_own(tmp_path: Path) -> None:
    mine = tmp_path / "mysh"
    mine.write_text("#!/bin/sh\n")
    mine.chmod(0o755)
    assert find_shell(str(mine), {"SHELL": "/bin/sh"}) == str(mine)
    assert find_shell("", {"SHELL": str(mine)}) == str(mine)
    assert find_shell("no-such-shell", {"SHELL": "/bin/sh", "PATH": "/bin"}) == "/bin/sh"
