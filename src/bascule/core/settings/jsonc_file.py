"""One key of a JSON settings file with comments, set or removed; every other line stays as it is."""

import json
import re
from typing import NamedTuple

from bascule.core.settings.jsonc import JSONC_TOKEN, blank_comments
from bascule.core.settings.toml_file import BY_HAND
from bascule.model.asks import Refuse
from bascule.model.settings import PREFIX


class Span(NamedTuple):
    """Where a key and its value are in the text."""

    key: str
    start: int  # of the key
    value: int
    end: int


def set_jsonc(text: str, key: str, value: object | None) -> str | Refuse:
    shown = PREFIX + key
    plain = blank_comments(text)
    spans = _scan_jsonc(plain)
    found = next((span for span in spans if span.key == shown), None)
    if found is not None:
        edited = _without_member(text, plain, found) if value is None else _replaced(text, found, value)
    elif value is None:
        edited = text
    else:
        member = f"{json.dumps(shown)}: {json.dumps(value, ensure_ascii=False)}"
        edited = _add_jsonc(text, plain, member, spans)
    return _checked(text, edited, shown, value)


def _checked(before: str, after: str, key: str, value: object | None) -> str | Refuse:
    """Read again: this key is as it should be, and nothing else has changed."""
    wanted = _read_jsonc(before)
    wanted.pop(key, None)
    if value is not None:
        wanted[key] = list(value) if isinstance(value, tuple) else value
    try:
        return after if _read_jsonc(after) == wanted else Refuse(BY_HAND)
    except ValueError:
        return Refuse(BY_HAND)


def _read_jsonc(text: str) -> dict[str, object]:
    """All of it: what belongs to others must stay as well."""
    plain = blank_comments(text)
    whole: dict[str, object] = json.loads(plain) if plain.strip() else {}
    return whole


def _scan_jsonc(plain: str) -> list[Span]:
    spans: list[Span] = []
    depth, key, start, value, last_end, before = 0, "", -1, -1, 0, ""
    for token in JSONC_TOKEN.finditer(plain):
        piece = token[0]
        if depth == 1 and piece in (",", "}") and value >= 0:
            spans.append(Span(key, start, value, last_end))
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
    newline = "\r\n" if "\r\n" in text else "\n"
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
