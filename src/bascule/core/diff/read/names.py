"""The names in a diff's headers: quoted or not, with a prefix or without, and what file they mean."""

import re
from typing import NamedTuple

from bascule.core.diff.refusal import refusal
from bascule.core.paths import check_path
from bascule.core.text.visible import quoted
from bascule.model.edits import MAX_STRIP

NOWHERE = "/dev/null"
NOWHERES = {NOWHERE, "a/dev/null", "b/dev/null", "dev/null"}
PREFIXES = ("a/", "b/")

# What Git takes for a date after a blank: at the end of the line, and in a diff without `diff --git` only.
DATE = re.compile(
    r" (?:[0-9]{2})?[0-9]{2}-[0-9]{2}-[0-9]{2}(?: [0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?)?"
    r"(?: [-+][0-9]{2}:?[0-9]{2})?$"
)
# What may follow a name after a tab: a date as diff, Mercurial and Subversion write it, or a note.
AFTER_TAB = re.compile(
    r"(\d{4}-\d\d-\d\d.*|(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b.*\d\d:\d\d.*|\d{1,2} \w{3} \d{4}.*|\([^\t]*\))?\s*$"
)
# How `diff -N` dates a missing file: the first moment of 1970, in any time zone.
EPOCH = re.compile(r"\t(1970-01-01|1969-12-31) ([0-2]\d):([0-5]\d):00(?:\.0+)? ([-+][0-2]\d:?[0-5]\d)\s*$")
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
ESCAPE = re.compile(rb"\\([0-3][0-7]{2}|.)", re.DOTALL)
ESCAPES = {
    letter.encode(): char.encode() for letter, char in zip('abtnvfr"\\', '\a\b\t\n\v\f\r"\\', strict=True)
}


class HeaderName(NamedTuple):
    """What `--- NAME` or `+++ NAME` says."""

    name: str
    is_absent: bool = False  # the file is missing on this side

    @property
    def is_nowhere(self) -> bool:
        return self.name == NOWHERE


def parse_name(written: str) -> str:
    """The name in `rename to NAME` and the like. A blank at its end is part of it, as Git has it."""
    written = written.rstrip("\r\n")
    match = QUOTED.match(written)
    return _unquote(match[1]) if match else written


def parse_header_name(written: str, *, is_git: bool = False) -> HeaderName:
    """What follows `--- ` or `+++ `; `/dev/null` in all its spellings is that."""
    match = QUOTED.match(written)
    name = _unquote(match[1]) if match else _without_date(written, is_git=is_git)
    if name.rstrip(" ") in NOWHERES:
        return HeaderName(NOWHERE, True)
    return HeaderName(name, not is_git and _is_epoch(written))


def _without_date(written: str, *, is_git: bool) -> str:
    """A tab that no date follows is part of the name: to cut it there is to write another file."""
    line = written.rstrip("\r\n")
    name, tab, after = line.partition("\t")
    if tab:
        return name if AFTER_TAB.match(after) else line
    date = None if is_git or line != written else DATE.search(line)
    return line if date is None else line[: date.start()].rstrip(" ")


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


def without_dot(name: str) -> str:
    while name.startswith("./"):
        name = name[2:].lstrip("/")
    return name


def _unquote(text: str) -> str:
    """Git writes bytes outside ASCII as octal escapes. Bytes that are no UTF-8 stay recognisable as such."""
    raw = ESCAPE.sub(_unescape, text.encode("utf-8", "surrogateescape"))
    return raw.decode("utf-8", "surrogateescape")


def _unescape(match: re.Match[bytes]) -> bytes:
    code = match[1]
    if len(code) == 3:
        return bytes([int(code, 8)])
    if code not in ESCAPES:
        text = match.string.decode("utf-8", "surrogateescape")
        raise refusal(
            f"the name {quoted(text)} in the diff has an escape that Git does not write. "
            "Ask for the diff again."
        )
    return ESCAPES[code]


def split_git_names(rest: str) -> tuple[str, str] | None:
    """The two names after `diff --git`; None where the end of the first is uncertain."""
    rest = rest.rstrip("\r\n")
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

    Two top folders, whatever they are called (`a` and `b`, `old` and `new`), are dropped, as Git does; so is
    the one prefix of `a/x` and `x`.
    A dot before them (`./a/x`, `./b/x`) is such a folder for Git, so what follows it is part of the names."""
    if strip is not None:
        old, new = strip_folders(old, strip), strip_folders(new, strip)
        if old == new:
            return old or None
        return find_shorter(old, new) if old and new else None
    has_dot = old.startswith("./") or new.startswith("./")
    old, new = without_dot(old), without_dot(new)
    if old == new:
        return old
    if new in [old.removeprefix(prefix) for prefix in PREFIXES]:
        return new
    if old in [new.removeprefix(prefix) for prefix in PREFIXES]:
        return old
    if has_dot:
        return find_shorter(old, new)
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
    return name[2:] if name.startswith(PREFIXES) else without_dot(name)


def strip_folders(name: str, count: int) -> str:
    """Without so many top folders; empty where it has fewer."""
    parts = name.split("/")
    return "/".join(parts[count:])


def advise_strip(old: str, new: str, strip: int) -> str:
    """With how many more folders removed the two names are one; empty where they never are."""
    for count in range(strip + 1, MAX_STRIP + 1):
        path = strip_folders(old, count)
        if path == strip_folders(new, count) and check_path(path) is None:
            return (
                f"If the file is {quoted(path)}, apply the diff with -p{count}. Otherwise ask for it again, "
                "with one name for each file."
            )
    return ""
