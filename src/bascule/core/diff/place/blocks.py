"""Blocks: how far what a line begins reaches, a class, a function or anything in braces."""

import re
from collections.abc import Sequence

from bascule.core.diff.place.budget import LINE, LOOK, Budget

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
NEVER = 1 << 60  # the depth of a blank line: it ends nothing


def indent_of(text: bytes) -> int:
    stripped = text.lstrip(b" \t")
    return len(text[: len(text) - len(stripped)].expandtabs())


class Blocks:
    """The lines of a file. What is seen of a line is kept, as many blocks may be around it."""

    def __init__(self, texts: Sequence[bytes], budget: Budget) -> None:
        self._texts = texts
        self._budget = budget
        self._depths: list[int | None] = [None] * len(texts)
        self._known_openings: dict[int, bool] = {}

    def find_end(
        self, at: int, *, first: int | None = None, most: int | None = None, only_openings: bool = False
    ) -> int:
        """The line after the last that belongs to what line `at` begins; `most` where that is unknown.

        `first`: nothing before this line ends it, as was seen before.
        `only_openings`: nothing but another class or function ends it, as after the second @@."""
        most = len(self._texts) if most is None else most
        if not (self.opens(at) if only_openings else self._begins_block(at)):
            return most
        indent = self.depth(at)
        goes_on = GOES_ON_AFTER_COLON if self._texts[at].rstrip().endswith(b":") else GOES_ON
        for number in range(at + 1 if first is None else first, most):
            self._budget.spend(LINE)
            depth = self.depth(number)
            if depth > indent:
                continue
            self._budget.spend(LOOK)
            stripped = self._texts[number].strip()
            if self.opens(number) or not (only_openings or goes_on.match(stripped)):
                return number
            if depth < indent and not only_openings and CLOSES_OUTER.match(stripped):
                return number
            if CLOSES.match(stripped):
                goes_on = GOES_ON_CLOSED
        return most

    def find_next(self, at: int) -> int:
        """The next line that is indented as little."""
        indent, size = self.depth(at), len(self._texts)
        for number in range(at + 1, size):
            self._budget.spend(LINE)
            if self.depth(number) <= indent:
                return number
        return size

    def depth(self, number: int) -> int:
        depth = self._depths[number]
        if depth is None:
            text = self._texts[number]
            depth = self._depths[number] = indent_of(text) if text.strip() else NEVER
        return depth

    def opens(self, number: int) -> bool:
        if number not in self._known_openings:
            self._known_openings[number] = _opens(self._texts[number])
        return self._known_openings[number]

    def _begins_block(self, at: int) -> bool:
        line = self._texts[at].strip()[:MAX_LOOKED_AT]
        if self.opens(at) or CONSTRUCTOR.match(line):
            return True
        if SIGNATURE.match(line):
            rest = map(self._texts.__getitem__, range(at + 1, len(self._texts)))
            below = next(filter(bytes.strip, rest), b"")
            return below.lstrip().startswith((b"{", b":"))
        return OPENS_BLOCK.match(line) is not None and BRANCH.match(line) is None


def _opens(text: bytes) -> bool:
    line = text.strip()[:MAX_LOOKED_AT]
    is_bracket = line.endswith(b"{") and OPENS_BRACKET.match(line) is not None
    return is_bracket or OPENS.match(line) is not None
