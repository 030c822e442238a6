"""Paths that may be written: plain names below the workspace, meaning one file on every system."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache

from bascule.core.text.visible import is_hidden, visible
from bascule.model.edits import EditRefused

MAX_PATH = 4_096  # bytes
MAX_NAME = 255  # bytes of one part; no usual file system takes more

DRIVE = re.compile(r"[A-Za-z]:")
# Windows opens a device under these names, in every folder and with every ending.
DEVICE = re.compile(
    r"(con|prn|aux|nul|clock\$|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*([.:].*)?", re.IGNORECASE | re.DOTALL
)
# Most paths: nothing that any rule below speaks of.
PLAIN_PART = r"(?!(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:[./]|$))[a-z0-9_][a-z0-9_-]*(?:\.[a-z0-9_-]+)*"
PLAIN = re.compile(f"{PLAIN_PART}(?:/{PLAIN_PART})*", re.IGNORECASE | re.ASCII)
GIT_SHORT = re.compile(r"git~[0-9]+")  # the short name that NTFS may give to .git


def check_path(path: str) -> EditRefused | None:
    """None where it may be written; otherwise why not."""
    if len(path) < MAX_NAME and _is_plain(path):
        return None
    for is_wrong, why in WHOLE:
        if is_wrong(path):
            return _refusal(path, why)
    for part in path.split("/"):
        for is_wrong, why in PARTS:
            if is_wrong(part):
                return _refusal(path, why)
    return None


@lru_cache(16_384)
def _is_plain(path: str) -> bool:
    """Kept: the paths of a diff are checked when it is planned, and again at each step of writing it."""
    return PLAIN.fullmatch(path) is not None


def find_twins(paths: Iterable[str]) -> tuple[str, str] | None:
    """Two spellings that a system which ignores case, or how accents are encoded, takes for one file."""
    seen: dict[str, str] = {}
    for path in paths:
        other = seen.setdefault(fold_path(path), path)
        if other != path:
            return other, path
    return None


def find_nested(paths: Iterable[str]) -> tuple[str, str] | None:
    """A path that would be a file, and one that needs it as a folder."""
    files = {fold_path(path): path for path in paths}
    folders = {folded.rpartition("/")[0]: path for folded, path in files.items()}
    for folder, path in folders.items():
        end = len(folder)
        while end > 0:
            outer = files.get(folder[:end])
            if outer is not None:
                return outer, path
            end = folder.rfind("/", 0, end)
    return None


@lru_cache(16_384)
def fold_path(path: str) -> str:
    if path.isascii():
        return path.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", path).casefold())


def _refusal(path: str, why: str) -> EditRefused:
    shown = visible(path[:MAX_PATH])
    reason = f"{shown or 'a file without a name'} {why}"
    return EditRefused(why=f"Edit refused: {reason}", reason=reason, path=shown)


def _is_unspeakable(path: str) -> bool:
    """Names that are no UTF-8 come as halves of pairs."""
    return not path.isascii() and any("\ud800" <= char <= "\udfff" for char in path)


def _has_hidden(text: str) -> bool:
    if text.isascii():
        return not text.isprintable()
    return any(is_hidden(char) for char in text)


def is_git(part: str) -> bool:
    """Also as other file systems read it: in capitals, or with characters that they do not count."""
    if part.isascii() and not part.lower().startswith((".git", "git~")):
        return False
    seen = "".join(char for char in part if not is_hidden(char))
    name = unicodedata.normalize("NFKC", seen).casefold().partition(":")[0].rstrip(". ")
    return name == ".git" or GIT_SHORT.fullmatch(name) is not None


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


Rule = tuple[Callable[[str], bool], str]

RENAME = "Rename the file first, or use `git apply`."
INSIDE = "Name files relative to the workspace, with slashes."
WHOLE: tuple[Rule, ...] = (
    (lambda path: not path, f"cannot be written. {INSIDE}"),
    (lambda path: _size(path) > MAX_PATH, f"is longer than {MAX_PATH} bytes. Use a shorter path."),
    (lambda path: path.startswith(("//", "\\\\")), f"is on another machine. {INSIDE}"),
    (lambda path: path.startswith(("/", "\\")), f"is an absolute path. {INSIDE}"),
    (lambda path: DRIVE.match(path) is not None, f"begins with a drive. {INSIDE}"),
    (lambda path: path == "~" or path.startswith("~/"), f"is in the home folder. {INSIDE}"),
    (_is_unspeakable, "is no UTF-8. Rename the file first."),
)
PARTS: tuple[Rule, ...] = (
    (is_git, "belongs to Git itself. Use git to change it."),
    (_has_hidden, f"holds characters that cannot be seen, or that reorder what is. {RENAME}"),
    (
        lambda part: "\\" in part,
        f"holds a backslash. Name files with slashes. If it is in the name: {RENAME}",
    ),
    (lambda part: part == "..", f"leaves its folder. {INSIDE}"),
    (lambda part: part == "", f"has an empty part. {INSIDE}"),
    (lambda part: part == ".", f"has a part that is only a dot. {INSIDE}"),
    (lambda part: ":" in part, "holds a colon, which names a stream of a file on Windows. Use a plain name."),
    (
        lambda part: part[-1] in ". ",
        "has a part that ends with a dot or a blank, which Windows drops. Leave it out, or use another name.",
    ),
    (lambda part: DEVICE.fullmatch(part) is not None, "names a device on Windows. Use another name."),
    (lambda part: _size(part) > MAX_NAME, f"has a part of more than {MAX_NAME} bytes. Use a shorter name."),
)
