"""Diffs that the installed Git judges: cases of every kind in which a hunk could go astray."""

from collections.abc import Iterator
from difflib import unified_diff
from itertools import product
from typing import Literal, NamedTuple

from tests.core.diff.trees import Tree

# same: written as Git writes it; safe: that, or refused; refused: never written
Wanted = Literal["same", "safe", "refused"]


class Case(NamedTuple):
    name: str
    before: Tree
    text: str
    wanted: Wanted


def lines(*texts: object) -> bytes:
    return "".join(f"{text}\n" for text in texts).encode()


def diff(before: bytes, after: bytes, context: int = 3, path: str = "x") -> str:
    old, new = (data.decode().splitlines(keepends=True) for data in (before, after))
    return "".join(unified_diff(old, new, f"a/{path}", f"b/{path}", n=context))


# Files and their next version: changes at the beginning, in the middle and at the end, in lines that
# differ and in lines that repeat.
TEN = lines(*range(1, 11))
EDITS: dict[str, tuple[bytes, bytes]] = {
    "change first": (TEN, lines("one", *range(2, 11))),
    "change middle": (TEN, lines(1, 2, 3, 4, "five", *range(6, 11))),
    "change last": (TEN, lines(*range(1, 10), "ten")),
    "add first": (TEN, lines("NEW", *range(1, 11))),
    "add middle": (TEN, lines(1, 2, 3, 4, 5, "NEW", *range(6, 11))),
    "add last": (lines(1, 2, 3, 4), lines(1, 2, 3, 4, "NEW")),
    "add last but one": (TEN, lines(*range(1, 10), "NEW", 10)),
    "remove first": (TEN, lines(*range(2, 11))),
    "remove middle": (TEN, lines(1, 2, 3, 4, *range(6, 11))),
    "remove last": (TEN, lines(*range(1, 10))),
    "two hunks": (lines(*range(1, 31)), lines(1, 2, "three", *range(4, 25), "NEW", *range(25, 31))),
    "grow then shrink": (lines(*range(1, 31)), lines(1, 2, "a", "b", *range(3, 25), *range(27, 31))),
    "repeated lines, add": (lines(*"ababababab"), lines(*"abababababab")),
    "repeated lines, remove": (lines(*"aaaaaaaaaa"), lines(*"aaaaaaaaa")),
    "block of repeated lines": (lines(*"xyzxyzxyzq"), lines(*"xyzxyzxyzxyzq")),
    "twin blocks, the first": (
        lines("f", *"abcde", "", "g", *"abcde"),
        lines("f", *"abCde", "", "g", *"abcde"),
    ),
    "twin blocks, the second": (
        lines("f", *"abcde", "", "g", *"abcde"),
        lines("f", *"abcde", "", "g", *"abCde"),
    ),
    "empty to some": (b"", lines("a", "b")),
    "some to empty": (lines("a", "b"), b""),
}


def twice() -> Iterator[Case]:
    """A diff on the file that it was made from, and on its own result."""
    for (name, (before, after)), context in product(EDITS.items(), (1, 2, 3, 10)):
        text = diff(before, after, context)
        repeats = "repeated" in name
        yield Case(f"once: {name}, context {context}", {"x": before}, text, "safe" if repeats else "same")
        yield Case(f"twice: {name}, context {context}", {"x": after}, text, "refused")


def shifted() -> Iterator[Case]:
    """A diff on a file that has grown at one end, or on both."""
    for (name, (before, after)), (above, below) in product(EDITS.items(), ((3, 0), (0, 3), (2, 5))):
        grown = lines(*(f"above {n}" for n in range(above))) + before
        grown += lines(*(f"below {n}" for n in range(below)))
        yield Case(f"grown by {above} and {below}: {name}", {"x": grown}, diff(before, after), "safe")


TWINS = lines("def f():", *"abcde", "", "def g():", *"abcde", "", "def h():", *"abcde")


def two_places() -> Iterator[Case]:
    """Two places fit, and the numbers are wrong or point to neither."""
    body = " b\n-c\n+C\n d\n"
    for header in (
        "@@ -3,9 +3,9 @@",
        "@@ -3,2 +3,2 @@",
        "@@ -50,3 +50,3 @@",
        "@@ -3,3 +9,3 @@",
        "@@",
        "@@ ... @@",
    ):
        yield Case(
            f"two places, {header}",
            {"x": TWINS},
            f"```diff\n--- a/x\n+++ b/x\n{header}\n{body}```\n",
            "refused",
        )
    # the stated line against the heading
    for line in (3, 10, 17):
        for heading in ("def f():", "def g():", "def h():"):
            text = f"--- a/x\n+++ b/x\n@@ -{line},3 +{line},3 @@ {heading}\n{body}"
            is_right = {3: "def f():", 10: "def g():", 17: "def h():"}[line] == heading
            yield Case(f"line {line} under {heading}", {"x": TWINS}, text, "same" if is_right else "refused")


