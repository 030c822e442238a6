"""The names in a diff's headers: quoted or not, with a prefix or without, and what file they mean."""

import re
from typing import NamedTuple

NOWHERE = "/dev/null"
NOWHERES = {NOWHERE, "a/dev/null", "b/dev/null", "dev/null"}
PREFIXES = ("a/", "b/")

DATE = re.compile(r"\s\d{4}-\d\d-\d\d[ T]\d\d:\d\d.*$")
# What may follow a name after a tab: a date as diff, Mercurial and Subversion write it, or a note.
AFTER_TAB = re.compile(
    r"(\d{4}-\d\d-\d\d.*|(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b.*\d\d:\d\d.*|\d{1,2} \w{3} \d{4}.*|\([^\t]*\))?\s*$"
)
# How `diff -N` dates a file that is not there: the first moment of 1970, in any time zone.
EPOCH = re.compile(r"\t(1970-01-01|1969-12-31) ([0-2]\d):([0-5]\d):00(?:\.0+)? ([-+][0-2]\d:?[0-5]\d)\s*$")
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
ESCAPES = {
    letter.encode(): char.encode() for letter, char in zip('abtnvfr"\\', '\a\b\t\n\v\f\r"\\', strict=True)
}


class HeaderName(NamedTuple):
    """What `--- NAME` or `+++ NAME` says."""

    name: str
    is_absent: bool = False  # the file is not there on this side

    @property
    def is_nowhere(self) -> bool:
        return self.name == NOWHERE


def parse_name(written: str) -> str:
    """The name in `--- NAME`, `rename to NAME` and the like; `/dev/null` in all its spellings is that."""
    written = written.strip("\r\n ")
    match = QUOTED.match(written)
    name = _unquote(match[1]) if match else _without_date(written)
    return NOWHERE if name in NOWHERES else _without_dot(name)


def parse_header_name(written: str) -> HeaderName:
    name = parse_name(written)
    return HeaderName(name, name == NOWHERE or _is_epoch(written))


def _without_date(written: str) -> str:
    """A tab that no date follows is part of the name: who cuts it there writes another file."""
    name, tab, after = written.partition("\t")
    if tab and not AFTER_TAB.match(after):
        return written
    return DATE.sub("", name).rstrip(" ")


def _is_epoch(written: str) -> bool:
    match = EPOCH.search(written)
    if match is None:
        return False
    day, hour, minute, zone = match.groups()
    minutes = int(hour) * 60 + int(minute) - _minutes_east(zone)
    return minutes == (0 if day == "1970-01-01" else 24 * 60)


def _minutes_east(zone: str) -> int:
    digits = zone[1:].replace(":", "")
    return (1 if zone[0] == "+" else -1) * (int(digits[:2]) * 60 + int(digits[2:]))


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
    if len(rest) % 2 and rest[middle] == " " and find_one_path(rest[:middle], rest[middle + 1 :]):
        return rest[:middle], rest[middle + 1 :]
    words = rest.split(" ")
    return (words[0], words[1]) if len(words) == 2 else None


def _split_quoted(rest: str) -> tuple[str, str] | None:
    first = QUOTED.match(rest)
    if first and rest[first.end() : first.end() + 1] == " ":
        return parse_name(first[0]), parse_name(rest[first.end() + 1 :])
    second = QUOTED.search(rest)
    if second and second.end() == len(rest) and rest[: second.start()].endswith(" "):
        return rest[: second.start() - 1], parse_name(second[0])
    return None


# -- which path two names mean --


def find_one_path(old: str, new: str, strip: int | None = None) -> str | None:
    """The path that both names mean; None where they mean two.

    Two top folders, whatever they are called (`a` and `b`, `old` and `new`), are dropped, as Git does."""
    if strip is not None:
        old, new = strip_folders(old, strip), strip_folders(new, strip)
        return old if old == new and old else None
    if old == new:
        return old
    before, _, old_rest = old.partition("/")
    after, _, new_rest = new.partition("/")
    if before == after or not (old_rest and new_rest):
        return find_shorter(old, new)
    return old_rest if old_rest == new_rest else find_shorter(old_rest, new_rest)


def find_shorter(old: str, new: str) -> str | None:
    """`x` of `x.orig` and `x`, as Git has it: one name is the other with something after it."""
    short, long = sorted((old, new), key=len)
    return short if short and long.startswith(short) and long[len(short)] in ".~-_" else None


def find_lone_path(name: str, pair: tuple[str, str] | None, strip: int | None = None) -> str:
    """The path of a file that was not, or will not be, there; the `diff --git` line knows its prefix."""
    if strip is not None:
        return strip_folders(name, strip)
    if pair is not None and name in pair:
        both = find_one_path(*pair)
        if both is not None:
            return both
    return name[2:] if name.startswith(PREFIXES) else name


def strip_folders(name: str, count: int) -> str:
    """Without so many top folders; empty where it has fewer."""
    parts = name.split("/")
    return "/".join(parts[count:])
