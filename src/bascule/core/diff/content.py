"""A file's bytes as lines, each with its own ending, so that what is not touched stays as it is."""

from collections import Counter

LF, CRLF = b"\n", b"\r\n"
BOM = b"\xef\xbb\xbf"


class Content:
    """`texts[n] + endings[n]` is line n + 1. Only the last may lack an ending. Nothing is decoded."""

    def __init__(self, data: bytes) -> None:
        self.texts = data.split(b"\n")
        self.endings = [LF] * len(self.texts)
        if self.texts[-1]:
            self.endings[-1] = b""
        else:
            self.texts.pop()
            self.endings.pop()
        self.is_plain = CRLF not in data
        if not self.is_plain:
            self._find_crlf()

    def _find_crlf(self) -> None:
        for number, text in enumerate(self.texts):
            if text.endswith(b"\r") and self.endings[number]:
                self.texts[number], self.endings[number] = text[:-1], CRLF

    @property
    def is_even(self) -> bool:
        """A newline ends every line, and nothing else does."""
        return self.is_plain and (not self.endings or self.endings[-1] == LF)

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def usual_ending(self) -> bytes:
        counted = Counter(self.endings)
        return CRLF if counted[CRLF] > counted[LF] else LF


def to_bytes(text: str) -> bytes:
    """Bytes that were no UTF-8 when the diff was read are those bytes again."""
    return text.encode("utf-8", "surrogateescape")


def to_text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
