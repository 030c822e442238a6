"""Diffs that the installed Git judges: results that are there already, and lines that show nothing around."""

from collections.abc import Iterator
from itertools import product

from tests.core.diff.judged import TEN, UNENDED, Case, lines

HALF = lines("def f():", *"abCde", "", "def g():", *"abcde", "", "def h():", *"xyz")
HEAD = "--- a/x\n+++ b/x\n"
BODIES = {
    "changed": " b\n-c\n+C\n d\n",
    "without context": "-c\n+C\n",
    "one side": " b\n-c\n+C\n",
    "the other side": "-c\n+C\n d\n",
}
GONE, ADDED = lines("f", *"abde", "g", *"abcde", "h"), lines("f", *"abNcde", "g", *"abcde", "h")
OTHERS = {"removed": (GONE, " b\n-c\n d\n"), "added": (ADDED, " b\n+N\n c\n")}


def half_applied() -> Iterator[Case]:
    """Twin blocks, of which one is changed already, and a hunk that does not say truly which one it means."""
    cases = {**{name: (HALF, body) for name, body in BODIES.items()}, **OTHERS}
    for (name, (before, body)), header in product(
        cases.items(),
        ("@@", "@@ @@", "@@ ... @@", "@@ -3,9 +3,9 @@", "@@ -99,2 +99,7 @@", "@@ -10,9 +10,9 @@"),
    ):
        text = f"```diff\n{HEAD}{header}\n{body}```\n"
        yield Case(f"half applied: {name}, {header}", {"x": before}, text, "refused")
    for name, (before, body) in cases.items():
        old, new = (sum(line[:1] in signs for line in body.splitlines()) for signs in (" -", " +"))
        for line in (5, 9, 13, 40):
            text = f"{HEAD}@@ -{line},{old} +{line},{new} @@\n{body}"
            yield Case(f"half applied: {name}, moved from {line}", {"x": before}, text, "refused")
        patch = f"*** Begin Patch\n*** Update File: x\n@@\n{body}*** End Patch\n"
        yield Case(f"half applied: {name}, as Codex writes it", {"x": before}, patch, "refused")


def bare() -> Iterator[Case]:
    """Only added lines, in files of a few lines."""
    for count, old, new in product((0, 1, 2, 3), (0, 1, 2, 3), (1, 2, 3, 4)):
        text = f"{HEAD}@@ -{old},0 +{new} @@\n+NEW\n"
        yield Case(f"bare: -{old},0 +{new} on {count}", {"x": lines(*range(count))}, text, "safe")


def bare_into_empty() -> Iterator[Case]:
    """An empty file has one place for lines, and none of a later hunk's lines before it."""
    for old, new in product((1, 2), (2, 3, 8)):
        text = f"{HEAD}@@ -0,0 +1 @@\n+a\n@@ -{old},0 +{new} @@\n+b\n"
        yield Case(f"bare into an empty file: -{old},0 +{new}", {"x": b""}, text, "refused")


def bare_beside_wrong() -> Iterator[Case]:
    """Nothing but numbers says where it belongs, and those of another hunk are wrong."""
    for header in ("@@ -0,0 +1,2 @@", "@@ -1,2 +1,2 @@", "@@"):
        text = f"```diff\n{HEAD}{header}\n+a\n a\n@@ -2,0 +5 @@\n+b\n```\n"
        yield Case(f"bare beside {header}", {"x": lines("x", "a")}, text, "refused")


def last_newlines() -> Iterator[Case]:
    """A change to the newline at the end, put onto its own result."""
    for lead in ("", " a\n"):
        body = lead + "-b\n" + UNENDED + "+b\n"
        other = lead + "-b\n+b\n" + UNENDED
        before, count = (b"a\n", 2) if lead else (b"", 1)
        for name, hunk, once, again in (("added", body, b"b", b"b\n"), ("removed", other, b"b\n", b"b")):
            text = f"{HEAD}@@ -1,{count} +1,{count} @@\n{hunk}"
            yield Case(f"last newline {name} {lead!r}", {"x": before + once}, text, "same")
            yield Case(f"last newline {name} again {lead!r}", {"x": before + again}, text, "refused")


