"""Builds, checks and packs the VS Code extension in vscode/; its page is the one that the daemon serves."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.page import PATIENCE_S, find_node, our_tool

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
    call([*npm(), *words, *options, "--out", str(PACKED)])
    size = PACKED.stat().st_size / 1024
    print(f"{PACKED.relative_to(ROOT)}: {size:.0f} KiB. code --install-extension {PACKED}")


def install() -> None:
    if (EXTENSION / "node_modules" / "esbuild").exists():
        return
    call(
        [*npm(), "install", "--no-save", "--no-audit", "--no-fund", "--loglevel", "error", "--ignore-scripts"]
    )


def node(*words: str) -> None:
    found = find_node()
    call([*([found] if found else our_tool("node")), *words])


def npm() -> Sequence[str]:
    return [shutil.which("npm") or ""] if find_node() else our_tool("npm")


def biome() -> str:
    return str(UI_MODULES / "@biomejs" / "biome" / "bin" / "biome")


def call(argv: Sequence[str]) -> None:
    subprocess.run(argv, cwd=EXTENSION, check=True, timeout=PATIENCE_S)


def main() -> int:
    verbs = {"build": build, "check": check, "format": format_, "pack": pack}
    if len(sys.argv) != 2 or sys.argv[1] not in verbs:
        print("usage: python -m tools.vscode build|check|format|pack", file=sys.stderr)
        return 2
    try:
        verbs[sys.argv[1]]()
    except (OSError, subprocess.SubprocessError) as fault:
        print(f"The extension was not made: {fault} (is the npm registry reachable?)", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
