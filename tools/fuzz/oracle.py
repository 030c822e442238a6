"""Whether what Bascule writes and Git refuses is one of the differences that the guide lists."""

import re
from collections.abc import Iterator
from itertools import product

from tools.fuzz.git_judge import Case, Judge, Tree


def documented(case: Case, mine: Tree, git: Judge) -> str | None:
    """What Git writes once counts, fences and line endings are out of the way."""
    bare = re.sub(r"(?m)^(```|~~~)\w*\n", "", case.as_git or case.text)
    if git.apply(case.before, bare, "--recount") == mine:
        return "as Git with --recount"
    plain = bare.replace("\r\n", "\n").removeprefix("\ufeff")
    for keeps_mark, text in product((True, False), variants(plain)):
        before, result = (_all_plain(tree, keeps_mark=keeps_mark) for tree in (case.before, mine))
        for options in (("--recount",), ("--recount", "-p0")):
            made = git.apply(before, text, *options)
            if made is not None and _all_plain(made, keeps_mark=keeps_mark) == result:
                return "as Git but for line endings, blank lines, prefixes and counts"
        if only_place(text, before) == result:
            return "the only place"
    return None


def variants(text: str) -> Iterator[str]:
    """Without what the guide says may be left out: marks, notes of a missing newline, blank lines."""
    removals = (r"(?m)(?<=^[-+ ])\ufeff", r"(?m)^[-+ ]?\\? ?No newline at end of file\n", r"(?m)^\n(?=@@)")
    for chosen in range(1 << len(removals)):
        made = text
        for bit, pattern in enumerate(removals):
            made = re.sub(pattern, "", made) if chosen >> bit & 1 else made
        yield made


def _all_plain(tree: Tree, *, keeps_mark: bool) -> Tree:
    mark = b"" if keeps_mark else b"\xef\xbb\xbf"
    return {path: (_plain(data.removeprefix(mark)), runs) for path, (data, runs) in tree.items()}


def only_place(text: str, before: Tree) -> Tree | None:
    """Hunks by their lines alone, each where it fits and nowhere else in their order; None if not certain."""
    after = dict(before)
    for part in re.split(r"(?m)^(?=diff --git )", text)[1:]:
        head, *hunks = re.split(r"(?m)^(?=@@)", part)
        said = dict(re.findall(r"(?m)^(---|\+\+\+|\w+ from|\w+ to|\w+(?: file)? mode) (.*)", head))
        same = re.match(r'diff --git "?a/(.*?)"? "?b/\1"?$', head.partition("\n")[0])
        named = f'"{same[1]}"' if same and "\\" in same[1] else same and same[1]
        moved_from = said.get("rename from", said.get("copy from", named))
        moved_to = said.get("rename to", said.get("copy to", named))
        source = _name(said["---"], "a/") if "---" in said else _name(moved_from)
        target = _name(said["+++"], "b/") if "+++" in said else _name(moved_to)
        if not hunks and "deleted file mode" in said and same:
            after.pop(str(_name(named)), None)
            continue
        if not hunks and "new file mode" in said and same:
            after[str(_name(named))] = b"", said["new file mode"] == "100755"
            continue
        if source in before and target is None and len(hunks) == 1:
            if not _place(before[source][0], hunks):
                after.pop(source)
            continue
        if source is None or target is None or source not in before:
            if target is None or said.get("---") != "/dev/null" or len(hunks) != 1:
                return None
            lines = hunks[0].split("\n")[1:-1]
            data = "".join(f"{line[1:]}\n" for line in lines if line[:1] != "\\").encode()
            after[target] = data, said.get("new file mode") == "100755"
            continue
        placed = _place(before[source][0], hunks)
        if placed is None:
            return None
        if "rename from" in said:
            after.pop(source)
        after[target] = (
            _plain(placed),
            said["new mode"] == "100755" if "new mode" in said else before[source][1],
        )
    return after


def _name(written: str | None, prefix: str = "") -> str | None:
    if written is None or written == "/dev/null":
        return None
    if written.startswith('"'):
        raw = re.sub(rb"\\(\d{3})", lambda match: bytes([int(match[1], 8)]), written[1:-1].encode())
        written = raw.replace(b'\\"', b'"').decode("utf-8", "surrogateescape")
    return written.removeprefix(prefix)


def _place(data: bytes, hunks: list[str]) -> bytes | None:
    text = data.decode("utf-8", "surrogateescape")
    lines = text.removesuffix("\n").split("\n") if text else []
    sides = [_sides(hunk) for hunk in hunks]
    rows: list[tuple[int, ...]] = [()]
    for (old, new), hunk in zip(sides, hunks, strict=True):
        spots = [at for at in range(len(lines)) if old and lines[at : at + len(old)] == old]
        spots = spots if old or data else [0]
        stated = re.match(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@", hunk)
        if stated and [int(count or 1) for count in stated.groups()[1:]] == [len(old), len(new)]:
            spots = [int(stated[1]) - 1] if int(stated[1]) - 1 in spots else spots
        if re.search(r"(?m)^[- ].*\n\\", hunk):  # the last line of the file is among them
            spots = [at for at in spots if at + len(old) == len(lines)]
        rows = [(*row, at) for row in rows for at in spots if _is_after(row, at, sides)]
        if len(rows) > 100:
            return None
    if len(rows) != 1:
        return None
    for at, (old, new) in reversed(list(zip(rows[0], sides, strict=True))):
        lines[at : at + len(old)] = new
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")


def _is_after(row: tuple[int, ...], at: int, sides: list[tuple[list[str], list[str]]]) -> bool:
    return not row or at >= row[-1] + len(sides[len(row) - 1][0])


def _sides(hunk: str) -> tuple[list[str], list[str]]:
    lines = [line for line in hunk.rstrip("\n").split("\n")[1:] if not line.startswith("\\")]
    return [line[1:] for line in lines if line[:1] != "+"], [line[1:] for line in lines if line[:1] != "-"]


def _plain(data: bytes) -> bytes:
    ended = data if not data or data.endswith(b"\n") else data + b"\n"
    return ended.replace(b"\r\n", b"\n")