def blank_ends() -> Iterator[Case]:
    """Blank lines at the end of a hunk, and files with more of them, as many, or fewer."""
    for shown, there in product(range(4), range(4)):
        body = " 1\n-2\n+two\n 3\n" + " \n" * shown
        text = f"{HEAD}@@ -1,{3 + shown} +1,{3 + shown} @@\n{body}"
        before = lines(1, 2, 3) + b"\n" * there
        yield Case(
            f"{shown} blank lines shown, {there} there",
            {"x": before},
            text,
            "same" if there >= shown else "refused",
        )


FUNCTIONS = lines(*(text for name in "fgh" for text in (f"def {name}():", "x = 1", "y = 2", "return x", "")))
ONCE = {
    "added": " x = 1\n y = 2\n+log()\n return x\n",
    "changed": " x = 1\n-y = 2\n+y = 3\n return x\n",
    "removed": " x = 1\n-y = 2\n return x\n",
}


def repeated() -> Iterator[Case]:
    """One hunk several times in a section, or hunks that by their numbers change the same lines."""
    for (name, body), times, start in product(ONCE.items(), (2, 3), (2, 4, 7, 12)):
        old, new = (sum(line[:1] in signs for line in body.splitlines()) for signs in (" -", " +"))
        hunk = f"@@ -{start},{old} +{start},{new} @@\n{body}"
        last = "@@ -12,2 +14,3 @@\n x = 1\n+z = 3\n y = 2\n"
        for rest in ("", last):
            case = f"{name} {times} times at {start} {rest[:6]}"
            yield Case(f"repeated: {case}", {"x": FUNCTIONS}, HEAD + hunk * times + rest, "refused")
    for (name, body), header in product(ONCE.items(), ("@@", "@@ ... @@", "@@ -2,9 +2,9 @@")):
        hunks = f"{header}\n{body}" * 3
        text = f"```diff\n{HEAD}{hunks}```\n"
        yield Case(f"repeated: {name} under {header}", {"x": FUNCTIONS}, text, "refused")
    two = lines(*(text for name in "fg" for text in (f"def {name}():", "x = 1", "y = 2", "return x", "")))
    for (name, body), (one, other) in product(ONCE.items(), ((2, 3), (6, 7), (7, 8), (7, 9), (3, 2))):
        old, new = (sum(line[:1] in signs for line in body.splitlines()) for signs in (" -", " +"))
        for wrong in ((False, True), (True, False), (True, True)):
            starts = zip((one, other), wrong, strict=True)
            both = (f"@@ -{at},{old + no} +{at},{new + 2 * no} @@\n{body}" for at, no in starts)
            text = f"```diff\n{HEAD}{''.join(both)}```\n"
            yield Case(f"alike: {name}, {one}, {other}, {wrong}", {"x": two}, text, "refused")
    for one, other in product((2, 7, 12), (1, 2, 3)):
        first = f"@@ -{one},3 +{one},4 @@\n{ONCE['added']}"
        second = f"@@ -{one + other - 1},2 +{one + other},3 @@\n x = 1\n+z = 3\n y = 2\n"
        for text in (first + second, second + first):
            yield Case(f"overlapping: {one} and {other} {text[:7]}", {"x": FUNCTIONS}, HEAD + text, "refused")


LIST = [*(f"- item {n}" for n in range(1, 9)), "- last"]


