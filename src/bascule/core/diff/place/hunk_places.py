"""Where the hunks of a file go: only where everything that the diff says fits, and fits at one place."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from bascule.core.diff.content import Content, to_bytes
from bascule.core.diff.place.anchors import Anchors
from bascule.core.diff.place.asked import Asked, says_last_line
from bascule.core.diff.place.blocks import Blocks
from bascule.core.diff.place.budget import Budget
from bascule.core.diff.place.chosen import has, keep_only
from bascule.core.diff.place.headings import Headings
from bascule.core.diff.place.repeats import check_repeats
from bascule.core.diff.place.rows import find_row, listed
from bascule.core.diff.place.search import HunkSearch, has_word
from bascule.core.diff.refusal import AGAIN, DiffRefused

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


def place(content: Content, asked: Sequence[Asked], budget: Budget | None = None) -> Places:
    """Refused (by raising) where it is not certain. `budget`: what is left of one that others have used."""
    places = _place(content, asked, budget or Budget(asked[0].path if asked else ""))
    for one in places.placed:
        _check_last_newline(content, one)
    return places


def _place(content: Content, asked: Sequence[Asked], budget: Budget) -> Places:
    blocks = Blocks(content.texts, budget)
    headings = Headings(content.texts, blocks, budget)
    stated = _as_stated(content, asked, headings)
    if stated:
        return Places(stated, True)
    search = HunkSearch(content, asked, budget)
    anchors = Anchors(len(content), search, blocks, budget)
    return Places(_Placing(content, asked, search, headings, anchors).place(), False)


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
            if hunk.section and not headings.is_above(to_bytes(hunk.section), start, size):
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
            f"its lines are at {listed([line - 1, placed.start])}, where the last one has no newline, which "
            "it does not say. Ask for the diff again, made from the file as it is.",
            line,
        )


def _is_result(content: Content, placed: Placed) -> bool:
    """Of a change to the newline at the end: whether the file ends as it would leave it."""
    new = placed.asked.new
    leaves_none = any(line.sign != "-" and line.ending == "" for line in placed.asked.hunk.lines)
    is_there = bool(new) and content.texts[-len(new) :] == new
    return is_there and leaves_none == (content.endings[-1] == b"")


class _Placing:
    """All places of each hunk, and of them the only row that is in the hunks' order."""

    def __init__(
        self,
        content: Content,
        asked: Sequence[Asked],
        search: HunkSearch,
        headings: Headings,
        anchors: Anchors,
    ) -> None:
        self._content = content
        self._asked = asked
        self._search = search
        self._headings = headings
        self._anchors = anchors
        self._chosen: dict[object, list[int]] = {}  # of hunks that look alike

    def place(self) -> list[Placed]:
        spots = [self._spots(one) for one in self._asked]
        check_repeats(self._asked)
        starts = find_row(self._asked, spots, len(self._content))
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
        if asked.hunk.anchors or (asked.hunk.section and asked.hunk.numbers != "made"):
            spots = self._under(asked, spots, is_everywhere=spots is everywhere)
        if not spots:
            raise self._no_place(asked, everywhere)
        return spots

    def _under(self, asked: Asked, spots: list[int], *, is_everywhere: bool) -> list[int]:
        """Those that its anchors or its heading choose: once for all hunks that look alike."""
        hunk = asked.hunk
        key = (tuple(asked.old), hunk.anchors, hunk.section, asked.first_change, asked.removes_first)
        known = self._chosen.get(key) if is_everywhere else None
        under = known
        if under is None:
            under = self._choose(asked, spots, is_only=is_everywhere and len(spots) == 1)
        if is_everywhere:
            self._chosen[key] = under
        is_stated = asked.has_right_numbers and not hunk.anchors and has(spots, asked.stated)
        if under and is_stated and not has(under, asked.stated):
            raise self._contradiction(asked, under[0])
        return under

    def _choose(self, asked: Asked, spots: list[int], *, is_only: bool) -> list[int]:
        anchors = asked.hunk.anchors
        if not anchors:
            return self._headings.choose(to_bytes(asked.hunk.section), spots, len(asked.old))
        under = self._anchors.choose(anchors, spots, asked.first_change + asked.removes_first)
        if not under and is_only and asked.first_word is not None:  # it goes on from there, and nowhere else
            return self._anchors.choose(anchors, spots, asked.first_word + 1)
        return under

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
            starts = keep_only(starts, 0)
        if asked.has_right_numbers and not asked.has_context:  # nothing else says where it belongs
            starts = keep_only(starts, asked.stated)
        if (believes and asked.ends_file) or asked.hunk.at_end or says_last_line(asked):
            starts = keep_only(starts, len(self._content) - len(asked.old))
        return starts

    @staticmethod
    def _contradiction(asked: Asked, start: int) -> DiffRefused:
        return asked.refuse(
            f"by its numbers it belongs at line {asked.stated + 1}, and by its heading at line {start + 1}. "
            "Ask for the diff again, made from the file as it is.",
            asked.stated + 1,
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
                f"{listed(elsewhere)}. Ask for the diff again, with more context or right line numbers.",
                elsewhere[0] + 1,
            )

    def _results(self, asked: Asked, placed: Placed) -> list[int]:
        """Where, apart from its place, what it would leave stands: it may be what it was made for."""
        if asked.has_right_numbers and placed.start == asked.stated and not has_word(asked):
            return []  # where it says; such lines are everywhere
        everywhere = self._search.find_results(asked)
        found = everywhere[: bisect_right(everywhere, placed.start - len(asked.new))]
        found += everywhere[bisect_left(everywhere, placed.end) :]
        if asked.hunk.anchors:
            return self._anchors.choose(asked.hunk.anchors, found, asked.first_change)
        section = to_bytes(asked.hunk.section)
        return self._headings.choose(section, found, len(asked.old)) if section else found

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
