"""`bascule status`: what runs, in the words of the other commands."""

from collections.abc import Mapping

import pytest

from bascule.cli.daemon.status import DaemonStatus, _text


@pytest.mark.parametrize(
    ("sessions", "said"),
    [
        ({}, "sessions: none"),
        ({"unknown": 2, "completed": 5}, "sessions: 5 ended, 2 new"),
        (
            {"stopped": 1, "completed": 2, "working": 1, "waiting_user": 3},
            "sessions: 3 waiting for you, 1 working, 3 ended",
        ),
    ],
)
def test_sessions_are_counted_in_words(sessions: Mapping[str, int], said: str) -> None:
    """What has ended may have failed: the list of sessions tells these apart."""
    lines = _text(
        DaemonStatus(running=True, since="2026-11-19T06:14:29+00:00", sessions=sessions)
    ).splitlines()
    assert [line for line in lines if line.startswith("sessions")] == [said]
