"""A preview: what a plan changes, made from the bytes before and after and not from the diff."""

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher

from bascule.core.diff.content import CRLF, Content, to_text
from bascule.core.diff.visible import visible
from bascule.model.edits import PlannedFile

CONTEXT = 3
MAX_COMPARED = 2_000_000  # lines before times lines after; above it what differs is shown as one piece
NO_NEWLINE = "\\ No newline at end of file"

Group = list[tuple[str, int, int, int, int]]


def preview(file: PlannedFile, before: bytes) -> str:
    """`before` are the bytes of the file, or of the source of a rename or copy; empty for a new file."""
    head = list(_header(file))
    old, new = Content(before), Content(file.after or b"")
    groups = _groups(old, new)
    if groups:
        head += [f"--- {_name('a', file.source or file.path, file.kind == 'add')}"]
        head += [f"+++ {_name('b', file.path, file.after is None)}"]
    return "\n".join([*head, *(line for group in groups for line in _hunk(old, new, group))]) + "\n"


def preview_all(files: tuple[PlannedFile, ...], before: Mapping[str, bytes]) -> str:
    return "".join(preview(file, before.get(file.source or file.path, b"")) for file in files)


def _header(file: PlannedFile) -> Iterator[str]:
    source = file.source or file.path
    yield f"diff --git {_name('a', source)} {_name('b', file.path)}"
    if file.kind == "add":
        yield f"new file mode {0o100000 | (file.mode_after or 0o644):o}"
    elif file.after is None:
        yield "deleted file mode 100644"
    elif file.mode_after is not None:
        yield f"new mode {0o100000 | file.mode_after:o}"
    if file.kind in ("rename", "copy"):
        yield f"{file.kind} from {visible(source)}"
        yield f"{file.kind} to {visible(file.path)}"


def _name(prefix: str, path: str, is_nowhere: bool = False) -> str:
    return "/dev/null" if is_nowhere else f"{prefix}/{visible(path)}"


def _groups(old: Content, new: Content) -> list[Group]:
    """Changed lines with a few around them; what is equal at both ends is never compared twice."""
    before, after = _whole_lines(old), _whole_lines(new)
    if before == after:
        return []
    start = _agreeing(before, after)
    end = _agreeing(before[start:][::-1], after[start:][::-1])
    first = max(0, start - CONTEXT)
    old_end = min(len(before), len(before) - end + CONTEXT)
    new_end = min(len(after), len(after) - end + CONTEXT)
    codes = _compare(before[first:old_end], after[first:new_end])
    return [
        [(tag, a + first, b + first, c + first, d + first) for tag, a, b, c, d in group] for group in codes
    ]


def _whole_lines(content: Content) -> list[bytes]:
    return [text + ending for text, ending in zip(content.texts, content.endings, strict=True)]


def _agreeing(one: list[bytes], other: list[bytes]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((number for number, (a, b) in pairs if a != b), min(len(one), len(other)))


def _compare(before: list[bytes], after: list[bytes]) -> list[Group]:
    if len(before) * len(after) <= MAX_COMPARED:
        matcher = SequenceMatcher(None, before, after)  # what is everywhere is no landmark
        return [list(group) for group in matcher.get_grouped_opcodes(CONTEXT)]
    return [[("replace", 0, len(before), 0, len(after))]]


def _hunk(old: Content, new: Content, group: Group) -> Iterator[str]:
    shows_endings = len({*old.endings, *new.endings} - {b""}) > 1  # all alike say nothing
    yield f"@@ -{_span(group[0][1], group[-1][2])} +{_span(group[0][3], group[-1][4])} @@"
    for tag, old_from, old_to, new_from, new_to in group:
        if tag == "equal":
            yield from _lines(" ", old, old_from, old_to, shows_endings)
        else:
            yield from _lines("-", old, old_from, old_to, shows_endings)
            yield from _lines("+", new, new_from, new_to, shows_endings)


def _span(start: int, end: int) -> str:
    count = end - start
    return f"{start + 1 if count else start}" + ("" if count == 1 else f",{count}")


def _lines(sign: str, content: Content, start: int, end: int, shows_endings: bool) -> Iterator[str]:
    for number in range(start, end):
        carriage = "\\r" if shows_endings and content.endings[number] == CRLF else ""
        yield f"{sign}{visible(to_text(content.texts[number]), keep=chr(9))}{carriage}"
        if not content.endings[number]:
            yield NO_NEWLINE
