"""One setting written into the text of a settings file: its own lines change, every other stays as it is."""

import json
import re
from collections.abc import Callable
from typing import NamedTuple

from bascule.core.settings.jsonc import JSONC_TOKEN, blank_comments
from bascule.core.settings.reading import Faulty, parse_toml
from bascule.core.settings.toml_keys import TOML_TOKEN, TomlScan
from bascule.model.asks import Refuse
from bascule.model.settings import PREFIX

BY_HAND = "It is written in a way that cannot be changed safely from here. Change it by hand."


class Span(NamedTuple):
    """Where a key and its value stand."""

    path: tuple[str, ...]
    start: int  # of the key
    value: int
    end: int
    inline: bool = False  # in a table in braces


def set_toml(text: str, key: str, value: object | None, default: object) -> str | Refuse:
    """None takes it away; in a table in braces the default is written instead."""
    spans, headers = _scan_toml(text)
    path = tuple(key.split("."))
    found = next((span for span in spans if span.path == path), None)
    if found is None:
        edited = text if value is None else _add_toml(text, path, render_toml(value), spans, headers)
    elif value is None and not found.inline:
        edited = _without_lines(text, found.start, found.end)
    else:
        shown = render_toml(default if value is None else value)
        edited = text[: found.value] + shown + text[found.end :]
    stays = default if value is None and found is not None and found.inline else value
    return _checked(text, edited, _read_toml, key, stays)


def set_jsonc(text: str, key: str, value: object | None) -> str | Refuse:
    shown = PREFIX + key
    plain = blank_comments(text)
    spans = _scan_jsonc(plain)
    found = next((span for span in spans if span.path == (shown,)), None)
    if found is not None:
        edited = _without_member(text, plain, found) if value is None else _replaced(text, found, value)
    elif value is None:
        edited = text
    else:
        member = f"{json.dumps(shown)}: {json.dumps(value, ensure_ascii=False)}"
        edited = _add_jsonc(text, plain, member, spans)
    return _checked(text, edited, _read_jsonc, shown, value)


def _checked(
    before: str, after: str, read: Callable[[str], dict[str, object]], key: str, value: object | None
) -> str | Refuse:
    """Read again: this one is as it should be, and nothing else has changed."""
    wanted = read(before)
    wanted.pop(key, None)
    if value is not None:
        wanted[key] = list(value) if isinstance(value, tuple) else value
    try:
        return after if read(after) == wanted else Refuse(BY_HAND)
    except (Faulty, ValueError):
        return Refuse(BY_HAND)


def _read_toml(text: str) -> dict[str, object]:
    return {entry.key: entry.value for entry in parse_toml(text)}


def _read_jsonc(text: str) -> dict[str, object]:
    """All of it: what belongs to others must stay as well."""
    plain = blank_comments(text)
    whole: dict[str, object] = json.loads(plain) if plain.strip() else {}
    return whole


