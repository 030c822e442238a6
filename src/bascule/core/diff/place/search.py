"""A search for lines: a file with one character for each line, so that it is a search in a string."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import takewhile

from bascule.core.diff.content import Content, to_bytes, to_text
from bascule.core.diff.place.asked import WORD, Asked, says_last_line
from bascule.core.diff.place.budget import CALL, Budget
from bascule.core.diff.place.chosen import keep_only
from bascule.core.diff.refusal import DiffRefused
from bascule.core.text.visible import quoted
from bascule.model.edits import HunkLine

SEARCHED = 4  # times that what is sought is read before a search begins
FEW = 20  # places that are looked at one by one
NEAR = 3  # lines, as many as a diff shows around a change
MAX_LOOKED_AT = 100  # places that are compared to say what differs
SURROGATES, AFTER_SURROGATES = 0xD800, 0xE000
OTHER = "\0"  # any line that no hunk speaks of
Side = tuple[set[bytes], range]  # lines that are added, and where they are looked for
NEXT = "Ask for the diff again, made from the file as it is."


class HunkSearch:
    def __init__(self, content: Content, asked: Iterable[Asked], budget: Budget) -> None:
        self._content = content
        self._budget = budget
        self._known: dict[bytes, str] = {}
        for one in asked:
            for text in (*one.old, *one.new):
                self._known.setdefault(text, _letter(len(self._known) + 1))
        self._letters = self._spell(content.texts)
        self._found: dict[str, list[int]] = {}

    def _spell(self, texts: list[bytes]) -> str:
        find = self._known.get
        return "".join([find(text, OTHER) for text in texts])

    def places(self, asked: Asked) -> list[int]:
        """Where all its lines stand, the first first."""
        return self._find_all(self._spell(asked.old))

    def _find_all(self, needle: str) -> list[int]:
        """Kept, as many hunks may look for the same lines. By a line that is rare, if it has one."""
        if needle not in self._found:
            offset, spots = self._find_rarest(needle)
            starts = (at - offset for at in spots if at >= offset)
            self._found[needle] = (
                self._find_each(needle)
                if len(spots) > FEW
                else [start for start in starts if self._letters.startswith(needle, start)]
            )
        return self._found[needle]

    def _find_rarest(self, needle: str) -> tuple[int, list[int]]:
        """Of its lines the one that is there least often, and where."""
        best: tuple[int, list[int]] = (0, self._spots[needle[0]] if needle else [0] * (FEW + 1))
        for offset, letter in enumerate(needle):
            spots = self._spots[letter]
            if len(spots) < len(best[1]):
                best = offset, spots
        return best

    @cached_property
    def _spots(self) -> dict[str, list[int]]:
        """Where each line stands that some hunk speaks of."""
        spots: dict[str, list[int]] = {letter: [] for letter in self._known.values()}
        for at, letter in enumerate(self._letters):
            if letter != OTHER:
                spots[letter].append(at)
        return spots

    def _find_each(self, needle: str) -> list[int]:
        """All of them or none: among the first few, one could seem to be the only one that fits."""
        found: list[int] = []
        self._budget.spend(CALL + len(self._letters))
        at = self._letters.find(needle)
        while at >= 0:
            found.append(at)
            self._budget.spend(CALL + SEARCHED * len(needle))
            at = self._letters.find(needle, at + 1)
        return found

    @cached_property
    def stripped(self) -> dict[bytes, list[int]]:
        """Where each line stands, without the blanks around it."""
        lines: dict[bytes, list[int]] = {}
        for number, text in enumerate(self._content.texts):
            lines.setdefault(text.strip(), []).append(number)
        return lines

    # -- what a hunk would leave --

    def find_result(self, asked: Asked, start: int | None) -> int | None:
        """Where the lines that it would leave stand already: where it says, around `start`, or anywhere.

        Where its old lines stand at the line that it says, what it leaves of them is no result."""
        if not asked.new or asked.hunk.numbers == "made":
            return None
        needle = self._spell(asked.new)
        if asked.has_right_numbers:
            is_before = bool(asked.old) and self._letters.startswith(self._spell(asked.old), asked.stated)
            for at in (asked.stated_after, asked.stated):
                if is_before and at == asked.stated:
                    continue
                if at >= 0 and self._letters.startswith(needle, at) and self._keeps_ends(asked, at):
                    return at
        if start is not None:
            return self._find_around(asked, needle, start)
        is_telling = _adds_word(asked) or _shows_around(asked)
        return next(iter(self.find_results(asked)), None) if is_telling else None

    def find_results(self, asked: Asked) -> list[int]:
        """Everywhere that the lines stand that it would leave."""
        found = self._find_all(self._spell(asked.new))
        is_right = asked.has_right_numbers
        if is_right and asked.begins_file:
            found = keep_only(found, 0)
        if (is_right and asked.ends_file) or asked.hunk.at_end:
            found = keep_only(found, len(self._content) - len(asked.new))
        return found

    def is_certain(self, asked: Asked, at: int) -> bool:
        """Whether a result there cannot be by chance: it is where the hunk says, or has lines around it."""
        is_stated = asked.has_right_numbers and at in (asked.stated, asked.stated_after)
        return is_stated or (asked.has_context and _adds_word(asked))

    def _keeps_ends(self, asked: Asked, at: int) -> bool:
        """Without right numbers, a result away from the ends of the file is one too."""
        is_right = asked.has_right_numbers
        if is_right and asked.begins_file and at:
            return False
        is_last = (is_right and asked.ends_file) or asked.hunk.at_end
        return not is_last or at + len(asked.new) == len(self._content)

    def _find_around(self, asked: Asked, needle: str, start: int) -> int | None:
        """Across the place, but not in it: lines that only go would else always have gone."""
        if not asked.old:  # at the end of the file
            return start - len(needle) if self._letters.endswith(needle) else None
        end, size = start + len(asked.old), len(needle)
        before = self._letters.find(needle, max(start - size + 1, 0), start - 1 + size) if start else -1
        after = self._letters.find(needle, max(end - size + 1, start), end - 1 + size)
        return next((at for at in (before, after) if at >= 0), None)

    def find_beside(self, asked: Asked, start: int) -> int | None:
        """Where a line stands that it adds, next to its place: on a side on which it shows none of the lines
        around, or where its own result would have room for it again, whatever was edited in there since, or
        between the lines that it shows around it."""
        texts = self._content.texts
        sides = [*self._open_sides(asked, start), *self._inner_sides(asked, start)]
        beside = next((at for added, near in sides for at in near if texts[at] in added), None)
        return self._find_between(asked, start) if beside is None else beside

    def _open_sides(self, asked: Asked, start: int) -> list[Side]:
        """By Git's rules, which need right numbers, nothing of the file would follow there."""
        if asked.has_right_numbers:
            return []
        end = start + len(asked.old)
        first, last = _outer(asked.hunk.lines), _outer(asked.hunk.lines[::-1])
        return [
            (first, self._near(start - len(first) - NEAR, start)),
            (last, self._near(end, end + len(last) + NEAR)),
        ]

    def _inner_sides(self, asked: Asked, start: int) -> list[Side]:
        """Where all its old lines stand in what it leaves, in a row: a blank line or a bracket that it adds
        is like the one after it."""
        old, new = self._spell(asked.old), self._spell(asked.new)
        if not old or old not in new or (asked.has_right_numbers and start == asked.stated):
            return []
        known, end = set(asked.old), start + len(old)
        added = {text for text in asked.new if text not in known and WORD.search(to_text(text))}
        before, after = new.rfind(old), len(new) - len(old) - new.find(old)
        return [
            (added, self._near(start - before - NEAR, start)),
            (added, self._near(end, end + after + NEAR)),
        ]

    def _find_between(self, asked: Asked, start: int) -> int | None:
        """Its context in order, with half of such lines or more where they would be: so its result reads once
        more lines were put into it, and then its old lines may stand in a row again."""
        if asked.has_right_numbers and start == asked.stated:
            return None
        end, reach = start + len(asked.old), len(asked.new) + NEAR
        near, texts = self._near(start - reach, end + reach), self._content.texts
        context = [to_bytes(line.text) for line in asked.hunk.lines if line.sign == " "]
        earliest = _follow(texts, near, context)
        latest = _follow(texts, near[::-1], context[::-1])[::-1]
        spots: dict[bytes, list[int]] = {
            to_bytes(line.text): [] for line in asked.hunk.lines if line.sign == "+"
        }
        for at in near:
            if texts[at] in spots and not start <= at < end:
                spots[texts[at]].append(at)
        found: list[int | None] = []  # of each added line
        shown = 0  # lines of its context before it
        for line in asked.hunk.lines:
            shown += line.sign == " "
            if line.sign != "+" or not WORD.search(line.text):
                continue
            few = spots[to_bytes(line.text)]
            first = bisect_right(few, earliest[shown])
            found.append(next((at for at in few[first : first + 1] if at < latest[shown]), None))
        there = [at for at in found if at is not None]
        return there[0] if there and 2 * len(there) >= len(found) else None

    def _near(self, start: int, end: int) -> range:
        return range(max(start, 0), min(end, len(self._content)))

    def is_blank(self, asked: Asked) -> bool:
        """Of lines that only go: no word in it, and no right number, tells them from others."""
        is_worded = any(WORD.search(line.text) for line in asked.hunk.lines)
        return not (is_worded or asked.has_right_numbers or _adds(asked))

    # -- why there is no place --

    def tell_difference(self, asked: Asked) -> DiffRefused:
        if not asked.old:
            return asked.refuse(
                "it only adds lines, and shows none of those around them. "
                "Ask for the diff again, with context."
            )
        missing = self._missing_anchor(asked)
        if missing is not None:
            return asked.refuse(f"its anchor {quoted(missing)} is not in the file.", advice=NEXT)
        if asked.hunk.at_end or says_last_line(asked):
            start = max(len(self._letters) - len(asked.old), 0)
            return self._tell_at(asked, start, "its lines are said to be the last of the file, but ")
        return self._tell_at(asked, self._likely_start(asked))

    def _tell_at(self, asked: Asked, start: int, before: str = "") -> DiffRefused:
        agreeing = self._agreeing(self._spell(asked.old), start)
        at, wanted = start + agreeing, asked.old[min(agreeing, len(asked.old) - 1)]
        if wanted.startswith(b"-- ") and _takes_header(asked, agreeing):
            return asked.refuse(
                "it has fewer lines than its numbers say, and the header of another file follows, "
                f"{quoted('-' + to_text(wanted))}. Ask for the diff again."
            )
        should = f"{before}line {at + 1} should be {quoted(to_text(wanted))}, and"
        if at >= len(self._content):
            return asked.refuse(f"{should} the file ends before it.", at + 1, advice=NEXT)
        found = self._content.texts[at]
        hint = " They differ only in white space." if squeezed(wanted) == squeezed(found) else ""
        remote = f"{should} is another."
        return asked.refuse(f"{should} is {quoted(to_text(found))}.{hint}", at + 1, remote, NEXT)

    def lacks_anchor(self, asked: Asked) -> bool:
        return self._missing_anchor(asked) is not None

    def _missing_anchor(self, asked: Asked) -> str | None:
        return next(
            (anchor for anchor in asked.hunk.anchors if to_bytes(anchor.strip()) not in self.stripped), None
        )

    def _likely_start(self, asked: Asked) -> int:
        """Where most of the hunk's beginning stands; of such places the one next to its stated line."""
        stated = min(max(asked.hunk.old_start - 1, 0), len(self._content))
        needle, starts = self._spell(asked.old), [stated]
        at = self._letters.find(needle[0])
        while at >= 0 and len(starts) < MAX_LOOKED_AT:
            starts.append(at)
            at = self._letters.find(needle[0], at + 1)
        best = max(starts, key=lambda start: (self._agreeing(needle, start), -abs(start - stated)))
        if asked.hunk.old_start or self._agreeing(needle, best):
            return best
        like = squeezed(asked.old[0])
        return next(
            (number for number, text in enumerate(self._content.texts) if squeezed(text) == like), best
        )

    def _agreeing(self, needle: str, start: int) -> int:
        """How many lines are there in a row."""
        low, high = 0, len(needle)
        while low < high:
            middle = (low + high + 1) // 2
            if self._letters.startswith(needle[:middle], start):
                low = middle
            else:
                high = middle - 1
        return low


