"""A preview: what a plan changes, made from the bytes before and after and not from the diff."""

from collections.abc import Iterable, Iterator, Mapping

from bascule.core.diff.content import CRLF, Content, to_text
from bascule.core.diff.make.compare import Group, comparable, find_groups
from bascule.core.diff.show.shown_diff import show_lines
from bascule.core.text.visible import visible
from bascule.model.edits import PlannedFile, ShownHunk


def preview(file: PlannedFile, before: bytes) -> str:
    """`before` are the bytes of the file, or of the source of a rename or copy; empty for a new file."""
    head, hunks = preview_parts(file, before)
    return head + "".join(map(show_lines, hunks))


def preview_parts(file: PlannedFile, before: bytes) -> tuple[str, tuple[ShownHunk, ...]]:
    """The header above the hunks, and each hunk: their places here are the numbers that a choice names."""
    head = list(_header(file))
    if before == (file.after or b""):
        return _text(head), ()
    old, new = Content(before), Content(file.after or b"")
    groups = find_groups(*comparable(old, new))
    head += [f"--- {_name('a', file.source or file.path, file.kind == 'add')}"]
    head += [f"+++ {_name('b', file.path, file.after is None)}"]
    shows_endings = len({*old.endings, *new.endings} - {b""}) > 1  # all alike say nothing
    return _text(head), tuple(
        _hunk(number, old, new, group, shows_endings) for number, group in enumerate(groups, 1)
    )


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def previews(files: Iterable[PlannedFile], before: Mapping[str, bytes]) -> Iterator[str]:
    """File by file, so that the first can be read while the others are made."""
    return (preview(file, before.get(file.source or file.path, b"")) for file in files)


def preview_all(files: Iterable[PlannedFile], before: Mapping[str, bytes]) -> str:
    return "".join(previews(files, before))


def _header(file: PlannedFile) -> Iterator[str]:
    source = file.source or file.path
    yield f"diff --git {_name('a', source)} {_name('b', file.path)}"
    if file.kind == "add":
        yield f"new file mode {0o100000 | (file.mode_after or 0o644):o}"
    elif file.after is None:
        yield f"deleted file mode {0o100000 | (file.mode_before or 0o644):o}"
    elif file.mode_after is not None:
        if file.mode_before is not None:
            yield f"old mode {0o100000 | file.mode_before:o}"
        yield f"new mode {0o100000 | file.mode_after:o}"
    if file.kind in ("rename", "copy"):
        yield f"{file.kind} from {visible(source)}"
        yield f"{file.kind} to {visible(file.path)}"


def _name(prefix: str, path: str, is_nowhere: bool = False) -> str:
    return "/dev/null" if is_nowhere else f"{prefix}/{visible(path)}"


def _shown(texts: list[bytes]) -> list[str]:
    """All at once: no text holds a newline."""
    return visible(to_text(b"\n".join(texts)), keep="\t\n").split("\n") if texts else []


def _hunk(number: int, old: Content, new: Content, group: Group, shows_endings: bool) -> ShownHunk:
    lines: list[str] = []
    unended: list[int] = []

    def add(sign: str, content: Content, start: int, end: int) -> None:
        endings = content.endings[start:end]
        if b"" in endings:
            unended.append(len(lines) + len(endings) - 1)
        shown = _shown(content.texts[start:end])
        if shows_endings:
            shown = [
                f"{text}\\r" if ending == CRLF else text for text, ending in zip(shown, endings, strict=True)
            ]
        lines.extend([sign + text for text in shown])

    for tag, old_from, old_to, new_from, new_to in group:
        if tag == "equal":
            add(" ", old, old_from, old_to)
        else:
            add("-", old, old_from, old_to)
            add("+", new, new_from, new_to)
    old_start, new_start = group[0][1], group[0][3]
    old_count, new_count = group[-1][2] - old_start, group[-1][4] - new_start
    return ShownHunk(
        number=number,
        old_start=old_start + 1 if old_count else old_start,
        old_count=old_count,
        new_start=new_start + 1 if new_count else new_start,
        new_count=new_count,
        lines=tuple(lines),
        unended=tuple(unended),
    )
