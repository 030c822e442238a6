"""Made-up and broken diffs put to Bascule and to `git apply`: `python -m tools.fuzz_edits [--cases N]`.

Each case is a folder and a text: a diff of made-up files or of this repository's history, whole or damaged
in one of many ways. What Bascule would write is compared with what Git writes:

- the same, or both refuse;
- Bascule refuses and Git writes: counted by kind;
- Bascule writes and Git refuses or writes something else: it must be what the diff was made for, or what Git
  writes once counts and line endings are set right (docs/guide/diffs.md lists these). All else is wrong, is
  printed, and fails the run. So does a diff that can be applied to its own result.
"""

import argparse
import difflib
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from bascule.core.diff.plan.edit_plan import plan_edits
from bascule.core.diff.read.parse import parse_diff
from bascule.model.edits import EditPlan, EditRefused

Tree = dict[str, tuple[bytes, bool]]  # bytes, and whether it may be run
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


@dataclass(frozen=True)
class Case:
    kind: str
    before: Tree
    text: str
    wanted: Tree | None = None  # what the diff was made for, where that is still what it says
    notes: tuple[str, ...] = ()


@dataclass
class Counted:
    same: Counter[str] = field(default_factory=Counter)
    both_refuse: Counter[str] = field(default_factory=Counter)
    stricter: Counter[str] = field(default_factory=Counter)
    documented: Counter[str] = field(default_factory=Counter)
    looked_for: str = ""  # refusals of what Git writes that are printed too
    wrong: list[tuple[str, Case, object, object]] = field(default_factory=list)


# -- the judge --


