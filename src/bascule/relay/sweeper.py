"""What is looked after every few seconds: commands that nobody ended, outcomes left behind, old messages."""

import logging
from collections.abc import Callable

from bascule.core.relay.replies import say
from bascule.model.consent.orders import OrderOutcome
from bascule.relay.chat.outcome_sender import OutcomeSender
from bascule.relay.machines.machine_hub import MachineHub
from bascule.relay.storage.database import StoreAway
from bascule.relay.storage.node_steps import ForgetMessages
from bascule.relay.storage.records import StoredCommand
from bascule.relay.storage.relay_store import RelayStore
from bascule.relay.storage.steps import Cancel, Finish

DAY_MS = 24 * 60 * 60 * 1000
MINUTE_MS = 60_000
MAX_SWEPT = 200  # at once

log = logging.getLogger("bascule.relay")


class Sweeper:
    """Every node sweeps; each command ends once."""

    def __init__(
        self,
        *,
        store: RelayStore,
        hub: MachineHub,
        sender: OutcomeSender,
        node: str,
        in_flight_ms: int,
        now_ms: Callable[[], int],
        utc_text: Callable[[int], str],
    ) -> None:
        self._store = store
        self._hub = hub
        self._sender = sender
        self._node = node
        self._in_flight_ms = in_flight_ms
        self._now_ms = now_ms
        self._utc_text = utc_text
        self._forgot_ms = 0

    async def sweep(self) -> None:
        try:
            await self._end_old()
            await self._sender.read()
            self._hub.look_at_all()
            await self._forget()
        except StoreAway as fault:
            log.warning("nothing was swept: %s", fault)

    async def _end_old(self) -> None:
        oldest_ms = self._now_ms() - self._in_flight_ms
        for command in await self._store.list_in_flight(MAX_SWEPT, before_ms=oldest_ms):
            if command.is_cancelled:
                await self._end(command)
                continue
            cancel = Cancel(command_id=command.id, actor="time limit", now_ms=self._now_ms())
            await self._store.run(cancel)  # the machine stops it first, where it can be reached
            self._hub.look(command.machine)

    async def _end(self, command: StoredCommand) -> None:
        lost = OrderOutcome(
            command_id=command.id,
            machine_id=command.machine,
            status="error",
            summary=say("lost", command.said_in, machine=command.machine),
            created_at=self._utc_text(self._now_ms()),
        )
        finish = Finish(
            outcome=lost,
            machine=command.machine,
            now_ms=self._now_ms(),
            node=self._node,
            step="in-flight timeout",
        )
        if (done := await self._store.run(finish)) is not None:
            self._sender.add(done)

    async def _forget(self) -> None:
        now_ms = self._now_ms()
        if now_ms - self._forgot_ms > MINUTE_MS:
            self._forgot_ms = now_ms
            await self._store.run(ForgetMessages(before_ms=now_ms - DAY_MS))
