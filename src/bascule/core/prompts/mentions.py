"""Mentions: `@selection` and `@path` in a prompt, checked before anything is sent."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import groupby
from pathlib import PurePosixPath, PureWindowsPath

from msgspec import Struct

from bascule.core.diff.read.fences import find_opening
from bascule.core.session.growing_text import shorten
from bascule.model.asks import Refuse
from bascule.model.said import Said

# At the start or after white space: an address such as a@b.c is no mention. A name with a blank is quoted.
MENTION = re.compile(r'(?<!\S)@(?:"(?P<quoted>[^"\n]+)"(?P<lines>\S*)|(?P<name>[^\s@]\S*))')
TRAILING = ".,;:!?)]}'\"»”’"
SELECTED = re.compile(rf"(?<![^\s(\[{{'\"«“‘])@selection(?=[{re.escape(TRAILING)}]*(?!\S))")
MAX_SHOWN = 200  # characters of a name in a refusal
MAX_ENDING = 4  # characters, taken off one by one: `(in @notes(1)).`
COMPATIBLE = re.compile(r"(?<!\S)@file:(?=\S)")
FRAGMENT = re.compile(r"#L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?$")


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
    is_known_file = cache(is_file)

    def expand(words: str) -> str | Refuse:
        expanded = _put_selection(words, workspace, selection)
        if isinstance(expanded, Refuse):
            return expanded
        expanded = COMPATIBLE.sub("@", expanded)
        faults = (_find_fault(name, is_known_file) for name in dict.fromkeys(_names(expanded)))
        return next(filter(None, faults), expanded)

    return _outside_code(text, expand)


def expand_selection(text: str, workspace: str, selection: Selection | None) -> str | Refuse:
    """`@selection` becomes the path and the lines of what is selected."""
    return _outside_code(text, lambda words: _put_selection(words, workspace, selection))


def _put_selection(words: str, workspace: str, selection: Selection | None) -> str | Refuse:
    if not SELECTED.search(words):
        return words
    place = selected_lines(selection, workspace)
    return place if isinstance(place, Refuse) else SELECTED.sub(lambda _: _spell(place), words)


def _spell(place: str) -> str:
    path, _, lines = place.rpartition("#")
    return f'@"{path}"#{lines}' if re.search(r"\s|^@", path) else f"@{place}"


def _outside_code(text: str, change: Callable[[str], str | Refuse]) -> str | Refuse:
    if "@" not in text:
        return text
    changed = []
    for words, is_code in _sections(text):
        expanded = words if is_code else change(words)
        if isinstance(expanded, Refuse):
            return expanded
        changed.append(expanded)
    return "".join(changed)


def _sections(text: str) -> Iterator[tuple[str, bool]]:
    """The text and the fenced code in it: an @ in pasted code is no mention."""
    if "```" not in text and "~~~" not in text:
        yield text, False
        return
    for is_code, lines in groupby(_with_code(text), key=lambda expanded: expanded[1]):
        yield "".join(line for line, _ in lines), is_code


def _with_code(text: str) -> Iterator[tuple[str, bool]]:
    fence = ""
    for line in text.splitlines(keepends=True):
        opening = find_opening(line.rstrip())
        is_closing = bool(fence) and line.strip().startswith(fence) and not line.strip().strip(fence[0])
        yield line, bool(fence or opening)
        if is_closing:
            fence = ""
        elif opening and not fence:
            fence = opening[2]


def _names(words: str) -> Iterator[str]:
    for match in MENTION.finditer(words):
        yield match["name"] or match["quoted"] + match["lines"]


def _find_fault(name: str, is_file: Callable[[str], bool]) -> Refuse | None:
    """A file may be called `notes(1)`: what ends a sentence is taken off only where there is no such file."""
    bare = name.rstrip(TRAILING)
    if not bare or any(_why_not(path) is None and is_file(path) for path in _readings(name, bare)):
        return None  # a lone @, or a file
    why = _why_not(FRAGMENT.sub("", bare))
    shown = shorten(bare, MAX_SHOWN)
    if why:
        return Refuse(f"@{shown} {why}")
    return Refuse(f"@{shown}: {NO_FILE}", said=Said("mention.no_file", {"name": shown}))


def _readings(name: str, bare: str) -> Iterator[str]:
    least = max(len(bare), len(name) - MAX_ENDING)
    for end in dict.fromkeys((*range(len(name), least - 1, -1), len(bare))):
        yield name[:end]
        yield FRAGMENT.sub("", name[:end])


NO_FILE = (
    "there is no such file in the workspace. Nothing was sent. "
    "Code with an @ in it goes between two lines of ```."
)


def _why_not(path: str) -> str | None:
    if path.startswith("/") or PureWindowsPath(path).is_absolute():
        return "is an absolute path. Mention files relative to the workspace."
    if ":" in path:
        return "has a colon in it. Mention files relative to the workspace."
    if ".." in PurePosixPath(path).parts:
        return "leaves the workspace. Mention files inside it."
    return None


def selected_lines(selection: Selection | None, workspace: str) -> str | Refuse:
    """Path and lines of what is selected: `src/a.py#L3-L9`."""
    if selection is None:
        return Refuse("@selection needs an open editor with something selected.", said=Said("selection.none"))
    begin = (selection.start_line, selection.start_column)
    if begin == (selection.end_line, selection.end_column):
        return Refuse("@selection: nothing is selected.", said=Said("selection.none"))
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
