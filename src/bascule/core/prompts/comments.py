"""Comments on lines of a review, as one prompt that an agent and a person can read."""

from collections.abc import Sequence

from bascule.core.session.growing_text import shorten
from bascule.core.text.visible import visible
from bascule.model.asks import Refuse
from bascule.model.protocol.edits import LineComment
from bascule.model.said import Said

MAX_COMMENTS = 200
MAX_COMMENT = 10_000  # characters of one
MAX_QUOTE = 400  # characters of the line that it is about
MAX_PATH = 4_096
MAX_LINE = 100_000_000

BEFORE_THEM = (
    "These comments are about lines of your changes. Answer each of them, and change what they ask for."
)


def compose_comments(comments: Sequence[LineComment], text: str = "") -> str | Refuse:
    """What the person says first, then each comment under its file and line, in the order given."""
    if not comments:
        return Refuse(
            "There is no comment. Say which line you mean, and what about it.", said=Said("comments.none")
        )
    if len(comments) > MAX_COMMENTS:
        return Refuse(f"There are {len(comments)} comments; {MAX_COMMENTS} is the most. Send them in parts.")
    if text.lstrip().startswith("/"):
        return Refuse(
            "Comments go to the agent as they are; a slash command is typed by itself.",
            said=Said("comments.slash"),
        )
    for comment in comments:
        unfit = _find_unfit(comment)
        if unfit:
            return Refuse(f"{_place(comment)}: {unfit}")
    said = [text.strip(), BEFORE_THEM] if text.strip() else [BEFORE_THEM]
    return "\n\n".join([*said, *map(_compose, comments)])


def _find_unfit(comment: LineComment) -> str:
    if not comment.text.strip():
        return "the comment is empty."
    if len(comment.text) > MAX_COMMENT:
        return f"the comment has {len(comment.text)} characters; {MAX_COMMENT} is the most."
    if not comment.path or len(comment.path) > MAX_PATH:
        return "the comment names no file."
    if not 1 <= comment.line <= MAX_LINE:
        return "lines are counted from 1."
    return ""


def _compose(comment: LineComment) -> str:
    quote = [f"> {shorten(visible(comment.quote), MAX_QUOTE)}"] if comment.quote.strip() else []
    return "\n".join([f"{_place(comment)}:", *quote, *([""] if quote else []), comment.text.strip()])


def _place(comment: LineComment) -> str:
    before = " before the change" if comment.side == "before" else ""
    return f"`{visible(comment.path[:MAX_PATH])}`, line {comment.line}{before}"
