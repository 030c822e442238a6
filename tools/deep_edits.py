"""A repository's own history as a test of edits: `python -m tools.deep_edits [REPOSITORY] [--most N]`.

Each commit is planned on the files before it and must give the files after it, or be refused; its diff must
be refused on its own result; the other way round it must give the files before; and runs of several commits,
joined to one text, must give the files after the last. Nothing is written: all of it happens in memory.
"""

import argparse
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

from bascule.core.diff.make.reverse import reverse
from bascule.core.diff.plan.edit_plan import plan_edits
from bascule.core.diff.read.parse import parse_diff
from bascule.model.edits import Diff, EditPlan, EditRefused

SERIES = 5  # commits that are joined
Files = dict[str, bytes | None]  # None where there is none


class Wrong(Exception):
    """Something was written that should not have been."""


class History:
    def __init__(self, repository: Path) -> None:
        self._repository = repository
        self._reader = subprocess.Popen(
            ["git", "-C", str(repository), "cat-file", "--batch"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def commits(self, most: int) -> list[str]:
        """With one parent, the latest first."""
        return self.git("rev-list", "--no-merges", "--min-parents=1", f"-n{most}", "HEAD").decode().split()

    def diff(self, before: str, after: str) -> str:
        made = self.git("diff", "--no-renames", "--no-ext-diff", "--no-color", before, after)
        return made.decode("utf-8", "surrogateescape")

    def read(self, commit: str, path: str) -> bytes | None:
        assert self._reader.stdin
        assert self._reader.stdout
        self._reader.stdin.write(f"{commit}:{path}\n".encode("utf-8", "surrogateescape"))
        self._reader.stdin.flush()
        *_, size = self._reader.stdout.readline().split()
        if size == b"missing":
            return None
        data = self._reader.stdout.read(int(size) + 1)
        return data[:-1]

    def git(self, *words: str) -> bytes:
        return subprocess.run(
            ["git", "-C", str(self._repository), *words], capture_output=True, check=True
        ).stdout

    def close(self) -> None:
        assert self._reader.stdin
        self._reader.stdin.close()
        self._reader.wait()


def planned(diff: Diff | EditRefused, read: Files) -> EditPlan | EditRefused:
    return diff if isinstance(diff, EditRefused) else plan_edits(diff, read.get)


def check_commit(history: History, commit: str, counted: Counter[str]) -> None:
    text = history.diff(f"{commit}^", commit)
    diff = parse_diff(text)
    if isinstance(diff, EditRefused):
        counted["not a diff of text"] += 1
        return
    paths = [file.path for file in diff.files]
    before = {path: history.read(f"{commit}^", path) for path in paths}
    after = {path: history.read(commit, path) for path in paths}
    _check("once", commit, planned(diff, before), after, counted)
    again = planned(diff, after)
    counted["again: refused" if isinstance(again, EditRefused) else "again: WRITTEN"] += 1
    if isinstance(again, EditPlan) and any(file.after != after[file.path] for file in again.files):
        raise Wrong(f"{commit} was applied twice")
    _check("reverse", commit, planned(reverse(diff), after), before, counted)


def check_series(history: History, commits: list[str], counted: Counter[str]) -> None:
    """The oldest first, joined as somebody would who mails them together."""
    texts = [history.diff(f"{commit}^", commit) for commit in reversed(commits)]
    diff = parse_diff("".join(texts))
    if isinstance(diff, EditRefused):
        counted["series: not a diff of text"] += 1
        return
    paths = {file.path for file in diff.files}
    before = {path: history.read(f"{commits[-1]}^", path) for path in paths}
    after = {path: history.read(commits[0], path) for path in paths}
    _check("series", commits[0], planned(diff, before), after, counted)


def _check(
    what: str,
    commit: str,
    plan: EditPlan | EditRefused,
    wanted: Files,
    counted: Counter[str],
) -> None:
    if isinstance(plan, EditRefused):
        counted[f"{what}: refused"] += 1
        sys.stdout.write(f"{commit[:12]} {what}: {plan.why}\n")
        return
    wrong = [file.path for file in plan.files if file.after != wanted[file.path]]
    if wrong:
        raise Wrong(f"{what} of {commit} gives other bytes for {', '.join(wrong[:5])}")
    counted[f"{what}: right"] += 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository", nargs="?", type=Path, default=Path())
    parser.add_argument("--most", type=int, default=500, help="commits")
    args = parser.parse_args()
    history, counted = History(args.repository), Counter[str]()
    try:
        commits = history.commits(args.most)
        for commit in commits:
            check_commit(history, commit, counted)
        parents = {one: history.git("rev-parse", f"{one}^").decode().strip() for one in commits}
        for at in range(len(commits) - SERIES):
            run = commits[at : at + SERIES]
            if all(parents[one] == other for one, other in pairwise(run)):
                check_series(history, run, counted)
    except Wrong as wrong:
        sys.stderr.write(f"{wrong}\n")
        return 1
    finally:
        history.close()
    for name, count in sorted(counted.items()):
        sys.stdout.write(f"{count:6} {name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
