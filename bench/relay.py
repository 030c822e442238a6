"""The relay under load: people send commands, machines answer, every step is on the disk before it counts."""

import contextlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import msgspec
import psutil

from bascule.host.clock import now_ms
from bascule.relay.machines.machine_keys import make_code
from bascule.relay.storage.machine_steps import AddCode
from bascule.relay.storage.relay_store import RelayStore
from bench.bare_commits import count_commits
from bench.relay_load import Figures, Load
from bench.scale import Scale

PEOPLE, EACH = 50, 100
PACE = 1_500  # commands a second


class Child:
    """A module of the bench in a process of its own, talked to by lines."""

    def __init__(self, module: str, *arguments: str) -> None:
        command = [sys.executable, "-m", module, *arguments]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._stdin: IO[str] = self.process.stdin
        self._stdout: IO[str] = self.process.stdout

    def read(self) -> str:
        return self._stdout.readline().strip()

    def resume(self) -> None:
        self._stdin.write("\n")
        self._stdin.flush()

    def stop(self) -> None:
        self._stdin.close()
        self.process.wait()
        self._stdout.close()


@contextlib.contextmanager
def running(module: str, *arguments: str) -> Iterator[Child]:
    child = Child(module, *arguments)
    try:
        yield child
    finally:
        child.stop()


def measure(_scale: Scale) -> dict[str, object]:
    """As fast as it goes, and at the pace that is the aim."""
    with tempfile.TemporaryDirectory() as folder:
        figures = measure_nodes(Path(folder), str(Path(folder) / "relay.db"), 1, PEOPLE, EACH)
    with tempfile.TemporaryDirectory() as folder:
        paced = measure_nodes(Path(folder), str(Path(folder) / "relay.db"), 1, PEOPLE, EACH, PACE)
        bare = count_commits(Path(folder))
    names = ("commands_per_s", "p50_ms", "p99_ms")
    return {
        **figures,
        **{f"paced_{name}": paced[name] for name in names},
        "bare_commits_per_s": bare,
        "commands_per_bare_commit": round(float(str(figures["commands_per_s"])) / bare, 2),
    }


def measure_nodes(
    folder: Path, database: str, count: int, people: int, each: int, per_s: int = 0
) -> dict[str, object]:
    file = folder / "load.json"
    with running("bench.relay_load", str(file)) as load, contextlib.ExitStack() as stack:
        chat = load.read()
        nodes = [
            stack.enter_context(running("bench.relay_server", database, str(people), chat))
            for _ in range(count)
        ]
        urls = tuple(node.read() for node in nodes)
        codes = tuple(invite(database, [f"m{number}" for number in range(people)], urls[0]))
        file.write_bytes(msgspec.json.encode(Load(urls, codes, people, each, per_s)))
        watched = [psutil.Process(node.process.pid) for node in nodes]
        load.resume()
        load.read()  # the machines are connected
        before = sum(spent_s(process) for process in watched)
        load.resume()
        figures = msgspec.json.decode(load.read(), type=Figures)
        spent = sum(spent_s(process) for process in watched) - before
        memory = max(process.memory_info().rss for process in watched)
        stack.close()  # while the chat still takes replies
        load.resume()
    return {
        **msgspec.to_builtins(figures),
        "nodes": count,
        "machines": people,
        "cpu_ms_per_command": round(spent * 1000 / figures.commands, 2),
        "relay_mib": round(memory / 2**20, 1),
    }


def invite(database: str, machines: list[str], url: str) -> Iterator[str]:
    store = RelayStore(database)
    for machine in machines:
        code, hashed = make_code(url, machine)
        store.run_now(AddCode(machine=machine, hashed=hashed, expires_ms=now_ms() + 600_000, now_ms=now_ms()))
        yield code
    store.close()


def spent_s(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)
