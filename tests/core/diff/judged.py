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
    strip: int | None = None  # as `git apply -p`


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
    small, larger, largest = lines("{"), lines(*"}N{"), lines(*"{}N{")
    fits_again = diff(small, larger) + diff(larger, largest)
    yield Case("series: fits its own result", {"x": small}, fits_again, "refused")
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
    for strip, (old, new) in product((None, 1), (("x.orig", "x"), ("x", "x.new"), ("x~", "x"))):
        text = f"--- a/{old}\n+++ b/{new}\n{body}"
        yield Case(f"names: {old} and {new}, -p{strip}", {"x": TEN, "x.orig": TEN}, text, "same", strip)
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


BODY = "@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n"
ADDED = "@@ -0,0 +1 @@\n+y\n"


def stripped() -> Iterator[Case]:
    """`-p N`: from the names of a rename or a copy, which have no prefix, one folder less is dropped."""
    tree = {"x": b"X\n", "sub/x": TEN, "a/x": b"ax\n", "top/sub/x": b"deep\n"}
    for kind, strip in product(("rename", "copy"), (0, 1, 2, 3)):
        for name in ("x", "sub/x", "top/sub/x"):
            new = name[:-1] + "y"
            head = (
                f"diff --git a/{name} b/{new}\nsimilarity index 100%\n{kind} from {name}\n{kind} to {new}\n"
            )
            yield Case(f"-p{strip}: {kind} {name}", tree, head, "safe", strip)
        head = f"diff --git a/sub/x b/sub/y\n{kind} from sub/x\n{kind} to sub/y\n--- a/sub/x\n+++ b/sub/y\n"
        both = {"x": TEN, "sub/x": TEN}
        wanted: Wanted = "same" if strip in (1, 2) else "safe"
        yield Case(f"-p{strip}: {kind} with a hunk", both, head + BODY, wanted, strip)
        other = head.replace("--- a/sub/x", "--- a/sub/q")
        yield Case(f"-p{strip}: {kind}, two sources", {**both, "sub/q": TEN}, other + BODY, "refused", strip)
    for strip, (old, new) in product((1, 2), (("sub/x", "x"), ("x", "a/x"), ("a/sub/x", "sub/x"))):
        head = f"diff --git {old} {new}\nold mode 100644\nnew mode 100755\n"
        wanted = "safe" if strip == 1 and "/" in new else "refused"
        yield Case(f"-p{strip}: a mode of {old} and {new}", tree, head, wanted, strip)
    plain = "--- {0}\n+++ {1}\n"
    for strip, (old, new) in product(
        (0, 1, 2), (("a/sub/x", "b/sub/x"), ("sub/x", "sub/x"), ("./sub/x", "./sub/x"), ("x", "x"))
    ):
        same = {"x": TEN, "sub/x": TEN}
        yield Case(f"-p{strip}: {old}", same, plain.format(old, new) + BODY, "safe", strip)
        yield Case(f"-p{strip}: new {new}", {}, plain.format("/dev/null", new) + ADDED, "safe", strip)