def _follow(texts: Sequence[bytes], near: range, wanted: list[bytes]) -> list[int]:
    """Where the first of them is done, the first two, and so on, each as soon as can be; first of all none.

    Each of them is found, as the place of the hunk is among these lines."""
    found = [near.start - near.step]
    rest = iter(near)
    for text in wanted:
        found.append(next(at for at in rest if texts[at] == text))
    return found


def has_word(asked: Asked) -> bool:
    """In the lines that it would leave."""
    return any(WORD.search(line.text) for line in asked.hunk.lines if line.sign != "-")


def _adds_word(asked: Asked) -> bool:
    return any(line.sign == "+" and WORD.search(line.text) for line in asked.hunk.lines)


def _shows_around(asked: Asked) -> bool:
    """Lines with a word before and after what goes: without it they would not be next to each other."""
    before, after = (
        takewhile(lambda line: line.sign == " ", lines)
        for lines in (asked.hunk.lines, asked.hunk.lines[::-1])
    )
    return all(any(WORD.search(line.text) for line in side) for side in (before, after))


def _adds(asked: Asked) -> bool:
    return any(line.sign == "+" for line in asked.hunk.lines)


def _outer(lines: Sequence[HunkLine]) -> set[bytes]:
    """What is added before the first line that stays, where there is a word in it."""
    changed = takewhile(lambda line: line.sign != " ", lines)
    return {to_bytes(line.text) for line in changed if line.sign == "+" and WORD.search(line.text)}


def _takes_header(asked: Asked, number: int) -> bool:
    """Whether this line of the file, with the next of the hunk, is the header of another file."""
    old = [at for at, line in enumerate(asked.hunk.lines) if line.sign != "+"]
    after = asked.hunk.lines[old[number] + 1 :] if number < len(old) else ()
    return bool(after) and after[0].sign == "+" and after[0].text.startswith("++ ")


def squeezed(text: bytes) -> bytes:
    return b"".join(text.split())


def _letter(number: int) -> str:
    """Every code point but the halves of pairs."""
    return chr(number if number < SURROGATES else number + AFTER_SURROGATES - SURROGATES)
