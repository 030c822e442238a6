"""What becomes of a diff on its way: cut, miscounted, fenced, twice, on another file; and by whose fault."""

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from tools.fuzz.git_judge import Case, Tree
from tools.fuzz.made_up import UNENDED, WORDS, Base, edited, made_up, moved, plain_names, quoted, section


def hunk_lines(text: str) -> list[int]:
    """Lines between a @@ line and the next header."""
    found, inside = [], False
    for number, line in enumerate(text.split("\n")[:-1]):
        if line.startswith("@@ "):
            inside = True
        elif line.startswith("diff ") or (inside and line[:1] not in (" ", "+", "-", "\\", "")):
            inside = False
        elif inside:
            found.append(number)
    return found


def whole(base: Base, _rng: random.Random) -> Case:
    return Case("whole", base.before, base.text, base.after)


def plain(base: Base, rng: random.Random) -> Case:
    return Case("plain headers", base.before, plain_names(base, rng), base.after)


def again(base: Base, _rng: random.Random) -> Case:
    return Case("again", base.after, base.text)


def fenced(base: Base, rng: random.Random) -> Case:
    fence = rng.choice(("```diff", "```", "~~~", "```patch", "```text"))
    close = fence[:3]
    return Case("fenced", base.before, f"Here it is:\n\n{fence}\n{base.text}{close}\n\nDone.\n", base.after)


def cut(base: Base, rng: random.Random) -> Case:
    text = base.text[: rng.randrange(len(base.text) + 1)]
    if rng.random() < 0.2:
        text = f"```diff\n{text}"
    return Case("cut", base.before, text)


def counts(base: Base, rng: random.Random) -> Case:
    def wrong(match: re.Match[str]) -> str:
        if rng.random() < 0.3:
            return match[0]
        numbers = [max(int(part or 1) + rng.choice((-2, -1, 0, 1, 2)), 0) for part in (match[2], match[4])]
        return f"@@ -{match[1]},{numbers[0]} +{match[3]},{numbers[1]} @@"

    text = re.sub(r"(?m)^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", wrong, base.text)
    return Case(
        "wrong counts", base.before, f"```diff\n{text}```\n" if rng.random() < 0.6 else text, base.after
    )


def numbers(base: Base, rng: random.Random) -> Case:
    by = rng.choice((-3, -1, 1, 2, 7, 40))

    def shifted(match: re.Match[str]) -> str:
        old = max(int(match[1]) + by, 1)
        return f"@@ -{old}{match[2]} +{max(int(match[3]) + by, 1)}"

    text = re.sub(r"(?m)^@@ -(\d+)(\S*) \+(\d+)", shifted, base.text)
    return Case("shifted numbers", base.before, text, base.after)


def no_numbers(base: Base, rng: random.Random) -> Case:
    head = rng.choice(("@@ @@", "@@", "@@ ... @@"))
    text = re.sub(r"(?m)^@@ -\d+\S* \+\d+\S* @@.*", head, base.text)
    return Case(
        "no numbers", base.before, f"```diff\n{text}```\n" if rng.random() < 0.7 else text, base.after
    )


def grown(base: Base, rng: random.Random) -> Case:
    """Other lines above, below or in between; or the file twice."""
    before = {}
    for path, (data, runs) in base.before.items():
        lines = data.splitlines(keepends=True)
        how = rng.random()
        if how < 0.3:
            data = data + data
        elif how < 0.4:
            data = base.after.get(path, (data, runs))[0] + data
        elif how < 0.5:
            data = data + base.after.get(path, (data, runs))[0]
        else:
            at = rng.choice((0, len(lines), rng.randint(0, len(lines))))
            fresh = [rng.choice(WORDS).encode() + b"\n" for _ in range(rng.randint(1, 4))]
            data = b"".join([*lines[:at], *fresh, *lines[at:]])
        before[path] = data, runs
    case = Case("grown file", before, base.text)
    if rng.random() < 0.4:
        return replace(
            no_numbers(replace_before(base, before), rng), kind="grown file, no numbers", wanted=None
        )
    if rng.random() < 0.3:
        return replace(
            counts(replace_before(base, before), rng), kind="grown file, wrong counts", wanted=None
        )
    return case


def replace_before(base: Base, before: Tree) -> Base:
    return Base(before, base.after, base.text, base.kind)


