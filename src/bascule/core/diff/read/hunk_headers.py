"""The line above a hunk: its numbers, as far as they can be read, and its heading."""

import re
from typing import NamedTuple

NUMBERS = re.compile(
    r"@@\s+-([0-9]{1,9})(?:,([0-9]{1,9}))?\s+\+([0-9]{1,9})(?:,([0-9]{1,9}))?(?:\s*@@\s?(.*))?\s*$"
)
PLAIN_NUMBERS = re.compile(r"@@ -([0-9]{1,9})(?:,([0-9]{1,9}))? \+([0-9]{1,9})(?:,([0-9]{1,9}))? @@ ?(.*)$")
ODD_NUMBERS = re.compile(r"@@[\s0-9.,+\-…]*@@\s*(?=[^\s@])(.*)$")  # that say nothing, and then a heading


class HunkHeader(NamedTuple):
    old_start: int = 0
    new_start: int = 0
    counts: tuple[int, int] | None = None  # lines before and after
    section: str = ""


def is_hunk_header(line: str) -> bool:
    return line.startswith("@@") and not line.startswith("@@@")


def parse_hunk_header(line: str) -> HunkHeader:
    match = NUMBERS.match(line)
    if match is None:
        odd = ODD_NUMBERS.match(line)
        return HunkHeader(section=(odd[1] if odd is not None else line).strip("@ \r"))
    old, old_count, new, new_count, section = match.groups()
    counts = int(old_count or 1), int(new_count or 1)
    return HunkHeader(int(old), int(new), counts, (section or "").rstrip("\r"))