class Judge:
    """A folder that Git applies diffs in."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._now: Tree = {}
        folder.mkdir()
        self._git("init", "-q")

    def _git(self, *words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        quiet = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "HOME": str(self._folder)}
        return subprocess.run(
            ["git", *words],
            check=False,
            cwd=self._folder,
            input=stdin,
            capture_output=True,
            env={**os.environ, **quiet},
        )

    def apply(self, before: Tree, text: str, *options: str) -> Tree | None:
        self._put(before)
        done = self._git("apply", *options, stdin=text.encode("utf-8", "surrogateescape"))
        if done.returncode:
            return None
        self._now = self._read()
        return self._now

    def _put(self, tree: Tree) -> None:
        if tree == self._now:
            return
        for path in self._folder.iterdir():
            if path.name != ".git":
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        for name, (data, runs) in tree.items():
            path = self._folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            if runs:
                path.chmod(0o755)
        self._now = dict(tree)

    def _read(self) -> Tree:
        found: Tree = {}
        for top, folders, names in os.walk(self._folder):
            if ".git" in folders:
                folders.remove(".git")
            for name in names:
                path = Path(top) / name
                data = bytes(path.readlink()) if path.is_symlink() else path.read_bytes()
                runs = not path.is_symlink() and bool(path.stat().st_mode & 0o100)
                found[path.relative_to(self._folder).as_posix()] = data, runs
        return found


def ours(before: Tree, text: str) -> Tree | EditRefused:
    diff = parse_diff(text)
    if isinstance(diff, EditRefused):
        return diff
    data = {path: content for path, (content, _) in before.items()}
    runs = {path: is_set for path, (_, is_set) in before.items()}
    plan = plan_edits(diff, data.get, runs.get)
    return plan if isinstance(plan, EditRefused) else written(plan, before)


def written(plan: EditPlan, before: Tree) -> Tree:
    after = dict(before)
    for file in plan.files:
        after.pop(file.path, None)
        if file.kind == "rename" and file.source is not None:
            after.pop(file.source, None)
    for file in plan.files:
        if file.after is not None:
            source = before.get(file.source or file.path)
            runs = source[1] if source is not None and file.kind != "add" else False
            after[file.path] = file.after, runs if file.mode_after is None else bool(file.mode_after & 0o100)
    return after


def judge(case: Case, git: Judge, counted: Counted) -> None:
    mine = ours(case.before, case.text)
    theirs = git.apply(case.before, case.text)
    if isinstance(mine, EditRefused):
        if theirs is None:
            counted.both_refuse[case.kind] += 1
        else:
            counted.stricter[f"{case.kind}: {reason(mine.why)}"] += 1
            if counted.looked_for and counted.looked_for in mine.why:
                counted.wrong.append((mine.why, case, mine, theirs))
        return
    again = ours(mine, case.text)
    is_swap = "@@" not in case.text and "rename from" in case.text  # nothing tells it from its own result
    if not isinstance(again, EditRefused) and not is_swap:
        counted.wrong.append(("applied twice", case, mine, again))
    if mine == theirs:
        counted.same[case.kind] += 1
    elif mine == case.wanted:
        counted.documented[f"{case.kind}: what the diff was made for"] += 1
    elif (how := documented(case, mine, git)) is not None:
        counted.documented[f"{case.kind}: {how}"] += 1
    else:
        counted.wrong.append(("Git refuses" if theirs is None else "Git differs", case, mine, theirs))


def reason(why: str) -> str:
    """Without names, numbers and quotes."""
    text = re.sub(r'"[^"]*"', '"…"', why.removeprefix("Edit refused: "))
    text = re.sub(r"^[^,:]+(, hunk \d+)?: ", "", text)
    return re.sub(r"\d+", "N", text)[:90]


def documented(case: Case, mine: Tree, git: Judge) -> str | None:
    """What Git writes once counts, fences and line endings are out of the way."""
    bare = re.sub(r"(?m)^(```|~~~)\w*\n", "", case.text)
    if git.apply(case.before, bare, "--recount") == mine:
        return "as Git with --recount"
    plain = bare.replace("\r\n", "\n").removeprefix("\ufeff")
    before = {path: (_plain(data), runs) for path, (data, runs) in case.before.items()}
    result = {path: (_plain(data), runs) for path, (data, runs) in mine.items()}
    unmarked = plain.replace("\ufeff", "", 1)
    for text in (plain, unmarked, plain.replace(UNENDED, ""), re.sub(r"(?m)^\n(?=@@)", "", plain)):
        made = git.apply(before, text, "--recount")
        if made is not None and {path: (_plain(data), runs) for path, (data, runs) in made.items()} == result:
            return "as Git but for line endings, blank lines and counts"
    if result in (only_place(plain, before), only_place(unmarked, before)):
        return "the only place"
    return None


def only_place(text: str, before: Tree) -> Tree | None:
    """Hunks by their lines alone, each where it fits and nowhere else in their order; None if not certain."""
    after = dict(before)
    for part in re.split(r"(?m)^(?=diff --git )", text)[1:]:
        head, *hunks = re.split(r"(?m)^(?=@@)", part)
        said = dict(re.findall(r"(?m)^(---|\+\+\+|\w+ from|\w+ to|\w+(?: file)? mode) (.*)", head))
        same = re.match(r'diff --git "?a/(.*) "?b/\1$', head.partition("\n")[0])
        source = _name(
            said.get("---", said.get("rename from", said.get("copy from", same and f"a/{same[1]}")))
        )
        target = _name(said.get("+++", said.get("rename to", said.get("copy to", same and f"b/{same[1]}"))))
        if source is None or target is None or source not in before:
            if target is None or said.get("---") != "/dev/null" or len(hunks) != 1:
                return None
            lines = hunks[0].split("\n")[1:-1]
            data = "".join(f"{line[1:]}\n" for line in lines if line[:1] != "\\").encode()
            after[target] = data, said.get("new file mode") == "100755"
            continue
        placed = _place(before[source][0], hunks)
        if placed is None:
            return None
        if "rename from" in said:
            after.pop(source)
        after[target] = (
            _plain(placed),
            said["new mode"] == "100755" if "new mode" in said else before[source][1],
        )
    return after


def _name(written: str | None) -> str | None:
    if written is None or written == "/dev/null":
        return None
    if written.startswith('"'):
        raw = re.sub(rb"\\(\d{3})", lambda match: bytes([int(match[1], 8)]), written[1:-1].encode())
        written = raw.replace(b'\\"', b'"').decode("utf-8", "surrogateescape")
    return re.sub(r"^[ab]/", "", written)


def _place(data: bytes, hunks: list[str]) -> bytes | None:
    text = data.decode("utf-8", "surrogateescape")
    lines = text.removesuffix("\n").split("\n") if text else []
    sides = [_sides(hunk) for hunk in hunks]
    rows: list[tuple[int, ...]] = [()]
    for (old, new), hunk in zip(sides, hunks, strict=True):
        spots = [at for at in range(len(lines)) if old and lines[at : at + len(old)] == old]
        spots = spots if old or data else [0]
        stated = re.match(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@", hunk)
        if stated and [int(count or 1) for count in stated.groups()[1:]] == [len(old), len(new)]:
            spots = [int(stated[1]) - 1] if int(stated[1]) - 1 in spots else spots
        if re.search(r"(?m)^[- ].*\n\\", hunk):  # the last line of the file is among them
            spots = [at for at in spots if at + len(old) == len(lines)]
        rows = [(*row, at) for row in rows for at in spots if _is_after(row, at, sides)]
        if len(rows) > 100:
            return None
    if len(rows) != 1:
        return None
    for at, (old, new) in reversed(list(zip(rows[0], sides, strict=True))):
        lines[at : at + len(old)] = new
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")


def _is_after(row: tuple[int, ...], at: int, sides: list[tuple[list[str], list[str]]]) -> bool:
    return not row or at >= row[-1] + len(sides[len(row) - 1][0])


def _sides(hunk: str) -> tuple[list[str], list[str]]:
    lines = [line for line in hunk.rstrip("\n").split("\n")[1:] if not line.startswith("\\")]
    return [line[1:] for line in lines if line[:1] != "+"], [line[1:] for line in lines if line[:1] != "-"]


def _plain(data: bytes) -> bytes:
    data = data.replace(b"\r\n", b"\n").removeprefix(b"\xef\xbb\xbf")
    return data if not data or data.endswith(b"\n") else data + b"\n"


# -- diffs --


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


# -- folders --


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


# -- damage --


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
    return Case(f"line {how}", base.before, f"```diff\n{text}```\n" if rng.random() < 0.3 else text)


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
    return Case(f"endings: {how}", before, text)


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


def bare_names(base: Base, _rng: random.Random) -> Case:
    return Case(
        "no prefixes",
        base.before,
        re.sub(r"(?m)^((?:diff --git |--- |\+\+\+ )\"?)[ab]/", r"\1", base.text)
        .replace(" b/", " ")
        .replace(' "b/', ' "'),
        base.after,
    )


DAMAGE: tuple[Callable[[Base, random.Random], Case], ...] = (
    *(whole, plain, again, fenced, cut, cut, counts, numbers, no_numbers, grown, grown, grown, half, between),
    *(between, two_fences, damaged, damaged, endings, modes, series, series, swapped, bare_names),
)


def cases(rng: random.Random, bases: list[Base], most: int) -> Iterator[Case]:
    for _ in range(most):
        base = rng.choice(bases) if bases and rng.random() < 0.2 else made_up(rng)
        if base.text:
            yield rng.choice(DAMAGE)(base, rng)


def report(counted: Counted, shown: int) -> None:
    def table(title: str, counts: Counter[str]) -> None:
        sys.stdout.write(f"\n{title}: {counts.total()}\n")
        for name, count in counts.most_common():
            sys.stdout.write(f"{count:7} {name}\n")

    table("The same", counted.same)
    table("Both refuse", counted.both_refuse)
    table("Bascule refuses, Git writes", counted.stricter)
    table("Bascule writes as documented, Git refuses or differs", counted.documented)
    sys.stdout.write(f"\nWRONG: {len(counted.wrong)}\n")
    for kind, count in Counter(f"{what}: {case.kind}" for what, case, _, _ in counted.wrong).most_common():
        sys.stdout.write(f"{count:7} {kind}\n")
    for what, case, mine, theirs in counted.wrong[:shown]:
        sys.stdout.write(
            f"\n==== {what}: {case.kind}\nbefore {case.before}\n{case.text}\nours {mine}\ngit  {theirs}\n"
        )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shown", type=int, default=5, help="wrong cases that are printed whole")
    parser.add_argument("--repository", type=Path, default=Path())
    parser.add_argument("--refusal", default="", help="words: print what is refused so and Git writes")
    args = parser.parse_args()
    rng, counted = random.Random(args.seed), Counted(looked_for=args.refusal)
    bases = list(history(args.repository, rng, 150))
    with tempfile.TemporaryDirectory() as folder:
        git = Judge(Path(folder) / "judge")
        for number, case in enumerate(cases(rng, bases, args.cases), 1):
            judge(case, git, counted)
            if number % 2_000 == 0:
                sys.stderr.write(f"{number} cases, {len(counted.wrong)} wrong\n")
    report(counted, args.shown)
    return 1 if counted.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
