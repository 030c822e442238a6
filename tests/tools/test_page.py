"""The build of the page: made from these very files, once, and part of the package."""

import gzip
import subprocess
from pathlib import Path

import pytest

from tools import page


def test_the_page_that_is_served_was_built_from_these_sources() -> None:
    """`make test` builds it first; a page of yesterday would make every test of it worthless."""
    assert page.STAMP.read_text(encoding="utf-8") == page.digest_sources()


def test_what_is_packed_is_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "PAGE", tmp_path)
    (tmp_path / "assets").mkdir()
    for name in ("index.html", "assets/a.js", "assets/a.css", "icon.svg", ".built-from"):
        (tmp_path / name).write_text(name * 100)
    page.pack()
    packed = {
        path.relative_to(tmp_path).as_posix(): gzip.decompress(path.read_bytes()).decode()
        for path in tmp_path.rglob("*.gz")
    }
    assert packed == {f"{name}.gz": name * 100 for name in ("index.html", "assets/a.js", "assets/a.css")}


def test_nothing_is_built_twice() -> None:
    assert page.build() is False


def test_every_file_that_counts_changes_the_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "index.html",
        "package.json",
        "package-lock.json",
        "vite.config.ts",
        "vite.operator.config.ts",
        "operator/index.html",
        "src/a.ts",
        "public/i.svg",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    monkeypatch.setattr(page, "UI", tmp_path)
    seen = {page.digest_sources()}
    for path in list(page.sources()):
        path.write_text("y")
        seen.add(page.digest_sources())
    (tmp_path / "src" / "b.ts").write_text("x")
    seen.add(page.digest_sources())
    assert len(seen) == 10


def test_the_lock_pins_every_package_by_its_digest() -> None:
    import json

    lock = json.loads((page.UI / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert len(packages) > 50
    assert [name for name, package in packages.items() if not package.get("integrity")] == []
    assert [name for name, package in packages.items() if "resolved" in package] == []  # no registry by name


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["node", "node_modules/vitest/vitest.mjs", "run"], "vitest found problems (see above)."),
        (
            ["npm", "install"],
            "npm could not install its packages (see above). Is the npm registry reachable?",
        ),
        (["npm", "exec", "vsce"], "npm found problems (see above)."),
    ],
)
def test_a_failure_names_the_tool_and_blames_the_registry_for_an_install_only(
    argv: list[str], said: str
) -> None:
    assert page.explain(subprocess.CalledProcessError(1, argv)) == said
