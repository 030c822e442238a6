"""Fixtures of the surfaces: a daemon with slow calls, and one page connected to it."""

from collections.abc import AsyncIterator

import pytest
from tests.daemon.surfaces.slow_daemon import SlowDaemon

from bascule.daemon.surfaces.surfaces import Surface
from bascule.model.consent.origin import Origin


@pytest.fixture
async def daemon() -> AsyncIterator[SlowDaemon]:
    daemon = SlowDaemon()
    yield daemon
    await daemon.surfaces.close()


@pytest.fixture
def surface(daemon: SlowDaemon) -> Surface:
    return daemon.surfaces.connect(Origin(door="page"), workspace="/w")
