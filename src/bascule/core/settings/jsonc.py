"""JSON as VS Code writes it, with comments and trailing commas: made plain, and its keys with their lines."""

import itertools
import json
import re
from collections.abc import Iterator

JSONC_TOKEN = re.compile(
    r"""
    (?P<text> " (?:\\.|[^"\\\n])* "? )
  | (?P<comment> //[^\n]* | /\* .*? (?:\*/|\Z) )
  | (?P<mark> [{}\[\]:,] )
  | (?P<bare> [^\s{}\[\]:,"/]+ | / )
    """,
    re.VERBOSE | re.DOTALL,
)


def blank_comments(text: str) -> str:
    """The same text, every character in its place, with comments and trailing commas made blank."""
    tokens = list(JSONC_TOKEN.finditer(text))
    solid = [token for token in tokens if not _is_comment(token)]
    commas = [a for a, b in itertools.pairwise(solid) if a[0] == "," and b[0] in "}]"]
    pieces, end = [], 0
    for token in sorted([*filter(_is_comment, tokens), *commas], key=lambda token: token.start()):
        pieces += [text[end : token.start()], re.sub(r"[^\n]", " ", token[0])]
        end = token.end()
    return "".join([*pieces, text[end:]])


def _is_comment(token: re.Match[str]) -> bool:
    closed = token[0].startswith("//") or (token[0].endswith("*/") and len(token[0]) > 3)
    return token.lastgroup == "comment" and closed


def scan_outer_keys(plain: str) -> Iterator[tuple[str, int]]:
    """Each key of the outermost object with its line, in order, also where it comes twice.

    The text is taken to be valid and its comments to be blank.
    """
    depth, line, counted, before = 0, 1, 0, ""
    for token in JSONC_TOKEN.finditer(plain):
        if depth == 1 and token.lastgroup == "text" and before in ("{", ","):
            line += plain.count("\n", counted, token.start())
            counted = token.start()
            yield json.loads(token[0]), line
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(token[0], 0)
        before = token[0]
