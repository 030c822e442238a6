"""What every test shares: the gate tries the same examples each time; a deep search is asked for by name."""

import os
import signal

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
