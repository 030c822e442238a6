"""One key of a JSON settings file set or removed: its own text changes, everything else stays."""

import pytest

from bascule.core.settings.jsonc_file import set_jsonc

JSONC = """\
{
    // mine
    "editor.rulers": {"a": [1, 2]}, /* others */
    "bascule.codex.model": "a", // m
    "z": 1,
}
"""


@pytest.mark.parametrize(
    ("key", "value", "old", "new"),
    [
        ("codex.model", "b", '"bascule.codex.model": "a"', '"bascule.codex.model": "b"'),
        ("codex.model", None, '"bascule.codex.model": "a", // m', "// m"),
        ("allowApplyPatch", False, "{\n    // mine", '{\n    "bascule.allowApplyPatch": false,\n    // mine'),
    ],
)
def test_a_key_of_a_json_file_with_comments(key: str, value: object, old: str, new: str) -> None:
    assert set_jsonc(JSONC, key, value) == JSONC.replace(old, new)


@pytest.mark.parametrize(
    ("text", "value", "after"),
    [
        ("", "b", '{\n  "bascule.codex.model": "b"\n}\n'),
        ("{}", "b", '{\n  "bascule.codex.model": "b"\n}'),
        ('{ "bascule.codex.model": "a" }', "b", '{ "bascule.codex.model": "b" }'),
        ('{\n  "a": 1,\n  "bascule.codex.model": "a"\n}\n', None, '{\n  "a": 1\n}\n'),
        ('{"a": 1}', None, '{"a": 1}'),
    ],
)
def test_a_json_file_of_another_form(text: str, value: object, after: str) -> None:
    assert set_jsonc(text, "codex.model", value) == after
