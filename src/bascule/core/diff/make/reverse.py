"""A diff the other way round: what reverts it."""

from collections.abc import Iterator

from msgspec.structs import replace

from bascule.model.edits import Diff, FileDiff, FileKind, Hunk, HunkLine

OPPOSITE: dict[FileKind, FileKind] = {
    "add": "delete",
    "delete": "add",
    "update": "update",
    "rename": "rename",
    "copy": "delete",  # of the copy; what it was made from stays
}


def reverse(diff: Diff) -> Diff:
    return Diff(tuple(reverse_file(file) for file in diff.files))


def reverse_file(file: FileDiff) -> FileDiff:
    is_rename = file.kind == "rename" and file.source is not None
    return FileDiff(
        kind=OPPOSITE[file.kind],
        path=file.source if is_rename and file.source is not None else file.path,
        source=file.path if is_rename else None,
        hunks=tuple(reverse_hunk(hunk) for hunk in file.hunks),
        mode_before=file.mode_after,
        mode_after=None if file.kind == "add" else file.mode_before,
        binary=file.binary,
        by_name=file.kind == "copy",
    )


def reverse_hunk(hunk: Hunk) -> Hunk:
    """Its place is the one in the file that the hunk left behind."""
    return Hunk(
        old_start=hunk.new_start,
        new_start=hunk.old_start,
        lines=tuple(_reverse_lines(hunk.lines)),
        section=hunk.section,
    )


def _reverse_lines(lines: tuple[HunkLine, ...]) -> Iterator[HunkLine]:
    """Removed lines stay before the added ones, as everybody writes them."""
    added: list[HunkLine] = []
    for line in lines:
        match line.sign:
            case "-":
                added.append(replace(line, sign="+"))
            case "+":
                yield replace(line, sign="-")
            case " ":
                yield from added
                added = []
                yield line
    yield from added


def loosened(hunk: Hunk) -> Iterator[Hunk]:
    """The hunk with less around it, for a file whose neighbouring lines have changed since.

    The lines themselves must then stand at one place only: no number is believed any more."""
    lines = hunk.lines
    first = next((at for at, line in enumerate(lines) if line.sign != " "), 0)
    last = len(lines) - next((at for at, line in enumerate(reversed(lines)) if line.sign != " "), 0)
    for part in (lines[:last], lines[first:], lines[first:last]):
        if len(part) < len(lines):
            yield Hunk(old_start=0, new_start=0, lines=part, section=hunk.section)
