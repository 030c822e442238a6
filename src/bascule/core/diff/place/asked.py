"""A hunk as it is asked for: its lines before and after as bytes, and where it says that it belongs."""

import re
from typing import NamedTuple

from bascule.core.diff.content import to_bytes
from bascule.core.diff.refusal import DiffRefused, MayBeApplied, refusal
from bascule.core.text.visible import visible
from bascule.model.edits import Hunk

PLAIN = {"\n"}
WORD = re.compile(r"\w")


class Asked(NamedTuple):
    path: str
    number: int  # of the hunk in its file, from 1
    hunk: Hunk
    old: list[bytes]
    new: list[bytes]
    endings: set[str]  # of all its lines

    def refuse(self, why: str, line: int | None = None, remote: str = "", advice: str = "") -> DiffRefused:
        return refusal(
            why,
            self.path,
            where=f"{visible(self.path)}, hunk {self.number}: ",
            hunk=self.number,
            line=line,
            remote=remote,
            advice=advice,
        )

    def refuse_applied(self, why: str, line: int | None = None) -> MayBeApplied:
        return MayBeApplied(self.refuse(why, line).answer)

    @property
    def has_right_numbers(self) -> bool:
        """Then its line is believed: a hunk at line 1 begins the file."""
        return self.hunk.numbers == "right"

    @property
    def begins_file(self) -> bool:
        """With wrong counts, its line is believed where it shows no line before its change either."""
        hunk = self.hunk
        says_first = self.has_right_numbers or (hunk.numbers == "wrong" and hunk.lines[0].sign != " ")
        return says_first and hunk.old_start <= 1

    @property
    def ends_file(self) -> bool:
        """Whatever its counts: lines that go on after its change would be shown."""
        return self.hunk.numbers in ("right", "wrong") and self.hunk.lines[-1].sign != " "

    @property
    def stated(self) -> int:
        """The line, from 0, that its first line has by its own numbers; -1 where it has none."""
        return self.hunk.old_start - 1 if self.old else self.hunk.old_start

    @property
    def stated_after(self) -> int:
        return self.hunk.new_start - 1 if self.new else self.hunk.new_start

    @property
    def first_change(self) -> int:
        """How many lines it shows before it."""
        return next((at for at, line in enumerate(self.hunk.lines) if line.sign != " "), 0)

    @property
    def removes_first(self) -> bool:
        return self.hunk.lines[self.first_change].sign == "-"

    @property
    def first_word(self) -> int | None:
        """How many lines it shows before the first one with a word, if that is before its change."""
        before = enumerate(self.hunk.lines[: self.first_change])
        return next((at for at, line in before if WORD.search(line.text)), None)

    @property
    def has_context(self) -> bool:
        return any(line.sign == " " for line in self.hunk.lines)

    @property
    def speaks_of_end(self) -> bool:
        """It says of some line that no newline ends it."""
        return "" in self.endings

    @property
    def is_plain(self) -> bool:
        """A newline ends every line of it."""
        return self.endings == PLAIN


def ask(path: str, number: int, hunk: Hunk) -> Asked:
    lines = hunk.lines
    joined = "\n".join([line.text for line in lines])  # to encode it once: no text holds a newline
    texts = to_bytes(joined).split(b"\n") if lines else []
    old = [text for text, line in zip(texts, lines, strict=True) if line.sign != "+"]
    new = [text for text, line in zip(texts, lines, strict=True) if line.sign != "-"]
    return Asked(path, number, hunk, old, new, {line.ending for line in lines})


def says_last_line(asked: Asked) -> bool:
    """It says that an old line is the last, and lacks a newline."""
    if not asked.speaks_of_end:
        return False
    old = [line for line in asked.hunk.lines if line.sign != "+"]
    unended = [number for number, line in enumerate(old, 1) if line.ending == ""]
    if unended and unended != [len(old)]:
        raise asked.refuse("it goes on after a line that ends the file. Ask for the diff again.")
    return bool(unended)
