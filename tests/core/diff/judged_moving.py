"""Names that a diff takes away and makes again, and modes beside renames and copies."""

from collections.abc import Iterator
from itertools import permutations

from tests.core.diff.judged import BODY, NEW, RENAME, TEN, Case

EMPTY = "diff --git a/{0} b/{0}\nnew file mode 100644\nindex 0000000..e69de29\n"
COPY = RENAME.replace("rename", "copy")
MODE = "diff --git a/{0} b/{0}\nold mode 100644\nnew mode 100755\n"
BACK = "diff --git a/{0} b/{0}\nold mode 100755\nnew mode 100644\n"


def put_back() -> Iterator[Case]:
    """What is renamed away and is there again as it was: nothing of it goes."""
    one, changed = {"x": b"b\n"}, "--- a/x\n+++ b/y\n@@ -1 +1 @@\n-b\n+c\n"
    rename, new = RENAME.format("x", "y"), NEW.format("x")
    yield Case("renamed, and the same again", one, rename + new, "same")
    yield Case("the same again, and renamed", one, new + rename, "same")
    yield Case("renamed, and an empty one again", {"x": b""}, rename + EMPTY.format("x"), "same")
    yield Case(
        "renamed and changed, and the same again", one, rename.replace("100%", "50%") + changed + new, "same"
    )
    other = (
        NEW.format("x").replace("+b", "+z") + "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-z\n+b\n"
    )
    yield Case("renamed, and the same again in two steps", one, rename + other, "same")
    edit = f"diff --git a/y b/y\n--- a/y\n+++ b/y\n{BODY}"
    again = NEW.format("x").replace("+1 @@\n+b", "+1,10 @@\n" + "".join(f"+{n}\n" for n in range(1, 11))[:-1])
    yield Case("renamed, the same again, and changed", {"x": TEN}, rename + again + edit, "same")
    two = {"x": b"b\n", "y": b"b\n"}
    yield Case("two alike change places", two, rename + RENAME.format("y", "x"), "same")


def modes() -> Iterator[Case]:
    """A copy takes the mode from before the diff, and a rename that of an earlier part: not both."""
    parts = {"mode": MODE.format("x"), "copy": COPY.format("x", "y"), "rename": RENAME.format("x", "z")}
    for names in permutations(parts):
        if names.index("copy") > names.index("mode") and names.index("rename") > names.index("mode"):
            yield Case(", ".join(names), {"x": b"a\n"}, "".join(map(parts.__getitem__, names)), "refused")
    yield Case("mode, copy", {"x": b"a\n"}, parts["mode"] + parts["copy"], "same")


def modes_of_new_files() -> Iterator[Case]:
    made = NEW.format("n").replace("100644", "100755")
    on, off = MODE.format("n"), BACK.format("n")
    yield Case("made to run, and no more", {}, made + off, "same")
    yield Case("made to run, no more, and again", {}, made + off + on, "same")
    yield Case("made, to run, and no more", {}, NEW.format("n") + on + off, "same")


MOVING = [*put_back(), *modes(), *modes_of_new_files()]
