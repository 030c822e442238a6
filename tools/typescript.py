"""The model and the protocol as TypeScript types: what ui/ and vscode/ are written against."""

import json
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, get_args, get_origin

import msgspec
from msgspec import inspect

from bascule.cli.terminal import ask_prompt
from bascule.core.prompts import comments
from bascule.core.session import fold, growing_text, history
from bascule.core.watch import board
from bascule.daemon.sessions import session_search
from bascule.host.files import attachments
from bascule.model import blocks, changes, watch
from bascule.model.protocol.table import METHODS

HEAD = """\
// Written by tools/gen_reference.py from src/bascule/model. Do not edit by hand.
"""

PLAIN: dict[type, str] = {
    inspect.StrType: "string",
    inspect.BytesType: "string",  # in base64
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.BoolType: "boolean",
    inspect.NoneType: "null",
    inspect.AnyType: "unknown",
    inspect.RawType: "unknown",
}


FOLD_HEAD = """\
// Written by tools/gen_reference.py from src/bascule/core/session. Do not edit by hand.
import type { Block, TextGrew } from "../model.gen";

type Kind = Block["kind"];
type Progress = "inProgress" | "completed" | "failed" | "declined" | "cancelled";
"""


LIMITS_HEAD = """\
// Written by tools/gen_reference.py from the modules that hold to them. Do not edit by hand.
"""


def write_limits() -> str:
    """What the page keeps to because the daemon, or the terminal beside it, does."""
    limits: dict[str, object] = {
        "MAX_COMMENTS": comments.MAX_COMMENTS,
        "MAX_COMMENT": comments.MAX_COMMENT,
        "MAX_ATTACHED_BYTES": attachments.MAX_FILE,
        "MAX_WATCHED": board.MAX_SESSIONS,
        "MAX_QUERY": session_search.MAX_QUERY,
        "MANY_LINES": ask_prompt.MANY_LINES,
        "VIEWED": watch.VIEWED,
    }
    return "\n".join(
        [LIMITS_HEAD, *(f"export const {name} = {json.dumps(value)};" for name, value in limits.items()), ""]
    )


def write_fold_tables() -> str:
    """The ceilings and tables of the fold, which Python and the page share."""
    kinds = {kind.__struct_config__.tag: kind for kind in get_args(blocks.Block)}
    growing = list(dict.fromkeys(fold.ATTRIBUTE.get(name, name) for name in fold.EMPTY))
    tables: dict[str, tuple[str, object]] = {
        "MAX_BLOCKS": ("number", fold.MAX_BLOCKS),
        "MAX_RUNS": ("number", fold.MAX_RUNS),
        "MAX_TEXT": ("number", growing_text.MAX_TEXT),
        "MAX_PARTS": ("number", growing_text.MAX_PARTS),
        "OTHER_EVENTS": ("string", fold.OTHER_EVENTS),
        "KIND": ('Record<TextGrew["field"], Kind>', {name: _tag(make) for name, make in fold.EMPTY.items()}),
        "TEXTS": ("Record<Kind, readonly string[]>", {tag: _growing(kinds[tag], growing) for tag in kinds}),
        "SIDE_TEXTS": (
            "Partial<Record<Kind, readonly string[]>>",
            {tag: names for tag in kinds if (names := _has(kinds[tag], history.SIDE_TEXTS))},
        ),
        "LEFT_OPEN": ("Record<string, Progress>", dict(history.LEFT_OPEN)),
        "STATUS": (
            "Partial<Record<Kind, Progress>>",
            {
                tag: field.default
                for tag in kinds
                for field in msgspec.structs.fields(kinds[tag])
                if field.name == "status"
            },
        ),
    }
    lines = [
        f"export const {name}: {kind} = {json.dumps(value, ensure_ascii=False, indent=2)};"
        for name, (kind, value) in tables.items()
    ]
    return "\n".join([FOLD_HEAD, *lines, ""])


def _tag(make: Any) -> str:
    kind: Any = make.func if isinstance(make, partial) else make
    return str(kind.__struct_config__.tag)


def _growing(kind: Any, names: Iterable[str]) -> list[str]:
    """Those that are a text, or a tuple of texts where the fold has parts."""
    types = {field.name: get_origin(field.type) or field.type for field in msgspec.structs.fields(kind)}
    return [name for name in names if types.get(name) is (tuple if name in fold.IN_PARTS else str)]


def _has(kind: Any, names: Iterable[str]) -> list[str]:
    return [name for name in names if name in kind.__struct_fields__]


def write_types() -> str:
    structs = dict(_collect())
    bodies = [_interface(name, structs[name]) for name in sorted(structs)]
    unions = [
        _union("Block", blocks.Block),
        _union("Change", changes.Change),
        _union("AgentChange", changes.AgentChange),
    ]
    return "\n".join([HEAD, *bodies, *unions, _methods("Requests", True), _methods("Notifications", False)])


def _collect() -> Iterator[tuple[str, inspect.StructType]]:
    """Every struct that the protocol can reach."""
    seen: dict[str, inspect.StructType] = {}
    roots = [kind for method in METHODS.values() for kind in (method.params, method.result) if kind]
    todo = [inspect.type_info(kind) for kind in (*roots, changes.Change, changes.AgentChange)]
    while todo:
        info: Any = todo.pop()
        if isinstance(info, inspect.StructType):
            if info.cls.__name__ in seen:
                continue
            seen[info.cls.__name__] = info
            todo += [field.type for field in info.fields]
        todo += list(_inner(info))
    yield from seen.items()


def _inner(info: Any) -> Iterator[Any]:
    match info:
        case inspect.UnionType():
            yield from info.types
        case inspect.VarTupleType() | inspect.ListType():
            yield info.item_type
        case inspect.DictType():
            yield info.value_type
        case inspect.Metadata():
            yield info.type
        case _:
            return


def _interface(name: str, info: inspect.StructType) -> str:
    lines = [f"export interface {name} {{"]
    if info.tag is not None:
        lines.append(f'  {info.tag_field}: "{info.tag}";')
    for field in info.fields:
        optional = "" if field.required else "?"
        lines.append(f"  {field.encode_name}{optional}: {_type(field.type)};")
    return "\n".join([*lines, "}", ""])


def _type(info: Any) -> str:
    match info:
        case inspect.StructType():
            return info.cls.__name__
        case inspect.UnionType():
            return " | ".join(dict.fromkeys(_type(inner) for inner in info.types))
        case inspect.LiteralType():
            return " | ".join(msgspec.json.encode(value).decode() for value in info.values)
        case inspect.VarTupleType() | inspect.ListType():
            inner = _type(info.item_type)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case inspect.DictType():
            return f"Record<string, {_type(info.value_type)}>"
        case inspect.Metadata():
            return _type(info.type)
        case _:
            return PLAIN[type(info)]


def _union(name: str, union: Any) -> str:
    members = "".join(f"\n  | {kind.__name__}" for kind in get_args(union))
    return f"export type {name} ={members};\n"


def _methods(name: str, requests: bool) -> str:
    """By direction is in the docs; here a method finds its types."""
    rows = [
        f'  "{method}": {{ params: {_name(spec.params)}; result: {_name(spec.result)} }};'
        for method, spec in METHODS.items()
        if (spec.result is not None) == requests
    ]
    return "\n".join([f"export interface {name} {{", *rows, "}", ""])


def _name(kind: Any) -> str:
    return kind.__name__ if kind is not None else "never"
