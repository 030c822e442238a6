"""The reference pages, written from the tables they describe; `--check` says whether they are fresh."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from bascule.core.settings import describe_right, show
from bascule.model.settings import TABLE, Setting, Value, Workspace

HERE = Path(__file__).parents[1] / "docs" / "reference"

MAY: dict[Workspace, str] = {"free": "yes", "tighten": "only tighter", "never": "no"}

SETTINGS_HEAD = """\
<!-- Written by tools/gen_reference.py from src/bascule/model/settings.py. Do not edit by hand. -->
# Settings

Your own settings are in `settings.toml` in the data folder (`bascule doctor` says where that is). A key's
first part is the table, the rest the name:

```toml
[codex]
command = "codex"
```

A workspace may set some of them in its `.vscode/settings.json`, with the whole key:

```json
{ "bascule.codex.sandbox": "read-only" }
```

Defaults come first, then your file, then the workspace. A workspace can never name a program to run, and
can never loosen what you allow: where the table says *only tighter*, the choices are listed tightest first
and a workspace may only move to an earlier one. An unknown key or a bad value stops the start, with the
file and the line.

| key | default | what it is | it must be | a workspace may set it |
| --- | --- | --- | --- | --- |
"""


def show_default(value: Value) -> str:
    return show(value) if isinstance(value, str | int) else "[" + ", ".join(map(show, value)) + "]"


def write_row(row: Setting) -> str:
    cells = (
        f"`{row.shown}`",
        f"`{show_default(row.default)}`",
        row.doc,
        describe_right(row),
        MAY[row.workspace],
    )
    return f"| {' | '.join(cells)} |\n"


def write_settings() -> str:
    return SETTINGS_HEAD + "".join(map(write_row, TABLE.values()))


PAGES: dict[str, Callable[[], str]] = {"settings.md": write_settings}


def find_stale(folder: Path) -> list[str]:
    return [name for name, write in PAGES.items() if _read(folder / name) != write()]


def _read(page: Path) -> str:
    return page.read_text(encoding="utf-8") if page.exists() else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a page is stale")
    parser.add_argument("--into", type=Path, default=HERE, help="the folder of the pages")
    options = parser.parse_args()
    stale = find_stale(options.into)
    if options.check and stale:
        print(f"Stale: {', '.join(stale)}. Run tools/gen_reference.py.", file=sys.stderr)
        return 1
    for name in stale:
        (options.into / name).write_text(PAGES[name](), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
