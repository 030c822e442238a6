"""A diff as a person is shown it: hidden characters spelt out, line endings where they differ."""

from bascule.core.text.visible import visible
from bascule.model.edits import FileDiff, Hunk, HunkLine, ShownHunk

NO_NEWLINE = "\\ No newline at end of file"


def show_file(file: FileDiff) -> str:
    source = file.source or file.path
    lines = [f"diff --git a/{visible(source)} b/{visible(file.path)}"]
    if file.kind == "add":
        lines.append("new file mode 100644")
    elif file.kind == "delete":
        lines.append("deleted file mode 100644")
    elif file.kind in ("rename", "copy"):
        lines += [f"{file.kind} from {visible(source)}", f"{file.kind} to {visible(file.path)}"]
    if file.hunks:
        lines.append("--- /dev/null" if file.kind == "add" else f"--- a/{visible(source)}")
        lines.append("+++ /dev/null" if file.kind == "delete" else f"+++ b/{visible(file.path)}")
    hunks = (show_lines(show_hunk(hunk, number)) for number, hunk in enumerate(file.hunks, 1))
    return "\n".join(lines) + "\n" + "".join(hunks)


def show_hunk(hunk: Hunk, number: int) -> ShownHunk:
    shows_endings = len({line.ending for line in hunk.lines} - {""}) > 1  # all alike say nothing

    def shown(line: HunkLine) -> str:
        carriage = "\\r" if shows_endings and line.ending == "\r\n" else ""
        return f"{line.sign}{visible(line.text, keep=chr(9))}{carriage}"

    return ShownHunk(
        number=number,
        old_start=hunk.old_start,
        old_count=sum(line.sign != "+" for line in hunk.lines),
        new_start=hunk.new_start,
        new_count=sum(line.sign != "-" for line in hunk.lines),
        lines=tuple(map(shown, hunk.lines)),
        unended=tuple(at for at, line in enumerate(hunk.lines) if not line.ending),
    )


def show_lines(hunk: ShownHunk) -> str:
    """As a unified diff has it, with its @@ line."""
    old, new = _span(hunk.old_start, hunk.old_count), _span(hunk.new_start, hunk.new_count)
    lines = [f"@@ -{old} +{new} @@", *hunk.lines]
    for at in reversed(hunk.unended):
        lines.insert(at + 2, NO_NEWLINE)
    return "\n".join(lines) + "\n"


def _span(start: int, count: int) -> str:
    return str(start) if count == 1 else f"{start},{count}"


def count_lines(file: FileDiff) -> tuple[int, int]:
    """Lines added, and lines removed."""
    signs = [line.sign for hunk in file.hunks for line in hunk.lines]
    return signs.count("+"), signs.count("-")
