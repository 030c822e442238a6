"""Commands on a disk that takes nothing, and a lock file that is deleted: one sentence, and one daemon."""

import contextlib
import resource
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.peer import argv, daemon, data_folder, environ
from tests.patience import PATIENCE_S

from bascule.host.network.registration import find_daemon

HOSTING = (
    ("up", "--no-open"),
    ("up", "--no-open", "--foreground"),
    ("ask", "hello"),
    ("session", "print", "last"),
)


@contextlib.contextmanager
def full_disk(root: Path) -> Iterator[bool]:
    """A file system of its own without any room; False where it cannot be mounted."""
    root.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs", str(root)],
        capture_output=True,
        check=False,
    )
    if made.returncode != 0:
        yield False
        return
    try:
        (root / "data").mkdir(mode=0o700)
        (root / "data" / "logs").mkdir(mode=0o700)
        with contextlib.suppress(OSError), (root / "full").open("wb", buffering=0) as file:
            while True:
                file.write(b"x" * 4096)
        yield True
    finally:
        subprocess.run(["umount", str(root)], check=True)


def nothing_may_grow() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def complaint(home: Path, *words: str, limited: bool = False) -> str:
    """What the command says; it must fail, and say one line."""
    done = subprocess.run(
        argv(*words),
        env=environ(home),
        cwd="/",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
        preexec_fn=nothing_may_grow if limited else None,
    )
    assert (done.returncode, done.stdout) == (1, ""), done
    (line,) = done.stderr.splitlines()
    return line


@pytest.mark.parametrize("words", HOSTING, ids=" ".join)
def test_a_full_disk_is_one_sentence(tmp_path: Path, words: tuple[str, ...]) -> None:
    home = tmp_path / "home"
    with full_disk(home) as mounted:
        said = complaint(home, *words, limited=not mounted)
    folder = home / "data"
    expected = "No space left on device. Free some space" if mounted else "File too large. Files may not grow"
    assert said.startswith(f"bascule: The data folder {folder} cannot be used: {expected}")


@pytest.mark.parametrize("words", HOSTING, ids=" ".join)
def test_a_folder_where_no_file_may_grow_is_one_sentence(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "data" / "logs").mkdir(parents=True, mode=0o700)
    (tmp_path / "data").chmod(0o700)
    said = complaint(tmp_path, *words, limited=True)
    assert said.startswith(f"bascule: The data folder {tmp_path / 'data'} cannot be used: File too large.")


@pytest.mark.parametrize("words", HOSTING, ids=" ".join)
def test_a_database_that_cannot_be_opened_is_one_sentence(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "data" / "bascule.db").mkdir(parents=True)
    (tmp_path / "data").chmod(0o700)
    assert complaint(tmp_path, *words) == (
        f"bascule: {tmp_path / 'data' / 'bascule.db'} cannot be opened (unable to open database file). "
        "Check that you can read and write it and its folder."
    )


async def test_a_deleted_lock_file_makes_no_second_daemon(tmp_path: Path) -> None:
    folder = data_folder(tmp_path, demo=False)
    async with daemon(tmp_path) as first:
        folder.lock.unlink()
        assert find_daemon(folder) == first
        again = subprocess.run(
            argv("up", "--no-open", "--foreground"),
            env=environ(tmp_path),
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert again.stdout.startswith(f"Bascule is running at {first.url} (pid {first.pid}).")
        assert "ends with it" not in again.stdout  # which command has the folder is not known then
        said = complaint(tmp_path, "up", "--background")
        assert f"is in use by bascule (pid {first.pid}, started " in said
