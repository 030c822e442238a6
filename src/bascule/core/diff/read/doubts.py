"""What speaks against a hunk as it is written: no change, a header in it, half a mark of a file's end."""

from bascule.core.diff.refusal import refusal
from bascule.core.text.visible import quoted, visible
from bascule.model.edits import HunkLine

UNENDED = "\\ "  # and then, in any language, that the file ends without a newline
MIN_UNENDED = 12  # characters; a shorter line is half of one, and Git takes it for none


def check_changes(lines: tuple[HunkLine, ...], path: str, number: int) -> None:
    if any(line.sign != " " for line in lines):
        return
    what = "changes nothing: all its lines are context" if lines else "is empty"
    raise refusal(f"{visible(path)}, hunk {number} {what}. Ask for the diff again.", path, hunk=number)


def check_headers(lines: list[str], path: str, number: int) -> None:
    """Without right counts, a header of the same file among its lines would be written into it."""
    for line in lines:
        name = line[4:].rstrip() if line.startswith(("+++ ", "--- ")) else ""
        if name in (path, f"a/{path}", f"b/{path}"):
            raise refusal(
                f"{visible(path)}, hunk {number} holds {quoted(line)}, which is a header of the same file, "
                "and its numbers do not say that it belongs there. Ask for the diff again.",
                path,
                hunk=number,
            )


def check_between(path: str, number: int, extra: list[str]) -> None:
    """Lines of the file show that they are the hunk's, and its counts wrong; added ones show nothing."""
    if any(line[:1] in (" ", "-") and line[1:].strip() for line in extra):
        return
    raise refusal(
        f"{visible(path)}, hunk {number} is complete by its numbers, and {quoted(extra[0])} follows it "
        "before the next hunk, so nothing tells whether that is part of it. Ask for the diff again, with "
        "nothing between its hunks.",
        path,
        hunk=number,
    )


def check_marks(lines: list[str], path: str, number: int) -> None:
    short = next((one for one in lines if one.startswith(UNENDED) and len(one.rstrip()) < MIN_UNENDED), None)
    if short is None:
        return
    raise refusal(
        f"{visible(path)}, hunk {number}: {quoted(short)} may be the beginning of "
        "`\\ No newline at end of file`, so the diff may have been cut off. Ask for it again.",
        path,
        hunk=number,
    )
