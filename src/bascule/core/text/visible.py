"""Text made visible: what a person could not see, or what would reorder what they see, is spelt out."""

import unicodedata

MAX_SHOWN = 120  # characters of a line in a sentence

# Drawn as nothing, though Unicode counts them as letters or marks.
IGNORABLE = frozenset(
    map(
        chr,
        (
            # Unicode's Default_Ignorable_Code_Point, beyond the categories below.
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2065, 0x3164, 0xFFA0),
            *range(0x180B, 0x1810),
            *range(0xFE00, 0xFE10),
            *range(0xFFF0, 0xFFF9),
            *range(0xE0000, 0xE1000),
            # Blanks, fillers and joiners that it leaves out: Braille, Tifinagh, Brahmi, Zanabazar, Soyombo,
            # Khitan, music and SignWriting.
            *(0x2800, 0x2D7F, 0x1107F, 0x11A47, 0x11A99, 0x16FE4, 0x1D159, 0x1DA7F, 0x1DA80),
        ),
    )
)
# Controls, format characters (bidi, zero-width), half of a pair, line and paragraph separators.
HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


SPACES = " \u3000"  # the only two that are seen as what they are


def is_hidden(char: str) -> bool:
    category = unicodedata.category(char)
    return char in IGNORABLE or category in HIDDEN_CATEGORIES or (category == "Zs" and char not in SPACES)


def visible(text: str, keep: str = "") -> str:
    """The text with every hidden character as an escape; those in `keep` stay."""
    if text.isascii() and _without(text, keep).isprintable():
        return text
    hidden = {ord(char): _escaped(char) for char in set(text) if is_hidden(char) and char not in keep}
    return text.translate(hidden) if hidden else text


def _without(text: str, chars: str) -> str:
    for char in chars:
        text = text.replace(char, "")
    return text


def _escaped(char: str) -> str:
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"  # a byte that is no UTF-8
    named = {"\t": "\\t", "\r": "\\r", "\n": "\\n"}.get(char)
    return named or (
        f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    )


def quoted(text: str) -> str:
    """A line for a sentence: in quotes, so that blanks at its ends are seen, and shortened."""
    shown = visible(text[: MAX_SHOWN + 1])
    return f'"{shown[:MAX_SHOWN]}…"' if len(shown) > MAX_SHOWN else f'"{shown}"'
