"""One request to a daemon that doesn't answer."""

from pathlib import Path

import pytest

from bascule.cli.connect.daemon_call import NotAnswering, call
from bascule.host.network.registration import Registration


def test_what_a_silent_daemon_is_called_can_be_said_without_the_next_step(tmp_path: Path) -> None:
    silent = Registration(
        pid=7,
        started_s=0.0,
        port=0,
        socket=str(tmp_path / "nobody.sock"),
        version="0.1.0",
        started_at="2026-11-19T06:14:29+00:00",
    )
    with pytest.raises(NotAnswering) as raised:
        call(silent, "POST", "/shutdown")
    assert str(raised.value) == f"{raised.value.said} `bascule down` ends it, `bascule up` starts it again."
    assert raised.value.said.startswith("The daemon (pid 7) does not answer at ")
    assert "bascule" not in raised.value.said.replace(str(tmp_path), "")