def half(base: Base, rng: random.Random) -> Case:
    """Some files are as they will be."""
    before = {
        path: base.after.get(path, old) if rng.random() < 0.5 else old for path, old in base.before.items()
    }
    return Case("half applied", before, base.text)


def between(base: Base, rng: random.Random) -> Case:
    texts = (
        "+1 from me\n",
        "- item\n",
        "Then:\n",
        " see above\n",
        "\n",
        "> quoted\n",
        "-- \nBob\n",
        "---\n",
        "```\n",
        "```text\n",
    )
    lines = base.text.splitlines(keepends=True)
    starts = [number for number, line in enumerate(lines) if line.startswith(("@@", "diff "))][1:]
    at = rng.choice(starts) if starts and rng.random() < 0.8 else len(lines)
    lines.insert(at, rng.choice(texts))
    return Case("text between", base.before, "".join(lines), base.after)


def two_fences(base: Base, rng: random.Random) -> Case:
    lines = base.text.splitlines(keepends=True)
    starts = [number for number, line in enumerate(lines) if line.startswith("@@")]
    if len(starts) < 2:
        return fenced(base, rng)
    at = rng.choice(starts[1:])
    second = rng.choice(("```", "```text", "```diff", "~~~", ""))
    text = "```diff\n" + "".join(lines[:at]) + f"```\n\nand\n\n{second}\n" + "".join(lines[at:])
    return Case("two fences", base.before, text + (second[:3] + "\n" if second else ""))


def damaged(base: Base, rng: random.Random) -> Case:
    """One line lost, doubled, swapped or without its sign."""
    lines = base.text.split("\n")[:-1]
    within = hunk_lines(base.text)
    if not within:
        return whole(base, rng)
    at = rng.choice(within) if rng.random() < 0.8 else rng.randrange(len(lines))
    how = rng.choice(("lost", "doubled", "swapped", "unsigned", "resigned"))
    if how == "lost":
        del lines[at]
    elif how == "doubled":
        lines.insert(at, lines[at])
    elif how == "swapped" and at + 1 < len(lines):
        lines[at], lines[at + 1] = lines[at + 1], lines[at]
    elif how == "unsigned":
        lines[at] = lines[at][1:]
    else:
        lines[at] = rng.choice(" +-") + lines[at][1:]
    text = "".join(f"{line}\n" for line in lines)
    text = f"```diff\n{text}```\n" if rng.random() < 0.3 else text
    return Case(f"line {how}", base.before, text, base.after)


