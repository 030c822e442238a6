"""Builds, checks and packs the VS Code extension in vscode/; its page is the one that the daemon serves."""

import shutil
import sys
from pathlib import Path

from tools import page

ROOT = Path(__file__).parents[1]
EXTENSION = ROOT / "vscode"
UI_MODULES = ROOT / "ui" / "node_modules"  # its TypeScript and biome check the extension too
VSCE = "@vscode/vsce@4.1.0"
PACKED = EXTENSION / "bascule.vsix"
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
    """A .vsix, without a look at any marketplace."""
    build()
    words = ["exec", "--yes", "--prefer-offline", f"--package={VSCE}", "--", "vsce", "package"]
    options = ["--no-dependencies", "--skip-license", "--allow-missing-repository"]
    page.call([*page.npm(), *words, *options, "--out", str(PACKED)], EXTENSION)
    size = PACKED.stat().st_size / 1024
    print(f"{PACKED.relative_to(ROOT)}: {size:.0f} KiB. code --install-extension {PACKED}")


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
