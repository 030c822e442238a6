"""Headings and anchors: the line above a hunk, and how far what it begins reaches."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from itertools import takewhile

# A class or a function, in the languages that people write; any other line above a hunk has no known end.
OPENS = re.compile(
    rb"(export\s+|default\s+|pub(\([a-z]+\))?\s+|public\s+|private\s+|protected\s+|internal\s+|static\s+"
    rb"|abstract\s+|final\s+|virtual\s+|override\s+|async\s+|unsafe\s+|const\s+|inline\s+|extern\s+)*"
    rb"(class|def|fn|func|function|fun|sub|struct|interface|enum|trait|impl|module|namespace|protocol|object"
    rb"|record|type)\b"
    rb"|(?!(return|if|for|while|switch|else|elif|with|yield|await|raise|throw|assert|new|delete|import|from)\b)"
    rb"[A-Za-z_][\w:<>,*&\[\]\s]*[\s*&][~\w:]+\s*\([^;]*$"  # int main(int argc, char **argv)
)
# In lines that end with a bracket: `async render(props) {`, `const render = (props) => {`.
OPENS_BRACKET = re.compile(
    rb"(?!(return|if|for|while|switch|catch|else|do|try|with|yield|await|throw|new|delete|import)\b)"
    rb"((async|static|get|set|public|private|protected|override|readonly|export|const|let|var)\s+|\*\s*)*"
    rb"[#$\w.]+\s*(\(|<|[=:].*(=>|\bfunc(tion)?\b))"
)
# Only as an anchor: what any line with a bracket at its end begins, `Foo::Foo(int a)`, and `foo()` above a {.
OPENS_BLOCK = re.compile(rb"(?![\])}]).*\{(\s*\|[^|]*\||[^{}]*->)?$")
CONSTRUCTOR = re.compile(rb"([\w:<>]+::)?(\w+)(<[^>]*>)?::~?\2\s*\([^;]*$")
SIGNATURE = re.compile(rb"(?!(if|for|while|switch|catch|return)\b)[~$\w:.<>-]+\s*\([^;{}]*\)$")
BRANCH = re.compile(rb"(return|if|for|while|switch|catch|else|do|try|with|yield|await|throw)\b")
# At the same indentation these go on with what was begun: brackets, labels, branches, comments.
GOES_ON = re.compile(
    rb"[\])}({#/*;,|&.?:+\-=<>\"'`]|\w+:\s*$|(else|elif|except|finally|catch|case|default|rescue|ensure|end"
    rb"|then|do|where|begin|in)\b"
)
GOES_ON_AFTER_COLON = re.compile(rb"[\])}{#/*\"'`]")  # in Python: there a label is `try:`
CLOSES = re.compile(rb"\}|end\b")
CLOSES_OUTER = re.compile(rb"[\])}]|end\b")  # indented less: of what is around it
GOES_ON_CLOSED = re.compile(rb"[\])};,]|\.\w+\(|(else|elif|catch|finally|rescue|ensure|end)\b")
MAX_LOOKED_AT = 400  # bytes of a line


def indent_of(text: bytes) -> int:
    stripped = text.lstrip(b" \t")
    return len(text[: len(text) - len(stripped)].expandtabs())


def find_end(
    texts: Sequence[bytes],
    at: int,
    *,
    first: int | None = None,
    most: int | None = None,
    only_openings: bool = False,
) -> int:
    """The line after the last that belongs to what line `at` begins; `most` where that is unknown.

    `first`: nothing before this line ends it, as was seen before.
    `only_openings`: nothing but another class or function ends it, as in what stands after the second @@."""
    most = len(texts) if most is None else most
    if not (_opens(texts[at]) if only_openings else _begins_block(texts, at)):
        return most
    indent = indent_of(texts[at])
    goes_on = GOES_ON_AFTER_COLON if texts[at].rstrip().endswith(b":") else GOES_ON
    for number in range(at + 1 if first is None else first, most):
        stripped, depth = texts[number].strip(), indent_of(texts[number])
        if not stripped or depth > indent:
            continue
        if _opens(stripped) or not (only_openings or goes_on.match(stripped)):
            return number
        if depth < indent and not only_openings and CLOSES_OUTER.match(stripped):
            return number
        if CLOSES.match(stripped):
            goes_on = GOES_ON_CLOSED
    return most


def _opens(text: bytes) -> bool:
    line = text.strip()[:MAX_LOOKED_AT]
    is_bracket = line.endswith(b"{") and OPENS_BRACKET.match(line) is not None
    return is_bracket or OPENS.match(line) is not None


def _begins_block(texts: Sequence[bytes], at: int) -> bool:
    line = texts[at].strip()[:MAX_LOOKED_AT]
    if _opens(line) or CONSTRUCTOR.match(line):
        return True
    if SIGNATURE.match(line):
        rest = map(texts.__getitem__, range(at + 1, len(texts)))
        below = next(filter(bytes.strip, rest), b"")
        return below.lstrip().startswith((b"{", b":"))
    return OPENS_BLOCK.match(line) is not None and BRANCH.match(line) is None


class Headings:
    """Where the headings of a diff stand in a file."""

    def __init__(self, texts: Sequence[bytes]) -> None:
        self._texts = texts
        self._found: dict[bytes, list[int]] = {}
        self._ends: dict[int, int] = {}  # of what a line begins, where that is known
        self._unended: dict[int, int] = {}  # how far nothing ends it
        self._plain_ends: dict[int, int] = {}  # the next line that is indented as little

    def is_above(self, heading: bytes, start: int, end: int) -> bool:
        """Whether it stands before these lines and reaches to them, or among them; or nowhere at all."""
        lines = self.find(heading)
        if not lines or self.is_among(heading, start, end):
            return True
        at = bisect_left(lines, start)
        return at > 0 and self._reaches(lines[at - 1], start)

    def is_among(self, heading: bytes, start: int, end: int) -> bool:
        """Models name what the hunk itself shows."""
        lines = self.find(heading)
        at = bisect_left(lines, start)
        return at < len(lines) and lines[at] < end

    def is_plainly_above(self, heading: bytes, start: int) -> bool:
        """As strictly as can be said of a line that begins no class or function: no other line that is
        indented as little stands between."""
        lines = self.find(heading)
        at = bisect_left(lines, start)
        if at == 0:
            return False
        line = lines[at - 1]
        if _opens(self._texts[line]):
            return self._reaches(line, start)
        return self._find_plain_end(line) >= start

    def _find_plain_end(self, line: int) -> int:
        if line not in self._plain_ends:
            indent, size = indent_of(self._texts[line]), len(self._texts)
            rest = ((at, self._texts[at]) for at in range(line + 1, size))
            found = (at for at, text in rest if text.strip() and indent_of(text) <= indent)
            self._plain_ends[line] = next(found, size)
        return self._plain_ends[line]

    def find(self, heading: bytes) -> list[int]:
        """Programs cut headings: lines that only begin with it count where none is all of it."""
        wanted = heading.strip()
        if wanted not in self._found:
            self._found[wanted] = (self._lines.get(wanted) or self._beginning(wanted)) if wanted else []
        return self._found[wanted]

    def _beginning(self, wanted: bytes) -> list[int]:
        texts = self._sorted
        begin = bisect_left(texts, wanted)
        rest = map(texts.__getitem__, range(begin, len(texts)))
        found = takewhile(lambda text: text.startswith(wanted), rest)
        return sorted(number for text in found for number in self._lines[text])

    def _reaches(self, line: int, start: int) -> bool:
        """Every line of the file is looked at once for it, however many hunks stand under it."""
        if line in self._ends:
            return self._ends[line] >= start
        seen = self._unended.get(line, line + 1)
        if seen >= start:
            return True
        end = find_end(self._texts, line, first=seen, most=start, only_openings=True)
        if end < start:
            self._ends[line] = end
        else:
            self._unended[line] = start
        return end >= start

    @cached_property
    def _lines(self) -> dict[bytes, list[int]]:
        """Of each text, without the blanks around it."""
        lines: dict[bytes, list[int]] = {}
        for number, text in enumerate(self._texts):
            lines.setdefault(text.strip(), []).append(number)
        return lines

    @cached_property
    def _sorted(self) -> list[bytes]:
        return sorted(self._lines)
