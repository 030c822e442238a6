"""The way to a relay."""

import pytest

from bascule.core.faults import UserError
from bascule.host.network.relay_link import check_relay_url


@pytest.mark.parametrize("url", ["https://relay.example", "http://127.0.0.1:8787", "http://localhost:1"])
def test_a_relay_is_named_by_its_address(url: str) -> None:
    assert check_relay_url(url).geturl() == url


@pytest.mark.parametrize(
    "url",
    [
        *("http://relay.example", "ws://relay.example", "ftp://127.0.0.1", "relay.example", "", "https://"),
        *(
            "http://127.0.0.1.evil.example",
            "https://a@relay.example",
            "https://relay.example/x?y",
            "https://a:b",
        ),
        "http://localhost.evil.example",
    ],
)
def test_a_relay_on_another_machine_is_reached_by_tls_alone(url: str) -> None:
    with pytest.raises(UserError):
        check_relay_url(url)