def odd_names() -> Iterator[Case]:
    """Blanks at the end, dates in the middle, escapes that Git does not know."""
    for name in ("a ", "a  ", "a \t", " a"):
        tree = {"a": TEN, name.rstrip("\t"): TEN}
        plain = f"--- a/{name}\n+++ b/{name}\n{BODY}"
        wanted: Wanted = "safe" if name == " a" else "refused"
        yield Case(f"blank: {name!r}", tree, plain, wanted)
        yield Case(
            f"blank: {name!r} after diff --git", tree, f"diff --git a/{name} b/{name}\n{plain}", wanted
        )
        yield Case(f"blank: new {name!r}", {}, f"--- /dev/null\n+++ b/{name}\n{ADDED}", wanted)
        yield Case(f"blank: from {name!r}", tree, RENAME.format(name, "c"), wanted)
        yield Case(f"blank: to {name!r}", {"q": TEN}, RENAME.format("q", name), wanted)
    for old, new in (("./a", "./b"), ("./old", "./new"), ("./a", "b"), ("a", "./b"), ("././a", "././b")):
        tree = {f"{top}x": TEN for top in ("", "a/", "b/", "old/", "new/")}
        yield Case(f"dot: {old} {new}", tree, f"--- {old}/x\n+++ {new}/x\n{BODY}", "safe")
        yield Case(f"dot: {old} {new}, -p2", tree, f"--- {old}/x\n+++ {new}/x\n{BODY}", "safe", 2)
    yield Case("dot: one name", {"x": TEN, "b/x": TEN}, f"--- ./b/x\n+++ ./b/x\n{BODY}", "same")
    yield Case("blank: unprefixed", {"a": TEN, " a": TEN}, f"---  a\n+++  a\n{BODY}", "safe")
    yield Case("blank: /dev/null", {}, f"--- /dev/null \n+++ b/n\n{ADDED}", "same")
    for rest in (
        *(" 2024-05-05 10:00.txt", " 2020-01-01 10:00 notes.txt", " 2020-01-01 10:00", " 2020-01-01"),
        *(
            " 2020-01-01 10:00:00",
            "  20-01-01 10:00:00.12",
            " 2020-01-01 10:00:00 +0100",
            " 2020-01-01 +01:00",
        ),
        *(" 2020-01-01T10:00:00", " 2020-01-01 10:00:00\r", "2020-01-01 10:00:00", " 2020-01-01 x"),
        *("\t2020-01-01 10:00:00", " 2020-01-01\t2020-01-01 10:00:00", " 10:00:00", " 2020-01-01.txt"),
    ):
        name, tree = f"log{rest}", {"log": TEN, f"log{rest}".rstrip("\r"): TEN}
        plain = f"--- a/{name}\n+++ b/{name}\n{BODY}"
        yield Case(f"date: {name!r}", tree, plain, "safe")
        yield Case(f"date: {name!r} after diff --git", tree, f"diff --git a/{name} b/{name}\n{plain}", "safe")
        yield Case(f"date: new {name!r}", {}, f"--- /dev/null\n+++ b/{name}\n{ADDED}", "safe")
        yield Case(f"date: from {name!r}", tree, RENAME.format(name, "c"), "safe")
    yield Case("date: cut", {"x": TEN}, f"--- a/x 2020-01-01 10:00:00\n+++ b/x 2020-01-01\n{BODY}", "same")
    for escape in ("\\1", "\\12", "\\501", "\\q", "\\8", "\\x41"):
        tree = dict.fromkeys(("a", "a1", "aA", "aq", "a12", "a8", "ax41"), TEN)
        quoted = f'--- "a/a{escape}"\n+++ "b/a{escape}"\n{BODY}'
        yield Case(f"escape: {escape}", tree, quoted, "refused")
        yield Case(f"escape: new {escape}", {}, f'--- /dev/null\n+++ "b/a{escape}"\n{ADDED}', "refused")
    yield Case("escape: known", {"aA": TEN}, f'--- "a/a\\101"\n+++ "b/a\\101"\n{BODY}', "same")


def unprefixed() -> Iterator[Case]:
    """Git drops the top folder of every name, also where it is no prefix."""
    both = {"x": b"a\n", "sub/x": b"a\n"}
    git = "diff --git sub/x sub/x\n"
    gone = "--- sub/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
    yield Case("unprefixed: gone", both, gone, "refused")
    yield Case("unprefixed: gone after diff --git", both, f"{git}deleted file mode 100644\n{gone}", "refused")
    empty = "deleted file mode 100644\nindex e69de29..0000000\n"
    yield Case("unprefixed: empty gone", {"x": b"", "sub/x": b""}, git + empty, "refused")
    yield Case("unprefixed: mode", both, f"{git}old mode 100644\nnew mode 100755\n", "refused")
    yield Case("unprefixed: old gone", {"x": b"a\n", "old/x": b"a\n"}, gone.replace("sub", "old"), "refused")
    yield Case("unprefixed: b gone", {"x": b"a\n", "b/x": b"a\n"}, gone.replace("sub", "b"), "same")
    yield Case("unprefixed: backup", {"x": TEN, "sub/x": TEN}, f"--- sub/x.orig\n+++ sub/x\n{BODY}", "safe")
    for top in ("sub", "new", "./sub", "./new"):
        plain = f"--- /dev/null\n+++ {top}/n\n{ADDED}"
        head = f"diff --git {top}/n {top}/n\nnew file mode 100644\n"
        yield Case(f"unprefixed: new in {top}", {"sub/z": b"z\n"}, plain, "safe")
        yield Case(f"unprefixed: new in {top} after diff --git", {"sub/z": b"z\n"}, head + plain, "safe")
        says = f"--- {top}/n\n+++ {top}/n\n{ADDED}"
        yield Case(f"unprefixed: new in {top} by its numbers", {}, says, "safe")
    yield Case(
        "unprefixed: new in a",
        {},
        f"diff --git a/n a/n\nnew file mode 100644\n--- /dev/null\n+++ a/n\n{ADDED}",
        "safe",
    )
    twins = {"sub/x": TEN, "x": TEN + TEN}
    yield Case("unprefixed: two places in the other", twins, f"--- sub/x\n+++ sub/x\n{BODY}", "refused")
    for name in ("a/n", "b/n", "sub/n", "n"):
        text = f"--- a\n+++ a\n{BODY}--- /dev/null\n+++ {name}\n{ADDED}"
        wanted: Wanted = "refused" if name in ("a/n", "b/n") else "same"
        yield Case(f"unprefixed: then new {name}", {"a": TEN}, text, wanted)
    yield Case(
        "unprefixed: then prefixed",
        {"a": TEN, "y": TEN, "b/y": TEN},
        f"--- a\n+++ a\n{BODY}--- a/y\n+++ b/y\n{BODY}",
        "safe",
    )


