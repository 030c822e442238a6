"""What is wrong with something that is watched: said once, told as it changes, forgotten when it is over."""

import pytest

from bascule.host.watch.faults import MAX_REMEMBERED, WatchFaults


def test_each_fault_is_said_once_and_told_as_it_comes_and_goes(caplog: pytest.LogCaptureFixture) -> None:
    faults = WatchFaults()
    told: list[tuple[tuple[str, str], ...]] = []
    faults.on_change = lambda: told.append(faults.said)
    for _ in range(2):
        faults.report("/a", "Permission denied")
        faults.report("/b", "it is not a file")
    faults.forget("/a")
    faults.forget("/a")
    assert told == [
        (("/a", "Permission denied"),),
        (("/a", "Permission denied"), ("/b", "it is not a file")),
        (("/b", "it is not a file"),),
    ]
    assert len(caplog.records) == 2


def test_places_have_a_ceiling() -> None:
    faults = WatchFaults()
    for number in range(MAX_REMEMBERED + 5):
        faults.report(f"/{number}", "it is not a file")
    assert len(faults.said) == MAX_REMEMBERED
