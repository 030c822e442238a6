"""Diffs that the installed Git judges: text between hunks, counts that stop early, fences around a part."""

from collections.abc import Iterator
from itertools import product

from tests.core.diff.judged import EDITS, TEXTS, Case, Wanted, diff, lines

TWO = EDITS["two hunks"]
BLOCKS = lines("f", *"abcde", "", "g", *"abcde", "", "h", *"abcde", "")


def split_hunks(text: str) -> tuple[str, list[str]]:
    head, *hunks = text.split("\n@@")
    return head + "\n", ["@@" + hunk.removesuffix("\n") + "\n" for hunk in hunks]


def text_between() -> Iterator[Case]:
    """Lines between two complete hunks are never written, whatever they look like."""
    for (name, text), context in product(TEXTS.items(), (1, 2, 3)):
        head, (one, two) = split_hunks(diff(*TWO, context))
        yield Case(
            f"{name} between two hunks, context {context}", {"x": TWO[0]}, head + one + text + two, "refused"
        )
        other = diff(*EDITS["change middle"], path="y")
        wanted: Wanted = "safe" if name in ("prose", "quote") or text[0] != "+" else "same"
        both = head + one + two + text + other
        yield Case(
            f"{name} between two files, context {context}",
            {"x": TWO[0], "y": EDITS["change middle"][0]},
            both,
            wanted,
        )


def short_counts() -> Iterator[Case]:
    """Counts that are met before the hunk ends, where other places fit as well: nothing of it is dropped."""
    for start in (3, 10, 17):
        for body in (
            " b\n-c\n+C\n d\n-e\n+E\n \n",
            " b\n-c\n+C\n d\n e\n+NEW\n \n",
            " a\n-b\n+B\n c\n-d\n",
            " b\n-c\n+C\n d\n+NEW\n e\n",
        ):
            text = f"--- a/x\n+++ b/x\n@@ -{start},3 +{start},3 @@\n{body}"
            yield Case(f"short counts at {start} {body!r}", {"x": BLOCKS}, text, "refused")
            yield Case(
                f"the same fenced at {start} {body!r}", {"x": BLOCKS}, f"```diff\n{text}```\n", "refused"
            )


def fences() -> Iterator[Case]:
    """A hunk of a later block is read or refused, and never dropped."""
    head, (one, two) = split_hunks(diff(*TWO))
    bare = two.partition("\n")[2]
    for opening, hunk in product(
        ("```", "```text", "```txt", "```python", "~~~", "````"),
        (
            two,
            f"@@ @@\n{bare}",
            f"@@ ... @@\n{bare}",
            f"@@\n{bare}",
            f"And then:\n{two}",
            f"...\n{head}{two}",
        ),
    ):
        close = opening.rstrip("abcdefghijklmnopqrstuvwxyz")
        wanted: Wanted = "safe" if head in hunk else "refused"  # a whole section may be read
        first = f"```diff\n{head}{one}```\n"
        second = f"{opening}\n{hunk}{close}\n"
        name = f"{opening} {hunk[:12]!r}"
        yield Case(f"a second hunk in {name}", {"x": TWO[0]}, f"{first}\nand:\n\n{second}", wanted)
        yield Case(f"a second hunk, not fenced before {name}", {"x": TWO[0]}, f"{head}{one}{second}", wanted)
        yield Case(
            f"a second hunk after a lone {name}", {"x": TWO[0]}, f"{head}{one}{opening}\n{hunk}", wanted
        )
        if head in hunk:
            continue
        yield Case(
            f"a second hunk after a closed block {name}", {"x": TWO[0]}, f"{first}{hunk}```\n", "refused"
        )
    for hunk in (f"@@ @@\n{bare}", f"@@ ... @@\n{bare}", f"@@\n{bare}", f"@@-20,6 +20,7@@\n{bare}"):
        text = f"{head}{one}\nand then\n\n{hunk}"
        yield Case(f"a second hunk after prose {hunk[:12]!r}", {"x": TWO[0]}, text, "refused")
    for mark in ("  ", "\t", "> ", ">"):
        text = head + one + "".join(mark + line for line in two.splitlines(keepends=True))
        yield Case(f"a second hunk after {mark!r}", {"x": TWO[0]}, text, "refused")
    half = one.splitlines(keepends=True)
    for at in range(2, len(half)):
        rest = "".join(half[at:])
        text = f"```diff\n{head}{''.join(half[:at])}```\n{rest}```\n"
        if any(line[:1] in "+-" for line in half[at:]):
            yield Case(f"a block that ends inside the hunk, at {at}", {"x": TWO[0]}, text, "refused")


