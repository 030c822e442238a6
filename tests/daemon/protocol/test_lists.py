"""mcp.list: clients that know the four states of the specification alone are sent no other."""

from types import SimpleNamespace
from typing import Any

import pytest

from bascule.agents.driver import ListedMcpServer
from bascule.daemon.protocol import lists
from bascule.model.protocol.runs import McpListParams, McpServer, UiCapabilities

SPECIFIED = {"disabled", "connecting", "ready", "error"}
STATES: tuple[Any, ...] = ("disabled", "connecting", "auth_required", "ready", "error")


class Listing:
    """A driver with a server in each state."""

    async def list_mcp_servers(self, thread: object, cwd: str) -> tuple[ListedMcpServer, ...]:
        servers = (McpServer(id=state, transport="stdio", enabled=True, state=state) for state in STATES)
        return tuple(ListedMcpServer(server, None) for server in servers)


async def list_for(monkeypatch: pytest.MonkeyPatch, can: UiCapabilities) -> dict[str, McpServer]:
    async def find_driver(app: object, surface: object) -> tuple[Listing, Any]:
        return Listing(), SimpleNamespace(workspace="/w")

    monkeypatch.setattr(lists, "_driver", find_driver)
    surface: Any = SimpleNamespace(capabilities=can, current=None)
    listed = await lists.list_mcp(SimpleNamespace(), surface, McpListParams())  # type: ignore[arg-type]
    return {server.id: server for server in listed.servers}


async def test_a_client_of_the_specification_is_sent_its_four_states(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = await list_for(monkeypatch, UiCapabilities(supports_confirm=True))
    assert {server.state for server in seen.values()} == SPECIFIED
    wants = seen["auth_required"]
    assert (wants.state, wants.last_error) == ("error", "Sign in to this server first.")


@pytest.mark.parametrize(
    "can",
    [UiCapabilities(supports_session_sync=True), UiCapabilities(supports_permission_preflight_events=True)],
)
async def test_one_that_knows_more_learns_that_a_sign_in_is_needed(
    monkeypatch: pytest.MonkeyPatch, can: UiCapabilities
) -> None:
    seen = await list_for(monkeypatch, can)
    assert [server.state for server in seen.values()] == list(STATES)
