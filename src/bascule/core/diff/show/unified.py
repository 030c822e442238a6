"""A unified diff, file by file: what a Changes block shows under each name."""

import re
from collections.abc import Iterator

from bascule.model.blocks import FileEdit

HUNK = re.compile(r"@@ -\d+(?:,(\d{1,9}))? \+\d+(?:,(\d{1,9}))? @@")
NO_NEWLINE = "\\ No newline at end of file"
NOWHERE = "/dev/null"


def split_files(unified: str) -> tuple[FileEdit, ...]:
    """One FileEdit per file of a `git diff`-like text, in its order; text that is no diff gives none."""
    return tuple(_read_file(section) for section in _sections(_lines(unified)))


def added(path: str, content: str) -> FileEdit:
    """A new file: Codex tells its content, not a diff."""
    return FileEdit(path=path, change="add", diff=_whole(content, "+"), additions=len(_lines(content)))


def deleted(path: str, content: str) -> FileEdit:
    return FileEdit(path=path, change="delete", diff=_whole(content, "-"), deletions=len(_lines(content)))


def updated(path: str, hunks: str, moved_to: str | None = None) -> FileEdit:
    additions, deletions = _count(_lines(hunks))
    return FileEdit(
        path=path, change="update", moved_to=moved_to, diff=hunks, additions=additions, deletions=deletions
    )


def _lines(text: str) -> list[str]:
    """Only a newline ends a line of a diff: a form feed or U+2028 is content."""
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _whole(content: str, sign: str) -> str:
    lines = _lines(content)
    if not lines:
        return ""
    span = f"-0,0 +1,{len(lines)}" if sign == "+" else f"-1,{len(lines)} +0,0"
    tail = [] if content.endswith("\n") else [NO_NEWLINE]
    return "\n".join([f"@@ {span} @@", *(sign + line for line in lines), *tail]) + "\n"


def _sections(lines: list[str]) -> Iterator[list[str]]:
    """Cut before each file's header, never inside a hunk: a deleted `-- x` looks like a header."""
    section: list[str] = []
    left = (0, 0)  # lines of the present hunk still to come, before and after
    for number, line in enumerate(lines):
        if left == (0, 0) and _starts_file(lines, number, section):
            if _is_file(section):
                yield section
            section = []
        section.append(line)
        left = _advance(left, line)
    if _is_file(section):
        yield section


def _starts_file(lines: list[str], number: int, section: list[str]) -> bool:
    line = lines[number]
    if line.startswith("diff --git "):
        return True
    follows = number + 1 < len(lines) and lines[number + 1].startswith("+++ ")
    return line.startswith("--- ") and follows and any(HUNK.match(earlier) for earlier in section)


def _is_file(section: list[str]) -> bool:
    return any(line.startswith(("diff --git ", "+++ ")) for line in section)


def _advance(left: tuple[int, int], line: str) -> tuple[int, int]:
    before, after = left
    if left == (0, 0):
        match = HUNK.match(line)
        return (int(match[1] or 1), int(match[2] or 1)) if match else left
    match line[:1]:
        case "+":
            return (before, max(0, after - 1))
        case "-":
            return (max(0, before - 1), after)
        case "\\":
            return left
        case _:
            return (max(0, before - 1), max(0, after - 1))


def _read_file(section: list[str]) -> FileEdit:
    start = next((i for i, line in enumerate(section) if line.startswith("@@")), len(section))
    header, hunks = section[:start], section[start:]
    old, new = _names(header)
    additions, deletions = _count(hunks)
    diff = "\n".join(hunks) + "\n" if hunks else ""
    if new == NOWHERE:
        return FileEdit(path=old, change="delete", diff=diff, deletions=deletions)
    if old == NOWHERE:
        return FileEdit(path=new, change="add", diff=diff, additions=additions)
    moved = new if new != old else None
    return FileEdit(
        path=old, change="update", moved_to=moved, diff=diff, additions=additions, deletions=deletions
    )


def _names(header: list[str]) -> tuple[str, str]:
    """Old and new name; `/dev/null` where there was or will be none."""
    found: dict[str, str] = {}
    for line in header:
        for prefix in ("--- ", "+++ ", "rename from ", "rename to ", "diff --git "):
            if line.startswith(prefix):
                found[prefix] = line[len(prefix) :]
    both = _git_names(found.get("diff --git ", ""))
    old = _plain(found.get("--- ", "")) or found.get("rename from ", "") or both[0]
    new = _plain(found.get("+++ ", "")) or found.get("rename to ", "") or both[1]
    if any(line.startswith("new file mode") for line in header):
        old = NOWHERE
    if any(line.startswith("deleted file mode") for line in header):
        new = NOWHERE
    return old, new


def _git_names(rest: str) -> tuple[str, str]:
    middle = rest.find(" b/")
    return (_plain(rest[:middle]), _plain(rest[middle + 1 :])) if middle > 0 else ("", "")


def _plain(name: str) -> str:
    name = name.partition("\t")[0].strip()
    if name.startswith('"') and name.endswith('"') and len(name) > 1:
        name = _unescape(name[1:-1])
    return name[2:] if name.startswith(("a/", "b/")) else name


def _unescape(name: str) -> str:
    """Git writes bytes outside ASCII as octal escapes."""
    octal = re.compile(rb"\\([0-7]{3})")
    raw = octal.sub(lambda m: bytes([int(m[1], 8) & 0xFF]), name.encode())
    return raw.decode("utf-8", "replace").replace('\\"', '"').replace("\\\\", "\\")


def _count(lines: list[str]) -> tuple[int, int]:
    additions = deletions = 0
    left = (0, 0)
    for line in lines:
        if left != (0, 0):
            additions += line.startswith("+")
            deletions += line.startswith("-")
        left = _advance(left, line)
    return additions, deletions