def at_the_end() -> Iterator[Case]:
    """Wrong counts, nothing shown after the change, and a file that goes on with lines that it adds: some of
    them may have been changed since."""
    for count, kept in product((1, 2, 3), (0, 1, 2)):
        added = [f"- new {n}" for n in range(count)]
        there = [line if n == kept % count else f"{line}, changed" for n, line in enumerate(added)]
        body = " - item 8\n - last\n" + "".join(f"+{line}\n" for line in added)
        before = {"x": lines(*LIST, *there, "- later", "- and later")}
        top = "".join(f"+{line}\n" for line in added) + " - item 1\n - item 2\n"
        above = {"x": lines("- earlier", *there, *LIST)}
        for header in ("@@", "@@ -8,3 +8,7 @@", "@@ -1,3 +1,9 @@"):
            text = f"```diff\n{HEAD}{header}\n{{}}```\n"
            yield Case(f"at the end, {count}, {kept}, {header}", before, text.format(body), "refused")
            yield Case(f"at the start, {count}, {kept}, {header}", above, text.format(top), "refused")


def removed() -> Iterator[Case]:
    """Lines that go, with only blank ones around, where the same lines have gone before."""
    for body, before in product(
        ("-a\n \n", " \n-a\n", " \n-\n", "-\n \n", " }\n-\n }\n", " \n \n-\n-\n"),
        (
            lines("", "b", "", "a", "", "b", ""),
            lines("", "", ""),
            lines("", "", "", ""),
            lines("}", "", "}", "}"),
        ),
    ):
        for header in ("@@", "@@ ... @@", "@@ -1,9 +1,8 @@"):
            text = f"```diff\n{HEAD}{header}\n{body}```\n"
            yield Case(f"removed: {body!r} from {before!r}, {header}", {"x": before}, text, "refused")


def wordless() -> Iterator[Case]:
    """No word in any line that stays or comes: the result is there, and a twin of what was before as well."""
    bodies = {
        "changed": ("{", "k", "]", ("}",)),
        "to the same": ("{", "k", "]", ("{",)),
        "to several": ("(", "k", ")", ("[", "]")),
        "added between": ("{", "", "}", ("", "")),
        "blank": ("", "k", "", ("", "")),
    }
    for (name, (above, gone, below, come)), is_first in product(bodies.items(), (True, False)):
        done, twin = [above, *come, below], [above, gone, below]
        blocks = (done, ["#"], twin) if is_first else (twin, ["#"], done)
        body = "".join([f" {above}\n", f"-{gone}\n", *(f"+{line}\n" for line in come), f" {below}\n"])
        before = {"x": lines("top", *(line for block in blocks for line in block), "end")}
        right = f"-1,3 +1,{2 + len(come)}"
        for header in ("@@", "@@ ... @@", "@@ -2,1 +2,9 @@", "@@ -9,9 +9,2 @@", f"@@ {right} @@"):
            text = f"```diff\n{HEAD}{header}\n{body}```\n"
            yield Case(f"wordless: {name}, {is_first}, {header}", before, text, "refused")
        stated = 2 if is_first else 2 + len(twin) + 1
        text = f"{HEAD}@@ -{stated},3 +{stated},{2 + len(come)} @@\n{body}"
        yield Case(f"wordless: {name}, {is_first}, where it says", before, text, "refused")


def pushed() -> Iterator[Case]:
    """A hunk that fits where it says does not go elsewhere to make room for another."""
    other = {
        "the same": " x = 1\n y = 2\n+log()\n return x\n",
        "another": " x = 1\n y = 2\n+z = 3\n return x\n",
        "fewer lines": " y = 2\n-return x\n+return y\n",
    }
    two = lines(*(text for name in "fg" for text in (f"def {name}():", "x = 1", "y = 2", "return x", "")))
    first = "@@ -7,3 +7,4 @@\n x = 1\n y = 2\n+log()\n return x\n"
    for (name, body), start in product(other.items(), (11, 12, 14, 17, 40)):
        if name == "fewer lines":
            body += " \n"
        old, new = (sum(line[:1] in signs for line in body.splitlines()) for signs in (" -", " +"))
        second = f"@@ -{start},{old} +{start + 1},{new} @@\n{body}"
        yield Case(f"pushed: {name} at {start}", {"x": two}, HEAD + first + second, "refused")
        wrong = f"@@ -{start},{old + 1} +{start + 1},{new - 1} @@\n{body}"
        yield Case(
            f"pushed: {name} at {start}, counts", {"x": two}, f"```diff\n{HEAD}{first}{wrong}```\n", "refused"
        )


