"""Whether the lines that a hunk found are in a file, exactly where the hunk had them."""

from bascule.core.diff.content import BOM, Content
from bascule.core.diff.place.asked import ask
from bascule.model.edits import Hunk


def is_in_place(hunk: Hunk, data: bytes) -> bool:
    """At its line; or at the end of the file, if it shows lines before its change and none after it."""
    asked, content = ask("", 1, hunk), Content(data.removeprefix(BOM))
    start, last = asked.stated, len(content) - len(asked.old)
    is_last = hunk.lines[-1].sign != " "
    if is_last and hunk.lines[0].sign == " ":
        start = last
    is_placed = start >= 0 and (start == last or not is_last)
    return is_placed and content.texts[start : start + len(asked.old)] == asked.old
