"""Hunks exactly where they say, in a file without anything unusual: most are so, and this is quick."""

from bascule.core.diff.content import BOM, to_bytes
from bascule.model.edits import Hunk

PLAIN = {"\n"}


def splice_plain(hunks: tuple[Hunk, ...], data: bytes) -> bytes | None:
    """The file with its hunks; None where anything asks for a closer look."""
    if b"\r" in data or not data.endswith(b"\n") or data.startswith(BOM):
        return None
    texts = data.split(b"\n")
    size = len(texts) - 1
    after: list[bytes] = []
    at = 0
    for hunk in hunks:
        lines = hunk.lines
        if hunk.numbers != "right" or hunk.section or hunk.extra or {line.ending for line in lines} != PLAIN:
            return None
        written = to_bytes("\n".join([line.text for line in lines])).split(b"\n")
        old = [text for text, line in zip(written, lines, strict=True) if line.sign != "+"]
        new = [text for text, line in zip(written, lines, strict=True) if line.sign != "-"]
        start, end = hunk.old_start - 1, hunk.old_start - 1 + len(old)
        is_in_order = start >= at and hunk.new_start - 1 == len(after) + start - at
        if not (old and new and is_in_order) or end > size or texts[start:end] != old:
            return None
        if lines[-1].sign != " " and end != size:
            return None
        if not after and [*new, *texts[end : end + len(old)]][: len(old)] == old:
            return None  # it may fit its own result
        after += texts[at:start]
        after += new
        at = end
    after += texts[at:]
    return b"\n".join(after)
