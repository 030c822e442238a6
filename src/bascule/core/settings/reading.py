"""Settings out of two files' bytes: every problem is named with its line, or a whole `Settings` comes out."""

import difflib
import itertools
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from bascule.core.faults import UserError
from bascule.core.settings.jsonc import blank_comments, scan_outer_keys
from bascule.core.settings.toml_keys import Path, scan_toml_keys
from bascule.model.settings import PREFIX, TABLE, Setting, Settings

MAX_FILE = 1024 * 1024
MAX_PROBLEMS = 50  # named of one file; a file of another program would otherwise fill the screen
MAX_SHOWN = 80  # characters of a foreign key or value in a message
MAX_TEXT = 4096
MAX_TEXTS = 64
MAX_NUMBER = 10**18  # longer ones are not worth showing
MAX_DEPTH = 4  # of tables; deeper ones are named by their first keys

Complaint = tuple[int | None, str]  # the line, and what is wrong there


class Source(msgspec.Struct, frozen=True):
    """A settings file: `name` in messages, `path` to find it, and what it holds."""

    name: str
    path: str
    data: bytes


class SettingProblem(msgspec.Struct, frozen=True):
    source: str
    line: int | None  # None: the file as a whole
    text: str

    def __str__(self) -> str:
        place = self.source if self.line is None else f"{self.source} line {self.line}"
        return f"{place}: {self.text}"


class SettingsRefused(UserError):
    """The settings hold problems; nothing may start with half of them."""

    def __init__(self, problems: Iterable[SettingProblem], paths: Iterable[str] = ()) -> None:
        self.problems = tuple(problems)
        self.paths = tuple(paths)
        lines = ["The settings were refused and nothing was started."]
        lines += [f"  {problem}" for problem in self.problems]
        lines += [f"Fix it in {path}" for path in self.paths]
        super().__init__("\n".join(lines))


class SettingEntry(msgspec.Struct, frozen=True):
    """A key that a file sets, with or without right."""

    key: str
    value: object
    line: int


Parse = Callable[[str], list[SettingEntry]]
FindObjection = Callable[[Setting, object, object], str | None]  # of a value, and the value it would replace


