"""One PostgreSQL for all tests of the relay that ask for it."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from tests.relay.postgres import Postgres, run_postgres
from tests.relay.service import Service, open_service


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with run_postgres() as running:
        yield running


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> str:
    """Empty: the file of the service, or a database on the server."""
    if request.param == "sqlite":
        return ""
    running: Postgres = request.getfixturevalue("postgres")
    return running.make_database()


@pytest.fixture
async def service(tmp_path: Path, database: str) -> AsyncIterator[Service]:
    """Every test with it runs on SQLite and on PostgreSQL."""
    async with open_service(tmp_path, database=database) as running:
        yield running
