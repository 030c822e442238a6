"""Orders that are refused before anything is looked at."""

from pathlib import Path
from typing import Any, cast

from bascule.core.text.redact import Redactor
from bascule.daemon.consent.record import Record
from bascule.daemon.orders.orders import Orders
from bascule.host.storage.audit import audit_in
from bascule.model.consent.orders import Order
from bascule.model.settings import Settings

UNUSED = cast(Any, None)
ELSEWHERE = Order(
    command_id="c-1", machine_id="elsewhere", user_id="ann", kind="help", created_at="2026-11-18T20:00:00Z"
)


async def test_a_sender_hears_of_a_refusal_that_cannot_be_recorded(tmp_path: Path) -> None:
    orders = Orders(
        hub=UNUSED,
        roster=UNUSED,
        sessions=UNUSED,
        actions=UNUSED,
        store=UNUSED,
        record=Record(tmp_path, lambda: 0),
        redactor=Redactor(),
        settings=lambda _: Settings(machine_id="m"),
        tasks=UNUSED,
        host_name="m",
        now_ms=lambda: 0,
    )
    recorded = await orders.take(ELSEWHERE, "", "relay")
    audit_in(tmp_path).joinpath("record.db").unlink()
    audit_in(tmp_path).joinpath("record.db").mkdir()
    assert await orders.take(ELSEWHERE, "", "relay") == recorded
    assert (recorded.status, recorded.command_id) == ("rejected", "c-1")
