"""A diff that is cut off, at every byte and in every format, is refused; or nothing of it is missing."""

import re
import shutil

import pytest
from tests.core.diff.judged import EDITS, NEW, RENAME, TEN, UNENDED, diff
from tests.core.diff.test_against_git import applied
from tests.core.diff.trees import Repository, Tree

from bascule.core.diff.plan.edit_plan import plan_edits
from bascule.core.diff.read.parse import parse_diff
from bascule.model.edits import EditRefused

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="Git is the judge")

ONE, TWO = diff(*EDITS["change middle"], path="x"), diff(*EDITS["two hunks"], path="y")
TREE: Tree = {"x": TEN, "y": EDITS["two hunks"][0], "g": b"a\n", "z": b"z\n"}
INDEX = "index 1234567..89abcde 100644\n"
MODE = "diff --git a/{0} b/{0}\nold mode 100644\nnew mode 100755\n"
DATES = ("\t2025-01-01 10:00:00.000000000 +0100\n", "\t2025-01-02 10:00:00.000000000 +0100\n")
SVN = ("\t(revision 1)\n", "\t(working copy)\n")


def headed(head: str, text: str, old: str, new: str, after: tuple[str, str] = ("\n", "\n")) -> str:
    return f"{head}--- {old}{after[0]}+++ {new}{after[1]}{text.partition('+++ ')[2].partition(chr(10))[2]}"


def git_section(path: str, text: str) -> str:
    return headed(f"diff --git a/{path} b/{path}\n{INDEX}", text, f"a/{path}", f"b/{path}")


EMPTY = "diff --git a/{0} b/{0}\nnew file mode 100644\nindex 0000000..e69de29\n"
CODEX = """*** Begin Patch
*** Update File: x
@@
 4
-5
+five
 6
*** Add File: n
+new
*** Update File: g
*** Move to: h
@@
-a
+b
*** Delete File: z
*** End Patch
"""
TEXTS = {
    "git": git_section("x", ONE) + git_section("y", TWO),
    "plain": ONE + TWO,
    "diff -ru": headed("diff -ru old/x new/x\n", ONE, "old/x", "new/x", DATES)
    + headed("diff -ru old/y new/y\n", TWO, "old/y", "new/y", DATES)
    + "Binary files old/i.png and new/i.png differ\n",
    "svn": headed(f"Index: x\n{'=' * 67}\n", ONE, "x", "x", SVN)
    + headed(f"Index: y\n{'=' * 67}\n", TWO, "y", "y", SVN),
    "modes": MODE.format("x") + MODE.format("y") + git_section("g", diff(b"a\n", b"b\n")),
    "mode and hunk": MODE.format("x") + git_section("x", ONE).partition("\n")[2],
    "renames": RENAME.format("x", "n") + RENAME.replace("rename", "copy").format("y", "m"),
    "rename and hunk": "diff --git a/x b/n\nsimilarity index 90%\nrename from x\nrename to n\n"
    + headed(INDEX, ONE, "a/x", "b/n"),
    "new and gone": NEW.format("n")
    + EMPTY.format("empty")
    + "diff --git a/g b/g\ndeleted file mode 100644\nindex 7898192..0000000\n--- a/g\n+++ /dev/null\n"
    "@@ -1 +0,0 @@\n-a\n",
    "empty files": EMPTY.format("one") + EMPTY.format("two") + EMPTY.format("three"),
    "unended": git_section("g", f"--- a/g\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n{UNENDED}") + git_section("x", ONE),
    "binary": git_section("x", ONE)
    + "diff --git a/i b/i\nindex 1234567..89abcde 100644\nGIT binary patch\nliteral 2\nJcmZQzU\n\n",
    "codex": CODEX,
    "two of codex": CODEX.replace("x\n@@", "y\n@@").replace("-5\n+five", "-5\n+5five", 1),
    "fenced": f"Here:\n\n```diff\n{git_section('x', ONE)}{git_section('y', TWO)}```\n\nThat is all.\n",
    "fenced, codex": f"```\n{CODEX}```\n",
    "two blocks": f"```diff\n{ONE}```\n\nand\n\n```diff\n{TWO}```\n",
    "no counts": ONE.replace(",7 ", " "),
    "no numbers": re.sub("@@ .*? @@", "@@ ... @@", ONE + TWO),
    "no numbers, and text": re.sub("@@ .*? @@", "@@", ONE) + "\nThat is all.\n",
    "by mail": f"From {'1' * 40} Mon Sep 17 00:00:00 2001\nSubject: [PATCH] x\n\n---\n x | 2 +-\n\n"
    f"{git_section('x', ONE)}-- \n2.39.5\n\n"
    f"From {'2' * 40} Mon Sep 17 00:00:00 2001\nSubject: [PATCH] y\n\n---\n y | 2 +-\n\n"
    f"{git_section('y', TWO)}-- \n2.39.5\n\n",
}


def written(text: str) -> Tree | None:
    read = parse_diff(text)
    plan = read if isinstance(read, EditRefused) else plan_edits(read, TREE.get)
    return None if isinstance(plan, EditRefused) else applied(plan, TREE)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return Repository(tmp_path_factory.mktemp("cut") / "repository")


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_diff_cut_at_any_byte_is_refused_or_nothing_is_missing(
    repository: Repository, name: str, ending: str
) -> None:
    """What is cut between two of its parts, at the end of a line, is a smaller diff, as it is to Git."""
    text = TEXTS[name].replace("\n", ending)
    results = {at: written(text[:at]) for at in range(len(text) + 1)}
    whole = results[len(text)]
    for at, result in results.items():
        if result is None or result == whole:
            continue
        start = text.rfind("\n", 0, at) + 1
        if text[start:at] == UNENDED.rstrip("\n"):  # whole, and says itself that no newline follows
            assert result == results[at + len(ending)], text[:at]
        elif start < at:  # in the middle of a line, which is prose then
            line = text[start : text.find("\n", at)].rstrip("\r")
            assert line in ("", "```") or (line.startswith(PROSE) and result == results[start]), text[:at]
        elif ending == "\n" and "```" not in text:
            assert result == repository.apply(TREE, text[:at]), text[:at]


PROSE = ("-- ", "2.39", "From ", "Subject", "---\n", " x |", " y |", "and", "That")


def test_the_whole_diffs_are_written() -> None:
    refused = {name for name, text in TEXTS.items() if written(text) is None}
    assert refused == {"binary", "diff -ru", "no counts", "no numbers"}
