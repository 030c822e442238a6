"""Where a hunk goes: at its stated line, or at the only other place where all its lines stand."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bascule.core.diff.content import Content, to_bytes, to_text
from bascule.core.diff.refusal import Refused
from bascule.core.diff.visible import quoted, visible
from bascule.model.edits import Hunk

MAX_LOOKED_AT = 500  # places that are compared to say what differs
SURROGATES, AFTER_SURROGATES = 0xD800, 0xE000
OTHER = "\0"  # any line that no hunk speaks of
NEXT = "Ask for the diff again, made from the file as it is."


class Asked(NamedTuple):
    """A hunk with its lines as bytes, and whose it is."""

    path: str
    number: int
    hunk: Hunk
    old: list[bytes]

    def refuse(self, why: str, line: int | None = None) -> Refused:
        where = f"{visible(self.path)}, hunk {self.number}"
        return Refused(f"Edit refused: {where}: {why}", self.path, hunk=self.number, line=line)


def ask(path: str, number: int, hunk: Hunk) -> Asked:
    return Asked(path, number, hunk, [to_bytes(line.text) for line in hunk.lines if line.sign != "+"])


class Ground:
    """A file with one character for each line, so that a search for lines is a search in a string."""

    def __init__(self, content: Content, asked: Iterable[Asked]) -> None:
        self.content = content
        self._letters: dict[bytes, str] = {}
        for one in asked:
            for text in one.old:
                self._letters.setdefault(text, _letter(len(self._letters) + 1))
        self.letters = self._spell(content.texts)

    def _spell(self, texts: list[bytes]) -> str:
        find = self._letters.get
        return "".join([find(text, OTHER) for text in texts])

    def find(self, asked: Asked, *, trusts_numbers: bool) -> int:
        """The line, from 0, that its first line goes to."""
        hunk, needle = asked.hunk, self._spell(asked.old)
        if not needle:
            return self._find_bare(asked)
        if hunk.at_end or _ends_file(asked):
            return self._find_last(asked, needle)
        if trusts_numbers and hunk.old_start and self.letters.startswith(needle, hunk.old_start - 1):
            return hunk.old_start - 1
        places = list(self._places(needle, hunk.anchors))
        if not places:
            raise asked.refuse(self._tell_difference(asked), self._differing(asked)[0] + 1)
        if len(places) > 1:
            raise asked.refuse(
                f"its lines stand at line {places[0] + 1} and again at line {places[1] + 1}, and nothing tells "
                "which is meant. Ask for the diff again, with more context.",
                places[0] + 1,
            )
        return places[0]

    # -- hunks that say little or much --

    def _find_bare(self, asked: Asked) -> int:
        """Lines without any context: only the end of a file can be told."""
        hunk, size = asked.hunk, len(self.content)
        if (size == 0 and not hunk.anchors) or hunk.at_end or (hunk.old_start == size and hunk.old_start):
            return size
        raise asked.refuse(
            "it only adds lines, and shows none of those around them. Ask for the diff again, with context."
        )

    def _find_last(self, asked: Asked, needle: str) -> int:
        at = len(self.letters) - len(needle)
        if at < 0 or not self.letters.startswith(needle, at):
            raise asked.refuse(
                f"its lines are said to be the last of the file, and are not. {NEXT}", max(at, 0) + 1
            )
        if _ends_file(asked) and self.content.endings[-1]:
            raise asked.refuse(
                f"line {len(self.content)} is said to end without a newline, and ends with one. {NEXT}",
                len(self.content),
            )
        return at

    # -- all places --

    def _places(self, needle: str, anchors: tuple[str, ...]) -> Iterator[int]:
        """At most two: the second shows that it is not certain."""
        if anchors:
            yield from self._places_after(needle, self._anchored(anchors))
            return
        first = self.letters.find(needle)
        if first >= 0:
            yield first
            second = self.letters.find(needle, first + 1)
            if second >= 0:
                yield second

    def _places_after(self, needle: str, starts: list[int]) -> Iterator[int]:
        """The next place after each start, told once; a start that lies before a told place leads to it."""
        told, count = -1, 0
        for start in starts:
            if start < told:
                continue
            told = self.letters.find(needle, start)
            if told < 0:
                return
            yield told
            count += 1
            if count == 2:
                return

    def _anchored(self, anchors: tuple[str, ...]) -> list[int]:
        """The lines after each place where the anchors follow one another. Their indentation is not counted."""
        starts = [0]
        for depth, anchor in enumerate(anchors):
            wanted = to_bytes(anchor.strip())
            found = [number for number, text in enumerate(self.content.texts) if text.strip() == wanted]
            if depth:
                nexts = {bisect_left(found, start) for start in starts}
                found = [found[at] for at in sorted(nexts) if at < len(found)]
            starts = [number + 1 for number in found]
        return starts

    # -- why there is no place --

    def _tell_difference(self, asked: Asked) -> str:
        missing = self._missing_anchor(asked.hunk)
        if missing is not None:
            return f"its anchor {quoted(missing)} is not in the file. {NEXT}"
        at, wanted = self._differing(asked)
        if at >= len(self.content):
            return f"line {at + 1} should be {quoted(to_text(wanted))}, and the file ends before it. {NEXT}"
        found = self.content.texts[at]
        only_blanks = b"".join(wanted.split()) == b"".join(found.split())
        hint = " They differ only in white space." if only_blanks else self._tell_done(asked)
        return (
            f"line {at + 1} should be {quoted(to_text(wanted))}, and is {quoted(to_text(found))}.{hint} {NEXT}"
        )

    def _missing_anchor(self, hunk: Hunk) -> str | None:
        stripped = {text.strip() for text in self.content.texts} if hunk.anchors else set()
        return next((anchor for anchor in hunk.anchors if to_bytes(anchor.strip()) not in stripped), None)

    def _tell_done(self, asked: Asked) -> str:
        new = [to_bytes(line.text) for line in asked.hunk.lines if line.sign != "-"]
        is_done = new and b"\n".join([b"", *new, b""]) in b"\n".join([b"", *self.content.texts, b""])
        return " The lines that it would leave are there already." if is_done else ""

    def _differing(self, asked: Asked) -> tuple[int, bytes]:
        """The first line that differs, where most of the hunk's beginning stands, and what it should be."""
        stated = max(asked.hunk.old_start - 1, 0)
        letter = self._letters[asked.old[0]]
        starts = [stated]
        at = self.letters.find(letter)
        while at >= 0 and len(starts) < MAX_LOOKED_AT:
            starts.append(at)
            at = self.letters.find(letter, at + 1)
        needle = self._spell(asked.old)
        start = max(starts, key=lambda start: (self._agreeing(needle, start), -abs(start - stated)))
        agreeing = min(self._agreeing(needle, start), len(asked.old) - 1)
        return min(start + agreeing, len(self.content)), asked.old[agreeing]

    def _agreeing(self, needle: str, start: int) -> int:
        for count, letter in enumerate(needle):
            if self.letters[start + count : start + count + 1] != letter:
                return count
        return len(needle)


def _letter(number: int) -> str:
    """Every code point but the halves of pairs."""
    return chr(number if number < SURROGATES else number + AFTER_SURROGATES - SURROGATES)


def _ends_file(asked: Asked) -> bool:
    """It says that an old line is the last, and lacks a newline."""
    old = [line for line in asked.hunk.lines if line.sign != "+"]
    unended = [number for number, line in enumerate(old, 1) if line.ending == ""]
    if unended and unended != [len(old)]:
        raise asked.refuse("it goes on after a line that ends the file. Ask for the diff again.")
    return bool(unended)
