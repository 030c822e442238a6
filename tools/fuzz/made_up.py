"""Made-up folders before and after, as Git writes the difference; and those of a real history."""

import difflib
import random
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.fuzz.git_judge import Tree

WORDS = ("a", "b", "c", "", "}", "    return x", "def f():", "def g():", "    x = 1", "{", "\ttab", "end ")
ODD = (
    "-- x",
    "++ y",
    "@@ -1 +1 @@",
    "--- a/f",
    "+++ b/f",
    "\\ No newline",
    "```",
    "é",
    "\x0c",
    "diff --git a b",
)
NAMES = (
    "f",
    "g",
    "dir/h.txt",
    "sp ace",
    "é.txt",
    'q"uote',
    "a/z",
    "b/z",
    "two  blanks",
    "-dash",
    "dir/sub/i",
)
UNENDED = "\\ No newline at end of file\n"


def unified(old: bytes, new: bytes, context: int, names: tuple[str, str], rng: random.Random) -> str:
    sides = [_lines(data) for data in (old, new)]
    made = list(difflib.unified_diff(sides[0], sides[1], "A", "B", n=context))[2:]
    text = "".join(line if line.endswith("\n") else f"{line}\n{UNENDED}" for line in made)
    if rng.random() < 0.3:
        text = _with_headings(text, sides[0])
    return f"--- {names[0]}\n+++ {names[1]}\n{text}" if text else ""


def _lines(data: bytes) -> list[str]:
    text = data.decode("utf-8", "surrogateescape")
    return [line + "\n" for line in text.split("\n")[:-1]] + (
        [text.split("\n")[-1]] if not text.endswith("\n") and text else []
    )


def _with_headings(text: str, lines: list[str]) -> str:
    def head(match: re.Match[str]) -> str:
        above = [
            line for line in lines[: max(int(match[1]) - 1, 0)] if re.match("(async )?def |class ", line)
        ]
        return f"{match[0]} {above[-1].strip()}" if above else match[0]

    return re.sub(r"(?m)^@@ -(\d+)\S* \+\S+ @@", head, text)


def quoted(name: str) -> str:
    if name.isascii() and '"' not in name:
        return name
    raw = "".join(f"\\{byte:03o}" if byte > 126 else chr(byte) for byte in name.encode())
    return '"' + raw.replace('"', '\\"') + '"'


def section(
    path: str,
    old: tuple[bytes, bool] | None,
    new: tuple[bytes, bool] | None,
    context: int,
    rng: random.Random,
) -> str:
    """As `git diff` writes it."""
    one, two = quoted(f"a/{path}"), quoted(f"b/{path}")
    head = f"diff --git {one} {two}\n"
    modes = ["100755" if side and side[1] else "100644" for side in (old, new)]
    if old is None:
        head += f"new file mode {modes[1]}\nindex 0000000..{'e69de29' if new and not new[0] else '1234567'}\n"
    elif new is None:
        head += f"deleted file mode {modes[0]}\nindex {'e69de29' if not old[0] else '1234567'}..0000000\n"
    elif modes[0] != modes[1]:
        head += f"old mode {modes[0]}\nnew mode {modes[1]}\n"
    names = ("/dev/null" if old is None else one, "/dev/null" if new is None else two)
    body = unified(old[0] if old else b"", new[0] if new else b"", context, names, rng)
    if old and new and body:
        head += "index 1234567..89abcde" + ("\n" if modes[0] != modes[1] else f" {modes[0]}\n")
    return head + body


def moved(kind: str, source: str, path: str, old: bytes, new: bytes, context: int, rng: random.Random) -> str:
    one, two = quoted(f"a/{source}"), quoted(f"b/{path}")
    head = f"diff --git {one} {two}\nsimilarity index {100 if old == new else 80}%\n"
    head += f"{kind} from {quoted(source)}\n{kind} to {quoted(path)}\n"
    body = unified(old, new, context, (one, two), rng)
    return head + (f"index 1234567..89abcde 100644\n{body}" if body else "")


def content(rng: random.Random) -> bytes:
    size = rng.choice((0, 1, 2, 5, 12, 30, 60))
    style = rng.random()
    if style < 0.4:
        lines = [rng.choice(WORDS) for _ in range(size)]
    elif style < 0.6:
        block = [rng.choice(WORDS) for _ in range(rng.randint(3, 7))]
        lines = [line for n in range(rng.randint(1, 4)) for line in (f"def b{n}():", *block, "")]
    elif style < 0.7:
        lines = [rng.choice((*WORDS, *ODD)) for _ in range(size)]
    else:
        lines = [f"{n} {rng.choice(WORDS)}" for n in range(size)]
    ending = "\r\n" if rng.random() < 0.08 else "\n"
    data = "".join(line + ending for line in lines).encode()
    if data and rng.random() < 0.15:
        data = data.removesuffix(ending.encode())
    return b"\xef\xbb\xbf" + data if rng.random() < 0.04 else data


