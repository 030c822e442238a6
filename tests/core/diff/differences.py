"""Where Bascule and `git apply` differ on purpose: what Git refuses or does otherwise, and is written."""

from collections.abc import Iterator
from typing import NamedTuple

from tests.core.diff.judged import ADDED, BODY, EDITS, GONE, NEW, RENAME, TEN, UNENDED, diff, lines
from tests.core.diff.trees import Tree


class Difference(NamedTuple):
    name: str  # the words that docs/guide/diffs.md begins its item with
    before: Tree
    text: str
    after: Tree


MARK = "\ufeff"
CRLF = b"\r\n"


def crlf(data: bytes) -> bytes:
    return data.replace(b"\n", CRLF)


def differences() -> Iterator[Difference]:
    yield from line_endings()
    yield from headers()
    yield from counts()
    yield from names()
    yield from places()


def line_endings() -> Iterator[Difference]:
    for name in ("change first", "change middle", "change last", "add last", "remove middle"):
        before, after = EDITS[name]
        text = diff(before, after)
        yield Difference("Line endings", {"x": crlf(before)}, text, {"x": crlf(after)})
        yield Difference("Line endings", {"x": before}, text.replace("\n", "\r\n"), {"x": after})
    before, after = EDITS["change last"]
    unended = (diff(before, after) + UNENDED).replace("\n", "\r\n")
    yield Difference("Line endings", {"x": before}, unended, {"x": after[:-1]})
    both = diff(before, after) + NEW.format("n")
    wanted = {"x": after, "n": b"b\n"}
    yield Difference("Line endings", {"x": before}, both.replace("\n", "\r\n"), wanted)
    # a last line without a newline
    before, after = EDITS["change middle"]
    whole = diff(before, after, 10)
    yield Difference("No newline", {"x": before[:-1]}, whole, {"x": after[:-1]})
    before, after = EDITS["add last"]
    yield Difference("No newline", {"x": before[:-1]}, diff(before, after), {"x": after})
    before, after = EDITS["change last"]
    yield Difference("No newline", {"x": before[:-1]}, diff(before, after), {"x": after})
    # a byte order mark
    mark = MARK.encode()
    for name in ("change first", "add first", "remove first"):
        before, after = EDITS[name]
        yield Difference("A byte order mark", {"x": mark + before}, diff(before, after), {"x": mark + after})
    yield Difference("A byte order mark", {"x": before}, MARK + diff(before, after), {"x": after})


def headers() -> Iterator[Difference]:
    before, after = EDITS["two hunks"]
    text = diff(before, after)
    for old, new in (
        (" @@\n", "@@\n"),
        (" @@\n", "\n"),
        (" +", "  +"),
        (" -", "-"),
        (",", ", "),
    ):
        start, *hunks = text.split("\n@@")
        odd = "\n".join([start, *("@@" + hunk.replace(old, new, 1) for hunk in hunks)])
        yield Difference("Odd headers", {"x": before}, f"```diff\n{odd}```\n", {"x": after})
    for header in ("@@", "@@ ... @@", "@@ -1,99 +1,1 @@"):
        text = f"```diff\n--- a/x\n+++ b/x\n{header}\n 4\n-5\n+five\n 6\n```\n"
        yield Difference("Odd headers", {"x": TEN}, text, {"x": EDITS["change middle"][1]})
    bare = f"diff --git a/x b/x\n{BODY}"
    yield Difference("Odd headers", {"x": TEN}, bare, {"x": EDITS["change middle"][1]})
    blank = diff(before, after).replace("\n@@", "\n\n@@").replace("\n\n@@", "\n@@", 1)
    yield Difference("Blank lines", {"x": before}, blank, {"x": after})


