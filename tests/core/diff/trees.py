"""Generated folders of files, before and after, and what real Git says of them."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from hypothesis import strategies as st

Tree = dict[str, bytes]

# Lines that look like what a parser of diffs looks for, and bytes that no decoder takes.
TEXTS = (
    *(b"", b" ", b"a", b"b", b"c", b"  indented", b"\tx", b"trailing ", b"}"),
    *(b"-- x", b"++ y", b"-", b"+", b"--- a/x", b"+++ b/x", b"@@ -1 +1 @@", b"@@", b"- "),
    *(b"diff --git a/x b/x", b"\\ No newline at end of file", b"```", b"```diff", b"*** End Patch"),
    *(
        "é".encode(),
        "日本".encode(),
        b"\xff\xfe\x80",
        b"\x0c",
        "\u2028".encode(),
        b"a\rb",
        b"\xef\xbb\xbfbom",
    ),
)
NAMES = (
    "x",
    "dir/y.txt",
    "sp ace.txt",
    "é.txt",
    'q"uote',
    "a/z",
    "b/z",
    "-dash",
    "日本/語.py",
    "two  blanks",
)

plain = st.one_of(
    st.sampled_from([b"", b"}", b"\tx", b"trailing "]), st.integers(0, 60).map(lambda n: b"%d" % n)
)
texts = st.one_of(st.sampled_from(TEXTS), plain)
lf = st.just(b"\n")
endings = st.sampled_from([b"\n", b"\n", b"\n", b"\r\n"])


@st.composite
def contents(draw: st.DrawFn, most: int = 30, *, is_plain: bool = False) -> bytes:
    ending = draw(st.sampled_from([lf] if is_plain else [lf, st.just(b"\r\n"), endings]))
    lines = draw(st.lists(plain if is_plain else texts, max_size=most))
    return _joined(draw, [line + draw(ending) for line in lines])


@st.composite
def edited(draw: st.DrawFn, before: bytes, *, is_plain: bool = False) -> bytes:
    """The same with a few lines removed, added or changed."""
    lines = [line + b"\n" for line in before.removesuffix(b"\n").split(b"\n")] if before else []
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(lines)))
        gone = draw(st.integers(0, 3))
        new = draw(st.lists(plain if is_plain else texts, max_size=3))
        lines[at : at + gone] = [line + draw(lf if is_plain else endings) for line in new]
    return _joined(draw, lines)


def _joined(draw: st.DrawFn, lines: list[bytes]) -> bytes:
    data = b"".join(lines)
    return data.removesuffix(b"\n") if draw(st.booleans()) else data


@st.composite
def changes(draw: st.DrawFn, *, is_plain: bool = False) -> tuple[Tree, Tree]:
    """A folder before and after; a plain one holds nothing that looks like a diff."""
    before: Tree = {}
    after: Tree = {}
    names = NAMES[:3] if is_plain else NAMES
    for name in draw(st.lists(st.sampled_from(names), min_size=1, max_size=4, unique=True)):
        kind = draw(st.sampled_from(["update", "update", "update", "add", "delete"]))
        data = draw(contents(is_plain=is_plain))
        if kind != "add":
            before[name] = data
        if kind != "delete":
            after[name] = data if kind == "add" else draw(edited(data, is_plain=is_plain))
    return before, after


def write_tree(folder: Path, tree: Mapping[str, bytes]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in tree.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def read_tree(folder: Path) -> Tree:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and ".git" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def git(folder: Path, *words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Without anybody's configuration."""
    quiet = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "HOME": str(folder)}
    return subprocess.run(
        ["git", "-c", "core.safecrlf=false", "-c", "core.autocrlf=false", *words],
        cwd=folder,
        input=stdin,
        capture_output=True,
        env={**os.environ, **quiet, "GIT_CEILING_DIRECTORIES": str(folder.parent)},
        timeout=60,
    )


class Repository:
    """One repository for many pairs of folders."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        assert git(folder, "init", "-q").returncode == 0

    def diff(self, before: Tree, after: Tree, *options: str) -> str:
        trees = [self._store(tree) for tree in (before, after)]
        made = git(self.folder, "-c", "core.quotePath=true", "diff", "--text", *options, *trees)
        assert made.returncode == 0, made.stderr
        return made.stdout.decode("utf-8", "surrogateescape")

    def _store(self, tree: Tree) -> str:
        self.put(tree)
        assert git(self.folder, "add", "-A").returncode == 0
        return git(self.folder, "write-tree").stdout.decode().strip()

    def put(self, tree: Tree) -> None:
        for path in self.folder.iterdir():
            if path.name != ".git":
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        write_tree(self.folder, tree)

    def apply(self, before: Tree, text: str, *options: str) -> Tree | None:
        """What `git apply` makes of it; None where it refuses."""
        self.put(before)
        done = git(self.folder, "apply", *options, stdin=text.encode("utf-8", "surrogateescape"))
        return read_tree(self.folder) if done.returncode == 0 else None

    def runnable(self) -> set[str]:
        """What has the right to run after the latest apply."""
        return {path for path in read_tree(self.folder) if (self.folder / path).stat().st_mode & 0o100}