SEPARATORS = (
    *(
        "...",
        "…",
        "[...]",
        "# ...",
        "// ...",
        "(rest unchanged)",
        "x:",
        "* * *",
        "@@@ -24,3 +24,4 @@@",
        "@ 24",
    ),
    *("", "\n", "\n...", "...\n\n..."),
)


def dropped() -> Iterator[Case]:
    """Changed lines in a block, after a complete hunk and text that ends it, are refused, not dropped."""
    head, (one, two) = split_hunks(diff(*TWO))
    bare = two.partition("\n")[2]
    other = diff(*EDITS["change middle"], path="y")
    tree = {"x": TWO[0], "y": EDITS["change middle"][0]}
    for separator, rest in product(SEPARATORS, (bare, "+NEW\n", "-25\n", "- 25\n+ 26\n", " 24\n+NEW\n")):
        for after in ("", other):
            text = f"```diff\n{head}{one}{separator}\n{rest}{after}```\n"
            yield Case(f"dropped: {separator!r} {rest[:9]!r} {len(after)}", tree, text, "refused")
    for end in ("-- \n2.39.5\n", "\n-- \n2.39.5\n\n", "\n\n", "That is all.\n", "> fine\n"):
        for after in ("", f"From {'0a' * 20} Mon Sep 17 00:00:00 2001\n\n- why\n---\n x | 2 +-\n\n{other}"):
            name = f"not dropped: {end!r} {len(after)}"
            yield Case(name, tree, f"```diff\n{head}{one}{end}{after}```\n", "same")


def after_wrong_counts() -> Iterator[Case]:
    """Changed lines right after a hunk that is complete by its counts, in a diff with wrong counts."""
    before = lines(*range(1, 13))
    end = "@@ -9,4 +9,4 @@\n 9\n-10\n+ten\n 11\n 12\n"
    middle = "@@ -6,3 +6,3 @@\n 6\n-7\n+seven\n 8\n"
    other = "--- a/y\n+++ b/y\n@@ -1,{} +1,{} @@\n 1\n+NEW\n 2\n 3\n"
    new = "--- /dev/null\n+++ b/z\n@@ -0,0 +1 @@\n+z\n"
    tree = {"x": before, "y": before}
    for body, rest in product((end, middle), ("+NEW\n", "+NEW\n+NEWER\n", "-NEW\n", "- one thing\n")):
        for counts in ((3, 3), (2, 4), (9, 9), (3, 9), (3, 4)):
            first = "--- a/x\n+++ b/x\n" + other.format(*counts).split("\n", 2)[2]
            name = f"after {counts}: {body[:6]} {rest!r}"
            wanted: Wanted = "safe" if counts == (3, 4) else "refused"
            yield Case(name, tree, f"{first}{body}{rest}", wanted)
            yield Case(f"{name}, and a file", tree, f"{first}{body}{rest}{new}", wanted)
            section = f"--- a/x\n+++ b/x\n{body}{rest}"
            yield Case(f"{name}, another file", tree, f"{other.format(*counts)}{section}", wanted)


def listed_fences() -> Iterator[Case]:
    """Blocks whose fences alone are in the items of a list."""
    before, after = EDITS["change middle"]
    parts = [diff(before, after, path=path) for path in ("x", "y")]
    for marker in ("- ", "* ", "1. ", "12) ", "  - "):
        items = [f"{marker}```diff\n{part}{' ' * len(marker)}```\n" for part in parts]
        yield Case(f"two items after {marker!r}", {"x": before, "y": before}, "".join(items), "same")


def half_prefixed() -> Iterator[Case]:
    """One prefix for two names of a file; and a new or deleted file under its own name on both sides."""
    before, after = EDITS["change middle"]
    body = diff(before, after).split("\n", 2)[2]
    for old, new in (("a/x", "x"), ("x", "b/x")):
        yield Case(f"{old} and {new}", {"x": before}, f"--- {old}\n+++ {new}\n{body}", "same")
    for old, new in (("a/a/x", "x"), ("x", "y/x"), ("a/sub/x", "x")):
        tree = {"x": before, "sub/x": before, "a/x": before}
        yield Case(f"{old} and {new}", tree, f"--- {old}\n+++ {new}\n{body}", "refused")
    git = "diff --git a/x b/x\n"
    names = "--- a/x\n+++ b/x\n"
    yield Case("new by both names", {}, f"{git}new file mode 100644\n{names}@@ -0,0 +1 @@\n+a\n", "refused")
    gone = f"{git}deleted file mode 100644\n{names}@@ -1 +0,0 @@\n-a\n"
    yield Case("deleted by both names", {"x": b"a\n"}, gone, "refused")


