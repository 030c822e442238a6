"""Hunk by hunk: keys in, a choice out."""

import pytest

from bascule.cli.terminal.hunk_picker import HELP, MAX_MISTAKES, HunkPicker, ShownChange
from bascule.model.protocol.edits import ChosenFile

PIECES = (
    ShownChange(path="a", head="head of a\n", hunks=("a1\n", "a2\n", "a3\n")),
    ShownChange(path="moved", head="rename\n"),
    ShownChange(path="b", head="head of b\n", hunks=("b1\n", "b2\n")),
)


def choose(keys: str) -> tuple[ChosenFile, ...]:
    choosing = HunkPicker(PIECES, "Apply")
    for key in keys:
        assert not choosing.is_done
        assert choosing.feed(key) == ""
    assert choosing.is_done
    return choosing.chosen()


A, MOVED, B = ChosenFile(path="a"), ChosenFile(path="moved"), ChosenFile(path="b")


@pytest.mark.parametrize(
    ("keys", "chosen"),
    [
        ("a", (A, MOVED, B)),
        ("d", ()),
        ("q", ()),
        ("ynyyny", (ChosenFile(path="a", hunks=(1, 3)), MOVED, ChosenFile(path="b", hunks=(2,)))),
        ("fyd", (A, MOVED)),
        ("snf", (B,)),
        ("nfns", (ChosenFile(path="a", hunks=(2, 3)),)),
        ("yya", (A, MOVED, B)),
        ("yyyq", ()),
        ("Nd", ()),
    ],
)
def test_keys(keys: str, chosen: tuple[ChosenFile, ...]) -> None:
    assert choose(keys) == chosen


def test_each_hunk_is_shown_under_its_file() -> None:
    choosing = HunkPicker(PIECES, "Apply")
    shown = []
    while not choosing.is_done:
        shown.append((choosing.text, choosing.question.split("?")[0]))
        choosing.feed("y")
    assert shown == [
        ("head of a\na1\n", "Apply hunk 1 of 3 of a"),
        ("a2\n", "Apply hunk 2 of 3 of a"),
        ("a3\n", "Apply hunk 3 of 3 of a"),
        ("rename\n", "Apply the change of moved"),
        ("head of b\nb1\n", "Apply hunk 1 of 2 of b"),
        ("b2\n", "Apply hunk 2 of 2 of b"),
    ]


def test_of_several_files_each_question_says_how_many() -> None:
    assert "(file 1 of 3) [y,n" in HunkPicker(PIECES, "Apply").question
    assert "of a? [y,n" in HunkPicker(PIECES[:1], "Apply").question


@pytest.mark.parametrize(
    ("keys", "chosen"),
    [
        ("yy", (ChosenFile(path="a", hunks=(2,)), ChosenFile(path="b", hunks=(1,)))),
        ("a", (ChosenFile(path="a", hunks=(2,)), ChosenFile(path="b", hunks=(1,)))),
        ("fn", (ChosenFile(path="a", hunks=(2,)),)),
    ],
)
def test_what_is_closed_is_never_asked_about(keys: str, chosen: tuple[ChosenFile, ...]) -> None:
    pieces = (
        ShownChange(path="done", head="head of done\n", hunks=("d1\n",), closed=frozenset({0})),
        ShownChange(path="a", head="head of a\n", hunks=("a1\n", "a2\n"), closed=frozenset({0})),
        ShownChange(path="b", head="head of b\n", hunks=("b1\n", "b2\n"), closed=frozenset({1})),
    )
    choosing = HunkPicker(pieces, "Revert")
    assert choosing.text == "head of a\na2\n"
    for key in keys:
        choosing.feed(key)
    assert (choosing.is_done, choosing.chosen()) == (True, chosen)


def test_a_terminal_that_answers_nothing_chooses_nothing() -> None:
    choosing = HunkPicker(PIECES, "Apply")
    choosing.feed("y")
    said = [choosing.feed("") for _ in range(MAX_MISTAKES)]
    assert (said, choosing.is_done, choosing.chosen()) == ([HELP] * MAX_MISTAKES, True, ())
