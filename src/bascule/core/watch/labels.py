"""What others say of their sessions, as labels: the beginning of it, in one line."""

from bascule.core.session.growing_text import shorten
from bascule.core.text.plain import plain_line

MAX_SHOWN = 200  # characters of a label
MAX_READ = 1_000  # of a text, before anything else is done with it
MAX_PATH = 4_096
MAX_ID = 200


def cut(text: object) -> str:
    """Empty where it is no text. A word in two is left out: half of a secret looks like none."""
    if not isinstance(text, str):
        return ""
    if len(text) <= MAX_READ:
        return text
    words = text[:MAX_READ].rsplit(maxsplit=1)
    return words[0] if len(words) == 2 else text[:MAX_READ]


def cut_path(text: object) -> str:
    return text[:MAX_PATH] if isinstance(text, str) else ""


def cut_id(text: object) -> str:
    """Half an id would be another's: one that is too long is none."""
    return text if isinstance(text, str) and len(text) <= MAX_ID else ""


def make_label(text: object) -> str:
    return shorten(plain_line(cut(text)), MAX_SHOWN)
