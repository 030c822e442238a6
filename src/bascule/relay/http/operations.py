"""Operations: what machines and commands do, cancel and retry; behind a token, always."""

import hmac
from collections.abc import Awaitable, Callable

import msgspec
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bascule.model.consent.orders import OrderOutcome
from bascule.relay.chat.intake import MAX_WAITING
from bascule.relay.config import RelayConfig, redact_config
from bascule.relay.machines.machine_hub import MachineHub
from bascule.relay.storage.records import NewCommand, StoredCommand
from bascule.relay.storage.relay_store import RelayStore
from bascule.relay.storage.steps import Admit, Cancel, Finish

MAX_LISTED = 500
OPERATOR = "operator"

Handle = Callable[[Request], Awaitable[Response]]


class Operations:
    def __init__(
        self,
        *,
        config: RelayConfig,
        store: RelayStore,
        hub: MachineHub,
        new_id: Callable[[str], str],
        now_ms: Callable[[], int],
        utc_text: Callable[[int], str],
        node: str,
        on_outcome: Callable[[StoredCommand], None],
    ) -> None:
        self._config = config
        self._store = store
        self._hub = hub
        self._new_id = new_id
        self._now_ms = now_ms
        self._utc_text = utc_text
        self._node = node
        self._on_outcome = on_outcome

    def routes(self) -> list[Route]:
        table: list[tuple[str, str, Handle]] = [
            ("GET", "/healthz", self._health),
            ("GET", "/machines", self._machines),
            ("GET", "/inflight", self._in_flight),
            ("GET", "/commands/{command_id}", self._command),
            ("POST", "/commands/{command_id}/cancel", self._cancel),
            ("POST", "/commands/{command_id}/retry", self._retry),
            ("GET", "/audit/recent", self._audit),
            ("GET", "/ops/config", self._show_config),
        ]
        return [Route(path, self._guarded(handle), methods=[method]) for method, path, handle in table]

    def _guarded(self, handle: Handle) -> Handle:
        expected = f"Bearer {self._config.operations_token}".encode()

        async def guarded(request: Request) -> Response:
            given = request.headers.get("authorization", "").encode("utf-8", "replace")
            if not hmac.compare_digest(given, expected):
                return JSONResponse({"error": "unauthorized"}, status_code=401)
            return await handle(request)

        return guarded

    async def _health(self, _request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def _machines(self, _request: Request) -> Response:
        known = await self._store.list_machines()
        items = [
            {
                "machineId": one.machine,
                "connected": one.connected_ms is not None,
                "connectedAt": _moment(one.connected_ms, self._utc_text),
                "node": one.node,
                "enrolledAt": self._utc_text(one.enrolled_ms),
                "revoked": one.revoked_ms is not None,
            }
            for one in known
        ]
        return JSONResponse({"items": items})

    async def _in_flight(self, _request: Request) -> Response:
        now_ms = self._now_ms()
        items = [
            {
                "commandId": one.order.command_id,
                "userId": one.actor,
                "machineId": one.machine,
                "kind": one.order.kind,
                "state": one.state,
                "ageMs": now_ms - one.created_ms,
            }
            for one in await self._store.list_in_flight(MAX_LISTED)
        ]
        return JSONResponse({"items": items})

    async def _command(self, request: Request) -> Response:
        command = await self._store.find_command(request.path_params["command_id"])
        if command is None:
            return _missing()
        events = await self._store.read_audit(MAX_LISTED, command_id=command.id)
        return JSONResponse(
            {
                "command": msgspec.to_builtins(command.order),
                "state": command.state,
                "outcome": msgspec.to_builtins(command.outcome),
                "retriedFrom": command.retried_from,
                "events": [msgspec.to_builtins(line) for line in reversed(events)],
            }
        )

    async def _cancel(self, request: Request) -> Response:
        cancel = Cancel(command_id=request.path_params["command_id"], actor=OPERATOR, now_ms=self._now_ms())
        command = await self._store.run(cancel)
        if command is None:
            return _missing()
        if command.state == "queued" and not await self._store.is_connected(command.machine):
            await self._end(command)
        else:
            self._hub.look(command.machine)
        return JSONResponse({"status": "cancel_sent"})

    async def _end(self, command: StoredCommand) -> None:
        """Its machine never had it."""
        ended = OrderOutcome(
            command_id=command.order.command_id,
            machine_id=command.machine,
            status="cancelled",
            summary="It was cancelled before it reached the machine.",
            created_at=self._utc_text(self._now_ms()),
        )
        finish = Finish(
            outcome=ended, machine=command.machine, now_ms=self._now_ms(), node=self._node, step="cancelled"
        )
        if (done := await self._store.run(finish)) is not None:
            self._on_outcome(done)

    async def _retry(self, request: Request) -> Response:
        """The same under a new id, where the first has ended."""
        command = await self._store.find_command(request.path_params["command_id"])
        if command is None:
            return _missing()
        if command.state != "done":
            return JSONResponse({"error": "command_in_flight"}, status_code=409)
        if self._config.find_machine(command.actor) != command.machine:
            return JSONResponse({"error": "user_not_allowed"}, status_code=403)
        now_ms = self._now_ms()
        order = replace(command.order, command_id=self._new_id("c"), created_at=self._utc_text(now_ms))
        new = NewCommand(
            order=order,
            chat=command.chat,
            platform=command.platform,
            language=command.language,
            fingerprint="",
            retried_from=command.order.command_id,
        )
        admit = Admit(
            messages=(), new=new, now_ms=now_ms, repeat_ms=0, most_waiting=MAX_WAITING, node=self._node
        )
        admitted = await self._store.run(admit)
        if admitted.command is None:
            return JSONResponse({"error": admitted.refusal}, status_code=409)
        self._hub.deliver(admitted.command)
        return JSONResponse(
            {"status": "retried_sent", "commandId": order.command_id, "retriedFrom": command.order.command_id}
        )

    async def _audit(self, request: Request) -> Response:
        asked = request.query_params
        limit = asked.get("limit", "100")
        lines = await self._store.read_audit(
            min(int(limit), MAX_LISTED) if limit.isascii() and limit.isdecimal() and len(limit) < 9 else 100,
            actor=asked.get("userId", ""),
            machine=asked.get("machineId", ""),
            status=asked.get("status", ""),
            command_id=asked.get("commandId", ""),
        )
        return JSONResponse({"items": [msgspec.to_builtins(line) for line in lines]})

    async def _show_config(self, _request: Request) -> Response:
        return JSONResponse(redact_config(self._config))


def _missing() -> Response:
    return JSONResponse({"error": "command_not_found"}, status_code=404)


def _moment(at_ms: int | None, utc_text: Callable[[int], str]) -> str | None:
    return utc_text(at_ms) if at_ms is not None else None
