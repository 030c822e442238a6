"""Context: which parts a person asked for, under which names, and how many of them may be sent."""

import re
from collections.abc import Iterable

from msgspec.structs import replace

from bascule.core.prompts.mentions import Selection, place_inside, selected_lines
from bascule.model.asks import Refuse
from bascule.model.context import ContextPart, ContextRequest

MAX_NAMED = 100  # files that one request may name
MAX_SUMMARY = 500  # paths
MAX_SUMMARY_BYTES = 32_000
SUMMARY = "workspace"
WITH_CONTENT = ("active_file", "file")


def plan_parts(
    request: ContextRequest, *, active: str, selection: Selection | None, workspace: str, max_files: int
) -> tuple[ContextPart, ...] | Refuse:
    """In the order in which they are sent; `active` and the selection's path are as the editor names them."""
    if len(request.files) > MAX_NAMED:
        return Refuse(f"{len(request.files)} files were named; {MAX_NAMED} is the most.")
    parts: list[ContextPart] = []
    if request.include_workspace_summary:
        parts.append(ContextPart(kind="workspace_summary", name=SUMMARY))
    if request.include_active_file:
        if not active:
            return Refuse("No active file is known. Open a file, or leave out include_active_file.")
        named = place_inside(active, workspace)
        if named is None:
            return Refuse(
                f"{active} is outside the workspace, so it is not sent with the prompt. Nothing was sent."
            )
        parts.append(ContextPart(kind="active_file", name=named))
    if request.include_selection:
        place = selected_lines(selection, workspace)
        if isinstance(place, Refuse):
            return place
        parts.append(ContextPart(kind="selection", name=place))
    parts += [ContextPart(kind="file", name=name) for name in request.files]
    return tuple(_within(max_files, _once(parts)))


def _once(parts: Iterable[ContextPart]) -> list[ContextPart]:
    """A file is sent once, however often it is named."""
    seen: dict[tuple[bool, str], ContextPart] = {}
    for part in parts:
        seen.setdefault((part.kind in WITH_CONTENT, part.name), part)
    return list(seen.values())


def _within(max_files: int, parts: list[ContextPart]) -> list[ContextPart]:
    names = [part.name for part in parts if part.kind in WITH_CONTENT]
    over = set(names[max_files:])
    note = f"over the limit of {max_files} files (bascule.contextMaxFiles)"
    return [
        replace(part, left_out=True, note=note) if part.kind in WITH_CONTENT and part.name in over else part
        for part in parts
    ]


def summarise(sizes: Iterable[tuple[str, int]], *, truncated: bool) -> tuple[str, str]:
    """Paths and sizes, never contents; and what is missing of them, in words."""
    lines: list[str] = []
    room = MAX_SUMMARY_BYTES
    cut = truncated
    for path, size in sizes:
        line = f"{size:>9} {_one_line(path)}"
        room -= len(line.encode("utf-8", "replace")) + 1
        if room < 0 or len(lines) == MAX_SUMMARY:
            cut = True
            break
        lines.append(line)
    note = f"the first {len(lines)} files; there are more" if cut else ""
    return "\n".join(lines), note


def _one_line(path: str) -> str:
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in path)


def cut_bytes(text: str, most: int) -> str:
    """The beginning, no character cut in two."""
    data = text.encode("utf-8", "replace")
    return text if len(data) <= most else data[:most].decode("utf-8", "ignore")


def parse_lines(name: str) -> tuple[str, int, int]:
    """`src/a.py#L3-L9` is src/a.py, 3 and 9; a single line is its own end."""
    path, _, lines = name.rpartition("#L")
    first, _, last = lines.partition("-L")
    return path, int(first), int(last or first)


def take_lines(text: str, first: int, last: int) -> str:
    """As editors count them: a form feed ends no line."""
    return "".join(re.split(r"(?<=\n)", text)[first - 1 : last])
