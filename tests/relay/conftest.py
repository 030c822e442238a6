"""One PostgreSQL for all tests of the relay that ask for it."""

from collections.abc import Iterator

import pytest
from tests.relay.postgres import Postgres, run_postgres


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
