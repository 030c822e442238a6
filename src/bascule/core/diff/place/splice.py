"""Hunks put into a file's lines: every byte that no hunk speaks of stays, and so do its line endings."""

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from msgspec.structs import replace

from bascule.core.diff.content import BOM, CRLF, LF, Content, to_bytes
from bascule.core.diff.place.asked import Asked, ask
from bascule.core.diff.place.budget import LINE, Budget
from bascule.core.diff.place.hunk_places import ALREADY, Placed, Places, place
from bascule.core.diff.place.plain import splice_plain
from bascule.core.diff.refusal import DiffRefused, MayBeApplied, refusal
from bascule.core.text.visible import quoted, visible
from bascule.model.edits import FileDiff, Hunk, HunkLine, Moved

UNCLEAR_CR = (
    "its last line ends without a newline, and nothing tells whether the carriage return at its end "
    "is the file's. Ask for the diff again, with the line endings of the file."
)
MAX_DOUBTFUL = 20  # hunks of a section that may fit their own result: all of it is placed again for each


class Spliced(NamedTuple):
    after: bytes
    moved: tuple[Moved, ...]


def splice(hunks: tuple[Hunk, ...], path: str, data: bytes) -> Spliced:
    """`path` is where the bytes are from. DiffRefused (by raising) where a hunk has no certain place."""
    if not hunks:
        return Spliced(data, ())
    plain = splice_plain(hunks, data)
    if plain is not None:
        spliced = Spliced(plain, ())
    else:
        spliced = _splice_read(hunks, path, data) if hunks[-1].extra else _splice(hunks, path, data)
    if spliced.after == data and hunks[0].numbers != "made":
        if all(map(_changes_nothing, hunks)):
            raise refusal(
                f"{visible(path)}: the diff changes nothing, because it adds the very lines that it removes. "
                "Ask for the diff again.",
                path,
            )
        raise refusal(f"{visible(path)}: {ALREADY}. Nothing is left to write.", path)
    return spliced


def _changes_nothing(hunk: Hunk) -> bool:
    sides = ([(line.text, line.ending) for line in hunk.lines if line.sign != sign] for sign in "+-")
    return next(sides) == next(sides)


def splice_all(sections: list[tuple[Hunk, ...]], path: str, data: bytes) -> bytes:
    """The hunks of several sections, all sought in the same bytes."""
    mark = BOM if data.startswith(BOM) else b""
    content = Content(data[len(mark) :])
    placed: list[Placed] = []
    for hunks in sections:
        placed += place(content, [ask(path, number, hunk) for number, hunk in enumerate(hunks, 1)]).placed
    placed.sort(key=lambda one: one.start)
    for before, after in pairwise(placed):
        if after.start < before.end:
            raise after.asked.refuse("it overlaps another part of the diff.")
    return mark + _join(content, placed)


def _splice_read(hunks: tuple[Hunk, ...], path: str, data: bytes) -> Spliced:
    """Either reading may fit what the other one leaves, and so be applied again."""
    spliced = _read_end(hunks, path, data)
    try:
        _read_end(hunks, path, spliced.after)
    except DiffRefused:
        return spliced
    raise refusal(_two_ends(path, len(hunks), hunks[-1]), path, hunk=len(hunks))


def _read_end(hunks: tuple[Hunk, ...], path: str, data: bytes) -> Spliced:
    """The last hunk ends where its counts say. Only where it fits nowhere so may it take in what follows, if
    that is doubted to be text, and lines of the file among it show that it is none."""
    spliced = _try(hunks, path, data)
    if isinstance(spliced, Spliced):
        _check_complete(hunks, path, data)
        return spliced
    if isinstance(spliced, MayBeApplied):
        raise spliced
    last = hunks[-1]
    long = (*hunks[:-1], replace(last, lines=last.lines + last.extra, extra=(), numbers="wrong"))
    other = _try(long, path, data) if _shows_lines(last.extra) else None
    if not isinstance(other, Spliced):
        raise spliced
    if not last.doubts_text:
        raise refusal(_two_ends(path, len(hunks), last), path, hunk=len(hunks))
    return other


