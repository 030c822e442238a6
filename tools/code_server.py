"""Sets up code-server (VS Code in a browser) once, in .cache/code-server: a pinned version from npm."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.page import find_node, our_tool

VERSION = "4.100.3"  # VS Code 1.100
FOLDER = Path(__file__).parents[1] / ".cache" / "code-server" / VERSION
PACKAGE = FOLDER / "node_modules" / "code-server"
ENTRY = PACKAGE / "out" / "node" / "entry.js"
VSCODE = PACKAGE / "lib" / "vscode"
DONE = FOLDER / ".done"  # written last: a folder without it is made again
PATIENCE_S = 600.0
NPM_WORDS = ("--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error")

# Nothing is compiled: what is native has a stand-in, or is not there.
STAND_INS = Path(__file__).parent / "stand_ins"
REPLACED = {
    PACKAGE.parent / "argon2" / "argon2.js": "argon2.js",
    VSCODE / "node_modules" / "@vscode" / "spdlog" / "index.js": "spdlog.js",
    VSCODE / "node_modules" / "node-pty" / "lib" / "index.js": "node_pty.js",
}


def main() -> int:
    if DONE.exists():
        put_stand_ins()
        return 0
    print(
        f"Setting up code-server {VERSION} in {FOLDER}. This happens once and takes about a minute.",
        flush=True,
    )
    try:
        set_up()
    except (OSError, subprocess.SubprocessError) as fault:
        print(
            f"code-server {VERSION} was not set up: {fault}\nIs the npm registry reachable, "
            f"and is there 1 GB of room? Delete {FOLDER} to begin from scratch.",
            file=sys.stderr,
        )
        return 1
    return 0


def set_up() -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    manifest = {"name": "bascule-code-server", "private": True, "dependencies": {"code-server": VERSION}}
    (FOLDER / "package.json").write_text(json.dumps(manifest), encoding="utf-8")
    npm("install", *NPM_WORDS, cwd=FOLDER)
    npm("install", *NPM_WORDS, cwd=VSCODE)
    put_stand_ins()
    link = VSCODE / "node_modules.asar"  # where the editor looks for what it packs on a desktop
    if not link.exists():
        link.symlink_to("node_modules", target_is_directory=True)
    DONE.write_text(VERSION, encoding="utf-8")


def put_stand_ins() -> None:
    """Also in a folder that an earlier version has set up."""
    for place, name in REPLACED.items():
        shutil.copyfile(STAND_INS / name, place)


def npm(*words: str, cwd: Path) -> None:
    program = [shutil.which("npm") or ""] if find_node() else our_tool("npm")
    env = {name: value for name, value in os.environ.items() if name != "npm_config_nodedir"}
    subprocess.run([*program, *words], cwd=cwd, env=env, check=True, timeout=PATIENCE_S)


def server_argv(*words: str) -> Sequence[str]:
    """The command that starts it, with the machine's Node or the packaged one."""
    node = find_node()
    return [*([node] if node else our_tool("node")), str(ENTRY), *words]


def install_extension(vsix: Path, extensions: Path, user: Path) -> None:
    """As a person installs it; it is there for the next window."""
    words = (f"--install-extension={vsix}", f"--extensions-dir={extensions}", f"--user-data-dir={user}")
    argv = server_argv(*words)
    done = subprocess.run(argv, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    if done.returncode != 0 or "successfully installed" not in done.stdout:
        raise OSError(f"{vsix.name} was not installed: {done.stdout}{done.stderr}")


if __name__ == "__main__":
    sys.exit(main())
