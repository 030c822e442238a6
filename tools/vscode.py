"""Builds, checks and packs the VS Code extension in vscode/; its page is the one that the daemon serves."""

import hashlib
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from tools import page

ROOT = Path(__file__).parents[1]
EXTENSION = ROOT / "vscode"
UI_MODULES = ROOT / "ui" / "node_modules"  # its TypeScript and biome check the extension too
VSCE = "@vscode/vsce@4.1.0"
PACKED = EXTENSION / "bascule.vsix"
STAMP = EXTENSION / "dist" / ".packed-from"  # a digest of every file that goes into it
OWN_KINDS = {".json", ".mjs", ".md"}
IGNORED = ".vscodeignore"  # what is left out of it
NOT_SHOWN = ("*.gz", ".built-from", "operator")  # the last is the relay's own page


def build() -> None:
    install()
    page.build()
    node("build.mjs")
    copied = EXTENSION / "page"
    shutil.rmtree(copied, ignore_errors=True)
    shutil.copytree(page.PAGE, copied, ignore=shutil.ignore_patterns(*NOT_SHOWN))
    shutil.copyfile(ROOT / "LICENSE", EXTENSION / "LICENSE")


def check() -> None:
    """Types, lint, format and unit tests."""
    install()
    page.install()
    node(str(UI_MODULES / "typescript" / "bin" / "tsc"), "--project", ".")
    node(biome(), "ci", "--colors=off", "--diagnostic-level=warn", ".")
    node("test.mjs")


def format_() -> None:
    page.install()
    node(biome(), "check", "--write", ".")


def pack() -> None:
    """A .vsix, without a look at any marketplace; once for the same files."""
    digest = digest_sources()
    if not (PACKED.exists() and STAMP.exists() and STAMP.read_text(encoding="utf-8") == digest):
        build()
        make_vsix()
        STAMP.write_text(digest, encoding="utf-8")
    size = PACKED.stat().st_size / 1024
    print(f"{PACKED.relative_to(ROOT)}: {size:.0f} KiB. code --install-extension {PACKED}")


def make_vsix() -> None:
    words = ["exec", "--yes", "--prefer-offline", f"--package={VSCE}", "--", "vsce", "package"]
    options = ["--no-dependencies", "--skip-license", "--allow-missing-repository"]
    page.call([*page.npm(), *words, *options, "--out", str(PACKED)], EXTENSION)


def digest_sources() -> str:
    """Of the page, which brings the code that both share, and of the extension's own files."""
    digest = hashlib.sha256(page.digest_sources().encode())
    for path in sources():
        digest.update(json.dumps(path.relative_to(ROOT).as_posix()).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def sources() -> Iterator[Path]:
    yield from (Path(__file__), ROOT / "LICENSE")
    yield from sorted(
        path for path in EXTENSION.iterdir() if path.suffix in OWN_KINDS or path.name == IGNORED
    )
    for folder in ("src", "media", "l10n"):
        yield from sorted(path for path in (EXTENSION / folder).rglob("*") if path.is_file())


def install() -> None:
    if not (EXTENSION / "node_modules" / "esbuild").exists():
        page.call([*page.npm(), *page.NPM_INSTALL], EXTENSION)


def node(*words: str) -> None:
    page.run(*words, folder=EXTENSION)


def biome() -> str:
    return str(UI_MODULES / "@biomejs" / "biome" / "bin" / "biome")


if __name__ == "__main__":
    verbs = {"build": build, "check": check, "format": format_, "pack": pack}
    sys.exit(page.main("-m tools.vscode", "The extension", verbs))