def edited(data: bytes, rng: random.Random) -> bytes:
    ending = b"\r\n" if b"\r\n" in data else b"\n"
    is_ended = data.endswith(ending)
    lines = data.split(ending)[:-1] if is_ended else data.split(ending) if data else []
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        at = rng.randint(0, len(lines))
        gone = rng.choice((0, 0, 1, 1, 2))
        fresh = [rng.choice((*WORDS, "NEW", "other")).encode() for _ in range(rng.choice((0, 1, 1, 2)))]
        lines[at : at + gone] = fresh
    if rng.random() < 0.05:
        is_ended = not is_ended
    return ending.join(lines) + (ending if is_ended and lines else b"")


@dataclass(frozen=True)
class Base:
    before: Tree
    after: Tree
    text: str
    kind: str = "edit"


def made_up(rng: random.Random) -> Base:
    names = rng.sample(NAMES, rng.choice((1, 1, 1, 2, 3)))
    before: Tree = {name: (content(rng), rng.random() < 0.1) for name in names}
    after, parts, kinds = dict(before), [], set[str]()
    context = rng.choice((0, 1, 3, 3, 3, 3, 8))
    for name in names:
        kind = rng.choice(("edit",) * 7 + ("add", "delete", "rename", "copy", "mode"))
        data, runs = before[name]
        if kind == "add":
            before.pop(name)
            after[name] = data, runs
            parts.append(section(name, None, after[name], context, rng))
        elif kind == "delete":
            after.pop(name)
            parts.append(section(name, before[name], None, context, rng))
        elif kind in ("rename", "copy"):
            to = name + ".new"
            new = edited(data, rng) if rng.random() < 0.5 else data
            after[to] = new, runs
            if kind == "rename":
                after.pop(name)
            parts.append(moved(kind, name, to, data, new, context, rng))
        else:
            new = data if kind == "mode" and rng.random() < 0.5 else edited(data, rng)
            after[name] = new, runs != (kind == "mode")
            if after[name] == before[name]:
                continue
            parts.append(section(name, before[name], after[name], context, rng))
        kinds.add(kind)
    return Base(before, after, "".join(parts), "+".join(sorted(kinds)))


def plain_names(base: Base, rng: random.Random) -> str:
    """The same as `diff -ru` or Subversion write it; only edits of files with easy names."""
    pieces = []
    for path, old in base.before.items():
        new = base.after.get(path)
        if new is None or new == old or new[1] != old[1] or not re.fullmatch(r"[\w./]+", path):
            return base.text
        if rng.random() < 0.5:
            names = (
                f"old/{path}\t2025-01-01 10:00:00.000000000 +0100",
                f"new/{path}\t2025-01-02 10:00:00 +0100",
            )
            pieces.append(f"diff -ru old/{path} new/{path}\n" + unified(old[0], new[0], 3, names, rng))
        else:
            pieces.append(unified(old[0], new[0], 3, (f"a/{path}", f"b/{path}"), rng))
    return "".join(pieces)


def history(repository: Path, rng: random.Random, most: int) -> Iterator[Base]:
    """Files of real commits, before and after."""

    def git(*words: str) -> bytes:
        return subprocess.run(["git", "-C", str(repository), *words], capture_output=True, check=True).stdout

    commits = git("rev-list", "--no-merges", "--min-parents=1", "-n600", "HEAD").decode().split()
    rng.shuffle(commits)
    for commit in commits[:most]:
        listed = (
            git("diff", "--name-only", "--no-renames", "-z", f"{commit}^", commit).decode().split("\0")[:-1]
        )
        paths = rng.sample(listed, min(len(listed), rng.choice((1, 2, 3))))
        sides: list[Tree] = [{}, {}]
        for path in paths:
            for side, at in zip(sides, (f"{commit}^", commit), strict=True):
                shown = subprocess.run(
                    ["git", "-C", str(repository), "show", f"{at}:{path}"], check=False, capture_output=True
                )
                if shown.returncode == 0 and len(shown.stdout) < 60_000 and b"\0" not in shown.stdout:
                    side[path] = shown.stdout, False
        if any((path in sides[0]) != (path in sides[1]) for path in paths) and rng.random() < 0.5:
            continue
        parts = [
            section(path, sides[0].get(path), sides[1].get(path), 3, rng)
            for path in paths
            if sides[0].get(path) != sides[1].get(path)
        ]
        if parts:
            yield Base(sides[0], sides[1], "".join(parts), "history")
