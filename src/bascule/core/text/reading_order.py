"""Letters that are written from right to left, spelt out where they would turn around what is beside them."""

import unicodedata

LEFTWARD = frozenset({"R", "AL"})  # Hebrew, Arabic and their like
FOLLOWS = frozenset({"NSM", "BN"})  # goes with the letter before it
NUMBERS = frozenset({"EN", "AN"})  # stand to the left of such letters that come before them


def keep_order(text: str) -> str:
    """Each line as it is, or with those letters as `<U+05D0>`: `cat A > B` may not be drawn as `cat B < A`.

    One such word alone moves nothing, and stays readable."""
    if text.isascii():
        return text
    return "\n".join(_spelt(line) if _is_turned(line) else line for line in text.split("\n"))


def _is_turned(line: str) -> bool:
    """Whether such a letter is followed by another or by a number, with no other letter in between.

    Terminals and dialogs that know both directions draw all of that from right to left."""
    is_after = is_apart = False  # after such a letter; and something else has come since
    for kind in map(unicodedata.bidirectional, line):
        if is_after and (kind in NUMBERS or (kind in LEFTWARD and is_apart)):
            return True
        if kind in LEFTWARD:
            is_after, is_apart = True, False
        elif kind == "L":
            is_after = False
        elif kind not in FOLLOWS:
            is_apart = True
    return False


def _spelt(line: str) -> str:
    return "".join(
        f"<U+{ord(char):04X}>" if unicodedata.bidirectional(char) in LEFTWARD else char for char in line
    )