def _try(hunks: tuple[Hunk, ...], path: str, data: bytes) -> Spliced | DiffRefused:
    try:
        return _splice(hunks, path, data)
    except DiffRefused as refused:
        return refused


def _shows_lines(lines: Iterable[HunkLine]) -> bool:
    return any(line.sign != "+" and line.text.strip() for line in lines)


def _check_complete(hunks: tuple[Hunk, ...], path: str, data: bytes) -> None:
    """Lines after a complete hunk are text, unless they change the file where it goes on the same way (in a
    Markdown block: change it at all), or the hunk has moved, or would stand elsewhere with the first of them
    that shows a line of the file."""
    asked = [ask(path, number, hunk) for number, hunk in enumerate(hunks, 1)]
    content = Content(data[len(_mark(asked, data)) :])
    last = next(one for one in place(content, asked).placed if one.asked.number == len(hunks))
    hunk, at = last.asked.hunk, last.end
    if _loses_changes(hunk) or last.start != last.asked.stated or _is_elsewhere(content, last):
        raise refusal(_two_ends(path, len(hunks), hunk), path, hunk=len(hunks))
    fitting: list[HunkLine] = []
    for line in hunk.extra:
        if line.sign != "+":
            if content.texts[at : at + 1] != [to_bytes(line.text)]:
                break
            at += 1
        fitting.append(line)
    signs = {line.sign for line in fitting}
    is_run = hunk.lines[-1].sign != " " and fitting[:1] and fitting[0].sign != " "
    if signs - {" "} and (is_run or signs >= {"-", "+"} or _shows_lines(fitting)):
        raise refusal(_two_ends(path, len(hunks), hunk), path, hunk=len(hunks))


def _loses_changes(hunk: Hunk) -> bool:
    return hunk.doubts_text and any(line.sign != " " for line in hunk.extra)


def _is_elsewhere(content: Content, last: Placed) -> bool:
    """Whether, with the next line that it shows, it fits the file, and not where it is without."""
    shown = next((line for line in last.asked.hunk.extra if line.sign != "+"), None)
    if shown is None:
        return False
    text = to_bytes(shown.text)
    if content.texts[last.end : last.end + 1] == [text]:
        return False
    wanted = b"\n".join([b"", *last.asked.old, text, b""])
    return wanted in b"\n".join([b"", *content.texts, b""])  # one search, however long the two are


def _two_ends(path: str, number: int, hunk: Hunk) -> str:
    return (
        f"{visible(path)}, hunk {number} is complete by its numbers, and {quoted(_written(hunk.extra[0]))} "
        "after it may be part of it. Ask for the diff again, with right numbers or a blank line after "
        "the hunk."
    )


def _written(line: HunkLine) -> str:
    return line.sign + line.text


def _splice(hunks: tuple[Hunk, ...], path: str, data: bytes) -> Spliced:
    asked = [ask(path, number, hunk) for number, hunk in enumerate(hunks, 1)]
    mark = _mark(asked, data)
    content = Content(data[len(mark) :])
    budget = Budget(path)
    places = place(content, asked, budget)
    after = _join(content, places.placed)
    if not _tells_once(content, places):
        _check_once(asked, after, budget)
    _check_each_once(content, asked, places.placed, budget)
    moved = tuple(
        Moved(one.asked.number, one.start + 1 - one.asked.hunk.old_start)
        for one in places.placed
        if one.asked.old and one.asked.hunk.old_start not in (0, one.start + 1)
    )
    return Spliced(mark + after if after else b"", moved)


def _tells_once(content: Content, places: Places) -> bool:
    """Whether the first hunk cannot fit its own result at the line that it says."""
    first = places.placed[0]
    if first.asked.hunk.numbers == "made":
        return True
    size = len(first.asked.old)
    result = [*first.asked.new, *content.texts[first.end : first.end + size]][:size]
    return places.is_as_stated and result != first.asked.old