class UnreadableSettings(Exception):
    """A file that cannot be read as a whole."""

    def __init__(self, text: str, line: int | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.line = line


class MergedSettings(msgspec.Struct, frozen=True):
    """What holds in a workspace, and what its own file says that does not count."""

    settings: Settings
    taken: frozenset[str] = frozenset()  # keys that count from its file
    ignored: tuple[SettingProblem, ...] = ()  # what is wrong, or not for a workspace to say
    untrusted: tuple[SettingProblem, ...] = ()  # what counts once the workspace is trusted


def merge_settings(user: Source | None, workspace: Source | None) -> Settings:
    """The defaults, then the user's file, then the workspace's; `SettingsRefused` with every problem."""
    merge = _Merge()
    if user is not None:
        merge.take(user, parse_toml, find_bad_value)
    if workspace is not None:
        merge.take(workspace, parse_jsonc, find_loosening)
    return merge.get_settings()


def merge_workspace(user: Source | None, workspace: Source, *, trusted: bool) -> MergedSettings:
    """A clone stops nobody: what its file gets wrong, may not say or was not trusted with is ignored."""
    merge = _Merge()
    if user is not None:
        merge.take(user, parse_toml, find_bad_value)
    return merge.take_valid(workspace, trusted=trusted)


class _Merge:
    """The values so far, and every problem met on the way."""

    def __init__(self) -> None:
        self._values: dict[str, object] = {key: row.default for key, row in TABLE.items()}
        self._problems: list[SettingProblem] = []
        self._paths: list[str] = []

    def take(self, source: Source, parse: Parse, find_objection: FindObjection) -> None:
        problems = _name_problems(source, self._take(source, parse, find_objection))
        if problems:
            self._problems += problems
            self._paths.append(source.path)

    def take_valid(self, source: Source, *, trusted: bool) -> MergedSettings:
        """With a workspace's file, of which only what is right counts; untrusted, only what tightens."""
        taken: set[str] = set()
        waiting: list[Complaint] = []

        def counts(row: Setting, line: int) -> bool:
            if row.workspace == "free" and not trusted:
                waiting.append((line, f"{row.shown} counts once you trust this folder."))
                return False
            taken.add(row.key)
            return True

        ignored = _name_problems(source, list(self._take(source, parse_jsonc, find_loosening, counts)))
        untrusted = _name_problems(source, waiting)
        return MergedSettings(self.get_settings(), frozenset(taken), tuple(ignored), tuple(untrusted))

    def _take(
        self,
        source: Source,
        parse: Parse,
        find_objection: FindObjection,
        counts: Callable[[Setting, int], bool] = lambda _row, _line: True,
    ) -> Iterator[Complaint]:
        try:
            entries = parse(decode(source.data))
        except UnreadableSettings as fault:
            yield fault.line, fault.text
            return
        yield from find_repeated(entries)
        unknown = [entry for entry in entries if entry.key not in TABLE]
        yield from ((entry.line, describe_unknown(entry.key)) for entry in unknown[:MAX_PROBLEMS])
        for entry in entries:
            row = TABLE.get(entry.key)
            if row is None:
                continue
            if objection := find_objection(row, entry.value, self._values[row.key]):
                yield entry.line, objection
            elif counts(row, entry.line):
                self._values[row.key] = entry.value

    def get_settings(self) -> Settings:
        if self._problems:
            raise SettingsRefused(self._problems, self._paths)
        nested: dict[str, Any] = {}
        for key, value in self._values.items():
            group, _, name = key.rpartition(".")
            place = nested.setdefault(group, {}) if group else nested
            place[name] = value
        return msgspec.convert(nested, Settings)


def _name_problems(source: Source, complaints: Iterable[Complaint]) -> list[SettingProblem]:
    return [SettingProblem(source.name, *one) for one in itertools.islice(complaints, MAX_PROBLEMS)]


# What may not be said


def find_bad_value(row: Setting, value: object, _now: object = None) -> str | None:
    if is_right(row, value):
        return None
    if isinstance(value, list) and row.kind == "texts" and len(value) <= MAX_TEXTS:
        bad = next(one for one in value if not _is_entry(row, one))
        return f"{row.shown} holds {show(bad)}; it must be {describe_right(row)}"
    return f"{row.shown} is {show(value)}; it must be {describe_right(row)}"


def find_loosening(row: Setting, value: object, now: object) -> str | None:
    """Why a workspace may not say this, if it may not: a cloned folder must not lower the bridge."""
    if row.workspace == "never":
        return f"{row.shown} cannot be set by a workspace. Put it in settings.toml."
    if row.workspace == "tighten" and _rank(row, value) > _rank(row, now):
        return (
            f"{row.shown} would loosen {show(now)} to {show(value)}, and a workspace may only tighten. "
            "Put it in settings.toml."
        )
    return find_bad_value(row, value)


def needs_yes(row: Setting, value: object, now: object) -> bool:
    """Whether a change over the protocol waits for a person: it names a program, or loosens something."""
    if row.guarded:
        return value != now
    return (row.is_limit or row.workspace == "tighten") and _rank(row, value) > _rank(row, now)


def _rank(row: Setting, value: object) -> int:
    """The tighter, the lower; what is no value at all is judged elsewhere."""
    if isinstance(value, int):  # a flag, too
        return int(value)
    return row.choices.index(value) if isinstance(value, str) and value in row.choices else -1


def find_repeated(entries: Iterable[SettingEntry]) -> Iterator[Complaint]:
    first: dict[str, int] = {}
    for entry in entries:
        if entry.key in first:
            yield entry.line, describe_repeated(entry.key, first[entry.key])
        first.setdefault(entry.key, entry.line)


def describe_repeated(key: str, line: int) -> str:
    return f"{_cut(PREFIX + key)} is already set on line {line}. Keep one of them."


def describe_unknown(key: str) -> str:
    shown = PREFIX + key
    inside = [row.shown for row in TABLE.values() if row.key.startswith(key + ".")]
    if inside:
        return f"{_cut(shown)} is a group, not a value. It holds {', '.join(inside)}."
    near = difflib.get_close_matches(key[:MAX_SHOWN], TABLE, n=1, cutoff=0.7)
    hint = f" (did you mean {PREFIX}{near[0]}?)" if near else ""
    return f"unknown key {_cut(shown)}{hint}"


# What a value must be


def is_right(row: Setting, value: object) -> bool:
    match row.kind:
        case "text":
            return _is_text(value) and len(str(value)) >= (row.least or 0)
        case "choice":
            return value in row.choices
        case "number":
            return isinstance(value, int) and not isinstance(value, bool) and _in_range(row, value)
        case "flag":
            return isinstance(value, bool)
        case "texts":
            return (
                isinstance(value, list)
                and len(value) <= MAX_TEXTS
                and all(_is_entry(row, one) for one in value)
            )


def _is_entry(row: Setting, one: object) -> bool:
    return _is_text(one) and (not row.choices or one in row.choices)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= MAX_TEXT and value.isprintable()


def _in_range(row: Setting, value: int) -> bool:
    return (row.least is None or value >= row.least) and (row.most is None or value <= row.most)


def describe_right(row: Setting) -> str:
    """What would be right, to go after "it must be"; the docs use the same words."""
    match row.kind:
        case "choice":
            return " or ".join(show(choice) for choice in row.choices)
        case "number" if row.most is None:
            return f"{row.least} or more"
        case "number":
            return f"{row.least} to {row.most}"
        case "flag":
            return "true or false"
        case "texts" if row.choices:
            return f"a list of {', '.join(map(show, row.choices))}, or an empty one"
        case "texts":
            return f"a list of texts, {MAX_TEXTS} at most"
        case "text":
            return "text in quotes" + (", not empty" if row.least else "")


def show(value: object) -> str:
    """A foreign value on one line, cut, with nothing in it that a terminal would obey."""
    match value:
        case list():
            return "a list"
        case dict():
            return "a table"
        case int() if abs(value) > MAX_NUMBER:  # str() refuses the longest ones
            return "a very large number"
        case str() | bool() | None:
            return _cut(json.dumps(value, ensure_ascii=False))
        case _:
            return _cut(str(value))


def _cut(text: str) -> str:
    short = text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in short)