MOVES = "similarity index {1}%\n{0} from x\n{0} to y\n"
SAID = {
    "new": ("x", "new file mode 100644\n"),
    "deleted": ("x", "deleted file mode 100644\n"),
    "renamed": ("y", MOVES.format("rename", 90)),
    "renamed as it is": ("y", MOVES.format("rename", 100)),
    "copied": ("y", MOVES.format("copy", 90)),
    "mode": ("x", "old mode 100644\nnew mode 100755\n"),
}
SIDES = {
    "to nothing": ("a/x", "/dev/null", "@@ -1,2 +0,0 @@\n-a\n-b\n"),
    "from nothing": ("/dev/null", "b/{}", "@@ -0,0 +1,2 @@\n+a\n+b\n"),
    "neither": ("a/x", "b/{}", "@@ -1,2 +1,2 @@\n a\n-b\n+B\n"),
}
TOGETHER = {("new", "from nothing"), ("deleted", "to nothing")}


def contradictions() -> Iterator[Case]:
    """What is said of a file, and names that say something else of it."""
    for (what, (path, said)), (side, (old, new, hunk)), before in product(
        SAID.items(), SIDES.items(), (None, b"", lines("a", "b"))
    ):
        text = f"diff --git a/x b/{path}\n{said}--- {old}\n+++ {new.format(path)}\n{hunk}"
        fits = (what, side) in TOGETHER or (side == "neither" and what not in ("new", "deleted"))
        tree = {} if before is None else {"x": before}
        yield Case(f"{what}, {side}, on {before!r}", tree, text, "safe" if fits else "refused")


TAKEN_IN = (" a\n", "-a\n", " a\n b\n", "-a\n+b\n", " a\n+1 from me\n", "- a\n a\n")
COMPLETE = {  # none has a place of its own
    "added after line 1": "@@ -1,0 +2,3 @@\n+NEW\n+a\n+b\n",
    "added before line 1": "@@ -0,0 +1,2 @@\n+NEW\n+b\n",
    "removed in the middle": "@@ -1,2 +1,2 @@\n a\n-a\n+NEW\n",
    "removed at the end": "@@ -2,2 +2,1 @@\n a\n-a\n",
}


def taken_in() -> Iterator[Case]:
    """Text after a complete hunk that would have a place if the text were part of it."""
    files = {"one": lines("a"), "two": lines("a", "b"), "many": lines(*"aaab"), "more": lines(*"caacaab")}
    ends = ("", "\n", "*** x\n", "\nThat is all.\n", "-- \n2.39.5\n")
    for (name, hunk), text, (file, before), end in product(COMPLETE.items(), TAKEN_IN, files.items(), ends):
        whole = f"--- a/x\n+++ b/x\n{hunk}{text}{end}"
        yield Case(f"{name}, then {text!r} {end!r}, on {file}", {"x": before}, whole, "safe")


def into_empty() -> Iterator[Case]:
    """A file without a line has no line endings to keep: it gets those of the diff."""
    hunks = {"one": "@@ -0,0 +1 @@\n+a\n", "two": "@@ -0,0 +1,2 @@\n+a\n+b\n"}
    for (name, hunk), head in product(
        hunks.items(), ("", "diff --git a/x b/x\nindex e69de29..1234567 100644\n")
    ):
        text = f"{head}--- a/x\n+++ b/x\n{hunk}"
        body = text.replace(hunk, hunk.replace("\n", "\r\n").replace("@@\r", "@@"))
        for how, written in {"LF": text, "CRLF": text.replace("\n", "\r\n"), "CRLF lines": body}.items():
            yield Case(f"into an empty file: {name}, {how} {head[:4]}", {"x": b""}, written, "same")


def old_renames() -> Iterator[Case]:
    """`rename old` and `rename new`, as Git wrote them first."""
    before, after = EDITS["change middle"]
    hunk = diff(before, after).partition("+++ b/x\n")[2]
    for head, body in product(("", "similarity index 90%\n"), ("", f"--- a/x\n+++ b/y\n{hunk}")):
        text = f"diff --git a/x b/y\n{head}rename old x\nrename new y\n{body}"
        wanted: Wanted = "refused" if head and not body else "same"
        yield Case(f"old rename {head!r} {len(body)}", {"x": before}, text, wanted)


READING = [
    *old_renames(),
    *(*taken_in(), *into_empty()),
    *dropped(),
    *contradictions(),
    *text_between(),
    *short_counts(),
    *fences(),
    *listed_fences(),
    *half_prefixed(),
]
