"""The page's components and functions: none is longer than a screen or two."""

from pathlib import Path

SOURCES = Path(__file__).parents[1] / "ui" / "src"
MOST = 100  # lines


def lengths(path: Path) -> dict[str, int]:
    """Of each function at the top of a file: it ends with the next brace at the margin that opens no body."""
    found: dict[str, int] = {}
    name, begun = "", 0
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        words = line.removeprefix("export ").removeprefix("default ").removeprefix("async ")
        if words.startswith("function "):
            name, begun = words.split("(")[0].removeprefix("function ").split("<")[0], number
        elif name and line.startswith("}") and not line.endswith("{"):
            found[name] = number - begun + 1
            name = ""
    return found


def test_what_shows_more_than_one_thing_is_split() -> None:
    files = [path for path in SOURCES.rglob("*.ts*") if ".test." not in path.name]
    every = {f"{path.relative_to(SOURCES)} {name}": n for path in files for name, n in lengths(path).items()}
    assert len(every) > 500, "the functions were found"
    assert {name: length for name, length in every.items() if length > MOST} == {}