# Bytes

TOO_DEEP = "the file is nested too deeply"
TOO_LONG = "the file holds a number with too many digits"  # int() refuses it, and does not say where


def decode(data: bytes) -> str:
    if len(data) > MAX_FILE:
        raise UnreadableSettings(f"the file is over {MAX_FILE} bytes; that cannot be a settings file")
    try:
        return data.decode("utf-8-sig")  # editors on Windows write the mark
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        raise UnreadableSettings("the file is not UTF-8 here. Save it as UTF-8.", line) from None


# Entries: tomllib and json read the values, a scanner beside each finds the lines


def parse_toml(text: str) -> list[SettingEntry]:
    text = text.replace("\r\n", "\n")
    try:
        tables = tomllib.loads(text)
    except RecursionError:
        raise UnreadableSettings(TOO_DEEP) from None
    except tomllib.TOMLDecodeError as fault:
        raise _toml_fault(text, str(fault)) from None
    except ValueError:
        raise UnreadableSettings(TOO_LONG) from None
    lines: dict[Path, int] = {}
    for path, line in scan_toml_keys(text):
        for depth in range(1, MAX_DEPTH + 1):  # a dotted key makes the tables above it
            lines.setdefault(path[:depth], line)
    return [SettingEntry(".".join(path), value, lines[path]) for path, value in _leaves(tables)]


def _leaves(tables: dict[str, Any], above: Path = ()) -> Iterator[tuple[Path, object]]:
    for name, value in tables.items():
        path = (*above, name)
        if isinstance(value, dict) and len(path) < MAX_DEPTH and ".".join(path) not in TABLE:
            yield from _leaves(value, path)
        else:
            yield path, value


def _toml_fault(text: str, said: str) -> UnreadableSettings:
    """tomllib's complaint with its line; a key set twice is named with both of its lines."""
    at = re.search(r" \(at line (\d+), column (\d+)\)$", said)
    if at is None:
        return _unended(text, said.removesuffix(" (at end of document)"))
    line, column = int(at[1]), int(at[2])
    before = text.split("\n")[:line]
    before[-1] = before[-1][:column]
    *earlier, (path, last) = list(scan_toml_keys("\n".join(before))) or [((), line)]
    first = dict(reversed(earlier)).get(path)
    if first is not None:
        return UnreadableSettings(describe_repeated(".".join(path), first), last)
    return UnreadableSettings(f"not valid TOML: {_cut(said[: at.start()])} (column {column})", line)


def _unended(text: str, said: str) -> UnreadableSettings:
    """What runs to the end of the file began at the last key."""
    lines = [line for _, line in scan_toml_keys(text)] or [1]
    return UnreadableSettings(f"not valid TOML: {_cut(said)}, from here to the end of the file", lines[-1])


def parse_jsonc(text: str) -> list[SettingEntry]:
    """The `bascule.` keys of the file; what belongs to others is not looked at."""
    plain = blank_comments(text)
    if not plain.strip():
        return []  # VS Code takes an empty file for no settings
    try:
        whole = json.loads(plain)
    except RecursionError:
        raise UnreadableSettings(TOO_DEEP) from None
    except json.JSONDecodeError as fault:
        raise UnreadableSettings(
            f"not valid JSON: {fault.msg} (column {fault.colno})", fault.lineno
        ) from None
    except ValueError:
        raise UnreadableSettings(TOO_LONG) from None
    if not isinstance(whole, dict):
        raise UnreadableSettings('the file must hold one object: { "bascule.…": … }', 1)
    return [
        SettingEntry(key.removeprefix(PREFIX), whole[key], line)
        for key, line in scan_outer_keys(plain)
        if key.startswith(PREFIX)
    ]
