"""Renames a test, or moves a file of tests, also wherever docs/conformance.md names it.

Usage: python tools/rename_test.py tests/a.py::test_old test_new
       python tools/rename_test.py tests/a.py tests/b.py
"""

import re
import sys
from pathlib import Path

HERE = Path(__file__).parents[1]
PAGE = Path("docs/conformance.md")


def rename_test(root: Path, file: str, old: str, new: str) -> int:
    """How often the page named it."""
    path = root / file
    text, renamed = re.subn(rf"\bdef {old}\(", f"def {new}(", path.read_text(encoding="utf-8"))
    if renamed != 1 or text.count(f"def {new}(") != 1:
        raise ValueError(f"{file} must have one {old} and no {new}.")
    path.write_text(text, encoding="utf-8")
    return _rename_in_page(root, f"{file}::{old}", f"{file}::{new}")


def move_file(root: Path, old: str, new: str) -> int:
    """How often the page named it."""
    if not (root / old).exists() or (root / new).exists():
        raise ValueError(f"There must be a file {old} and none at {new}.")
    (root / new).parent.mkdir(parents=True, exist_ok=True)
    (root / old).rename(root / new)
    return _rename_in_page(root, old, new)


def _rename_in_page(root: Path, old: str, new: str) -> int:
    page = root / PAGE
    text, count = re.subn(rf"(?<![\w/]){re.escape(old)}(?!\w)", new, page.read_text(encoding="utf-8"))
    page.write_text(text, encoding="utf-8")
    return count


def main(words: list[str]) -> int:
    if len(words) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    file, _, old = words[0].partition("::")
    try:
        count = rename_test(HERE, file, old, words[1]) if old else move_file(HERE, file, words[1])
    except (OSError, ValueError) as fault:
        print(fault, file=sys.stderr)
        return 1
    print(f"Renamed, also {count} times in {PAGE}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
