"""Rooms and names: a folder shows one subject, a class name means one thing, CONTEXT.md names what exists."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "bascule"
CONTEXT = (ROOT / "CONTEXT.md").read_text(encoding="utf-8")

MAX_MODULES = 14
BY_NAMESPACE = {"daemon/protocol": 16, "model/protocol": 16}  # a module for each namespace of the protocol


def rooms() -> dict[str, int]:
    modules = (path for path in SOURCE.rglob("*.py") if path.name != "__init__.py")
    return Counter(path.parent.relative_to(SOURCE).as_posix() for path in modules)


@cache
def classes() -> tuple[tuple[str, str], ...]:
    return tuple(
        (node.name, path.relative_to(SOURCE).as_posix())
        for path in sorted(SOURCE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    )


def test_a_room_holds_no_more_modules_than_can_be_seen_at_once() -> None:
    assert {room: n for room, n in rooms().items() if n > BY_NAMESPACE.get(room, MAX_MODULES)} == {}


def test_every_room_says_what_it_is_for() -> None:
    said = {room: (SOURCE / room / "__init__.py").read_text(encoding="utf-8") for room in rooms()}
    assert [room for room, text in said.items() if not text.startswith('"""')] == []


def test_no_class_name_is_used_twice() -> None:
    named = Counter(name for name, _ in classes())
    assert [(name, path) for name, path in classes() if named[name] > 1] == []


def test_no_name_says_told() -> None:
    """An event, params, a reply, history: a name says which."""
    hits = [
        f"{path.relative_to(SOURCE)}:{number}"
        for path in sorted(SOURCE.rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(r"(?<![a-z])(un)?told(?![a-z])", line, re.IGNORECASE)
    ]
    assert hits == []


def test_context_lists_every_room_with_its_first_line() -> None:
    inner = [SOURCE / room for room in rooms() if room.count("/")]
    first = {room: (ast.get_docstring(ast.parse((room / "__init__.py").read_text())) or "") for room in inner}
    rows = [
        f"| `{room.relative_to(SOURCE).as_posix()}` | {said.splitlines()[0].rstrip('.')} |"
        for room, said in first.items()
    ]
    assert [row for row in rows if row not in CONTEXT] == []


def test_context_names_only_modules_that_exist() -> None:
    named = set(re.findall(r"`((?:[a-z_]+/)+[a-z_]+\.py)`", CONTEXT))
    assert [
        name for name in sorted(named) if not (SOURCE / name).exists() and not (ROOT / name).exists()
    ] == []
    assert named, "CONTEXT.md names no module at all"


def test_context_names_only_classes_that_exist() -> None:
    known = {name for name, _ in classes()}
    named = set(re.findall(r"`([A-Z][A-Za-z]+)`", CONTEXT))
    assert sorted(named - known) == []
