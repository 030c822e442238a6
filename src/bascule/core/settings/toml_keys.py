"""Every table and key of a TOML text with its line, which tomllib does not tell."""

import re
import tomllib
from collections.abc import Iterator

Path = tuple[str, ...]

TOML_TOKEN = re.compile(
    r"""
    (?P<text> \"{3} (?:\\.|[^\\])*? (?:\"{3,5}|\Z) | '{3} .*? (?:'{3,5}|\Z)
            | " (?:\\.|[^"\\\n])* "?  |  ' [^'\n]* '? )
  | (?P<comment> \#[^\n]* )
  | (?P<newline> \n )
  | (?P<mark> [\[\]{}=,.] )
  | (?P<bare> [^\s\[\]{}=,."'\#]+ )
    """,
    re.VERBOSE | re.DOTALL,
)


def scan_toml_keys(text: str) -> Iterator[tuple[Path, int]]:
    """Every table and key of a TOML text with its line, in order; the text is taken to be valid."""
    scan = TomlScan()
    line, counted = 1, 0
    for token in TOML_TOKEN.finditer(text):
        line += text.count("\n", counted, token.start())
        counted = token.start()
        found = scan.feed(token.lastgroup or "", token[0], line)
        if found is not None:
            yield found


class TomlScan:
    """Where the scanner stands: before a key or in a value, and inside which brackets."""

    def __init__(self) -> None:
        self._table: Path = ()  # what a key here is under
        self._key: list[str] = []
        self._key_line = 0
        self._owner: Path = ()  # the key whose value this is
        self._in_value = False
        self._open: list[tuple[str, Path, Path]] = []  # a bracket, and the table and owner outside it

    @property
    def depth(self) -> int:
        """How many brackets of values are open."""
        return len(self._open)

    def feed(self, kind: str, piece: str, line: int) -> tuple[Path, int] | None:
        if kind == "newline" and not self._open:
            self._in_value = False
        elif self._in_value:
            self._feed_value(piece)
        elif kind in ("bare", "text"):
            self._key_line = self._key_line or line
            self._key.append(piece if kind == "bare" else _read_quoted(piece))
        elif kind == "mark":
            return self._feed_mark(piece)
        return None

    def _feed_mark(self, piece: str) -> tuple[Path, int] | None:
        if piece == "[":
            self._table = ()
        elif piece == "]" and self._key:  # the second bracket of [[…]] comes with nothing new
            self._table, line = self._take_key()
            return self._table, line
        elif piece == "=":
            self._owner, line = self._take_key()
            self._in_value = True
            return self._owner, line
        elif piece == "}":
            self._close()
        return None

    def _take_key(self) -> tuple[Path, int]:
        found = (*self._table, *self._key), self._key_line
        self._key, self._key_line = [], 0
        return found

    def _feed_value(self, piece: str) -> None:
        if piece in ("[", "{"):
            self._open.append((piece, self._table, self._owner))
        if piece == "{":
            self._table, self._in_value = self._owner, False
        elif piece == "," and self._open and self._open[-1][0] == "{":
            self._in_value = False
        elif piece in ("]", "}"):
            self._close()

    def _close(self) -> None:
        self._in_value = True
        if self._open:
            _, self._table, self._owner = self._open.pop()


def _read_quoted(token: str) -> str:
    try:
        return str(tomllib.loads(f"key = {token}")["key"])
    except tomllib.TOMLDecodeError:  # a text cut short by the fault being reported
        return token