def render_toml(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case list() | tuple():
            return "[" + ", ".join(map(render_toml, value)) + "]"
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case _:
            return str(value)


# -- TOML --


def _scan_toml(text: str) -> tuple[list[Span], list[tuple[tuple[str, ...], int]]]:
    """Every value, and every [table] with the place where its line ends."""
    scan = TomlScan()
    spans: list[Span] = []
    headers: list[tuple[tuple[str, ...], int]] = []
    open_values: list[tuple[tuple[str, ...], int, int, int]] = []  # path, key start, after "=", depth
    key_start, last_end = -1, 0
    for token in TOML_TOKEN.finditer(text):
        kind, piece = token.lastgroup or "", token[0]
        depth = scan.depth
        while open_values and depth <= open_values[-1][3] and _ends_value(kind, piece):
            path, start, after, at_depth = open_values.pop()
            spans.append(Span(path, start, after + _blank(text, after), last_end, inline=at_depth > 0))
            if piece != "}":
                break
        if key_start < 0 and kind in ("bare", "text") and not scan.in_value:
            key_start = token.start()
        found = scan.feed(kind, piece, 1)
        if found is not None and piece == "=":
            open_values.append((found[0], key_start, token.end(), depth))
            key_start = -1
        elif found is not None:
            headers.append((found[0], _line_end(text, token.end())))
            key_start = -1
        if kind not in ("newline", "comment"):
            last_end = token.end()
    while open_values:
        path, start, after, at_depth = open_values.pop()
        spans.append(Span(path, start, after + _blank(text, after), last_end, inline=at_depth > 0))
    return spans, headers


def _ends_value(kind: str, piece: str) -> bool:
    return kind in ("newline", "comment") or piece in (",", "}")


def _blank(text: str, at: int) -> int:
    found = re.compile(r"[ \t]*").match(text, at)
    return len(found[0]) if found else 0


def _add_toml(
    text: str,
    path: tuple[str, ...],
    shown: str,
    spans: list[Span],
    headers: list[tuple[tuple[str, ...], int]],
) -> str:
    *group, name = path
    at = next((end for header, end in headers if header == tuple(group)), None)
    if group and at is not None:
        return _insert_line(text, at, f"{name} = {shown}")
    dotted = [span for span in spans if group and span.path[:-1] == tuple(group) and not span.inline]
    if dotted:
        return _insert_line(text, _line_end(text, dotted[-1].end), f"{'.'.join(path)} = {shown}")
    braces = next((span for span in spans if group and span.path == tuple(group)), None)
    if braces is not None:
        rest = text[braces.value + 1 :]
        comma = "" if rest.lstrip().startswith("}") else ","
        return f"{text[: braces.value + 1]} {name} = {shown}{comma}{rest}"
    if group:
        return _insert_line(text, len(text), f"{_gap(text)}[{'.'.join(group)}]\n{name} = {shown}")
    return _add_outer(text, f"{name} = {shown}", spans, headers)


def _add_outer(text: str, line: str, spans: list[Span], headers: list[tuple[tuple[str, ...], int]]) -> str:
    """Before the first table: after the last key that stands there, or first of all."""
    first = min((end for _, end in headers), default=len(text) + 1)
    outer = [span.end for span in spans if span.end < first and not span.inline]
    if outer:
        return _insert_line(text, _line_end(text, max(outer)), line)
    return line + _newline(text) + text if headers else _insert_line(text, len(text), line)


def _gap(text: str) -> str:
    return "" if not text.strip() or text.endswith("\n\n") else "\n"


def _line_end(text: str, at: int) -> int:
    """After the newline; the end of the text where there is none."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _insert_line(text: str, at: int, line: str) -> str:
    newline = _newline(text)
    before = text[:at] if not at or text[:at].endswith("\n") else text[:at] + newline
    return before + line.replace("\n", newline) + newline + text[at:]


def _without_lines(text: str, start: int, end: int) -> str:
    """With the comment behind it, for that was about it."""
    return text[: text.rfind("\n", 0, start) + 1] + text[_line_end(text, end) :]


# -- JSON with comments --


def _scan_jsonc(plain: str) -> list[Span]:
    spans: list[Span] = []
    depth, key, start, value, last_end, before = 0, "", -1, -1, 0, ""
    for token in JSONC_TOKEN.finditer(plain):
        piece = token[0]
        if depth == 1 and piece in (",", "}") and value >= 0:
            spans.append(Span((key,), start, value, last_end))
            value = -1
        if depth == 1 and token.lastgroup == "text" and before in ("{", ","):
            key, start = json.loads(piece), token.start()
        elif depth == 1 and before == ":" and value < 0:
            value = token.start()
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(piece, 0)
        last_end, before = token.end(), piece
    return spans


def _replaced(text: str, span: Span, value: object) -> str:
    return text[: span.value] + json.dumps(value, ensure_ascii=False) + text[span.end :]


def _without_member(text: str, plain: str, span: Span) -> str:
    after = re.compile(r"\s*,").match(plain, span.end)
    if after is not None:
        rest = text[after.end() :]
        line = text.rfind("\n", 0, span.start) + 1
        blank = re.match(r"[ \t]*\r?\n", rest)
        if blank and not text[line : span.start].strip():
            return text[:line] + rest[blank.end() :]
        return text[: span.start] + rest.lstrip(" \t")
    comma = plain.rfind(",", 0, span.start)
    kept = text[:comma] + text[comma + 1 : span.start] if comma >= 0 else text[: span.start]
    return kept.rstrip(" \t").removesuffix("\n").removesuffix("\r") + text[span.end :]


def _add_jsonc(text: str, plain: str, member: str, spans: list[Span]) -> str:
    newline = _newline(text)
    if not plain.strip():
        return f"{text}{{{newline}  {member}{newline}}}{newline}"
    at = plain.index("{") + 1
    indent = _indent(text, spans[0].start) if spans else "  "
    comma = "," if spans else ""
    tail = newline if not spans and text[at:].lstrip(" \t").startswith("}") else ""
    return f"{text[:at]}{newline}{indent}{member}{comma}{tail}{text[at:]}"


def _indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line if not line.strip() else "  "
