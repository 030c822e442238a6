"""Sessions of those who send Orders: one each, and a relay with many names doesn't fill the lists."""

from pathlib import Path
from typing import Any, cast

import pytest
from tests.daemon.hubs import make_session, open_hub

from bascule.core.faults import UserError
from bascule.daemon.orders import sender_sessions
from bascule.daemon.orders.sender_sessions import ALL_BUSY, FULL, SenderSessions
from bascule.daemon.sessions.hub import Hub
from bascule.model.changes import PlaceSet, StatusSet
from bascule.model.ids import SessionId
from bascule.model.session import ListPlace


class FakeSessions:
    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._clock_ms = 0

    async def create(self, workspace: str, *, sender: str, relay: str) -> SessionId:
        self._clock_ms += 1
        name = SessionId(f"s_{sender}{relay}")
        self._hub.add(
            make_session(
                name,
                agent="codex",
                workspace=workspace,
                sender=sender,
                relay=relay,
                updated_at_ms=self._clock_ms,
            )
        )
        return name

    def set_place(self, session: SessionId, place: ListPlace) -> None:
        self._hub.apply(session, [PlaceSet(place)])


def listed(hub: Hub) -> list[str]:
    return sorted(head.sender for head in hub.conversations() if head.place != "archived")


async def test_the_longest_unused_are_archived_and_come_back_and_busy_ones_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender_sessions, "MAX_LISTED", 2)
    monkeypatch.setattr(sender_sessions, "MAX_KEPT", 4)
    with open_hub(tmp_path / "db") as hub:
        sessions = FakeSessions(hub)
        senders = SenderSessions(hub, cast(Any, sessions))
        for user in ("ann", "bob", "eve"):
            await senders.open(user, "/w")
        assert listed(hub) == ["bob", "eve"]
        assert await senders.open("ann", "/w") == "s_ann"
        assert len(listed(hub)) == 2
        assert "ann" in listed(hub)
        for name in listed(hub):
            hub.apply(SessionId(f"s_{name}"), [StatusSet("working")])
        with pytest.raises(UserError, match=ALL_BUSY):
            await senders.open("kim", "/w")
        for name in listed(hub):
            hub.apply(SessionId(f"s_{name}"), [StatusSet("completed")])
        await senders.open("kim", "/w")
        with pytest.raises(UserError, match=FULL):
            await senders.open("lee", "/w")
        assert len(listed(hub)) == 2


async def test_the_same_name_at_another_relay_is_somebody_else(tmp_path: Path) -> None:
    """What the agent heard from one is not there to be asked about by the other."""
    with open_hub(tmp_path / "db") as hub:
        senders = SenderSessions(hub, cast(Any, FakeSessions(hub)))
        relays = ("", "https://one.example", "https://two.example")
        names = [await senders.open("ann", "/w", relay) for relay in relays]
        assert len(set(names)) == 3
        assert [await senders.open("ann", "/w", relay) for relay in relays] == names
