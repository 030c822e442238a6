"""The names in a diff's headers: quoted or not, with a prefix or without, and what file they mean."""

import re

NOWHERE = "/dev/null"
NOWHERES = {NOWHERE, "a/dev/null", "b/dev/null", "dev/null"}

# What Git, and those who imitate it, put before the two names of one file.
PREFIXES = frozenset(
    frozenset(pair)
    for pair in (
        *(("a", "b"), ("i", "w"), ("c", "i"), ("c", "w"), ("o", "w"), ("1", "2")),
        *(("old", "new"), ("orig", "new"), ("before", "after")),
    )
)
DATE = re.compile(r"\s\d{4}-\d\d-\d\d[ T]\d\d:\d\d.*$")
EPOCH = re.compile(r"\s(1970-01-01|1969-12-31)[ T]\d\d:\d\d")  # how `diff -N` dates a file that is not there
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
ESCAPES = {
    letter.encode(): char.encode() for letter, char in zip('abtnvfr"\\', '\a\b\t\n\v\f\r"\\', strict=True)
}


def parse_name(written: str) -> str:
    """The name in `--- NAME`, `rename to NAME` and the like; `/dev/null` in all its spellings is that."""
    written = written.strip("\r\n ")
    match = QUOTED.match(written)
    name = _unquote(match[1]) if match else DATE.sub("", written.partition("\t")[0]).rstrip(" ")
    return NOWHERE if name in NOWHERES else _without_dot(name)


def parse_header_name(written: str) -> str:
    """As `parse_name`; a file dated at the beginning of time is not there."""
    return NOWHERE if EPOCH.search(written) else parse_name(written)


def _without_dot(name: str) -> str:
    while name.startswith("./"):
        name = name[2:].lstrip("/")
    return name


def _unquote(text: str) -> str:
    """Git writes bytes outside ASCII as octal escapes. Bytes that are no UTF-8 stay recognisable as such."""
    raw = ESCAPE.sub(_unescape, text.encode("utf-8", "surrogateescape"))
    return raw.decode("utf-8", "surrogateescape")


def _unescape(match: re.Match[bytes]) -> bytes:
    code = match[1]
    return bytes([int(code, 8) & 0xFF]) if len(code) == 3 else ESCAPES.get(code, code)


def split_git_names(rest: str) -> tuple[str, str] | None:
    """The two names after `diff --git`; None where it cannot be told where the first ends."""
    rest = rest.strip("\r\n ")
    if '"' in rest:
        return _split_quoted(rest)
    middle = len(rest) // 2  # the prefixes of one file's names are equally long
    if len(rest) % 2 and rest[middle] == " " and _same(rest[:middle], rest[middle + 1 :]):
        return rest[:middle], rest[middle + 1 :]
    words = rest.split(" ")
    return (words[0], words[1]) if len(words) == 2 else None


def _same(old: str, new: str) -> bool:
    return find_one_path(old, new) is not None


def _split_quoted(rest: str) -> tuple[str, str] | None:
    first = QUOTED.match(rest)
    if first and rest[first.end() : first.end() + 1] == " ":
        return parse_name(first[0]), parse_name(rest[first.end() + 1 :])
    second = QUOTED.search(rest)
    if second and second.end() == len(rest) and rest[: second.start()].endswith(" "):
        return rest[: second.start() - 1], parse_name(second[0])
    return None


def find_one_path(old: str, new: str) -> str | None:
    """The path that both names mean; None where they mean two."""
    if old == new:
        return old
    before, _, old_rest = old.partition("/")
    after, _, new_rest = new.partition("/")
    is_prefixed = frozenset((before, after)) in PREFIXES
    return old_rest if is_prefixed and old_rest == new_rest and old_rest else None


def find_lone_path(name: str, pair: tuple[str, str] | None) -> str:
    """The path of a file that was not, or will not be, there; the `diff --git` line knows its prefix."""
    if pair is not None and name in pair:
        both = find_one_path(*pair)
        if both is not None:
            return both
    return name[2:] if name.startswith(("a/", "b/")) else name
