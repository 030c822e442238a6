"""What `git apply` makes of a text in a folder of files, and what Bascule would."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from bascule.core.diff.plan.edit_plan import plan_edits
from bascule.core.diff.read.parse import parse_diff
from bascule.model.edits import EditPlan, EditRefused

Tree = dict[str, tuple[bytes, bool]]  # bytes, and whether it may be run


@dataclass(frozen=True)
class Case:
    kind: str
    before: Tree
    text: str
    wanted: Tree | None = None  # what the diff was made for, where that is still what it says
    as_git: str = ""  # the same without numbers in Git's format, where it is in another


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
