"""Where the hunks of a file go: only where everything that the diff says fits, and fits at one place."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from bascule.core.diff.content import Content, to_bytes
from bascule.core.diff.place.asked import Asked, says_last_line
from bascule.core.diff.place.headings import Headings, find_end
from bascule.core.diff.place.repeats import check_repeats
from bascule.core.diff.place.search import HunkSearch, has_word
from bascule.core.diff.refusal import AGAIN, DiffRefused

MAX_NAMED = 5  # places that one sentence names
ALREADY = "This change is already applied"
MAYBE = "This change may be already applied"


class Placed(NamedTuple):
    start: int  # line, from 0
    asked: Asked

    @property
    def end(self) -> int:
        return self.start + len(self.asked.old)


class Places(NamedTuple):
    """Of all hunks, in the order of the file."""

    placed: list[Placed]
    is_as_stated: bool  # every one at the line that it says


def place(content: Content, asked: Sequence[Asked]) -> Places:
    """Refused (by raising) where it is not certain."""
    headings = Headings(content.texts)
    stated = _as_stated(content, asked, headings)
    places = Places(stated, True) if stated else Places(_Placing(content, asked, headings).place(), False)
    for one in places.placed:
        _check_last_newline(content, one)
    return places


def _as_stated(content: Content, asked: Sequence[Asked], headings: Headings) -> list[Placed] | None:
    """Every hunk at the line that it says, where nothing speaks against it."""
    placed: list[Placed] = []
    end = shift = 0
    texts = content.texts
    for one in sorted(asked, key=lambda one: one.hunk.old_start):
        hunk, start, size = one.hunk, one.stated, len(one.old)
        if hunk.numbers not in ("right", "made") or hunk.anchors or hunk.at_end or start < end:
            return None
        if texts[start : start + size] != one.old or (not size and not _is_after_end(content, start)):
            return None
        if hunk.numbers == "right":
            if one.stated_after != start + shift or (one.ends_file and start + size != len(content)):
                return None
            if hunk.section and not headings.is_above(to_bytes(hunk.section), start, start + size):
                return None
        if one.speaks_of_end and says_last_line(one) and start + size != len(content):
            return None
        placed.append(Placed(start, one))
        end, shift = start + size, shift + len(one.new) - size
    return placed


def _is_after_end(content: Content, start: int) -> bool:
    """Git holds lines without context that are said to be at line 1 to an empty file."""
    return start == len(content) and (not start or (start > 1 and content.endings[-1] != b""))


def _check_last_newline(content: Content, placed: Placed) -> None:
    """A hunk that speaks of the newline at the end of the file is held to it."""
    asked = placed.asked
    if not asked.old or placed.end != len(content):
        return
    if not asked.speaks_of_end:
        if content.endings[-1] == b"":
            _check_no_other(content, placed)
        return
    says_none = says_last_line(asked)
    if says_none == (content.endings[-1] == b""):
        return
    if _is_result(content, placed):
        raise _there_already(asked, placed.start)
    said, found = ("without a newline", "with one") if says_none else ("with a newline", "without one")
    raise asked.refuse(
        f"line {len(content)} is said to end {said}, and ends {found}. "
        "Ask for the diff again, made from the file as it is.",
        len(content),
    )


def _check_no_other(content: Content, placed: Placed) -> None:
    """At a last line without a newline, of which it says nothing: Git takes that line for another one, and
    the hunk to the next place where all its lines end with a newline."""
    asked = placed.asked
    if not asked.has_right_numbers or asked.begins_file or asked.ends_file:
        return
    above = b"\n".join([b"", *content.texts[:-1], b""])
    at = above.find(b"\n".join([b"", *asked.old, b""]))
    if at >= 0:
        line = above.count(b"\n", 0, at) + 1
        raise asked.refuse(
            f"its lines are at {_listed([line - 1, placed.start])}, where the last one has no newline, which "
            "it does not say. Ask for the diff again, made from the file as it is.",
            line,
        )


def _is_result(content: Content, placed: Placed) -> bool:
    """Of a change to the newline at the end: whether the file ends as it would leave it."""
    new = placed.asked.new
    leaves_none = any(line.sign != "-" and line.ending == "" for line in placed.asked.hunk.lines)
    is_there = bool(new) and content.texts[-len(new) :] == new
    return is_there and leaves_none == (content.endings[-1] == b"")


def _listed(spots: list[int]) -> str:
    named = [str(spot + 1) for spot in spots[:MAX_NAMED]]
    more = f" and {len(spots) - MAX_NAMED} more" if len(spots) > MAX_NAMED else ""
    others = ", ".join(named[:-1])
    return (f"line {others} and again at line {named[-1]}" if others else f"line {named[-1]}") + more


class _Placing:
    """All places of each hunk, and of them the only row that is in the hunks' order."""

    def __init__(self, content: Content, asked: Sequence[Asked], headings: Headings) -> None:
        self._content = content
        self._asked = asked
        self._headings = headings
        self._search = HunkSearch(content, asked)
        self._known_spans: dict[tuple[str, ...], list[tuple[int, int]]] = {}

    def place(self) -> list[Placed]:
        spots = [self._spots(one) for one in self._asked]
        check_repeats(self._asked)
        starts = [few[0] for few in spots] if all(len(few) == 1 for few in spots) else self._row(spots)
        placed = sorted(map(Placed, starts, self._asked), key=lambda one: (one.start, one.asked.number))
        self._check_apart(placed)
        for one in placed:
            self._check_ends(one)
            self._check_not_there(one)
        return placed

    # -- the places of one hunk --

    def _spots(self, asked: Asked) -> list[int]:
        if not asked.old:
            return [self._bare_spot(asked)]
        everywhere = self._search.places(asked)
        is_wrong = (
            asked.hunk.numbers == "wrong"
        )  # then an end of the file chooses no place: see `_check_ends`
        spots = self._kept_ends(asked, everywhere, believes=not is_wrong)
        if asked.hunk.anchors:
            spots = self._under_anchors(asked, spots, asked.first_change + asked.removes_first)
        elif asked.hunk.section and asked.hunk.numbers != "made":
            under = self._under_heading(asked, spots)
            if under and asked.has_right_numbers and asked.stated in spots and asked.stated not in under:
                raise self._contradiction(asked, under[0])
            spots = under
        if not spots:
            raise self._no_place(asked, everywhere)
        return spots

    def _check_ends(self, placed: Placed) -> None:
        if placed.asked.old and not self._keeps_ends(placed.asked, placed.start):
            raise self._no_place(placed.asked, [placed.start])

    def _bare_spot(self, asked: Asked) -> int:
        """Lines without any context: only the end of a file is certain."""
        hunk, size = asked.hunk, len(self._content)
        if size and self._is_done(asked):
            raise self._no_place(asked, [])
        if size and asked.has_right_numbers and not self._content.endings[-1]:
            raise asked.refuse(
                "it adds lines after the last one, which has no newline, and does not show that line. "
                "Ask for the diff again, with context.",
                size,
            )
        are_right = size > 1 and all(one.has_right_numbers for one in self._asked)
        is_stated = hunk.old_start == size and (hunk.numbers == "made" or are_right)
        is_alone = len(self._asked) == 1 or not asked.has_right_numbers  # else they speak of lines before it
        if (size == 0 and is_alone and not hunk.anchors) or hunk.at_end or is_stated:
            return size
        raise self._no_place(asked, [])

    def _keeps_ends(self, asked: Asked, start: int) -> bool:
        return bool(self._kept_ends(asked, [start], believes=True))

    def _kept_ends(self, asked: Asked, starts: list[int], *, believes: bool) -> list[int]:
        """`believes`: where it shows no line before or after its change, it begins or ends the file."""
        if believes and asked.begins_file:
            starts = [start for start in starts if start == 0]
        if asked.has_right_numbers and not asked.has_context:  # nothing else says where it belongs
            starts = [start for start in starts if start == asked.stated]
        if (believes and asked.ends_file) or asked.hunk.at_end or says_last_line(asked):
            last = len(self._content) - len(asked.old)
            starts = [start for start in starts if start == last]
        return starts

    def _under_anchors(self, asked: Asked, spots: list[int], reach: int) -> list[int]:
        """Those in the class or function that the last anchor begins, itself in that of the one before;
        `reach`: with so many lines, of which the last goes, or is followed by what is added."""
        spans = self._spans(asked.hunk.anchors)
        starts = [start for start, _ in spans]
        last = ((spot, *spans[bisect_right(starts, spot) - 1]) for spot in spots if spans)
        return [spot for spot, start, end in last if start <= spot < end and spot + reach <= end]

    def _spans(self, anchors: tuple[str, ...]) -> list[tuple[int, int]]:
        """The stretches of lines that the anchors lead to: the first line of each, and the line after it."""
        if not anchors:
            return [(0, len(self._content))]
        if anchors not in self._known_spans:
            lines = self._search.stripped.get(to_bytes(anchors[-1].strip()), [])
            spans: list[tuple[int, int]] = []
            for start, end in self._spans(anchors[:-1]):
                for number in lines[bisect_left(lines, start) : bisect_left(lines, end)]:
                    if spans and number < spans[-1][1] == end:
                        continue  # all from there on is in already
                    reach = min(end, find_end(self._content.texts, number))
                    begin = number + 1
                    if spans and begin <= spans[-1][1]:
                        begin, reach = spans[-1][0], max(spans.pop()[1], reach)
                    spans.append((begin, reach))
            self._known_spans[anchors] = spans
        return self._known_spans[anchors]

    def _under_heading(self, asked: Asked, spots: list[int]) -> list[int]:
        """A heading whose end is unknown excludes what is before it; to choose, it must plainly be above."""
        heading, size = to_bytes(asked.hunk.section), len(asked.old)
        under = [start for start in spots if self._headings.is_above(heading, start, start + size)]
        if len(under) == len(spots) or not under or not self._headings.find(heading):
            return under
        is_among = [start for start in under if self._headings.is_among(heading, start, start + size)]
        plain = [start for start in under if self._headings.is_plainly_above(heading, start)]
        return is_among or plain or spots

    # -- several places --

    def _row(self, spots: list[list[int]]) -> list[int]:
        """One for each hunk, in their order: if the first such row is not the last, it is a guess."""
        if not self._is_in_order():
            raise next(self._ambiguous(*one) for one in zip(self._asked, spots, strict=True) if one[1][1:])
        first, last = self._first_row(spots), self._last_row(spots)
        for asked, left, right, few in zip(self._asked, first, last, spots, strict=True):
            if left != right:
                raise self._ambiguous(asked, [spot for spot in few if left <= spot <= right])
            if asked.has_right_numbers and asked.stated in few and asked.stated != left:
                raise self._pushed(asked, left)
        return first

    def _is_in_order(self) -> bool:
        starts = [one.hunk.old_start for one in self._asked if one.hunk.old_start]
        return starts == sorted(starts)

    def _first_row(self, spots: list[list[int]]) -> list[int]:
        row, end = [], 0
        for asked, few in zip(self._asked, spots, strict=True):
            at = bisect_left(few, end)
            if at == len(few):
                raise self._ambiguous(asked, few)
            row.append(few[at])
            end = few[at] + len(asked.old)
        return row

    def _last_row(self, spots: list[list[int]]) -> list[int]:
        row, end = [], len(self._content)
        for asked, few in zip(reversed(self._asked), reversed(spots), strict=True):
            at = bisect_right(few, end - len(asked.old)) - 1
            if at < 0:
                raise self._ambiguous(asked, few)
            row.append(few[at])
            end = few[at]
        return row[::-1]

    @staticmethod
    def _pushed(asked: Asked, start: int) -> DiffRefused:
        return asked.refuse(
            f"its lines stand where its numbers say, at line {asked.stated + 1}, but then another hunk has "
            f"no place, unless this one goes to line {start + 1}. "
            "Ask for the diff again, made from the file as it is.",
            asked.stated + 1,
        )

    @staticmethod
    def _contradiction(asked: Asked, start: int) -> DiffRefused:
        return asked.refuse(
            f"by its numbers it belongs at line {asked.stated + 1}, and by its heading at line {start + 1}. "
            "Ask for the diff again, made from the file as it is.",
            asked.stated + 1,
        )

    def _ambiguous(self, asked: Asked, spots: list[int]) -> DiffRefused:
        if len(spots) == 1:
            return asked.refuse(
                f"its lines stand at line {spots[0] + 1}, which is not in the order of the hunks. "
                "Ask for the diff again, with its hunks in the order of the file.",
                spots[0] + 1,
            )
        return asked.refuse(
            f"its lines are at {_listed(spots)}, and nothing says which one to "
            "change. Ask for the diff again, with more context.",
            spots[0] + 1,
        )

    @staticmethod
    def _check_apart(placed: list[Placed]) -> None:
        for before, after in pairwise(placed):
            if after.start < before.end:
                raise after.asked.refuse(
                    f"it overlaps hunk {before.asked.number} at line {after.start + 1}. "
                    "Ask for the diff again, with the two as one hunk.",
                    after.start + 1,
                )

    # -- a change that is there already --

    def _check_not_there(self, placed: Placed) -> None:
        """Found elsewhere than it says, with what it would leave already there: it was applied before."""
        asked = placed.asked
        if asked.hunk.numbers == "made" or not asked.new:
            return
        if self._search.is_blank(asked):
            raise asked.refuse_applied(
                f"{MAYBE}: it only removes lines, has no right line numbers, and shows no line with a word. "
                "Ask for the diff again, with more context.",
                placed.start + 1,
            )
        at = self._search.find_result(asked, placed.start)
        if at is not None:
            raise _there_already(asked, at)
        beside = self._search.find_beside(asked, placed.start)
        elsewhere = self._results(asked, placed) if beside is None else [beside]
        if elsewhere:
            what = "its result is" if beside is None else "a line that it adds is"
            raise asked.refuse_applied(
                f"{MAYBE}: its lines are at line {placed.start + 1}, and {what} at "
                f"{_listed(elsewhere)}. Ask for the diff again, with more context or right line numbers.",
                elsewhere[0] + 1,
            )

    def _results(self, asked: Asked, placed: Placed) -> list[int]:
        """Where, apart from its place, what it would leave stands: it may be what it was made for."""
        if asked.has_right_numbers and placed.start == asked.stated and not has_word(asked):
            return []  # where it says; such lines are everywhere
        found = [
            at
            for at in self._search.find_results(asked)
            if at + len(asked.new) <= placed.start or at >= placed.end
        ]
        if asked.hunk.anchors:
            return self._under_anchors(asked, found, asked.first_change)
        return self._under_heading(asked, found) if asked.hunk.section else found

    def _is_done(self, asked: Asked) -> bool:
        """Of a hunk that fills an empty file, or empties a full one: whether the file is as it leaves it."""
        is_whole = asked.begins_file and asked.ends_file and not (asked.old and asked.new)
        return is_whole and len(self._asked) == 1 and self._content.texts == asked.new

    def _no_place(self, asked: Asked, everywhere: list[int]) -> DiffRefused:
        if self._is_done(asked):
            return asked.refuse_applied(f"{ALREADY}. The file is as the diff leaves it.")
        at = self._search.find_result(asked, None)
        if at is not None:
            what = ALREADY if self._search.is_certain(asked, at) else MAYBE
            return _there_already(asked, at, what)
        if not everywhere or asked.hunk.at_end or says_last_line(asked) or self._search.lacks_anchor(asked):
            return self._search.tell_difference(asked)
        return asked.refuse(self._why_not(asked, everywhere), everywhere[0] + 1)

    def _why_not(self, asked: Asked, everywhere: list[int]) -> str:
        found = f"its lines stand at line {everywhere[0] + 1}"
        if asked.hunk.anchors:
            changed, anchor = everywhere[0] + asked.first_change + 1, asked.hunk.anchors[-1]
            return f'its change is at line {changed}, which is not in what "{anchor}" begins. {AGAIN}'
        if asked.begins_file and everywhere[0]:
            return f"{found}, and by its numbers it begins the file. Ask for the diff again."
        if asked.has_right_numbers and not asked.has_context and asked.stated not in everywhere:
            return (
                f"{found}, not where its numbers say, and it shows no line around its change. "
                "Ask for the diff again, with three lines of context."
            )
        if not any(self._keeps_ends(asked, start) for start in everywhere):
            return (
                f"{found}, but it shows none after its change, so it ends the file, and the file goes on. "
                "Ask for the diff again, with three lines of context."
            )
        return (
            f"{found}, which is not under its heading. Ask for the diff again, made from the file as it is."
        )


def _there_already(asked: Asked, at: int, what: str = ALREADY) -> DiffRefused:
    why = f"{what}: its result is at line {at + 1}. If that is what it should do, leave the hunk out."
    return asked.refuse_applied(why, at + 1)
