"""The key scanner against tomllib: a document written in many ways, its lines known by construction."""

import string
import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bascule.core.settings.toml_keys import scan_toml_keys

NAMES = st.text(string.ascii_lowercase + '.é"#=[]{} \n', min_size=1, max_size=4)
SCALARS = st.sampled_from(
    [
        "1",
        "1.5",
        "true",
        "1979-05-27T07:32:00.5Z",
        '"a # = [ \\" ]"',
        "'{ x = 1 \\'",
        '"""\n[not]\na = 1\n\\"""\n"""""',
        "'''\n[not.this]\nb = 2 ''''",
        '""',
        '""""""',
        "[]",
        "{}",
        "[\n  1, # one ]\n  2,\n]",
        "[[{ q = 1 }], [], { r.s = [{}] }]",
        "{ 'x.y' = 1, z = [\n{ w = '}' },\n] }",
    ]
)
DOCUMENTS = st.dictionaries(
    NAMES,
    st.one_of(SCALARS, st.dictionaries(NAMES, st.one_of(SCALARS, st.dictionaries(NAMES, SCALARS)))),
    max_size=4,
)


def quote(name: str) -> str:
    if name.isascii() and name.isalpha():
        return name
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


class Writer:
    def __init__(self) -> None:
        self.text = ""
        self.lines: dict[tuple[str, ...], int] = {}

    def put(self, path: tuple[str, ...], piece: str) -> None:
        self.lines[path] = self.text.count("\n") + 1
        self.text += piece

    def write(self, tree: dict[str, Any], above: tuple[str, ...], under: int) -> None:
        """The values of a table first, then its tables; `under` names are in the header already."""
        for name, value in tree.items():
            if isinstance(value, str):
                path = (*above, name)
                self.put(path, f" {' . '.join(map(quote, path[under:]))} = {value}  # a = 1\n\n")
        for name, value in tree.items():
            if isinstance(value, dict):
                path = (*above, name)
                self.put(path, f"[ {'.'.join(map(quote, path))} ] # [x]\n")
                self.write(value, path, len(path))


def flatten(tables: dict[str, Any], above: tuple[str, ...] = ()) -> set[tuple[str, ...]]:
    found = set()
    for name, value in tables.items():
        path = (*above, name)
        found |= {path} | (flatten(value, path) if isinstance(value, dict) else set())
    return found


@given(DOCUMENTS)
def test_the_scanner_finds_every_key_that_tomllib_finds_on_the_line_where_it_was_written(
    tree: dict[str, Any],
) -> None:
    writer = Writer()
    writer.write(tree, (), 0)
    found: dict[tuple[str, ...], int] = {}
    for path, line in scan_toml_keys(writer.text):
        found.setdefault(path, line)
    assert flatten(tomllib.loads(writer.text)) <= found.keys()
    assert {path: found[path] for path in writer.lines} == writer.lines


def test_the_scanner_follows_dotted_keys_inline_tables_and_arrays_of_tables() -> None:
    text = (
        'a.b = 1\n[[c]]\nd = 1\n[[c]]\nd = [{ e = 1 },\n { f = 2 }]\n["g.h"]\ni = { j = 1, k.l = 2 }\nm = 1'
    )
    assert list(scan_toml_keys(text)) == [
        (("a", "b"), 1),
        (("c",), 2),
        (("c", "d"), 3),
        (("c",), 4),
        (("c", "d"), 5),
        (("c", "d", "e"), 5),
        (("c", "d", "f"), 6),
        (("g.h",), 7),
        (("g.h", "i"), 8),
        (("g.h", "i", "j"), 8),
        (("g.h", "i", "k", "l"), 8),
        (("g.h", "m"), 9),
    ]
