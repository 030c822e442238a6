"""How the relay grows: SQLite and PostgreSQL, one node and three, 50 machines and 500."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.relay.postgres import Postgres, run_postgres

from bench.relay import measure_nodes
from bench.scale import Scale


class Case(NamedTuple):
    database: str
    nodes: int
    machines: int
    each: int  # commands of one person


CASES = (
    Case("sqlite", 1, 50, 60),
    Case("sqlite", 1, 500, 6),
    Case("postgresql", 1, 50, 60),
    Case("postgresql", 3, 50, 60),
    Case("postgresql", 1, 500, 6),
    Case("postgresql", 3, 500, 6),
)
SHOWN = ("commands_per_s", "p50_ms", "p99_ms", "cpu_ms_per_command")


def measure(_scale: Scale) -> dict[str, object]:
    with run_postgres(fsync=True) as postgres:
        return dict(_measure(postgres))


def _measure(postgres: Postgres) -> Iterator[tuple[str, object]]:
    for case in CASES:
        with tempfile.TemporaryDirectory() as folder:
            is_file = case.database == "sqlite"
            database = str(Path(folder) / "relay.db") if is_file else postgres.make_database()
            figures = measure_nodes(Path(folder), database, case.nodes, case.machines, case.each)
        name = f"{case.database}_{case.nodes}_nodes_{case.machines}_machines"
        yield name, {key: figures[key] for key in SHOWN}