def _check_once(asked: list[Asked], after: bytes, budget: Budget) -> None:
    """What could be applied again to its own result cannot be distinguished from what already is."""
    content = Content(after)
    try:
        placed = place(content, asked, budget).placed
    except DiffRefused:
        return
    if _join(content, placed) != after:
        raise _fits_again(asked[0])


def _check_each_once(content: Content, asked: list[Asked], placed: list[Placed], budget: Budget) -> None:
    """The same of each hunk that is not where right numbers say: it may be the only one that is applied."""
    doubtful = [one for one in placed if len(asked) > 1 and _may_fit_again(content, one)]
    if len(doubtful) > MAX_DOUBTFUL:
        raise _fits_again(doubtful[MAX_DOUBTFUL].asked)
    for one in doubtful:
        budget.spend(LINE * len(content))
        half = _join(content, [one])
        try:
            _check_once(asked, half, budget)
        except DiffRefused as refused:
            raise _fits_again(one.asked) from refused


def _may_fit_again(content: Content, placed: Placed) -> bool:
    """Whether its lines stand around what it leaves. Where it leaves as many or more than it found, its
    result is seen from there."""
    asked, texts = placed.asked, content.texts
    fewer = len(asked.old) - len(asked.new)
    is_stated = asked.has_right_numbers and placed.start == asked.stated
    if is_stated or asked.hunk.numbers == "made" or fewer <= 0:
        return False
    around = [*texts[max(placed.start - fewer, 0) : placed.start], *asked.new]
    around += texts[placed.end : placed.end + fewer]
    return b"\n".join([b"", *asked.old, b""]) in b"\n".join([b"", *around, b""])


def _fits_again(asked: Asked) -> DiffRefused:
    return asked.refuse(
        "it fits its own result again, so nothing tells whether it is already applied. "
        "Ask for the diff again, with more context."
    )


def make_new(file: FileDiff, *, drops_cr: bool = False) -> bytes:
    """The bytes of a file that consists of added lines.

    `drops_cr`: what ends the lines of a diff that came with CRLF is known not to be the files'."""
    lines = [line for hunk in file.hunks for line in hunk.lines]
    stray = next((number for number, line in enumerate(lines, 1) if line.sign != "+"), None)
    early = next((number for number, line in enumerate(lines[:-1], 1) if line.ending == ""), None)
    if stray or early:
        what = "is not added" if stray else "is said to end the file, and does not"
        raise refusal(
            f"{visible(file.path)} is a new file, and its line {stray or early} {what}. "
            "Ask for the diff again.",
            file.path,
            line=stray or early,
        )
    last = file.hunks[-1] if file.hunks else None
    if last is not None and last.extra and (last.extra[0].sign == "+" or _loses_changes(last)):
        raise refusal(_two_ends(file.path, len(file.hunks), last), file.path, hunk=len(file.hunks))
    return with_endings(
        file, to_bytes("".join([line.text + line.ending for line in lines])), drops_cr=drops_cr
    )


def with_endings(file: FileDiff, data: bytes, *, drops_cr: bool = False) -> bytes:
    """Of a file that was empty or not there: it gets the line endings of the diff."""
    if drops_cr or not file.hunks or not file.hunks[-1].is_crlf:
        return data
    if file.hunks[-1].lines[-1].ending == "":
        raise refusal(f"{visible(file.path)}, hunk {len(file.hunks)}: {UNCLEAR_CR}", file.path)
    return data.replace(LF, CRLF)


def _mark(asked: list[Asked], data: bytes) -> bytes:
    """The byte order mark that stays. Git shows it as part of the first line; models leave it out."""
    says_mark = any(text.startswith(BOM) for one in asked for text in (*one.old, *one.new))
    return BOM if data.startswith(BOM) and not says_mark else b""


def _join(content: Content, placed: list[Placed]) -> bytes:
    if content.is_plain and all(one.asked.is_plain for one in placed):
        return _join_plain(content, placed)
    return _Splicer(content, placed).join()


