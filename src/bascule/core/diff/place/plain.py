"""Hunks exactly where they say, in a file without anything unusual: most are so, and this is quick."""

from bascule.core.diff.content import BOM, to_bytes
from bascule.model.edits import Hunk


def splice_plain(hunks: tuple[Hunk, ...], data: bytes) -> bytes | None:
    """The file with its hunks; None where anything asks for a closer look."""
    if b"\r" in data or not data.endswith(b"\n") or data.startswith(BOM):
        return None
    after: list[bytes] = []
    written, line, shift = 0, 1, 0  # bytes that are done, the line after them, and by how much it moves
    for hunk in hunks:
        sides = _find_sides(hunk)
        if sides is None or hunk.old_start < line or hunk.new_start != hunk.old_start + shift:
            return None
        old, new = sides
        at = written
        for _ in range(hunk.old_start - line):
            at = data.find(b"\n", at) + 1
            if not at:
                return None
        end = at + len(old)
        if not data.startswith(old, at) or (hunk.lines[-1].sign != " " and end != len(data)):
            return None
        if not after and (new + data[end : end + len(old)]).startswith(old):
            return None  # it may fit its own result
        after += (data[written:at], new)
        count = old.count(b"\n")
        written, line, shift = end, hunk.old_start + count, shift + new.count(b"\n") - count
    return b"".join([*after, data[written:]])


def _find_sides(hunk: Hunk) -> tuple[bytes, bytes] | None:
    """What it finds and what it leaves; None where it is unusual itself."""
    if hunk.numbers != "right" or hunk.section or hunk.extra:
        return None
    old, new = [], []
    for line in hunk.lines:
        if line.ending != "\n":
            return None
        if line.sign != "+":
            old.append(line.text)
        if line.sign != "-":
            new.append(line.text)
    if not (old and new):
        return None
    return to_bytes("\n".join([*old, ""])), to_bytes("\n".join([*new, ""]))
