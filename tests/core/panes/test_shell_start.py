"""How shells start: with our integration where there is one, and always with the person's own files."""

import pytest

from bascule.core.panes.shell_start import NONCE, ShellStart, plan_start


@pytest.mark.parametrize(
    ("program", "start"),
    [
        ("/bin/bash", ShellStart(("/bin/bash", "--rcfile", "/i/bascule.bash", "-i"), {NONCE: "n"})),
        ("/bin/zsh", ShellStart(("/bin/zsh", "-i"), {NONCE: "n", "ZDOTDIR": "/i/zsh"})),
        (
            "/bin/fish",
            ShellStart(("/bin/fish", "-i", "--init-command", "source '/i/bascule.fish'"), {NONCE: "n"}),
        ),
        (
            "C:\\pwsh.exe",
            ShellStart(
                ("C:\\pwsh.exe", "-NoLogo", "-NoExit", "-Command", ". '/i/bascule.ps1'"), {NONCE: "n"}
            ),
        ),
        ("/bin/dash", ShellStart(("/bin/dash",), {})),
        ("/opt/nu", ShellStart(("/opt/nu",), {})),
    ],
)
def test_each_shell(program: str, start: ShellStart) -> None:
    assert plan_start(program, "/i", "n", {}) == start


def test_a_zdotdir_of_their_own_is_handed_on() -> None:
    made = plan_start("/bin/zsh", "/i", "n", {"ZDOTDIR": "/home/ann/z"})
    assert made.env == {NONCE: "n", "ZDOTDIR": "/i/zsh", "BASCULE_ZDOTDIR": "/home/ann/z"}


def test_a_quote_in_the_path_is_no_end() -> None:
    assert plan_start("fish", "/it's", "n", {}).argv[-1] == "source '/it\\'s/bascule.fish'"
    assert plan_start("pwsh", "/it's", "n", {}).argv[-1] == ". '/it''s/bascule.ps1'"
