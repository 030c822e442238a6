"""Orders that are refused before anything is looked at."""

from pathlib import Path
from typing import Any, cast

from msgspec.structs import replace

from bascule.core.text.redact import Redactor
from bascule.daemon.consent.record import Record
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


def make_orders(root: Path, settings: Settings, store: OrderStore = UNUSED) -> Orders:
    return Orders(
        hub=UNUSED,
        roster=UNUSED,
        sessions=UNUSED,
        actions=UNUSED,
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
