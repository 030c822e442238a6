"""Names of sessions: a short one from the first prompt, and whose name stays."""

import pytest

from bascule.core.session.titles import MAX_NAME, default_title, fork_title, name_by_prompt
from bascule.model.ids import ThreadId


@pytest.mark.parametrize(
    ("prompt", "name"),
    [
        ("Fix the parser. It fails on tabs.", "Fix the parser"),
        ("Hi! Please add tests for the north leaf", "Hi! Please add tests for the north leaf"),
        ("What does v1.2 do? And why", "What does v1.2 do?"),
        ("/plan write a parser", "write a parser"),
        ("/patch  fix it", "fix it"),
        ("\n\n# Rename the leaf\nall over", "Rename the leaf"),
        ("```py\nprint(1)\n```\nExplain this", "Explain this"),
        ("```py\nprint(1)\n```", "print(1)"),
        ("给北侧叶片加上测试。然后运行它们", "给北侧叶片加上测试"),
        ("\x1b[31mRed\x1b[0m words", "Red words"),
        (" \n\t", ""),
        ("!!!", ""),
    ],
)
def test_a_session_is_called_by_the_first_sentence_of_its_prompt(prompt: str, name: str) -> None:
    assert name_by_prompt(prompt) == name


def test_a_long_name_is_cut_at_a_word() -> None:
    name = name_by_prompt(
        "refactor the extremely long function in the module of sessions so that it reads well"
    )
    assert name == "refactor the extremely long function in the module of…"
    assert len(name) <= MAX_NAME
    assert name_by_prompt("x" * 5_000) == "x" * (MAX_NAME - 1) + "…"


def test_without_a_prompt_it_is_called_by_folder_and_id() -> None:
    assert default_title("/home/x/app", ThreadId("0199c2d4-aaaa-bbbb-cccc-0123456789ab")) == "app (456789ab)"


def test_a_fork_says_so_once() -> None:
    assert fork_title(fork_title("Fix the parser")) == "Fix the parser (fork)"
