"""What every test shares: the gate tries the same examples each time; a deep search is asked for by name."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

# BASCULE_FUZZ=deep pytest tests/core: new examples each time, and many more. make quick asks for fewer.
settings.register_profile("gate", derandomize=True, deadline=None, max_examples=60)
settings.register_profile("quick", settings.get_profile("gate"), max_examples=20)
settings.register_profile("deep", deadline=None, max_examples=3_000)
settings.load_profile(os.environ.get("BASCULE_FUZZ", "gate"))

# A shell that starts us in the background lets us ignore Ctrl-C, and our children would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Among them those that wait more than they work.
SLOW = (
    *("tests/vscode/", "tests/e2e/", "tests/page/", "tests/bench/"),
    *("tests/relay/test_chaos.py", "tests/serve/selftest/"),
    "tests/host/edits/test_apply_crash.py",  # forks, which costs more the more memory the others have taken
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The slow ones first, so that those who run side by side end together."""
    items.sort(key=lambda item: not item.nodeid.startswith(SLOW))


class Bystander:
    """A child that has nothing to do with any test."""

    def __init__(self) -> None:
        self.start()

    def start(self) -> None:
        waits = [sys.executable, "-S", "-c", "import sys; sys.stdin.read()"]
        self.child = subprocess.Popen(waits, stdin=subprocess.PIPE)


@pytest.fixture(scope="session")
def bystander() -> Iterator[Bystander]:
    one = Bystander()
    yield one
    one.child.communicate()


@pytest.fixture(autouse=True)
def _nobody_else_is_ended(bystander: Bystander) -> Iterator[None]:
    """Who hosts ends the children of its process as it leaves: such a test needs a process of its own."""
    yield
    if bystander.child.poll() is not None:
        bystander.child.communicate()
        bystander.start()
        pytest.fail("This test, or the one before it, ended a child of others: host in a process of its own.")
