"""The demo workspace: a small real Python project with tests that pass, under git where git is."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from bascule.host.processes.program import find_program

GIT_TIMEOUT_S = 20.0

README = """\
# wordkit

A few functions about words, small enough to read in a minute.

    >>> import wordkit
    >>> wordkit.slug("A Bridge, Raised")
    'a-bridge-raised'

Run the tests with `python -m unittest`.

This is the workspace of the Bascule demo. Change what you like: it is made once and then left alone;
delete the folder to get a fresh one.
"""

MODULE = '''\
"""Small functions about words."""

import re

__all__ = ["count", "longest", "slug", "words"]


def words(text: str) -> list[str]:
    """The words of a text, in order, in lower case."""
    return re.findall(r"[a-z0-9']+", text.lower())


def count(text: str) -> dict[str, int]:
    """How often each word occurs."""
    found: dict[str, int] = {}
    for word in words(text):
        found[word] = found.get(word, 0) + 1
    return found


def longest(text: str) -> str:
    """The longest word, the first one of several; empty for a text without words."""
    return max(words(text), key=len, default="")


def slug(text: str) -> str:
    """The text as it would stand in a web address."""
    return "-".join(words(text))
'''

TESTS = """\
import unittest

import wordkit


class WordkitTest(unittest.TestCase):
    def test_words_are_lower_case_and_in_order(self) -> None:
        self.assertEqual(wordkit.words("The Bridge, the river."), ["the", "bridge", "the", "river"])

    def test_count(self) -> None:
        self.assertEqual(wordkit.count("up down up"), {"up": 2, "down": 1})

    def test_longest_takes_the_first_of_several(self) -> None:
        self.assertEqual(wordkit.longest("raise lower tilt"), "raise")

    def test_longest_of_nothing(self) -> None:
        self.assertEqual(wordkit.longest("..."), "")

    def test_slug(self) -> None:
        self.assertEqual(wordkit.slug("A Bridge, Raised"), "a-bridge-raised")


if __name__ == "__main__":
    unittest.main()
"""

FILES: Mapping[str, str] = {
    ".gitignore": "__pycache__/\n",
    "README.md": README,
    "wordkit.py": MODULE,
    "test_wordkit.py": TESTS,
}

_GIT_SETTINGS = (
    "user.name=Bascule demo",
    "user.email=demo@bascule.invalid",
    "init.defaultBranch=main",
    "commit.gpgSign=false",
    "core.autocrlf=false",
)


def prepare_project(folder: Path, search_path: Mapping[str, str]) -> None:
    """Make the demo project there, once; a folder that already holds something is not changed."""
    if folder.is_dir() and any(folder.iterdir()):
        return
    draft = folder.with_name(f".{folder.name}.draft")
    shutil.rmtree(draft, ignore_errors=True)  # what an interrupted start left behind
    draft.mkdir(parents=True)
    for name, text in FILES.items():
        (draft / name).write_text(text, encoding="utf-8", newline="\n")
    _commit_all(draft, search_path)
    if folder.is_dir():
        folder.rmdir()  # empty, as seen above; Windows cannot rename onto a folder
    draft.rename(folder)


def _commit_all(folder: Path, search_path: Mapping[str, str]) -> None:
    git = find_program("git", search_path)
    if git is None:
        return
    for arguments in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "A small word kit"]):
        subprocess.run(
            [str(git), *_settings(), *arguments],
            cwd=folder,
            env=_own_environment(search_path),
            check=True,
            capture_output=True,
            timeout=GIT_TIMEOUT_S,
        )


def _settings() -> list[str]:
    return [word for setting in _GIT_SETTINGS for word in ("-c", setting)]


def _own_environment(search_path: Mapping[str, str]) -> dict[str, str]:
    """The person's own git settings, hooks and templates have no say in the demo's project."""
    whole = {**os.environ, **search_path}
    kept = {name: value for name, value in whole.items() if not name.startswith("GIT_")}
    return kept | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
