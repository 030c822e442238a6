"""Orders that are refused before anything is looked at."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Any, cast
from unittest.mock import AsyncMock

import pytest
from msgspec.structs import replace
from tests.patience import PATIENCE_S

from bascule.core.text.redact import Redactor
from bascule.daemon.consent.record import Record
from bascule.daemon.orders.order_actions import ActionResult, TakenOrder
from bascule.daemon.orders.orders import NO_LONGER_NAMED, Orders
from bascule.host.clock import now_ms, utc_text
from bascule.host.processes.tasks import Tasks
from bascule.host.storage.audit import audit_in
from bascule.host.storage.order_store import OrderStore
from bascule.model.consent.orders import Order
from bascule.model.settings import OrdersSettings, Settings

UNUSED = cast(Any, None)
ELSEWHERE = Order(
    command_id="c-1", machine_id="elsewhere", user_id="ann", kind="help", created_at="2026-11-18T20:00:00Z"
)


def make_orders(root: Path, settings: Settings, store: OrderStore = UNUSED, actions: Any = UNUSED) -> Orders:
    return Orders(
        hub=UNUSED,
        roster=UNUSED,
        sessions=UNUSED,
        actions=actions,
        store=store,
        record=Record(root, lambda: 0),
        redactor=Redactor(),
        settings=lambda _: settings,
        tasks=Tasks(),
        host_name="m",
        now_ms=now_ms,
    )


async def test_a_sender_hears_of_a_refusal_that_cannot_be_recorded(tmp_path: Path) -> None:
    orders = make_orders(tmp_path, Settings(machine_id="m"))
    recorded = await orders.take(ELSEWHERE, "", "relay")
    audit_in(tmp_path).joinpath("record.db").unlink()
    audit_in(tmp_path).joinpath("record.db").mkdir()
    refused = await orders.take(ELSEWHERE, "", "relay")
    assert replace(refused, created_at="") == replace(recorded, created_at="")
    assert (recorded.status, recorded.command_id) == ("rejected", "c-1")


class SlowActions:
    def __init__(self) -> None:
        self.may_end = asyncio.Event()

    async def do(self, _given: TakenOrder) -> ActionResult:
        await self.may_end.wait()
        return ActionResult(status="ok", summary="done")


async def test_a_sender_hears_when_an_order_has_to_wait_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Orders, "_find_session", AsyncMock(return_value=None))
    store, actions, heard = OrderStore(tmp_path / "orders.db"), SlowActions(), list[tuple[str, bool]]()
    settings = Settings(machine_id="m", orders=OrdersSettings(workspaces=(f"site={tmp_path}",)))
    orders = make_orders(tmp_path, settings, store, actions)
    plan = replace(ELSEWHERE, machine_id="m", kind="plan", prompt="x", created_at=utc_text(now_ms()))
    taken = asyncio.gather(
        *(
            orders.take(replace(plan, command_id=name), "", "relay", on_line=partial(_hear, heard, name))
            for name in ("c-1", "c-2")
        )
    )
    async with asyncio.timeout(PATIENCE_S):
        while not heard:
            await asyncio.sleep(0.01)
        assert [is_waiting for _, is_waiting in heard] == [True]
        actions.may_end.set()
        assert [outcome.status for outcome in await taken] == ["ok", "ok"]
    assert heard == [(heard[0][0], True), (heard[0][0], False)]
    store.close()


def _hear(heard: list[tuple[str, bool]], name: str, is_waiting: bool) -> None:
    heard.append((name, is_waiting))


async def test_a_patch_is_not_applied_in_a_folder_that_is_no_longer_named(tmp_path: Path) -> None:
    store, now = OrderStore(tmp_path / "orders.db"), utc_text(now_ms())
    patch = replace(ELSEWHERE, machine_id="m", kind="patch", prompt="x", created_at=now)
    store.begin(patch, "/once")
    settings = Settings(machine_id="m", orders=OrdersSettings(workspaces=("site=/now",)))
    orders = make_orders(tmp_path, settings, store)
    apply = replace(patch, command_id="c-2", kind="apply", prompt="", ref_id="c-1")
    refused = await orders.take(apply, "", "relay")
    assert (refused.status, refused.summary) == ("rejected", NO_LONGER_NAMED)
    store.close()
