"""Marks that shells and programs leave in a terminal's output: folder, prompt, command, title."""

import re
from typing import Literal, NamedTuple
from urllib.parse import unquote, urlsplit

MAX_MARK = 8192  # bytes of one; of a longer one nothing is read

MarkKind = Literal["folder", "prompt", "command", "started", "ended", "title"]

OSC = re.compile(rb"\x1b\]([0-9]{1,4})(?:;([^\x07\x1b]{0,8192}?))?(?:\x07|\x1b\\|\xc2\x9c)")
ESCAPED = re.compile(r"\\(?:x([0-9a-fA-F]{2})|\\)")
WINDOWS_PATH = re.compile(r"/[A-Za-z]:[\\/]")


class Mark(NamedTuple):
    kind: MarkKind
    text: str = ""  # of "ended" the exit code, where it is given
    nonce: str = ""  # of a prompt and a command: the word that only our own integration knows


class MarkReader:
    """`feed` the bytes in order, cut anywhere; each mark once, in order."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[Mark]:
        if not self._rest and b"\x1b" not in data:
            return []
        data = self._rest + data
        marks, at = [], 0
        for found in OSC.finditer(data):
            at = found.end()
            mark = parse_osc(int(found.group(1)), (found.group(2) or b"").decode("utf-8", "replace"))
            if mark is not None:
                marks.append(mark)
        self._rest = _find_unfinished(data, at)
        return marks


def _find_unfinished(data: bytes, at: int) -> bytes:
    begun = data.find(b"\x1b]", at)
    if begun < 0:
        return b"\x1b" if data.endswith(b"\x1b") else b""
    last = data.rfind(b"\x1b]", at)
    rest = data[last:]
    is_broken = len(rest) > MAX_MARK or b"\x1b" in rest[2:-1] or b"\x07" in rest
    return b"" if is_broken else rest


def parse_osc(number: int, text: str) -> Mark | None:
    match number:
        case 0 | 2:
            return Mark("title", text)
        case 7:
            return _parse_url(text)
        case 9:
            kind, _, path = text.partition(";")
            return Mark("folder", path.strip('"')) if kind == "9" and path else None
        case 133:
            return _parse_prompt(text)
        case 633:
            return _parse_vscode(text)
        case 1337:
            name, _, value = text.partition("=")
            return Mark("folder", value) if name == "CurrentDir" and value else None
        case _:
            return None


def _parse_url(text: str) -> Mark | None:
    """`file://host/path`; the host is not compared, because only the shell in front is believed."""
    try:
        url = urlsplit(text)
    except ValueError:
        return None
    path = unquote(url.path)
    if url.scheme != "file" or not path.startswith("/"):
        return None
    return Mark("folder", path[1:] if WINDOWS_PATH.match(path) else path)


def _parse_prompt(text: str) -> Mark | None:
    kind, _, rest = text.partition(";")
    match kind:
        case "A":
            aid = next((part[4:] for part in rest.split(";") if part.startswith("aid=")), "")
            return Mark("prompt", nonce=aid)
        case "C":
            return Mark("started")
        case "D":
            code = rest.partition(";")[0]
            return Mark("ended", code if code.lstrip("-").isdigit() else "")
        case _:
            return None


def _parse_vscode(text: str) -> Mark | None:
    """As 133, and besides the command line and the folder."""
    kind, _, rest = text.partition(";")
    match kind:
        case "E":
            line, _, nonce = rest.partition(";")
            return Mark("command", _unescape(line), nonce)
        case "P":
            name, _, value = rest.partition("=")
            return Mark("folder", _unescape(value)) if name == "Cwd" and value else None
        case _:
            return _parse_prompt(text)


def _unescape(text: str) -> str:
    r"""`\\` and `\x3b`, as the integrations write what would end the mark."""
    return ESCAPED.sub(lambda found: chr(int(found.group(1), 16)) if found.group(1) else "\\", text)
