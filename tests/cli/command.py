"""`bascule` run to its end, in a process that is forked from one with everything imported.

The same code in a process of its own, without the third of a second that each start takes to import it.
How it starts from nothing is shown by the tests of `bascule up` and by the terminals."""

import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tests.patience import PATIENCE_S

import bascule
from bascule.cli import main

MAIN = str(Path(bascule.__file__).with_name("__main__.py"))
STREAMS = ("stdin", "stdout", "stderr")

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    ["tests.cli.command", "bascule.daemon.app", "bascule.serve.serving", "bascule.cli.terminal.conversation"]
)


def run_bascule(
    *words: str, home: Path, cwd: Path, stdin: str = "", **env: str
) -> "subprocess.CompletedProcess[str]":
    """With this data folder; without the terminal that the tests may run in."""
    environ = {**os.environ, "BASCULE_HOME": str(home), **env}
    with tempfile.TemporaryDirectory() as folder:
        streams = [Path(folder, name) for name in STREAMS]
        streams[0].write_text(stdin)
        process = FORKS.Process(target=_be_bascule, args=(words, environ, str(cwd), list(map(str, streams))))
        process.start()
        process.join(PATIENCE_S)
        if process.exitcode is None:
            process.kill()
            raise subprocess.TimeoutExpired(words, PATIENCE_S)
        _, out, err = (path.read_text() for path in streams)
        return subprocess.CompletedProcess(words, process.exitcode, out, err)


def _be_bascule(words: tuple[str, ...], environ: Mapping[str, str], cwd: str, streams: list[str]) -> None:
    os.setsid()
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environ)
    for fd, path in enumerate(streams):
        opened = os.open(path, os.O_RDONLY if fd == 0 else os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(opened, fd)
        os.close(opened)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - until the process ends
    sys.argv = [MAIN, *words]
    sys.exit(main())
