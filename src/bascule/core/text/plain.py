"""Text that is safe to print: no escape sequences, no control characters, nothing that hides its order."""

import re

ESCAPES = re.compile(
    r"""\x1b\[[0-?]*[ -/]*[@-~]            # CSI: colours, cursor, screen
      | \x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?  # OSC: titles, links, clipboard
      | \x1b[PX^_][^\x1b]*(?:\x1b\\)?       # DCS, SOS, PM, APC
      | \x1b[ -/]*[0-~]?                    # two-character escapes, and a lone ESC
      | \x9b[0-?]*[ -/]*[@-~]               # CSI in one character
    """,
    re.VERBOSE,
)
UNESCAPED = re.compile(rb"\x7f|\xc2[\x80-\x9f]")  # as UTF-8
KEPT = "\n\t"
REORDERING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
INVISIBLE = "\u200b\u2060\ufeff"
SHOWN = {ord(c): f"<U+{ord(c):04X}>" for c in REORDERING + INVISIBLE}
GONE = {code: None for code in [*range(0x20), *range(0x7F, 0xA0)] if chr(code) not in KEPT}


def plain(text: str) -> str:
    """What a terminal would obey is taken out; what would deceive a reader is made visible."""
    text = text.replace("\r\n", "\n")
    text = "\n".join(map(_last_written, text.split("\n"))) if "\r" in text else text
    return ESCAPES.sub("", text).translate(GONE).translate(SHOWN)


def _last_written(line: str) -> str:
    """A progress line rewrites itself."""
    return line.rstrip("\r").rpartition("\r")[2]


def escape_controls(json: bytes) -> bytes:
    """JSON for a terminal: it escapes the controls up to U+001F itself, and here those that are left."""
    return UNESCAPED.sub(lambda found: b"\\u%04x" % ord(found[0].decode()), json)


def plain_line(text: str) -> str:
    """For titles and names: one line."""
    return " ".join(plain(text).split())
