"""Mentions: `@selection` and `@path` in a prompt, checked before anything is sent."""

import re
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath, PureWindowsPath

from msgspec import Struct

from bascule.model.asks import Refuse

# At the start or after white space: an address such as a@b.c is no mention.
MENTION = re.compile(r"(?<!\S)@(?P<name>[^\s@]+)")
SELECTED = re.compile(r"(?<!\S)@selection(?!\S)")
TRAILING = ".,;:!?)]}'\"»”’"
FRAGMENT = re.compile(r"#L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?$")
COMPATIBLE_PREFIX = "file:"


class Selection(Struct, frozen=True, kw_only=True):
    """What is selected in an editor: 0-based lines, the end exclusive where its column is 0."""

    path: str  # as the editor names it: absolute, or relative to the workspace
    start_line: int
    start_column: int
    end_line: int
    end_column: int


def expand_mentions(
    text: str, workspace: str, selection: Selection | None, is_file: Callable[[str], bool]
) -> str | Refuse:
    """The prompt as it is sent: paths and line ranges only, never a file's content."""
    expanded = expand_selection(text, workspace, selection)
    if isinstance(expanded, Refuse):
        return expanded
    text = expanded
    for name in _names(text):
        refused = _check(name, is_file)
        if refused is not None:
            return refused
    return re.sub(r"(?<!\S)@file:(?=\S)", "@", text)


def expand_selection(text: str, workspace: str, selection: Selection | None) -> str | Refuse:
    """`@selection` becomes the path and the lines of what is selected."""
    if not SELECTED.search(text):
        return text
    place = selected_lines(selection, workspace)
    return place if isinstance(place, Refuse) else SELECTED.sub(lambda _: f"@{place}", text)


def _names(text: str) -> Iterator[str]:
    for match in MENTION.finditer(text):
        yield match["name"].removeprefix(COMPATIBLE_PREFIX).rstrip(TRAILING)


def _check(name: str, is_file: Callable[[str], bool]) -> Refuse | None:
    path = FRAGMENT.sub("", name)
    if not path:
        return None  # a lone @
    if path.startswith("/") or PureWindowsPath(path).is_absolute():
        return Refuse(f"@{name} is an absolute path. Mention files relative to the workspace.")
    if ":" in path:
        return Refuse(f"@{name} has a colon in it. Mention files relative to the workspace.")
    if ".." in PurePosixPath(path).parts:
        return Refuse(f"@{name} leaves the workspace. Mention files inside it.")
    if not is_file(path):
        return Refuse(f"@{name}: there is no such file in the workspace. Nothing was sent.")
    return None


def selected_lines(selection: Selection | None, workspace: str) -> str | Refuse:
    """Path and lines of what is selected: `src/a.py#L3-L9`."""
    if selection is None:
        return Refuse("@selection needs an open editor with something selected.")
    begin = (selection.start_line, selection.start_column)
    if begin == (selection.end_line, selection.end_column):
        return Refuse("@selection: nothing is selected.")
    path = place_inside(selection.path, workspace)
    if path is None:
        return Refuse(f"@selection: {selection.path} is outside the session's workspace.")
    first, last = selection.start_line + 1, selection.end_line + 1
    if selection.end_column == 0 and last > first:
        last -= 1  # a selection that ends at the start of a line does not mean that line
    return f"{path}#L{first}" if first == last else f"{path}#L{first}-L{last}"


def place_inside(path: str, workspace: str) -> str | None:
    """As an editor names a file, relative to the workspace; None where it lies outside."""
    flavour = PureWindowsPath if "\\" in workspace else PurePosixPath
    whole = flavour(path)
    if not whole.is_absolute():
        return None if ".." in whole.parts else whole.as_posix()
    try:
        return whole.relative_to(flavour(workspace)).as_posix()
    except ValueError:
        return None
