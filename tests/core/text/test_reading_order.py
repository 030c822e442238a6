"""What a terminal would draw in another order is spelt out; what it draws as it is stays readable."""

import pytest

from bascule.core.consent.ask_subjects import show
from bascule.core.events.surface_text import visible_line
from bascule.core.text.reading_order import keep_order
from bascule.model.asks import CommandSubject, FilesSubject, QuestionsSubject
from bascule.model.blocks import FileEdit

A, B = "\N{HEBREW LETTER ALEF}", "\N{HEBREW LETTER BET}"
ARABIC, DIGIT = "\N{ARABIC LETTER ALEF}", "\N{ARABIC-INDIC DIGIT THREE}"
SPELT_A, SPELT_B = "<U+05D0>", "<U+05D1>"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"cat {A} > {B}", f"cat {SPELT_A} > {SPELT_B}"),
        (f"{A}/1", f"{SPELT_A}/1"),
        (f"{A}1", f"{SPELT_A}1"),
        (f"{ARABIC} {DIGIT}", f"<U+0627> {DIGIT}"),
        (f"cat {A}{B}.txt > x", f"cat {A}{B}.txt > x"),
        (f"cp {A} to {B}", f"cp {A} to {B}"),
        (f"cp 1 {A}", f"cp 1 {A}"),
        (f"{A}\N{HEBREW POINT QAMATS}{B}", f"{A}\N{HEBREW POINT QAMATS}{B}"),
        (f"one {A}\n> {B}", f"one {A}\n> {B}"),  # another line is another paragraph
        ("café 文件 > b", "café 文件 > b"),
    ],
)
def test_letters_are_spelt_where_something_would_change_places(text: str, kept: str) -> None:
    assert keep_order(text) == kept


def test_questions_in_terminals_and_dialogs_keep_the_order() -> None:
    turned, spelt = f"cat {A} > {B}", f"cat {SPELT_A} > {SPELT_B}"
    command = show(CommandSubject(command=turned, original=turned, cwd=f"/{A}/{B}"), preview_shown=True)
    assert command.lines == (f"$ {spelt}", f"in /{SPELT_A}/{SPELT_B}")
    files = FilesSubject(files=(FileEdit(path=f"{A}/{B}", change="add"),))
    assert f"A {SPELT_A}/{SPELT_B} (+0 -0)" in show(files, preview_shown=True).lines
    assert show(QuestionsSubject(questions=(), message=turned), preview_shown=True).lines == (f"> {spelt}",)
    assert visible_line(turned) == spelt
