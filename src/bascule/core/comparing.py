"""Two contents compared for a person: the lines of a unified diff, made from the bytes themselves."""

from collections.abc import Iterator
from difflib import SequenceMatcher

from bascule.core.diff.visible import visible

CONTEXT = 3  # lines around a change
MAX_COMPARED = 4_000  # lines in which the smallest difference is looked for; more are shown as replaced
NO_END = "\\ No newline at end of file"

Code = tuple[str, int, int, int, int]


def compare(before: bytes | None, after: bytes | None) -> Iterator[str]:
    """`@@`, ` `, `-` and `+` lines. What cannot be seen is spelt, and so is a CR that comes or goes."""
    old, new = _lines(before), _lines(after)
    for group in _groups(old, new):
        yield _header(group)
        for tag, old_from, old_to, new_from, new_to in group:
            if tag == "equal":
                yield from (" " + _shown(line.removesuffix(b"\r\n")) for line in old[old_from:old_to])
            else:
                yield from _signed("-", old[old_from:old_to])
                yield from _signed("+", new[new_from:new_to])


def count_changes(before: bytes | None, after: bytes | None) -> tuple[int, int]:
    """Lines that come and lines that go."""
    signs = [line[0] for line in compare(before, after)]
    return signs.count("+"), signs.count("-")


def _lines(data: bytes | None) -> list[bytes]:
    """With their ends."""
    *ended, last = (data or b"").split(b"\n")
    return [line + b"\n" for line in ended] + ([last] if last else [])


def _groups(old: list[bytes], new: list[bytes]) -> Iterator[list[Code]]:
    """What is the same at both ends is left out first: most edits are small, and the search is not cheap."""
    start = _common(old, new)
    if start == len(old) == len(new):
        return
    end = _common(old[start:][::-1], new[start:][::-1])
    first, last = max(0, start - CONTEXT), max(0, end - CONTEXT)
    old, new = old[first : len(old) - last], new[first : len(new) - last]
    if max(len(old), len(new)) > MAX_COMPARED:
        yield [("replace", first, first + len(old), first, first + len(new))]
        return
    for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(CONTEXT):
        yield [(tag, a + first, b + first, c + first, d + first) for tag, a, b, c, d in group]


def _common(one: list[bytes], other: list[bytes]) -> int:
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _header(group: list[Code]) -> str:
    (_, old_from, _, new_from, _), (_, _, old_to, _, new_to) = group[0], group[-1]
    return f"@@ -{_span(old_from, old_to)} +{_span(new_from, new_to)} @@"


def _span(start: int, end: int) -> str:
    return f"{start if start == end else start + 1},{end - start}"


def _signed(sign: str, lines: list[bytes]) -> Iterator[str]:
    for line in lines:
        yield sign + _shown(line.removesuffix(b"\n"))
        if not line.endswith(b"\n"):
            yield NO_END


def _shown(line: bytes) -> str:
    return visible(line.removesuffix(b"\n").decode("utf-8", "surrogateescape"), keep="\t")