TEXTS = {
    "approval": "+1 from me, merged\n",
    "list": "- one thing\n- another\n",
    "quote": "> did you test it?\n",
    "signature": "-- \nBob\n",
    "version": "-- \n2.39.5\n",
    "indented": " see above\n",
    "prose": "That is all.\n",
    "blank and prose": "\nThat is all.\n",
    "blank and list": "\n- one thing\n+ another\n",
    "rule": "---\nmore\n",
}


def text_after() -> Iterator[Case]:
    for (name, text), (kind, (before, after)) in product(TEXTS.items(), EDITS.items()):
        if "repeated" in kind or "empty" in kind:
            continue
        made = diff(before, after)
        ends_in_change = made.splitlines()[-1][:1] != " "
        wanted: Wanted = "safe" if ends_in_change and text[0] == "+" else "same"
        yield Case(f"{name} after {kind}", {"x": before}, made + text, wanted)


def cut_off() -> Iterator[Case]:
    """At every line, and in the middle of every line."""
    for name in ("change middle", "add last", "change last", "twin blocks, the first"):
        before, after = EDITS[name]
        text = diff(before, after)
        ends = [at for at, char in enumerate(text) if char == "\n"]
        for at in sorted({*ends, *(end + 1 for end in ends), *(end - 1 for end in ends)}):
            if at < len(text):
                yield Case(f"{name} cut at {at}", {"x": before}, text[:at], "refused")
    new = "--- /dev/null\n+++ b/n\n@@ -0,0 +1,40 @@\n+1\n+2\n+3\n"
    yield Case("new file with 3 lines of 40", {}, new, "refused")
    yield Case("the same in a block", {}, f"```diff\n{new}```\n", "refused")


def series() -> Iterator[Case]:
    """Several sections for one file, each made from what the one before leaves."""
    first, last = lines(*range(1, 31)), lines(*range(1, 31))
    steps = {
        "far apart": ((3, "three"), (27, "twenty-seven")),
        "near": ((10, "ten"), (12, "twelve")),
        "the same line": ((10, "ten"), ("ten", "TEN")),
        "upwards": ((27, "twenty-seven"), (3, "three")),
    }
    for name, changes in steps.items():
        text, now = "", first
        for old, new in changes:
            after = now.replace(f"\n{old}\n".encode(), f"\n{new}\nand more\n".encode(), 1)
            text += diff(now, after)
            now = after
        yield Case(f"series: {name}", {"x": last}, text, "same")
    one, two = diff(TEN, lines("NEW", *range(1, 11))), diff(lines("NEW", *range(1, 11)), TEN)
    yield Case("series: there and back", {"x": TEN}, one + two, "safe")
    new = "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+a\n+b\n"
    yield Case("series: made and changed", {}, new + diff(lines(*"ab"), lines(*"aB"), path="n"), "same")
    moved = RENAME.format("x", "y")
    yield Case(
        "series: renamed and changed",
        {"x": TEN},
        moved + "diff --git a/y b/y\n" + diff(TEN, EDITS["change middle"][1], path="y"),
        "same",
    )
    yield Case(
        "series: changed, and the old name again",
        {"x": TEN},
        moved + "diff --git a/x b/x\n" + diff(TEN, EDITS["change middle"][1]),
        "refused",
    )
    twins = lines("start", *"abcdef", "middle", *"abcdef", "end")
    above = diff(twins, b"1\n2\n3\n4\n5\n6\n7\n" + twins)
    other = "--- a/x\n+++ b/x\n@@ -9,5 +9,5 @@\n a\n b\n-c\n+C\n d\n e\n"
    yield Case("series: two readings", {"x": twins}, above + other, "refused")


