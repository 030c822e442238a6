"""Comments on lines become one prompt."""

import pytest

from bascule.core.prompts.comments import MAX_COMMENT, MAX_COMMENTS, compose_comments
from bascule.model.asks import Refuse
from bascule.model.protocol.edits import LineComment


def test_each_comment_stands_under_its_file_and_line() -> None:
    comments = (
        LineComment(path="src/a.py", line=12, text="Use a set here.", quote="    seen = []"),
        LineComment(path="b.md", line=3, text="Why did this go?\nIt was right.", side="before"),
    )
    assert compose_comments(comments, "Nearly there.") == (
        "Nearly there.\n\n"
        "These comments are about lines of your changes. Answer each of them, and change what they ask for."
        "\n\n`src/a.py`, line 12:\n> seen = []\n\nUse a set here."
        "\n\n`b.md`, line 3 before the change:\nWhy did this go?\nIt was right."
    )


def test_hidden_characters_of_a_file_are_spelt_out() -> None:
    comments = (LineComment(path="a\u202eb", line=1, text="?", quote="x\x1b[2J"),)
    prompt = compose_comments(comments)
    assert isinstance(prompt, str)
    assert prompt.endswith("`a\\u202eb`, line 1:\n> x\\x1b[2J\n\n?")


GOOD = LineComment(path="a", line=1, text="?")


@pytest.mark.parametrize(
    ("comments", "why"),
    [
        ((), "There is no comment"),
        ((GOOD,) * (MAX_COMMENTS + 1), "201 comments; 200 is the most"),
        ((LineComment(path="a", line=1, text="  "),), "`a`, line 1: the comment is empty"),
        ((LineComment(path="a", line=0, text="?"),), "counted from 1"),
        ((LineComment(path="", line=1, text="?"),), "names no file"),
        ((LineComment(path="a", line=1, text="x" * (MAX_COMMENT + 1)),), "10001 characters"),
    ],
)
def test_what_says_nothing_or_too_much_is_refused(comments: tuple[LineComment, ...], why: str) -> None:
    refused = compose_comments(comments)
    assert isinstance(refused, Refuse)
    assert why in refused.why


def test_a_slash_command_is_none_with_comments_under_it() -> None:
    refused = compose_comments((GOOD,), " /patch it")
    assert isinstance(refused, Refuse)
    assert "a slash command is typed by itself" in refused.why
