from bascule.core.diff.read.parse import parse_diff
from bascule.demo.edit import make_diff, make_patch
from bascule.demo.project import MODULE
from bascule.model.edits import Diff


def test_the_first_edit_of_the_project_as_it_is_made() -> None:
    assert make_patch(MODULE) == (
        "*** Begin Patch\n"
        "*** Update File: wordkit.py\n"
        "@@\n"
        '-__all__ = ["count", "longest", "slug", "words"]\n'
        '+__all__ = ["count", "initials", "longest", "slug", "words"]\n'
        "@@\n"
        "+\n"
        "+\n"
        "+def initials(text: str) -> str:\n"
        '+    """The first letter of each word."""\n'
        '+    return "".join(word[0] for word in words(text))\n'
        "*** Add File: test_initials.py\n"
        "+import unittest\n"
        "+\n"
        "+import wordkit\n"
        "+\n"
        "+\n"
        "+class InitialsTest(unittest.TestCase):\n"
        "+    def test_initials(self) -> None:\n"
        '+        self.assertEqual(wordkit.initials("raise the bridge"), "rtb")\n'
        "*** End Patch\n"
    )


def test_names_go_on_when_all_are_taken() -> None:
    source = "def initials(): ...\ndef backwards(): ...\ndef vowels(): ...\ndef initials_2(): ...\n"
    assert "*** Add File: test_backwards_2.py" in make_patch(source)


def test_a_module_that_a_person_rewrote_is_only_added_to() -> None:
    patch = make_patch("print('mine now')\n")
    assert [line for line in patch.splitlines() if line.startswith("-")] == []


def test_the_same_edit_as_a_unified_diff_has_three_hunks_that_can_be_read() -> None:
    diff = parse_diff(make_diff(MODULE))
    assert isinstance(diff, Diff)
    assert [(file.kind, file.path, len(file.hunks)) for file in diff.files] == [
        ("update", "wordkit.py", 2),
        ("add", "test_initials.py", 1),
    ]