def ends_with_wrong_counts() -> Iterator[Case]:
    """Lines of the file that a hunk does not show after its change, or at line 1 before it: it is held to
    that end of the file, whatever its counts."""
    endings = {
        "added": " 4\n+NEW\n",
        "added far": " 3\n 4\n+NEW\n+NEWER\n",
        "changed": " 4\n-5\n+five\n",
        "removed": " 4\n-5\n",
        "between": " 3\n+NEW\n 4\n-5\n",
    }
    for (name, body), (old, new) in product(endings.items(), ((9, 1), (1, 9), (2, 1), (1, 1))):
        for start in (1, 3, 4, 8, 40):
            text = f"```diff\n{HEAD}@@ -{start},{old} +{start},{new} @@\n{body}```\n"
            right = [sum(line[:1] in signs for line in body.splitlines()) for signs in (" -", " +")]
            if [old, new] != right:
                yield Case(f"held to the end: {name} {start} {old} {new}", {"x": TEN}, text, "refused")
    twins = lines("{", "k", "},", "{", "m", "},")
    for body, start, counts in product(
        ("-},\n", "-},\n+}\n", "+new\n-},\n"), (3, 5, 40), ("{},0 +{},0", "{},0 +{},1")
    ):
        text = f"```diff\n{HEAD}@@ -{counts.format(start, start)} @@\n{body}```\n"
        yield Case(f"held to the end, two places: {body!r} {start} {counts}", {"x": twins}, text, "refused")
        text = text.replace(f"-{start}", "-1").replace(f"+{start}", "+1").replace("},", "{")
        yield Case(f"held to the start, two places: {body!r} {start} {counts}", {"x": twins}, text, "refused")
    beginnings = {"added": "+NEW\n 5\n 6\n", "changed": "-5\n+five\n 6\n", "removed": "-5\n-6\n 7\n"}
    for (name, body), (old, new) in product(beginnings.items(), ((9, 1), (1, 9), (1, 1), (2, 4))):
        text = f"```diff\n{HEAD}@@ -1,{old} +1,{new} @@\n{body}```\n"
        yield Case(f"held to the start: {name} {old} {new}", {"x": TEN}, text, "refused")


CALLS = lines(
    *("def f():", "a = 1", "step()", "step()", "b = 2", "", "", "", "def g():", "z = 1", "return z", "end")
)
AGAIN = {  # each fits what it leaves
    "before a twin": " a = 1\n-step()\n",
    "after a twin": "-step()\n b = 2\n",
    "blank": " b = 2\n-\n",
    "two blank": " b = 2\n-\n \n",
    "longer": " def f():\n a = 1\n-step()\n",
}
OTHER = " def g():\n-z = 1\n+z = 2\n return z\n"
LONGER = " def g():\n z = 1\n-return z\n+return y\n+# done\n end\n"


def beside_another() -> Iterator[Case]:
    """A hunk that fits its own result, in a section with others."""
    headers = ("@@", "@@ @@", "@@ ... @@", "@@ def f():", "@@ -2,9 +2,8 @@")
    for (name, body), header, other in product(AGAIN.items(), headers, (OTHER, LONGER)):
        place = "@@ def g():" if "def" in header else "@@ -9,1 +8,1 @@" if "-" in header else header
        for rest in (f"{place}\n{other}", f"{place}\n{other}@@\n end\n+# last\n"):
            text = f"```diff\n{HEAD}{header}\n{body}{rest}```\n"
            yield Case(f"beside {len(rest)}: {name}, {header}", {"x": CALLS}, text, "refused")
    twins = CALLS.replace(b"step()", b"start()").replace(b"z = 1\n", b"z = 1\nstep()\nstep()\n")
    for header in headers:
        text = f"{HEAD}{header}\n def f():\n-a = 1\n+a = 2\n start()\n@@\n z = 1\n-step()\n"
        yield Case(f"after another, {header}", {"x": twins}, f"```diff\n{text}```\n", "refused")
    for body in AGAIN.values():
        patch = f"*** Begin Patch\n*** Update File: x\n@@\n{body}@@\n{OTHER}*** End Patch\n"
        yield Case(f"beside another: {body!r}, as Codex writes it", {"x": CALLS}, patch, "refused")


