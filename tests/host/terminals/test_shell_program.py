"""The shell and its environment: the person's own, without what is ours."""

import re
from pathlib import Path

from bascule.core.panes.marks import Mark, MarkReader
from bascule.host.terminals.shell_program import INTEGRATION, find_shell, make_environment


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


def test_on_windows_a_panes_variables_reach_programs_inside_wsl() -> None:
    ours = {"BASCULE_PANE_ID": "p", "BASCULE_NOTIFY_PATH": r"C:\data\notify\panes-7.jsonl"}
    made = make_environment({"WSLENV": "GOPATH/l"}, ours, windows=True)
    assert made["WSLENV"] == "GOPATH/l:BASCULE_PANE_ID/u:BASCULE_NOTIFY_PATH/p"
    assert made["BASCULE_NOTIFY_PATH"] == ours["BASCULE_NOTIFY_PATH"]  # WSL converts it, not we


def test_powershells_prompt_says_its_folder() -> None:
    """Its text only: no PowerShell is needed."""
    text = (INTEGRATION / "bascule.ps1").read_text(encoding="utf-8")
    prompt = text.split("function Global:prompt {")[1].split("\n  }\n")[0]
    mark = re.search(r'"(\$e\]9;9;.*\$b)"', prompt)
    assert mark is not None
    said = mark[1].replace("$e", "\x1b").replace("$b", "\x07").replace("$($PWD.ProviderPath)", r"C:\a b")
    assert MarkReader().feed(said.encode()) == [Mark("folder", r"C:\a b")]


def test_the_chosen_shell_comes_before_the_persons_own(tmp_path: Path) -> None:
    mine = tmp_path / "mysh"
    mine.write_text("#!/bin/sh\n")
    mine.chmod(0o755)
    assert find_shell(str(mine), {"SHELL": "/bin/sh"}) == str(mine)
    assert find_shell("", {"SHELL": str(mine)}) == str(mine)
    assert find_shell("no-such-shell", {"SHELL": "/bin/sh", "PATH": "/bin"}) == "/bin/sh"
