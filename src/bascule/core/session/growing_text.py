"""Texts that grow: cheap to append to, and never above a ceiling."""

MAX_TEXT = 2_000_000  # characters of one text of one block; the last ones are kept
MAX_PARTS = 256  # parts of one reasoning block


def clip(text: str, limit: int = MAX_TEXT) -> tuple[str, int]:
    """The last `limit` characters, and how many were dropped before them."""
    dropped = max(0, len(text) - limit)
    return (text[dropped:], dropped) if dropped else (text, 0)


def shorten(text: str, limit: int) -> str:
    """One line for a label: the first `limit` characters, an ellipsis where there were more."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def is_text(text: str) -> bool:
    """A command line may carry bytes that no wire and no file of ours can."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class GrowingText:
    """What has been appended since the block was last read. The result does not depend on the chunking."""

    def __init__(self, start: str) -> None:
        self._pieces = [start]
        self._size = len(start)
        self.dropped = 0

    def add(self, text: str) -> None:
        self._pieces.append(text)
        self._size += len(text)
        if self._size > 2 * MAX_TEXT:
            self.read()

    def read(self) -> str:
        text, dropped = clip("".join(self._pieces))
        self._pieces, self._size = [text], len(text)
        self.dropped += dropped
        return text
