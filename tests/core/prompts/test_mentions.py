"""Mentions are checked before anything is sent; only paths and lines travel, never a file's content."""

import pytest

from bascule.core.prompts.mentions import Selection, expand_mentions
from bascule.model.asks import Refuse

FILES = {
    "README.md",
    "src/app.py",
    "docs/日本語.md",
    "notes(1)",
    "a#L3",
    "logo@2x.png",
    "my notes.txt",
    "@types/x.ts",
}
CODE = "```python\n@property\ndef size(self): ...\n```"


def expand(text: str, selection: Selection | None = None) -> str | Refuse:
    return expand_mentions(text, "/home/dev/demo", selection, FILES.__contains__)


def select(
    start: tuple[int, int], end: tuple[int, int], path: str = "/home/dev/demo/src/app.py"
) -> Selection:
    return Selection(
        path=path, start_line=start[0], start_column=start[1], end_line=end[0], end_column=end[1]
    )


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("look at @src/app.py please", "look at @src/app.py please"),
        ("see @README.md.", "see @README.md."),
        ("(@README.md)", "(@README.md)"),
        ("@file:src/app.py", "@src/app.py"),
        ("@src/app.py#L10-L42 and @README.md#L3", "@src/app.py#L10-L42 and @README.md#L3"),
        ("@docs/日本語.md", "@docs/日本語.md"),
        ("mail me@example.org", "mail me@example.org"),
        ("a lone @ sign", "a lone @ sign"),
        ("see @notes(1) and (as said in @notes(1)).", "see @notes(1) and (as said in @notes(1))."),
        ("@a#L3 is a file, @README.md#L3, a line", "@a#L3 is a file, @README.md#L3, a line"),
        ("the mark @logo@2x.png", "the mark @logo@2x.png"),
        ('@"my notes.txt" and @"my notes.txt"#L3.', '@"my notes.txt" and @"my notes.txt"#L3.'),
        ('@"@types/x.ts"', '@"@types/x.ts"'),
        ("@@ -1,3 +1,3 @@", "@@ -1,3 +1,3 @@"),
        (f"why?\n{CODE}\n", f"why?\n{CODE}\n"),
        (
            "  ~~~\n  @selection\n  @file:x\n  ~~~\n@file:src/app.py",
            "  ~~~\n  @selection\n  @file:x\n  ~~~\n@src/app.py",
        ),
    ],
)
def test_a_file_of_the_workspace_is_sent_as_its_path(typed: str, sent: str) -> None:
    assert expand(typed) == sent


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("@/etc/passwd", "absolute"),
        ("@C:\\secret.txt", "absolute"),
        ("@src:app.py", "colon"),
        ("@../other/file", "leaves the workspace"),
        ("@missing.py", "no such file"),
        ("@src", "no such file"),
        ("@file:/etc/passwd", "absolute"),
        (f"\n{CODE}\n@missing.py", "no such file"),
        ("@" + "a" * 900_000, f"@{'a' * 199}…: there is no such file"),
        ("@notes(2)", "@notes(2: there is no such file"),
        ('@"my other notes.txt"', "@my other notes.txt: there is no such file"),
        ('@"/etc/my notes"', "absolute"),
        ('@"../my notes"', "leaves the workspace"),
    ],
)
def test_anything_else_is_refused_and_nothing_is_sent(typed: str, why: str) -> None:
    refused = expand(f"look at {typed} now")
    assert isinstance(refused, Refuse)
    assert why in refused.why


@pytest.mark.parametrize(
    ("selection", "place"),
    [
        (select((9, 0), (9, 5)), "@src/app.py#L10"),
        (select((9, 0), (41, 3)), "@src/app.py#L10-L42"),
        (select((9, 0), (42, 0)), "@src/app.py#L10-L42"),  # ends at the start of a line: not that line
        (select((9, 0), (10, 0)), "@src/app.py#L10"),
        (select((0, 2), (1, 1), "src/app.py"), "@src/app.py#L1-L2"),
    ],
)
def test_selection_becomes_path_and_lines(selection: Selection, place: str) -> None:
    assert expand("explain @selection", selection) == f"explain {place}"


@pytest.mark.parametrize("around", ["{}.", "{}, please", "(see {})", "({})", '"{}"?', "{}"])
def test_a_selection_may_end_a_sentence_or_stand_in_brackets(around: str) -> None:
    selected = select((9, 0), (9, 5))
    assert expand(around.format("@selection"), selected) == around.format("@src/app.py#L10")


@pytest.mark.parametrize("typed", ["me@selection", "@selections", "@selection/x.py", "@selection.py"])
def test_a_longer_word_is_no_selection(typed: str) -> None:
    expanded = expand(typed, select((9, 0), (9, 5)))
    assert expanded == typed if typed.startswith("me") else isinstance(expanded, Refuse)


def test_a_selection_in_a_file_with_a_blank_in_its_name() -> None:
    assert expand("@selection!", select((1, 0), (2, 4), "my notes.txt")) == '@"my notes.txt"#L2-L3!'


@pytest.mark.parametrize(
    ("selection", "why"),
    [
        (None, "open editor"),
        (select((3, 1), (3, 1)), "nothing is selected"),
        (select((0, 0), (1, 1), "/home/dev/other/x.py"), "outside"),
        (select((0, 0), (1, 1), "../x.py"), "outside"),
    ],
)
def test_a_selection_that_cannot_be_named_is_refused(selection: Selection | None, why: str) -> None:
    refused = expand("explain @selection", selection)
    assert isinstance(refused, Refuse)
    assert why in refused.why
