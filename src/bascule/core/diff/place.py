"""Where a hunk goes: at its stated line, or at the only other place where all its lines stand."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from bascule.core.diff.content import Content, to_bytes, to_text
from bascule.core.diff.refusal import DiffRefused, refusal
from bascule.core.diff.visible import quoted, visible
from bascule.model.edits import Hunk

MAX_LOOKED_AT = 100  # places that are compared to say what differs
SURROGATES, AFTER_SURROGATES = 0xD800, 0xE000
OTHER = "\0"  # any line that no hunk speaks of
NEXT = "Ask for the diff again, made from the file as it is."


class Asked(NamedTuple):
    """A hunk with its lines as bytes, and whose it is."""

    path: str
    number: int
    hunk: Hunk
    old: list[bytes]

    def refuse(self, why: str, line: int | None = None) -> DiffRefused:
        where = f"{visible(self.path)}, hunk {self.number}"
        return refusal(f"{where}: {why}", self.path, hunk=self.number, line=line)


def ask(path: str, number: int, hunk: Hunk) -> Asked:
    return Asked(path, number, hunk, [to_bytes(line.text) for line in hunk.lines if line.sign != "+"])


class SearchText:
    """A file with one character for each line, so that a search for lines is a search in a string."""

    def __init__(self, content: Content, asked: Iterable[Asked]) -> None:
        self.content = content
        self._letters: dict[bytes, str] = {}
        for one in asked:
            for text in one.old:
                self._letters.setdefault(text, _letter(len(self._letters) + 1))
        self.letters = self._spell(content.texts)
        self._starts: dict[tuple[str, ...], list[int]] = {}  # by anchors

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
            raise self._not_found(asked)
        if len(places) > 1:
            first, second = (place + 1 for place in places)
            raise asked.refuse(
                f"its lines stand at line {first} and again at line {second}, and nothing tells which is "
                "meant. Ask for the diff again, with more context.",
                first,
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
            raise self._not_last(asked, max(at, 0))
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
        """The next place after each start, told once: the starts up to a told place all lead to it."""
        at = count = 0
        while at < len(starts) and count < 2:
            told = self.letters.find(needle, starts[at])
            if told < 0:
                return
            yield told
            at, count = bisect_right(starts, told), count + 1

    @cached_property
    def _stripped(self) -> dict[bytes, list[int]]:
        """Where each line stands, without the blanks around it."""
        lines: dict[bytes, list[int]] = {}
        for number, text in enumerate(self.content.texts):
            lines.setdefault(text.strip(), []).append(number)
        return lines

    def _anchored(self, anchors: tuple[str, ...]) -> list[int]:
        """The lines after each place where the anchors follow one another, however they are indented."""
        if anchors not in self._starts:
            *outer, last = anchors
            found = self._stripped.get(to_bytes(last.strip()), [])
            if outer:
                found = _reached(found, self._anchored(tuple(outer)))
            self._starts[anchors] = [number + 1 for number in found]
        return self._starts[anchors]

    # -- why there is no place --

    def _not_found(self, asked: Asked) -> DiffRefused:
        missing = self._missing_anchor(asked.hunk)
        if missing is not None:
            return asked.refuse(f"its anchor {quoted(missing)} is not in the file. {NEXT}")
        return self._tell_difference(asked, self._likely_start(asked))

    def _not_last(self, asked: Asked, start: int) -> DiffRefused:
        return self._tell_difference(asked, start, "its lines are said to be the last of the file, but ")

    def _tell_difference(self, asked: Asked, start: int, before: str = "") -> DiffRefused:
        agreeing = self._agreeing(self._spell(asked.old), start)
        at, wanted = start + agreeing, asked.old[min(agreeing, len(asked.old) - 1)]
        should = f"{before}line {at + 1} should be {quoted(to_text(wanted))}, and"
        if at >= len(self.content):
            return asked.refuse(f"{should} the file ends before it. {NEXT}", at + 1)
        found = self.content.texts[at]
        hint = self._hint(asked, wanted, found)
        return asked.refuse(f"{should} is {quoted(to_text(found))}.{hint} {NEXT}", at + 1)

    def _hint(self, asked: Asked, wanted: bytes, found: bytes) -> str:
        if squeezed(wanted) == squeezed(found):
            return " They differ only in white space."
        new = [to_bytes(line.text) for line in asked.hunk.lines if line.sign != "-"]
        is_done = new and b"\n".join([b"", *new, b""]) in b"\n".join([b"", *self.content.texts, b""])
        return " The lines that it would leave are there already." if is_done else ""

    def _missing_anchor(self, hunk: Hunk) -> str | None:
        return next(
            (anchor for anchor in hunk.anchors if to_bytes(anchor.strip()) not in self._stripped), None
        )

    def _likely_start(self, asked: Asked) -> int:
        """Where most of the hunk's beginning stands; of such places the one next to its stated line."""
        stated = min(max(asked.hunk.old_start - 1, 0), len(self.content))
        needle, starts = self._spell(asked.old), [stated]
        at = self.letters.find(needle[0])
        while at >= 0 and len(starts) < MAX_LOOKED_AT:
            starts.append(at)
            at = self.letters.find(needle[0], at + 1)
        best = max(starts, key=lambda start: (self._agreeing(needle, start), -abs(start - stated)))
        if asked.hunk.old_start or self._agreeing(needle, best):
            return best
        like = squeezed(asked.old[0])
        return next(
            (number for number, text in enumerate(self.content.texts) if squeezed(text) == like), best
        )

    def _agreeing(self, needle: str, start: int) -> int:
        """How many lines stand there in a row."""
        low, high = 0, len(needle)
        while low < high:
            middle = (low + high + 1) // 2
            if self.letters.startswith(needle[:middle], start):
                low = middle
            else:
                high = middle - 1
        return low


def _reached(found: list[int], starts: list[int]) -> list[int]:
    """Those that come first after one of the starts; both grow, and the shorter one is gone through."""
    if len(starts) <= len(found):
        nexts = {bisect_left(found, start) for start in starts}
        return [found[at] for at in sorted(nexts) if at < len(found)]
    counts = [0, *(bisect_right(starts, number) for number in found)]
    return [number for number, (before, now) in zip(found, pairwise(counts), strict=True) if now > before]


def squeezed(text: bytes) -> bytes:
    return b"".join(text.split())


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
