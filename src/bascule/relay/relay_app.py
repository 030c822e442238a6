"""The relay put together: what comes in, what is kept, what goes out, and what is looked after."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from bascule.host.clock import new_id, now_ms, utc_text
from bascule.host.network.connections import ConnectionLimits
from bascule.host.processes.tasks import Tasks, every
from bascule.relay.chat.admission import Admission
from bascule.relay.chat.budget import ChatBudget
from bascule.relay.chat.desk_notices import DeskNotices
from bascule.relay.chat.intake import Intake
from bascule.relay.chat.json_client import JsonClient
from bascule.relay.chat.outcome_sender import OutcomeSender
from bascule.relay.chat.platforms import ChatPlatform
from bascule.relay.chat.webhook_chat import WebhookPush
from bascule.relay.config import RelayConfig
from bascule.relay.http.local_chat import LocalChat
from bascule.relay.http.machine_routes import MachineRoutes
from bascule.relay.http.operations import Operations
from bascule.relay.http.relay_page import RelayPage
from bascule.relay.http.webhook import WebhookIntake
from bascule.relay.http.wecom_callback import WeComCallback
from bascule.relay.machines.machine_hub import MachineHub
from bascule.relay.metrics import RelayMetrics
from bascule.relay.node import BEAT_S, Node
from bascule.relay.storage.database import StoreAway
from bascule.relay.storage.relay_store import RelayStore, is_shared_database
from bascule.relay.sweeper import MINUTE_MS, Sweeper
from bascule.relay.wecom.app_push import WeComPush
from bascule.relay.wecom.bot_chat import LOOK_S, WeComBot
from bascule.relay.wecom.bot_connection import BotConnection
from bascule.relay.wecom.crypto import WeComCrypto

SWEEP_S = 5.0
# Machines that have proved their key, and everybody else; behind a proxy all come from one address.
MAX_FRAME = 1024 * 1024  # bytes of what a machine sends
LIMITS = ConnectionLimits(unknown=1_024, unknown_each=1_024, known=10_000, known_each=4, message=MAX_FRAME)


@dataclass(frozen=True, kw_only=True)
class RelayParts:
    """What works behind the routes."""

    config: RelayConfig
    store: RelayStore
    node: Node
    metrics: RelayMetrics
    hub: MachineHub
    intake: Intake
    sender: OutcomeSender
    notices: DeskNotices
    sweeper: Sweeper
    bot: WeComBot | None


@asynccontextmanager
async def open_relay(
    config: RelayConfig, database: str, *, local_chat: LocalChat | None = None
) -> AsyncIterator[Starlette]:
    """The application, ready to be served, with all that works behind it.

    A local chat is served with it, at routes of its own.
    """
    store, client = await asyncio.to_thread(RelayStore, database), JsonClient()
    try:
        async with Tasks() as tasks:
            parts = _build_parts(config, store, _platforms(config, client, local_chat))
            await parts.node.join()
            await parts.sender.read()
            _start_tasks(parts, tasks, database)
            local_routes = local_chat.routes(parts.intake) if local_chat is not None else []
            app = Starlette(
                routes=[*local_routes, *_routes(parts, tasks)],
                exception_handlers={StoreAway: _answer_store_away},
            )
            app.router.redirect_slashes = False  # it would name a route, and whatever host a request names
            try:
                yield app
            finally:
                await parts.hub.close()
                await parts.node.leave()
    finally:
        client.close()
        await asyncio.to_thread(store.close)


def _build_parts(config: RelayConfig, store: RelayStore, platforms: dict[str, ChatPlatform]) -> RelayParts:
    node = Node(store)
    metrics = RelayMetrics(node.name)
    store.watch(metrics.committed)
    hub = MachineHub(store=store, node=node.name, now_ms=now_ms)
    budget = ChatBudget(now_ms)
    bot: WeComBot | None = None
    if config.wecom_bot is not None:
        connection = BotConnection(config.wecom_bot)
        bot = WeComBot(connection=connection, store=store, budget=budget, now_ms=now_ms)
        platforms = {**platforms, bot.name: bot}
    intake = Intake(
        store=store,
        admission=Admission(config, now_ms),
        hub=hub,
        node=node.name,
        new_id=new_id,
        now_ms=now_ms,
        utc_text=utc_text,
    )
    sender = OutcomeSender(
        store=store,
        platforms=platforms,
        budget=budget,
        node=node.name,
        now_ms=now_ms,
        is_alive=node.is_alive,
    )
    sweeper = Sweeper(
        store=store,
        hub=hub,
        sender=sender,
        node=node.name,
        in_flight_ms=config.in_flight_minutes * MINUTE_MS,
        now_ms=now_ms,
        utc_text=utc_text,
    )
    notices = DeskNotices(store=store, platforms=platforms, budget=budget, sender=sender, now_ms=now_ms)
    hub.on_outcome, hub.on_ask = sender.add, notices.look
    node.on_lost.extend((sender.forget, hub.end_all))
    return RelayParts(
        config=config,
        store=store,
        node=node,
        metrics=metrics,
        hub=hub,
        intake=intake,
        sender=sender,
        notices=notices,
        sweeper=sweeper,
        bot=bot,
    )


def _start_tasks(parts: RelayParts, tasks: Tasks, database: str) -> None:
    tasks.start("alive among the nodes", every(BEAT_S, parts.node.beat))
    tasks.start("look for commands", parts.hub.run_looks())
    tasks.start("look for revoked machines", parts.hub.watch_keys())
    tasks.start("send outcomes", parts.sender.run())
    tasks.start("tell what waits at a machine", parts.notices.run())
    tasks.start("look after commands", every(SWEEP_S, parts.sweeper.sweep))
    if (bot := parts.bot) is not None:
        tasks.start("WeCom's long connection", parts.node.lead(bot.name, partial(bot.run, parts.intake)))
        tasks.start("look after streams", every(LOOK_S, bot.look_after_streams))
    if is_shared_database(database):
        from bascule.relay.storage.notifications import hear_news

        tasks.start("news of other nodes", hear_news(database, parts.node.name, NodeNews(parts.hub)))


class NodeNews:
    """What other nodes say. Rows are the truth: a word that is missed only makes something later."""

    def __init__(self, hub: MachineHub) -> None:
        self._hub = hub

    async def hear(self, word: str) -> None:
        match word.split(" "):
            case ["look", *machines]:
                for machine in machines:
                    self._hub.look(machine)
            case ["held", machine, connection]:
                self._hub.end(machine, newest=connection)
            case ["keys"]:
                await self._hub.check_keys()
            case _:
                return

    def missed(self) -> None:
        """The connection was away."""
        self._hub.look_at_all()


async def _answer_store_away(_request: Request, _fault: Exception) -> Response:
    return JSONResponse({"error": "unavailable"}, status_code=503)


def _platforms(
    config: RelayConfig, client: JsonClient, local_chat: LocalChat | None
) -> dict[str, ChatPlatform]:
    found: list[ChatPlatform] = []
    if config.wecom is not None:
        found.append(WeComPush(config.wecom, client))
    if config.webhook is not None:
        found.append(WebhookPush(config.webhook, client))
    if local_chat is not None:
        found.append(local_chat)
    return {platform.name: platform for platform in found}


def _routes(parts: RelayParts, tasks: Tasks) -> list[BaseRoute]:
    """The busiest first."""
    machines = MachineRoutes(store=parts.store, hub=parts.hub, now_ms=now_ms)
    operations = Operations(
        config=parts.config,
        store=parts.store,
        hub=parts.hub,
        metrics=parts.metrics,
        new_id=new_id,
        now_ms=now_ms,
        utc_text=utc_text,
        node=parts.node.name,
        on_outcome=parts.sender.add,
    )
    return [
        *_chat_routes(parts, tasks),
        WebSocketRoute("/machine", machines.connect),
        Route("/machine/enroll", machines.enroll, methods=["POST"]),
        *operations.routes(),
        *RelayPage("/ops").routes(),
    ]


def _chat_routes(parts: RelayParts, tasks: Tasks) -> list[BaseRoute]:
    routes: list[BaseRoute] = []
    if (wecom := parts.config.wecom) is not None:
        crypto = WeComCrypto(wecom.token, wecom.aes_key, wecom.corp_id)
        callback = WeComCallback(
            crypto=crypto, intake=parts.intake, store=parts.store, tasks=tasks, now_ms=now_ms
        )
        routes.append(Route("/wecom/callback", callback.verify, methods=["GET"]))
        routes.append(Route("/wecom/callback", callback.receive, methods=["POST"]))
    if (webhook := parts.config.webhook) is not None:
        intake = WebhookIntake(secret=webhook.secret, intake=parts.intake)
        routes.append(Route("/webhook", intake.receive, methods=["POST"]))
    return routes
