"""The edit that the demo makes: one more function for wordkit, and a test for it."""

import difflib
import re
from itertools import count

import msgspec

SOURCE = "wordkit.py"


class Addition(msgspec.Struct, frozen=True):
    """A function that wordkit could have, with one example of what it does."""

    name: str
    about: str
    result: str
    body: str
    example: str
    expected: str


ADDITIONS = (
    Addition(
        name="initials",
        about="The first letter of each word.",
        result="str",
        body='"".join(word[0] for word in words(text))',
        example="raise the bridge",
        expected='"rtb"',
    ),
    Addition(
        name="backwards",
        about="The words, last one first.",
        result="str",
        body='" ".join(reversed(words(text)))',
        example="one two three",
        expected='"three two one"',
    ),
    Addition(
        name="vowels",
        about="How many vowels the text has.",
        result="int",
        body='sum(letter in "aeiou" for letter in text.lower())',
        example="A drawbridge",
        expected="4",
    ),
)


def make_patch(source: str) -> str:
    """A patch in Codex's format that fits the module as it is now, however often it was edited before."""
    name, addition = _choose(source)
    lines = [
        "*** Begin Patch",
        f"*** Update File: {SOURCE}",
        *_export_hunk(source, name),
        "@@",  # a hunk without context goes to the end of the file
        *_added(f"\n\n{_function(name, addition)}"),
        f"*** Add File: test_{name}.py",
        *_added(_test(name, addition)),
        "*** End Patch",
    ]
    return "\n".join(lines) + "\n"


def make_diff(source: str) -> str:
    """The same edit as a unified diff of the module as it is now, and of the new test."""
    name, addition = _choose(source)
    edited = re.sub(
        r"^__all__ = \[(.*)\]$", lambda found: _export(found[1], name), source, count=1, flags=re.MULTILINE
    )
    edited += f"\n\n{_function(name, addition)}"
    return _unified(f"a/{SOURCE}", f"b/{SOURCE}", source, edited) + _unified(
        "/dev/null", f"b/test_{name}.py", "", _test(name, addition)
    )


def _unified(old: str, new: str, before: str, after: str) -> str:
    lines = difflib.unified_diff(before.splitlines(keepends=True), after.splitlines(keepends=True), old, new)
    return "".join(lines)


def _export(names: str, name: str) -> str:
    every = sorted({*re.findall(r'"(\w+)"', names), name})
    return "__all__ = [" + ", ".join(f'"{each}"' for each in every) + "]"


def _choose(source: str) -> tuple[str, Addition]:
    taken = set(re.findall(r"^def (\w+)", source, re.MULTILINE))
    for round_number in count(1):
        for addition in ADDITIONS:
            name = addition.name if round_number == 1 else f"{addition.name}_{round_number}"
            if name not in taken:
                return name, addition
    raise AssertionError("unreachable: the names never run out")


def _export_hunk(source: str, name: str) -> list[str]:
    """Name the function in `__all__`, when that is still the single line it was."""
    found = re.search(r"^__all__ = \[(.*)\]$", source, re.MULTILINE)
    if found is None:
        return []
    return ["@@", f"-{found[0]}", f"+{_export(found[1], name)}"]


def _function(name: str, addition: Addition) -> str:
    return (
        f"def {name}(text: str) -> {addition.result}:\n"
        f'    """{addition.about}"""\n'
        f"    return {addition.body}\n"
    )


def _test(name: str, addition: Addition) -> str:
    title = name.title().replace("_", "")
    return (
        "import unittest\n\nimport wordkit\n\n\n"
        f"class {title}Test(unittest.TestCase):\n"
        f"    def test_{name}(self) -> None:\n"
        f'        self.assertEqual(wordkit.{name}("{addition.example}"), {addition.expected})\n'
    )


def _added(text: str) -> list[str]:
    return [f"+{line}" for line in text.splitlines()]