def endings(base: Base, rng: random.Random) -> Case:
    how = rng.choice(("diff", "file", "both", "unended", "marked"))
    text, before = base.text, base.before
    if how in ("diff", "both"):
        text = text.replace("\r\n", "\n").replace("\n", "\r\n")
    if how in ("file", "both"):
        before = {p: (d.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"), r) for p, (d, r) in before.items()}
    elif how == "unended":
        before = {p: (d.removesuffix(b"\n"), r) for p, (d, r) in before.items()}
    elif how == "marked":
        before = {p: (b"\xef\xbb\xbf" + d.removeprefix(b"\xef\xbb\xbf"), r) for p, (d, r) in before.items()}
    return Case(f"endings: {how}", before, text, base.after)


def modes(base: Base, rng: random.Random) -> Case:
    before = {path: (data, rng.random() < 0.5) for path, (data, _) in base.before.items()}
    path = rng.choice(list(before) or ["f"])
    one, two = quoted(f"a/{path}"), quoted(f"b/{path}")
    pair = [rng.choice(("100644", "100755", "100664", "120000")) for _ in range(2)]
    text = f"diff --git {one} {two}\nold mode {pair[0]}\nnew mode {pair[1]}\n"
    if rng.random() < 0.3:
        text = f"diff --git {one} {two}\nnew file mode 120000\n--- /dev/null\n+++ {two}\n"
        text += f"@@ -0,0 +1 @@\n+f\n{UNENDED}"
    return Case("modes", before, text)


def series(base: Base, rng: random.Random) -> Case:
    """A second diff on the result of the first; or back again."""
    parts, now = [base.text], dict(base.after)
    for path, (data, runs) in list(now.items()):
        how = rng.random()
        if how < 0.35:
            new = edited(data, rng)
            if new != data:
                parts.append(section(path, now[path], (new, runs), 3, rng))
                now[path] = new, runs
        elif how < 0.45:
            parts.append(section(path, now.pop(path), None, 3, rng))
        elif how < 0.55:
            parts.append(moved("rename", path, path + ".2", data, data, 3, rng))
            now[path + ".2"] = now.pop(path)
        elif how < 0.65 and path in base.before and base.before[path] != now[path]:
            parts.append(section(path, now[path], base.before[path], 3, rng))
            now[path] = base.before[path]
    return Case("series", base.before, "".join(parts), now)


def swapped(base: Base, rng: random.Random) -> Case:
    if len(base.before) < 2:
        return whole(base, rng)
    one, two = rng.sample(list(base.before), 2)
    (a, _), (b, _) = base.before[one], base.before[two]
    parts = [moved("rename", one, two, a, a, 3, rng), moved("rename", two, one, b, b, 3, rng)]
    path, data = rng.choice(((one, b), (two, a), (one, a), (two, b)))
    edit = section(path, (data, False), (edited(data, rng), False), 3, rng)
    parts.insert(rng.randint(0, 2), edit) if "@@" in edit else None
    return Case("swapped", {p: (d, False) for p, (d, _) in base.before.items()}, "".join(parts))


def put_back(base: Base, rng: random.Random) -> Case:
    """A file is renamed away, and one with the same bytes or others is added in its place."""
    path = rng.choice(list(base.before) or ["f"])
    data, runs = base.before.get(path, (b"", False))
    new = (data, rng.random() < 0.3) if rng.random() < 0.7 else (edited(data, rng), runs)
    parts = [
        moved("rename", path, path + ".2", data, edited(data, rng) if rng.random() < 0.3 else data, 3, rng),
        section(path, None, new, 3, rng),
    ]
    rng.shuffle(parts)
    return Case("put back", {**base.before, path: (data, runs)}, "".join(parts))


def bare_names(base: Base, _rng: random.Random) -> Case:
    return Case(
        "no prefixes",
        base.before,
        re.sub(r"(?m)^((?:diff --git |--- |\+\+\+ )\"?)[ab]/", r"\1", base.text)
        .replace(" b/", " ")
        .replace(' "b/', ' "'),
        base.after,
    )


OWN_FILES = 0.4


def codex(base: Base, rng: random.Random) -> Case:
    """In Codex's format, on its own files or on others."""
    parts, how = [], rng.random()
    for part in re.split(r"(?m)^(?=diff --git )", base.text)[1:]:
        name = re.search(r"(?m)^--- a/([\w./ -]+)$", part)
        is_plain = not re.search(r"(?m)^(rename from|copy from|\+\+\+ /dev/null|old mode)", part)
        bodies = re.split(r"(?m)^(?=@@)", part)[1:]
        only_adds = any(not re.search(r"(?m)^[- ]", body) for body in bodies)  # they belong at the end there
        if name is None or not is_plain or only_adds:
            return whole(base, rng)
        hunks = re.sub(r"(?m)^\\.*\n", "", "".join(bodies))
        anchor = rng.choice((r"\1", "", "")) if how < OWN_FILES else ""  # elsewhere it may point to another
        body = re.sub(r"(?m)^@@ -\S+ \+\S+ @@(.*)", "@@" + anchor, hunks)
        parts.append(f"*** Update File: {name[1]}\n{body}")
    text = "*** Begin Patch\n" + "".join(parts) + "*** End Patch\n"
    bare = re.sub(r"(?m)^@@ -\S+ \+\S+ @@.*", "@@", base.text)
    if how < OWN_FILES:
        return Case("Codex", base.before, text, base.after, bare)
    if how < 0.6:
        return Case("Codex, again", base.after, text, None, bare)
    if how < 0.7:
        return Case("Codex, cut", base.before, text[: rng.randrange(len(text))], base.after, bare)
    return Case("Codex, grown file", grown(base, rng).before, text, None, bare)


DAMAGE: tuple[Callable[[Base, random.Random], Case], ...] = (
    *(whole, plain, again, fenced, cut, cut, counts, numbers, no_numbers, grown, grown, grown, half, between),
    *(
        between,
        two_fences,
        damaged,
        damaged,
        endings,
        modes,
        series,
        series,
        swapped,
        put_back,
        bare_names,
        codex,
        codex,
    ),
)


def cases(rng: random.Random, bases: list[Base], most: int) -> Iterator[Case]:
    for _ in range(most):
        base = rng.choice(bases) if bases and rng.random() < 0.2 else made_up(rng)
        if base.text:
            yield rng.choice(DAMAGE)(base, rng)
