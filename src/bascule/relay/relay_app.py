"""The relay put together: what comes in, what is kept, what goes out, and what is looked after."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.routing import BaseRoute, Route, WebSocketRoute

from bascule.host.clock import new_id, now_ms, utc_text
from bascule.host.processes.tasks import Tasks, every
from bascule.model.consent.orders import OrderOutcome
from bascule.relay.chat.admission import Admission
from bascule.relay.chat.budget import ChatBudget
from bascule.relay.chat.intake import Intake
from bascule.relay.chat.outcome_sender import OutcomeSender
from bascule.relay.chat.platforms import ChatPlatform, WebhookPush, WeComPush
from bascule.relay.config import RelayConfig
from bascule.relay.http.machine_routes import MachineRoutes
from bascule.relay.http.operations import Operations
from bascule.relay.http.webhook import WebhookIntake
from bascule.relay.http.wecom_callback import WeComCallback
from bascule.relay.machines.machine_hub import MachineHub
from bascule.relay.storage.relay_store import RelayStore
from bascule.relay.wecom.bot_chat import LOOK_S, WeComBot
from bascule.relay.wecom.bot_connection import BotConnection
from bascule.relay.wecom.crypto import WeComCrypto

SWEEP_S = 5.0
LOST = "The machine did not answer in time. What it did is in its own record."


@asynccontextmanager
async def open_relay(config: RelayConfig, database: Path) -> AsyncIterator[Starlette]:
    """The application, ready to be served, with all that works behind it."""
    store = RelayStore(database)
    try:
        async with Tasks() as tasks:
            hub = MachineHub(store=store, now_ms=now_ms)
            budget = ChatBudget(now_ms)
            platforms = _platforms(config)
            intake = Intake(
                store=store,
                admission=Admission(config, now_ms),
                hub=hub,
                new_id=new_id,
                now_ms=now_ms,
                utc_text=utc_text,
            )
            if config.wecom_bot is not None:
                connection = BotConnection(config.wecom_bot)
                bot = WeComBot(connection=connection, store=store, budget=budget, now_ms=now_ms)
                platforms[bot.name] = bot
                tasks.start("WeCom's long connection", bot.run(intake))
                tasks.start("look after streams", every(LOOK_S, bot.look_after_streams))
            sender = OutcomeSender(store=store, platforms=platforms, budget=budget, now_ms=now_ms)
            hub.on_outcome = sender.wake
            tasks.start("look for revoked machines", hub.watch_keys())
            tasks.start("send outcomes", sender.run())
            sweeper = Sweeper(store=store, hub=hub, config=config, on_outcome=sender.wake)
            tasks.start("look after commands", every(SWEEP_S, sweeper.sweep))
            yield Starlette(routes=_routes(config, store, hub, intake, tasks, sender.wake))
            await hub.close()
    finally:
        await asyncio.to_thread(store.close)


def _platforms(config: RelayConfig) -> dict[str, ChatPlatform]:
    found: list[ChatPlatform] = []
    if config.wecom is not None:
        found.append(WeComPush(config.wecom))
    if config.webhook is not None:
        found.append(WebhookPush(config.webhook))
    return {platform.name: platform for platform in found}


def _routes(
    config: RelayConfig,
    store: RelayStore,
    hub: MachineHub,
    intake: Intake,
    tasks: Tasks,
    wake: Callable[[], None],
) -> list[BaseRoute]:
    machines = MachineRoutes(store=store, hub=hub, now_ms=now_ms)
    operations = Operations(
        config=config,
        store=store,
        hub=hub,
        new_id=new_id,
        now_ms=now_ms,
        utc_text=utc_text,
        on_outcome=wake,
    )
    routes: list[BaseRoute] = [
        Route("/machine/enroll", machines.enroll, methods=["POST"]),
        WebSocketRoute("/machine", machines.connect),
        *operations.routes(),
    ]
    if config.wecom is not None:
        crypto = WeComCrypto(config.wecom.token, config.wecom.aes_key, config.wecom.corp_id)
        callback = WeComCallback(crypto=crypto, intake=intake, store=store, tasks=tasks, now_ms=now_ms)
        routes.append(Route("/wecom/callback", callback.verify, methods=["GET"]))
        routes.append(Route("/wecom/callback", callback.receive, methods=["POST"]))
    if config.webhook is not None:
        webhook = WebhookIntake(secret=config.webhook.secret, intake=intake)
        routes.append(Route("/webhook", webhook.receive, methods=["POST"]))
    return routes


class Sweeper:
    """Commands that no machine ended in time end here, once."""

    def __init__(
        self, *, store: RelayStore, hub: MachineHub, config: RelayConfig, on_outcome: Callable[[], None]
    ) -> None:
        self._store = store
        self._hub = hub
        self._config = config
        self._on_outcome = on_outcome

    async def sweep(self) -> None:
        oldest_ms = now_ms() - self._config.in_flight_minutes * 60_000
        for command in await self._store.list_open():
            if command.created_ms >= oldest_ms:
                continue
            if not command.is_cancelled:  # the machine stops it first, where it can be reached
                await self._store.cancel(command.order.command_id, "time limit", now_ms())
                self._hub.wake(command.machine)
                continue
            lost = OrderOutcome(
                command_id=command.order.command_id,
                machine_id=command.machine,
                status="error",
                summary=LOST,
                created_at=utc_text(now_ms()),
            )
            if await self._store.finish(lost, command.machine, now_ms(), "in-flight timeout"):
                self._on_outcome()