def names() -> Iterator[Case]:
    body = diff(TEN, EDITS["change middle"][1]).split("\n", 2)[2]
    tree = {"x": TEN, "sub/x": lines("other")}

    def case(name: str, headers: str, wanted: Wanted, before: Tree = tree, hunk: str = body) -> Case:
        return Case(f"names: {name}", before, f"{headers}\n{hunk}", wanted)

    yield case("tab in a name", "--- a/x\tcopy\n+++ b/x\tcopy", "refused")
    yield case(
        "tab and a date", "--- a/x\t2025-01-01 00:00:00 +0000\n+++ b/x\t2025-01-01 00:00:00 +0000", "same"
    )
    yield case(
        "old and new folders",
        "diff -ruN old/x new/x\n--- old/x\t2025-01-01 10:00:00 +0100\n+++ new/x\t2025-01-01 11:00:00 +0100",
        "same",
    )
    for zone, time, day in (
        ("+0000", "00:00:00", "1970-01-01"),
        ("+0100", "01:00:00.000000000", "1970-01-01"),
        ("-0500", "19:00:00", "1969-12-31"),
    ):
        stamp = f"{day} {time} {zone}"
        yield case(
            f"new at {stamp}",
            f"diff -ruN old/n new/n\n--- old/n\t{stamp}\n+++ new/n\t2025-01-01 10:00:00 +0000",
            "same",
            {},
            "@@ -0,0 +1 @@\n+a\n",
        )
        yield case(
            f"gone at {stamp}",
            f"diff -ruN old/g new/g\n--- old/g\t2025-01-01 10:00:00 +0000\n+++ new/g\t{stamp}",
            "same",
            {"g": b"a\n"},
            "@@ -1 +0,0 @@\n-a\n",
        )
    for stamp in (
        "1970-01-01 10:00:00 +0000",
        "1970-01-01 00:00:07 +0000",
        "1969-12-31 10:00:00 +0000",
        "1970-01-01 00:00:00 +0100",
    ):
        yield case(f"not absent at {stamp}", f"--- a/x\t2025-01-01 10:00:00 +0000\n+++ b/x\t{stamp}", "same")
    yield case("backup", "--- x.orig\n+++ x", "same", {"x": TEN})
    yield case("two names", "--- a/x\n+++ b/y", "refused", {"x": TEN, "y": TEN})
    git = "diff --git a/x b/x\n"
    for header in (
        "new mode",
        "old mode 100644\nnew mode",
        "new mode \n",
        "old mode 100644",
        "new mode 10z644",
        "deleted file mode",
        "new file mode",
    ):
        yield case(f"bad header {header!r}", f"{git}{header}\n--- a/x\n+++ b/x", "refused")
    for one, other in product(("rename", "copy"), ("new file mode 100644", "deleted file mode 100644")):
        moved = f"diff --git a/x b/y\n{other}\n{one} from x\n{one} to y\n"
        yield Case(f"names: {other} and {one}", {"x": TEN}, moved, "refused")
    yield Case(
        "names: rename and copy",
        {"x": TEN},
        "diff --git a/x b/y\nrename from x\nrename to y\ncopy from x\ncopy to y\n",
        "refused",
    )
    yield Case("names: rename from nothing", {"x": TEN}, "diff --git a/x b/y\nrename to y\n", "refused")
    yield case("folders above", "--- a/top/x\n+++ b/top/x", "refused", {"x": TEN})
    unprefixed = "--- sub/x\n+++ sub/x"
    yield case("no prefix, and both fit", unprefixed, "refused", {"x": TEN, "sub/x": TEN})
    yield case("backslash", "--- a/sub\\x\n+++ b/sub\\x", "refused")
    yield case("hidden", "--- a/x\u200b\n+++ b/x\u200b", "refused")


RENAME = "diff --git a/{0} b/{1}\nsimilarity index 100%\nrename from {0}\nrename to {1}\n"
GONE = "diff --git a/{0} b/{0}\ndeleted file mode 100644\n--- a/{0}\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
NEW = "diff --git a/{0} b/{0}\nnew file mode 100644\n--- /dev/null\n+++ b/{0}\n@@ -0,0 +1 @@\n+b\n"


def moves() -> Iterator[Case]:
    three = {"a": b"1\n", "b": b"2\n", "c": b"3\n"}
    yield Case("swapped", three, RENAME.format("a", "b") + RENAME.format("b", "a"), "same")
    ring = RENAME.format("a", "b") + RENAME.format("b", "c") + RENAME.format("c", "a")
    yield Case("in a ring", three, ring, "same")
    yield Case(
        "onto one that goes", {"x": b"a\n", "y": b"b\n"}, GONE.format("x") + RENAME.format("y", "x"), "same"
    )
    yield Case(
        "onto one that goes later",
        {"x": b"a\n", "y": b"b\n"},
        RENAME.format("y", "x") + GONE.format("x"),
        "safe",
    )
    yield Case("onto one that stays", {"x": b"a\n", "y": b"b\n"}, RENAME.format("y", "x"), "refused")
    yield Case("gone and new", {"x": b"a\n"}, GONE.format("x") + NEW.format("x"), "same")
    yield Case("new twice", {}, NEW.format("x") + NEW.format("x"), "refused")
    yield Case("gone twice", {"x": b"a\n"}, GONE.format("x") + GONE.format("x"), "refused")
    yield Case("file to folder", {"x": b"a\n"}, GONE.format("x") + NEW.format("x/y"), "safe")
    yield Case("folder to file", {"x/y": b"a\n"}, GONE.format("x/y") + NEW.format("x"), "safe")
    yield Case("one name to two", {"x": b"a\n"}, RENAME.format("x", "y") + RENAME.format("x", "z"), "safe")


CASES = [*twice(), *shifted(), *two_places(), *text_after(), *cut_off(), *series(), *names(), *moves()]