def stands_as_stated() -> Iterator[Case]:
    """What a hunk leaves begins what it found, where right numbers say, and the next hunk has moved."""
    bodies = {
        "one": (2, " a = 1\n-step()\n step()\n"),
        "with more": (1, " def f():\n a = 1\n-step()\n step()\n"),
        "blank": (5, " b = 2\n-\n \n"),
        "two blank": (5, " b = 2\n-\n-\n \n"),
    }
    for (name, (start, body)), shift in product(bodies.items(), (0, 1, 2, 5)):
        old, new = (sum(line[:1] in signs for line in body.splitlines()) for signs in (" -", " +"))
        first = f"@@ -{start},{old} +{start},{new} @@\n{body}"
        second = f"@@ -{9 + shift},3 +{9 + shift + new - old},3 @@\n{OTHER}"
        yield Case(f"stands as stated: {name}, {shift}", {"x": CALLS}, HEAD + first + second, "same")
        again = CALLS.replace(b"step()\n", b"", 1) if "step" in body else CALLS.replace(b"\n\n\n\n", b"\n\n")
        yield Case(f"does not stand: {name}, {shift}", {"x": again}, HEAD + first + second, "refused")


ROOMY = CALLS.replace(b"\n\n\n\n", b"\n\n\n")
# What each adds begins or ends like the lines around it, so that its own result has room for it again.
ROOM = {
    "blank line first": ((" b = 2\n", " \n"), ("", "def new():", "    one = 1", "    two = 2")),
    "blank line last": ((" \n", " def g():\n"), ("def new():", "    one = 1", "    two = 2", "")),
    "two blank lines": ((" b = 2\n \n", " \n"), ("", "def new():", "    one = 1", "", "    two = 2", "")),
    "step first": ((" a = 1\n", " step()\n step()\n"), ("step()", "step()", "one = 1", "two = 2")),
}


def room_body(name: str) -> str:
    (before, after), added = ROOM[name]
    return before + "".join(f"+{line}\n" for line in added) + after


def room_texts(name: str) -> Iterator[tuple[str, str]]:
    """The same hunk without right numbers, or with such that are those of another place."""
    body = room_body(name)
    old, new = (sum(line[:1] in signs for line in body.splitlines()) for signs in (" ", " +"))
    for header in ("@@", "@@ ... @@", f"@@ -3,{old - 1} +3,{new} @@", f"@@ -40,{old} +40,{new} @@"):
        yield header, f"```diff\n{HEAD}{header}\n{body}```\n"
    yield "Codex", f"*** Begin Patch\n*** Update File: x\n@@\n{body}*** End Patch\n"


def edited_inside() -> Iterator[Case]:
    """A change that is applied already, and whose result was edited since."""
    for name, ((before, after), added) in ROOM.items():
        old = "".join(line[1:] for line in (before + after).splitlines(keepends=True))
        for at, how in product(range(1, len(added) - 1), ("insert", "remove", "change")):
            edited = [*added[:at], *({"insert": ["more", added[at]], "remove": []}.get(how, ["other"]))]
            edited += added[at + 1 :]
            new = "".join(line[1:] for line in before.splitlines(keepends=True))
            new += "".join(f"{line}\n" for line in edited) + old[len(new) :]
            result = ROOMY.replace(old.encode(), new.encode(), 1)
            for header, text in room_texts(name):
                yield Case(f"edited inside: {name}, {how} {at}, {header}", {"x": result}, text, "refused")


