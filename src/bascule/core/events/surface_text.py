"""Text for a surface that only shows it: harmless, in lines it can draw, under a ceiling that is named."""

from bascule.core.text.plain import plain
from bascule.core.text.reading_order import keep_order
from bascule.core.text.visible import IGNORABLE

MAX_LINE = 2_000  # characters; a known client freezes for seconds on one line of 100 KB
MAX_CONTENT = 200_000  # bytes of one text of one event

SEEN = "\n\t\u3000"  # white space that shows what it is
FILLERS = IGNORABLE | {"\u2800"}  # what draws nothing


def fit(text: str, limit: int = MAX_CONTENT) -> str:
    """For reading: what a terminal obeys is gone, and where it is too long the middle is left out."""
    return wrap(cut_middle(plain(text), limit))


def visible(text: str) -> str:
    """For deciding: nothing is taken out, and every character that hides, moves or draws nothing is spelt.

    `plain` drops what a terminal would have overwritten; a yes must not rest on what was dropped."""
    text = text.replace("\r\n", "\n")
    if text.isprintable() and not any(filler in text for filler in FILLERS):
        return text
    return "".join(map(_spelt, text))


def _spelt(char: str) -> str:
    shows = char in SEEN or (char.isprintable() and char not in FILLERS)
    return char if shows else f"<U+{ord(char):04X}>"


def visible_line(text: str) -> str:
    """One line, with every space and letter where it is: for names, paths and addresses."""
    return keep_order(visible(text)).replace("\n", "<U+000A>").replace("\t", "<U+0009>")


def wrap(text: str) -> str:
    if len(text) <= MAX_LINE:
        return text
    return "\n".join(piece for line in text.split("\n") for piece in _pieces(line, MAX_LINE))


def wrap_diff(text: str) -> str:
    """Each piece of a long line keeps its sign."""
    if len(text) <= MAX_LINE:
        return text
    lines = text.split("\n")
    return "\n".join(line[:1] + piece for line in lines for piece in _pieces(line[1:], MAX_LINE - 1))


def _pieces(line: str, size: int) -> list[str]:
    return [line[at : at + size] for at in range(0, len(line), size)] or [""]


def cut_middle(text: str, limit: int) -> str:
    """Beginning and end, as many bytes as the limit: a command's output says at its end what went wrong."""
    raw = _encoded(text)
    if len(raw) <= limit:
        return text
    half = limit // 2
    head = raw[:half].decode("utf-8", "ignore")
    tail = raw[len(raw) - half :].decode("utf-8", "ignore")
    left_out = len(text) - len(head) - len(tail)
    return f"{head}\n[… {left_out} characters left out …]\n{tail}"


def cut_end(text: str, limit: int = MAX_CONTENT) -> tuple[str, bool]:
    """Whole lines from the beginning, and whether any had to go."""
    raw = _encoded(text)
    if len(raw) <= limit:
        return text, False
    head = raw[:limit].decode("utf-8", "ignore")
    whole_lines, newline, _rest = head.rpartition("\n")
    kept = whole_lines + newline if newline else head
    return f"{kept}[… {len(text) - len(kept)} characters left out …]\n", True


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")