def together() -> Iterator[Case]:
    """Two parts that speak of one file, and hunks that lost a line."""
    edit = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-{0}\n+{1}\n"
    gone = GONE.format("x")
    yield Case("edited and gone, as before", {"x": b"a\n"}, edit.format("a", "b") + gone, "refused")
    yield Case("gone and edited", {"x": b"a\n"}, gone + edit.format("a", "b"), "refused")
    yield Case("new and gone", {}, NEW.format("x") + GONE.format("x").replace("-a", "-b"), "safe")
    crlf = {"x": b"x\r\ny\r\n"}
    for added in ("", "\r"):
        text = f"--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\r\n x\r\n+new{added}\n y\r\n"
        yield Case(f"CR of the header, and {added!r}", crlf, text, "same")
    thirty = lines(*range(1, 31))
    whole = diff(thirty, EDITS["two hunks"][1])
    head, one, two = whole.replace("\n@@", "\n\0@@").split("\0")
    for at in range(1, len(one.splitlines())):
        rest = one.splitlines(keepends=True)
        lost = rest.pop(at)
        for name, after in (
            ("a hunk", two),
            ("a section", f"diff --git a/z b/z\n--- a/z\n+++ b/z\n{BODY}"),
            ("text and a hunk", f"\nand then\n--- a/z\n+++ b/z\n{BODY}"),
        ):
            text = head + "".join(rest) + after
            yield Case(f"lost {lost!r} before {name}", {"x": thirty, "z": TEN}, text, "refused")


def ends_of_lines() -> Iterator[Case]:
    """CRLF in the file, in the diff or in both; a last line without a newline; a byte order mark."""
    after = EDITS["change middle"][1]
    for name, text in {
        "change last": diff(*EDITS["change last"]),
        "add last": diff(*EDITS["add last"]),
        "change middle": diff(TEN, after, 10),
    }.items():
        before = EDITS["add last"][0] if name == "add last" else TEN
        unended = text + UNENDED
        for ending in (b"\n", b"\r\n"):
            tree = {"x": before.replace(b"\n", ending)}
            if ending != b"\n":
                yield Case(f"{name}: CRLF and unended", tree, unended.replace("\n", "\r\n"), "safe")
            body = "".join(
                line if line.startswith(("---", "+++", "@@", "\\")) else line.replace("\n", "\r\n")
                for line in unended.splitlines(keepends=True)
            )
            yield Case(f"{name}: {ending!r}, CRLF in the hunk and unended", tree, body, "safe")
    new = f"--- /dev/null\n+++ b/n\n{ADDED}"
    for head in ("", "diff --git a/n b/n\nnew file mode 100644\n"):
        for tail in ("", UNENDED):
            text = (head + new + tail).replace("\n", "\r\n")
            yield Case(f"new, CRLF {head[:10]!r} {tail!r}", {}, text, "safe" if tail else "same")
    crlf = {"x": TEN.replace(b"\n", b"\r\n")}
    both = diff(TEN, after) + "diff --git a/n b/n\nnew file mode 100644\n" + new
    yield Case("new beside a file with CRLF", crlf, both.replace("\n", "\r\n"), "same")
    marked = "\ufeff".encode()
    for name, (old, changed) in EDITS.items():
        if "empty" in name or "repeated" in name:
            continue
        adds = diff(old, marked + changed)
        yield Case(f"adds a mark: {name}", {"x": old}, adds, "safe")
        yield Case(f"adds a mark twice: {name}", {"x": marked + old}, adds, "refused")
        yield Case(f"keeps a mark: {name}", {"x": marked + old}, diff(marked + old, marked + changed), "same")