def unended_twins() -> Iterator[Case]:
    """The same lines at the end of a file, where the last one has no newline, and above it."""
    bodies = (" }\n+NEW\n }\n", "-}\n+NEW\n }\n", " }\n-}\n }\n", "+NEW\n }\n }\n", " a\n+NEW\n }\n")
    for body, file in product(bodies, ("a}}}", "}}", "a}}a}}}", "ba}ba}", "a}a}", "b}}b}}")):
        old, new = (sum(line[:1] in signs for line in body.splitlines()) for signs in (" -", " +"))
        for start in range(1, len(file) + 1):
            text = f"{HEAD}@@ -{start},{old} +{start},{new} @@\n{body}"
            before = lines(*file).removesuffix(b"\n")
            if has_other_place(file, body, start, old):
                yield Case(f"unended twins: {body!r} at {start} of {file}", {"x": before}, text, "safe")


def has_other_place(file: str, body: str, start: int, old: int) -> bool:
    """Somewhere else than at the end: there it would be a documented difference."""
    shown = "".join(line[1] for line in body.splitlines() if line[0] in " -")
    return shown in file[:-1] or (file[start - 1 : start - 1 + old] != shown and not file.endswith(shown))


def end_left_by_another() -> Iterator[Case]:
    """A first section takes the last newline away, or leaves none; a second one says so, or does not."""
    firsts = {
        "c": f"{HEAD}@@ -1,3 +1,3 @@\n a\n b\n-c\n+C\n{UNENDED}",
        "b": f"{HEAD}@@ -2,2 +2,2 @@\n-b\n+B\n-c\n+C\n{UNENDED}",
    }
    seconds = (" a\n {b}\n-C\n+D\n", "-a\n+A\n {b}\n C\n", " a\n+NEW\n {b}\n C\n", " a\n {b}\n-C\n")
    for (name, first), second, said in product(firsts.items(), seconds, ("", UNENDED)):
        body = second.replace("{b}", "B" if name == "b" else "b")
        old, new = (sum(line[:1] in signs for line in body.splitlines()) for signs in (" -", " +"))
        body = body.replace("-C\n", f"-C\n{said}").replace(" C\n", f" C\n{said}")
        text = f"{first}{HEAD}@@ -1,{old} +1,{new} @@\n{body}"
        what = "said" if said else "not said"
        yield Case(f"end left by another: {name}, {second!r}, {what}", {"x": lines(*"abc")}, text, "safe")


def parted() -> Iterator[Case]:
    """Applied, and then a line was put between what it added and what stood around it."""
    short, long = " }\n+new\n   y\n", " class A:\n     x\n \n+new\n \n class B:\n     x\n"
    files = {
        short: (lines("}", "new", "}", "  y"), lines("}", "other", "}", "new", "}", "  y")),
        long: (lines("class A:", "    x", "", "new", "class A:", "    x", "", "", "class B:", "    x"),),
    }
    for body, number in (
        (body, number) for body, all_files in files.items() for number in range(len(all_files))
    ):
        for header in ("@@", "@@ ... @@", "@@ -1,1 +1,9 @@"):
            text = f"```diff\n{HEAD}{header}\n{body}```\n"
            yield Case(
                f"parted since: {header} {body!r} {number}", {"x": files[body][number]}, text, "refused"
            )


PLACING = [
    *parted(),
    *unended_twins(),
    *end_left_by_another(),
    *edited_inside(),
    *(*beside_another(), *stands_as_stated()),
    *(*wordless(), *pushed(), *ends_with_wrong_counts()),
    *(*at_the_end(), *removed(), *repeated(), *half_applied(), *bare(), *bare_beside_wrong()),
    *bare_into_empty(),
    *(*last_newlines(), *blank_ends()),
]