def counts() -> Iterator[Difference]:
    """In a closed block, counts that no missing lines could explain, and those of any hunk but the last."""
    before, after = EDITS["change middle"]
    text = diff(before, after)
    for counts in ("-2,9 +2,6", "-2,6 +2,9", "-2,2 +2,3"):
        odd = text.replace("-2,7 +2,7", counts)
        yield Difference("Counts in a block", {"x": before}, f"```diff\n{odd}```\n", {"x": after})
    before, after = EDITS["two hunks"]
    text = diff(before, after)
    for lost in (" 1\n", " 6\n"):
        odd = text.replace(lost, "", 1)
        yield Difference("Counts in a block", {"x": before}, f"```diff\n{odd}```\n", {"x": after})


def names() -> Iterator[Difference]:
    after = EDITS["change middle"][1]
    for head in ("", "diff --git sub/x sub/x\n"):
        yield Difference(
            "Names without a prefix", {"sub/x": TEN}, f"{head}--- sub/x\n+++ sub/x\n{BODY}", {"sub/x": after}
        )
    yield Difference(
        "Names without a prefix", {"x": TEN}, f"diff --git x x\n--- x\n+++ x\n{BODY}", {"x": after}
    )
    yield Difference(
        "A new file by its numbers", {}, f"diff --git a/n b/n\n--- a/n\n+++ b/n\n{ADDED}", {"n": b"y\n"}
    )
    for head in ("", "index 0000000..6178079\n"):
        text = f"diff --git n n\nnew file mode 100644\n{head}--- /dev/null\n+++ n\n{ADDED}"
        yield Difference("Names without a prefix", {}, text, {"n": b"y\n"})
    yield from series()


def series() -> Iterator[Difference]:
    """Git takes renames from the files before the diff, and leaves what an earlier part made of them."""
    name = "A series that renames or deletes"
    edit = "diff --git a/x b/x\n" + diff(b"b\n", b"a\n")
    yield Difference(name, {"x": b"b\n", "y": b"y\n"}, edit + GONE.format("x"), {"y": b"y\n"})
    yield Difference(name, {"x": b"b\n"}, edit + RENAME.format("x", "y"), {"y": b"a\n"})
    renames = RENAME.format("x", "y") + RENAME.format("y", "z")
    yield Difference(name, {"x": b"b\n"}, edit + renames, {"z": b"a\n"})
    made = NEW.format("n") + RENAME.format("n", "m")
    yield Difference(name, {}, made, {"m": b"b\n"})
    copied = NEW.format("n") + RENAME.replace("rename", "copy").format("n", "m")
    yield Difference(name, {}, copied, {"n": b"b\n", "m": b"b\n"})
    once = lines(1, 2, 3, 4, "five", *range(6, 11))
    again = lines(1, 2, 3, 4, "FIVE", *range(6, 11))
    moved = "diff --git a/x b/y\nrename from x\nrename to y\n" + diff(once, again).replace("b/x", "b/y")
    yield Difference(name, {"x": TEN}, diff(TEN, once) + moved, {"y": again})


def places() -> Iterator[Difference]:
    """Git takes the nearest place; the heading and the order of the hunks say which one it is."""
    block = ["    a", "    b", "    c", "    d", "    e"]
    far = lines(*(f"# {n}" for n in range(30)))
    before = lines("def f():", *block, "", "def g():", *block) + far + lines("def h():", *block) + far
    text = "--- a/x\n+++ b/x\n@@ -20,3 +20,3 @@ def h():\n     b\n-    c\n+    C\n     d\n"
    at = before.rindex(b"    c\n")
    yield Difference(
        "Headings and order", {"x": before}, text, {"x": before[:at] + b"    C\n" + before[at + 6 :]}
    )
    abab, wanted = lines(*"ababababab"), lines("a", "NEW", *"bababab", "Q", "b")
    hunks = diff(abab, wanted).replace("-1,4 +1,5", "-8,4 +8,5").replace("-6,5 +7,5", "-13,5 +14,5")
    yield Difference("Headings and order", {"x": abab}, hunks, {"x": wanted})


DIFFERENCES = list(differences())