UNENDED = "\\ No newline at end of file\n"


def only_added() -> Iterator[Case]:
    """Lines without any around them: the end of the file is the only place that can be told."""
    head = "--- a/x\n+++ b/x\n"
    for old, new, tail in product((0, 1, 5, 9, 10, 11, 20), (1, 6, 10, 11, 12, 21), ("", UNENDED)):
        text = f"{head}@@ -{old},0 +{new} @@\n+NEW\n{tail}"
        yield Case(f"-{old},0 +{new} {tail!r}", {"x": TEN}, text, "safe")
        yield Case(f"-{old},0 +{new} {tail!r}, unended file", {"x": TEN[:-1]}, text, "refused")
    swapped = f"```diff\n{head}@@ -10,1 +9,0 @@\n+NEW\n```\n"
    yield Case("only added, and wrong counts", {"x": TEN}, swapped, "refused")


def moved_and_changed() -> Iterator[Case]:
    """Names that several parts speak of."""
    mode = "diff --git a/{0} b/{0}\nold mode 100644\nnew mode 100755\n"
    edit = "diff --git a/{0} b/{0}\n" + BODY.join(("--- a/{0}\n+++ b/{0}\n", ""))
    two = {"x": b"a\n", "y": TEN}
    gone = GONE.format("x") + RENAME.format("y", "x")
    yield Case("renamed onto one that goes, then changed", two, gone + edit.format("x"), "same")
    yield Case("copied onto one that goes, then changed", two, gone.replace("rename", "copy"), "same")
    yield Case("new over one that goes later", two, NEW.format("x") + RENAME.format("x", "z"), "safe")
    changed = mode.format("x") + NEW.format("x") + RENAME.format("x", "z")
    yield Case("a mode, new, and a rename", two, changed, "refused")
    yield Case("gone and renamed", two, GONE.format("x") + RENAME.format("x", "z"), "refused")
    yield Case("two onto one name", two, RENAME.format("x", "z") + RENAME.format("y", "z"), "refused")
    yield Case("new, then a rename onto it", two, NEW.format("z") + RENAME.format("x", "z"), "refused")
    chain = [RENAME.format(*pair) for pair in (("x", "p"), ("p", "q"), ("q", "x"), ("x", "q"))]
    yield Case("round in a circle", two, "".join(chain), "refused")
    copies = RENAME.replace("rename", "copy").format("x", "y")
    yield Case("copied over one that is edited", two, edit.format("y") + copies, "refused")
    for top in ("a", "b"):
        text = f"--- {top}/y\n+++ {top}/y\n{BODY}"
        yield Case(f"{top}/ before both names", two, text, "same")
        yield Case(f"{top}/ before both names, and both fit", {**two, f"{top}/y": TEN}, text, "refused")


def more_than_counted() -> Iterator[Case]:
    """Counts that leave lines over: they may be the hunk's, where that changes nothing."""
    for name in ("change first", "change middle", "add middle", "remove middle"):
        text = diff(*EDITS[name])
        head, counts = text.split("@@ ")[0], text.split("@@ ")[1].split(" ")
        fewer = " ".join(f"{part.split(',')[0]},{int(part.split(',')[1]) - 1}" for part in counts[:2])
        rest = text.split(" @@\n", 1)[1]
        yield Case(f"one line more: {name}", {"x": EDITS[name][0]}, f"{head}@@ {fewer} @@\n{rest}", "same")


CASES = [
    *(*twice(), *shifted(), *two_places(), *text_after(), *cut_off(), *series(), *names(), *moves()),
    *(*stripped(), *odd_names(), *unprefixed(), *together()),
    *(*ends_of_lines(), *only_added(), *moved_and_changed(), *more_than_counted()),
]