def _join_plain(content: Content, placed: list[Placed]) -> bytes:
    """Every line ends with a newline, except perhaps the last that is there."""
    lines: list[bytes] = []
    at = 0
    for one in placed:
        lines += content.texts[at : one.start]
        lines += one.asked.new
        at = one.end
    lines += content.texts[at:]
    is_kept = at < len(content) or (
        bool(placed[-1].asked.old) and placed[-1].asked.hunk.lines[-1].sign == " "
    )
    if lines and (not is_kept or content.endings[-1]):
        lines.append(b"")
    return b"\n".join(lines)


class _Splicer:
    def __init__(self, content: Content, placed: list[Placed]) -> None:
        self._content = content
        self._placed = placed
        self._usual = content.usual_ending
        self._is_verbatim = _speaks_endings(content, placed)
        self._texts: list[bytes] = []
        self._endings: list[bytes] = []
        self._last: tuple[int, Asked] | None = None  # what a hunk says is the last line

    def join(self) -> bytes:
        at = 0
        for one in self._placed:
            self._keep(at, one.start)
            self._put(one)
            at = one.end
        self._keep(at, len(self._content))
        self._check_last()
        if b"" in self._endings[:-1]:  # it was the last line, and is not any more
            self._endings[self._endings.index(b"")] = self._usual
        return b"".join([part for line in zip(self._texts, self._endings, strict=True) for part in line])

    def _keep(self, start: int, end: int) -> None:
        self._texts += self._content.texts[start:end]
        self._endings += self._content.endings[start:end]

    def _put(self, one: Placed) -> None:
        at, gone = one.start, 0  # removed lines that no added one has replaced yet
        for line in one.asked.hunk.lines:
            match line.sign:
                case " ":
                    self._keep(at, at + 1)
                    at, gone = at + 1, 0
                case "-":
                    at, gone = at + 1, gone + 1
                    continue
                case "+":
                    self._check_carriage_return(one.asked, line)
                    self._texts.append(to_bytes(line.text))
                    self._endings.append(self._ending_for(line, at - max(gone, 1)))
                    gone -= gone > 0
            if line.ending == "":
                self._note_last(one.asked)

    def _ending_for(self, line: HunkLine, neighbour: int) -> bytes:
        if self._is_verbatim or line.ending == "":
            return line.ending.encode()
        near = min(max(neighbour, 0), len(self._content) - 1)
        return (self._content.endings[near] if near >= 0 else b"") or self._usual

    def _check_carriage_return(self, asked: Asked, line: HunkLine) -> None:
        """Before a line that no newline ends, a CR may be the file's or the diff's own."""
        is_foreign = asked.hunk.is_crlf and not self._content.is_plain
        if line.ending == "" and (is_foreign or (line.text.endswith("\r") and not self._is_verbatim)):
            raise asked.refuse(UNCLEAR_CR)

    def _note_last(self, asked: Asked) -> None:
        if self._last is None:
            self._last = len(self._texts), asked

    def _check_last(self) -> None:
        if self._last is not None and self._last[0] != len(self._texts):
            number, asked = self._last
            raise asked.refuse(
                f"it says that the file ends with line {number}, and the file goes on. "
                "Ask for the diff again, made from the file as it is.",
                number,
            )


def _speaks_endings(content: Content, placed: list[Placed]) -> bool:
    """Whether the diff has the file's own line endings, so that those of added lines count as written."""
    seen = False
    for one in placed:
        old = (line for line in one.asked.hunk.lines if line.sign != "+")
        for number, line in enumerate(old, one.start):
            ending = content.endings[number]
            if ending and ending != line.ending.encode():
                return False
            seen = True
    return seen or not all(_adds_plain(one.asked.hunk) for one in placed)


def _adds_plain(hunk: Hunk) -> bool:
    return all(line.ending.encode() == LF for line in hunk.lines if line.sign == "+")
