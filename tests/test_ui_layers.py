"""The page's modules: imports run one way, files stay small and say what they are, nothing makes HTML."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "ui" / "src"
VSCODE = SOURCE.parents[1] / "vscode" / "src"
MAX_LINES = 300
MAX_MODULES = 14
# Each row may import what stands above it, and itself.
LAYERS = (
    {"model.gen", "limits.gen", "never", "i18n", "theme", "icons"},
    {"host", "fold", "link"},
    {"state"},
    {"text"},
    {"frame", "diff"},
    {"files", "blocks"},
    {"asks"},
    {"header", "log", "composer", "review", "settings", "devices", "welcome", "panes"},
    {"home"},
    {"palette"},
    {"app_texts", "session_view", "session_part", "home_view", "overlays", "app"},
    {"main", "operator", "chat"},
)
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
WITHIN = LEVEL["app"]  # the parts of the layout know each other
IMPORT = re.compile(r"""(?:from|import)\s*\(?\s*["'](\.[^"']+)["']""")
MAKES_HTML = re.compile(
    r"\.(innerHTML|outerHTML)\s*=|insertAdjacentHTML|document\.write|\beval\(|new Function\("
)
NO_MODULE = re.compile(r"\.(gen|test|d)\.|test_room|happy_dom")

FILES = sorted(path for path in SOURCE.rglob("*.ts*") if not path.name.endswith(".gen.ts"))
OURS = [path for path in FILES if ".test." not in path.name]


def part_of(path: Path) -> str:
    parts = path.relative_to(SOURCE).parts
    return parts[0] if len(parts) > 1 else parts[0].removesuffix(".tsx").removesuffix(".ts")


def imports(path: Path) -> Iterator[str]:
    for found in IMPORT.findall(path.read_text(encoding="utf-8")):
        if not found.endswith(".css"):
            yield part_of((path.parent / found).resolve())


def test_there_is_something_to_look_at() -> None:
    assert {part_of(path) for path in OURS} <= set(LEVEL)
    assert len(OURS) > 100


@pytest.mark.parametrize("path", OURS, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_run_one_way(path: Path) -> None:
    part = part_of(path)
    for other in imports(path):
        lower = LEVEL[other] < LEVEL[part]
        assert lower or other == part or LEVEL[other] == LEVEL[part] == WITHIN, f"{part} imports {other}"


def test_files_are_small_and_say_what_they_are() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in FILES}
    assert [str(path) for path, text in texts.items() if text.count("\n") > MAX_LINES] == []
    assert [str(path) for path in OURS if not texts[path].startswith("// ")] == []


def test_nothing_makes_html_of_a_string() -> None:
    made = [path for path in OURS if MAKES_HTML.search(path.read_text(encoding="utf-8"))]
    assert [str(path.relative_to(SOURCE)) for path in made] == []


@pytest.mark.parametrize("sources", [SOURCE, VSCODE], ids=["ui", "vscode"])
def test_a_room_holds_no_more_modules_than_can_be_seen_at_once(sources: Path) -> None:
    modules = [path for path in sources.rglob("*.ts*") if not NO_MODULE.search(path.name)]
    rooms = Counter(path.parent.relative_to(sources).as_posix() for path in modules)
    assert {room: n for room, n in rooms.items() if n > MAX_MODULES} == {}


def test_the_readme_lists_every_room_and_no_other() -> None:
    readme = (SOURCE.parent / "README.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| `(\w+/(?:\w+/)?)` \|", readme, re.MULTILINE))
    folders = {path.parent.relative_to(SOURCE).as_posix() + "/" for path in OURS} - {"./"}
    assert listed == folders


TYPE = re.compile(r"^(?:export )?(?:abstract )?(?:class|interface|type|enum) (\w+)", re.MULTILINE)


@pytest.mark.parametrize("sources", [SOURCE, VSCODE], ids=["ui", "vscode"])
def test_no_type_name_is_used_twice(sources: Path) -> None:
    """Those of messages are generated, and may be narrowed where they are used."""
    files = [path for path in sources.rglob("*.ts*") if not NO_MODULE.search(path.name)]
    named = [(name, path.name) for path in files for name in TYPE.findall(path.read_text(encoding="utf-8"))]
    times = Counter(name for name, _ in named)
    assert sorted((name, path) for name, path in named if times[name] > 1) == []
