"""A diff as a person is shown it: hidden characters spelt out, line endings where they differ."""

from bascule.core.diff.show.preview import NO_NEWLINE
from bascule.core.text.visible import visible
from bascule.model.edits import FileDiff, Hunk


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
    return "\n".join(lines) + "\n" + "".join(map(show_hunk, file.hunks))


def show_hunk(hunk: Hunk) -> str:
    old = sum(line.sign != "+" for line in hunk.lines)
    new = sum(line.sign != "-" for line in hunk.lines)
    shows_endings = len({line.ending for line in hunk.lines} - {""}) > 1  # all alike say nothing
    lines = [f"@@ -{_span(hunk.old_start, old)} +{_span(hunk.new_start, new)} @@"]
    for line in hunk.lines:
        carriage = "\\r" if shows_endings and line.ending == "\r\n" else ""
        lines.append(f"{line.sign}{visible(line.text, keep=chr(9))}{carriage}")
        if not line.ending:
            lines.append(NO_NEWLINE)
    return "\n".join(lines) + "\n"


def _span(start: int, count: int) -> str:
    return str(start) if count == 1 else f"{start},{count}"


def count_lines(file: FileDiff) -> tuple[int, int]:
    """Lines added, and lines removed."""
    signs = [line.sign for hunk in file.hunks for line in hunk.lines]
    return signs.count("+"), signs.count("-")
