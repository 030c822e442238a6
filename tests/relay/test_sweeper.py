"""Commands that nobody ended: stopped at their machine first, then ended once, in the sender's language."""

from pathlib import Path

import pytest

from bascule.core.relay.dev_commands import Language
from bascule.core.relay.replies import say
from bascule.host.clock import utc_text
from bascule.model.consent.orders import Order
from bascule.relay.chat.budget import ChatBudget
from bascule.relay.chat.outcome_sender import OutcomeSender
from bascule.relay.machines.machine_hub import MachineHub
from bascule.relay.storage.records import NewCommand
from bascule.relay.storage.relay_store import RelayStore
from bascule.relay.storage.steps import Admit
from bascule.relay.sweeper import MINUTE_MS, Sweeper

LIMIT_MS = 60 * MINUTE_MS


@pytest.mark.parametrize("language", ["en", "zh", "ja"])
async def test_a_command_without_an_outcome_is_cancelled_and_then_has_failed(
    tmp_path: Path, language: Language
) -> None:
    clock, store = [0], RelayStore(str(tmp_path / "relay.db"))
    hub = MachineHub(store=store, node="n", now_ms=lambda: clock[0])
    budget = ChatBudget(lambda: clock[0])
    sender = OutcomeSender(store=store, platforms={}, budget=budget, node="n", now_ms=lambda: clock[0])
    sweeper = Sweeper(
        store=store,
        hub=hub,
        sender=sender,
        node="n",
        in_flight_ms=LIMIT_MS,
        now_ms=lambda: clock[0],
        utc_text=utc_text,
    )
    order = Order(command_id="c-1", machine_id="desk", user_id="ann", kind="plan", created_at="2026")
    new = NewCommand(order=order, platform="wecom", language=language, fingerprint="")
    await store.run(Admit(messages=(), new=new, now_ms=0, repeat_ms=0, most_waiting=1, node="n"))
    seen = []
    for clock[0] in (LIMIT_MS, LIMIT_MS + 1, LIMIT_MS + 2, LIMIT_MS + 3):
        await sweeper.sweep()
        found = await store.find_command("c-1")
        assert found is not None
        seen.append((found.state, found.is_cancelled, found.outcome.summary if found.outcome else ""))
    lost = say("lost", language, machine="desk")
    assert seen == [("queued", False, ""), ("queued", True, ""), ("done", True, lost), ("done", True, lost)]
    steps = [line.step for line in await store.read_audit(10, command_id="c-1")]
    assert steps == ["in-flight timeout", "cancel", "created"]
    store.close()
