"""One key of a TOML settings file: its own lines change and every other stays, or it is refused."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bascule.core.settings.toml_file import BY_HAND, set_toml
from bascule.model.asks import Refuse

TOML = """\
# mine
allowRunTerminal = true # yes

[codex] # the agent
command = "x" # why
args = ["a",
  "b"] # two
# end

[history]
pageRuns = 5
"""


@pytest.mark.parametrize(
    ("key", "value", "old", "new"),
    [
        ("codex.command", "y", 'command = "x" # why', 'command = "y" # why'),
        ("codex.args", ["z"], 'args = ["a",\n  "b"] # two', 'args = ["z"] # two'),
        ("codex.model", "m", "# end\n", '# end\nmodel = "m"\n'),
        ("history.pageRuns", None, "pageRuns = 5\n", ""),
        ("codex.args", None, 'args = ["a",\n  "b"] # two\n', ""),
        ("allowRunTerminal", None, "allowRunTerminal = true # yes\n", ""),
        ("allowApplyPatch", False, "# yes\n", "# yes\nallowApplyPatch = false\n"),
        ("log.maxBytes", 200_000, "pageRuns = 5\n", "pageRuns = 5\n\n[log]\nmaxBytes = 200000\n"),
    ],
)
def test_a_key_of_a_toml_file(key: str, value: object, old: str, new: str) -> None:
    assert set_toml(TOML, key, value) == TOML.replace(old, new)


@pytest.mark.parametrize(
    ("text", "key", "value", "after"),
    [
        ("", "history.pageRuns", 7, "[history]\npageRuns = 7\n"),
        ("", "allowApplyPatch", None, ""),
        ("history = { pageRuns = 5 }\n", "history.pageRuns", 7, "history = { pageRuns = 7 }\n"),
        ("history = { pageRuns = 5 }\n", "history.pageRuns", None, "history = {  }\n"),
        ("history = {}\r\n", "history.pageRuns", 7, "history = {pageRuns = 7}\r\n"),
        ('codex.model = "q"\n', "codex.effort", "hi", 'codex.model = "q"\ncodex.effort = "hi"\n'),
        ('[codex]\ncommand="x"', "allowApplyPatch", False, 'allowApplyPatch = false\n\n[codex]\ncommand="x"'),
        ("# a\r\n", "allowApplyPatch", False, "# a\r\nallowApplyPatch = false\r\n"),
    ],
)
def test_a_toml_file_of_another_form(text: str, key: str, value: object, after: str) -> None:
    assert set_toml(text, key, value) == after


def test_what_cannot_be_done_safely_is_left_to_a_hand() -> None:
    nested = '[[codex]]\ncommand = "a"\n[[codex]]\ncommand = "b"\n'
    assert set_toml(nested, "codex.command", "c") == Refuse(BY_HAND)


PRINTABLE = st.text(st.characters(exclude_categories=("C", "Z")), max_size=20)


@given(st.one_of(st.booleans(), st.integers(0, 10**9), PRINTABLE, st.lists(PRINTABLE, max_size=3)))
def test_a_value_is_read_back_as_it_was_written(value: object) -> None:
    edited = set_toml(TOML, "codex.model", value)
    assert isinstance(edited, str)
    assert tomllib.loads(edited)["codex"]["model"] == value
    assert [line for line in edited.splitlines() if not line.startswith("model = ")] == TOML.splitlines()


@given(st.text(st.sampled_from("[]{}=.\"'#,\n\r ab1"), max_size=40))
def test_a_broken_file_is_refused_and_never_raises(text: str) -> None:
    edited = set_toml(text, "codex.model", "m")
    assert edited == Refuse(BY_HAND) or tomllib.loads(str(edited))["codex"]["model"] == "m"
